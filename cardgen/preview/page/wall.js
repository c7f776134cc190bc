// The wall view: all decks with their cards and faces.

import {el, fill as put, find, refuse, sourceLink} from "./html.js";
import {cardName, deckOf, facesOfCard, game, isError, onGame, problemsOf, whereHolds} from "./model.js";
import * as notes from "./notes.js";
import {draw, forget, frame} from "./picture.js";
import {keep, look, onView, scale, view} from "./view.js";

const wall = find("wall");
const tiles = new Map(); // deck/card → its tile
const sections = new Map(); // deck → its section
let holding = null; // cards that match the expression; null for all
let asked = 0;
let left = null; // the tile that keeps its place, and its distance from the top
let leaving = 0;
let set = -1; // scroll position set by this module
let wide = 0; // width of the wall at its last layout, px
const GAP = 18, SEAM = 6; // px between tiles and between the faces of one, as in page.css

export const shown = () => [...wall.querySelectorAll(".tile:not([hidden])")];
export const tileOf = (name) => tiles.get(name);

function wantedFaces(name) {
  return facesOfCard(name).filter(
    (face) => !view.hidden.includes(face.language) && (view.sides === "both" || face.side === view.sides),
  );
}

function nameOf(card) {
  const language = game.languages.find((code) => !view.hidden.includes(code)) ?? game.languages[0];
  return card.name[language] ?? card.id;
}

function passes(card) {
  if (holding && !holding.has(cardName(card)) || !notes.passes(cardName(card))) return false;
  const said = `${card.id}\n${Object.values(card.name).join("\n")}\n${card.words}`.toLowerCase();
  return view.words.toLowerCase().split(/\s+/).every((word) => said.includes(word));
}

const changedAt = (name) => Math.max(0, ...facesOfCard(name).map((face) => face.changed));

// Return the tightest of a card's visible fitted texts as [excess in mm, at most 0; pt above its smallest
// size; free mm], or null. Smaller values are tighter.
function fitOf(name) {
  const fits = facesOfCard(name).filter((face) => face.fit && !view.hidden.includes(face.language)).map((face) => face.fit);
  return fits.sort(tighter)[0] ?? null;
}

const tighter = (a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2];

function byFit(a, b) {
  const [one, two] = [fitOf(cardName(a)), fitOf(cardName(b))];
  return one && two ? tighter(one, two) : Number(!one) - Number(!two);
}

function told(fit) {
  if (!fit) return null;
  const [over, spare, left] = fit;
  const text = over ? `${(-over).toFixed(1)} mm over` : `+${spare.toFixed(1)} pt`;
  return el(over ? "span.fit.over" : "span.fit", {title: over ? "" : `${spare.toFixed(1)} pt above its smallest size, ${left.toFixed(1)} mm left`}, text);
}

const sorts = {
  fit: byFit,
  name: (a, b) => nameOf(a).localeCompare(nameOf(b)),
  id: (a, b) => a.id.localeCompare(b.id),
  changed: (a, b) => changedAt(cardName(b)) - changedAt(cardName(a)),
  problems: (a, b) => worth(b) - worth(a),
};
// These orders make one list of all decks.
const OVER_ALL = ["fit", "changed", "problems"];
const TITLES = {fit: "Tightest fit", changed: "Last changed", problems: "Problems first"};
const ALL = ""; // key of that list among the sections of decks

// An error is worse than any number of warnings.
function worth(card) {
  const problems = problemsOf(cardName(card));
  return problems.filter(isError).length * 1000 + problems.length;
}

const titleOf = (deck) => deck.title[game.languages[0]] ?? deck.id;
export const isOneList = () => OVER_ALL.includes(view.sort);

// Tell whether a problem of a card concerns one of its faces.
const isAbout = (problem, face) =>
  (!problem.language || problem.language === face?.language) && (!problem.side || problem.side === face?.side);

function newTile(name) {
  const tile = el("article.tile", {tabindex: 0, "data-card": name});
  tile.faces = el("div.faces");
  tile.foot = el("div.foot");
  tile.append(tile.faces, tile.foot);
  return tile;
}

function sized(tile, deck) {
  const corner = deck.shape === "rectangle" ? deck.corner : 0;
  const size = `${deck.width} ${deck.height} ${corner} ${deck.shape}`;
  if (tile.size === size) return;
  tile.size = size;
  tile.style.setProperty("--w", deck.width);
  tile.style.setProperty("--h", deck.height);
  tile.style.setProperty("--corner", corner);
  tile.dataset.shape = deck.shape;
  tile.dataset.lying = deck.width > deck.height;
}

// Render a tile's content where it changed.
function fill(tile, card, deck) {
  const name = cardName(card);
  sized(tile, deck);
  const faces = wantedFaces(name);
  const wanted = faces.map((face) => face.name).join();
  if (tile.wanted !== wanted) {
    tile.wanted = wanted;
    for (const old of tile.faces.children) forget(old);
    tile.style.setProperty("--n", faces.length);
    tile.faces.replaceChildren(...faces.map((face) => {
      const place = frame(el("div.face", {"data-face": face.name}), deck.width, () => game.faces[face.name]);
      place.perMm = () => place.closest(".deck")?.perMm ?? scale();
      return place;
    }));
  }
  const problems = problemsOf(name);
  const wrong = problems.filter(isError).length;
  for (const place of tile.faces.children) {
    draw(place);
    const face = game.faces[place.dataset.face];
    place.classList.toggle("wrong", problems.some((p) => isError(p) && isAbout(p, face)));
  }
  const foot = JSON.stringify([nameOf(card), card.copies, problems.map((p) => p.message), faces.map((f) => f.state), view.sort === "fit" && fitOf(name), isOneList() && titleOf(deck), notes.openNotes(name)]);
  if (tile.said !== foot) {
    tile.said = foot;
    tile.classList.toggle("wrong", wrong > 0);
    tile.classList.toggle("warned", problems.length > wrong);
    put(tile.foot,
      el("b", {}, nameOf(card)),
      el("span.id", {}, isOneList() ? `${titleOf(deck)} · ${card.id}` : card.id),
      view.sort === "fit" ? told(fitOf(name)) : null,
      card.copies === 1 ? null : el("span.copies", {}, `×${card.copies}`),
      notes.mark(name),
      problems.length ? el("span.badge", {title: problems.map((p) => p.message).join("\n")}, String(problems.length)) : null,
    );
    for (const place of tile.faces.children) {
      const none = place.dataset.state === "none";
      place.dataset.why = none ? problems[0]?.message ?? "it cannot be drawn yet" : "";
    }
  }
}

function newSection(id) {
  const section = el("section.deck", id === ALL ? {id: "all-decks"} : {id: `deck-${id}`, "data-deck": id});
  section.head = el("h2");
  section.grid = el("div.grid");
  section.append(section.head, section.grid);
  return section;
}

// Sort a section's cards; return how many are shown.
function hang(section, cards) {
  const listed = view.sort === "order" ? cards : [...cards].sort(sorts[view.sort]);
  const made = listed.map((card) => {
    const name = cardName(card);
    if (!tiles.has(name)) tiles.set(name, newTile(name));
    const tile = tiles.get(name);
    fill(tile, card, deckOf(card.deck));
    tile.hidden = !passes(card) || !tile.faces.children.length;
    return tile;
  });
  if (made.some((tile, at) => section.grid.children[at] !== tile) || section.grid.children.length !== made.length)
    section.grid.replaceChildren(...made);
  const count = made.filter((tile) => !tile.hidden).length;
  section.hidden = !count;
  return count;
}

// Scale a deck so that its columns fill the wall, unless cards have their true size or are few.
function fit(section, width) {
  const tiles = [...section.grid.children].filter((tile) => !tile.hidden);
  const deck = deckOf(section.dataset.deck);
  section.perMm = undefined;
  if (deck && tiles.length && !view.trueSize) {
    const faces = Math.max(...tiles.map((tile) => tile.faces.children.length));
    const seams = GAP + SEAM * (faces - 1);
    const fitting = (width + GAP) / (faces * deck.width * scale() + seams);
    const fewer = Math.max(1, Math.floor(fitting));
    const columns = fitting ** 2 > fewer * (fewer + 1) ? fewer + 1 : fewer;
    const filled = ((width + GAP - 1) / columns - seams) / (faces * deck.width); // px/mm
    if (columns <= tiles.length && filled > 0) section.perMm = columns > 1 ? filled : Math.min(filled, scale());
  }
  if (section.perMm) section.style.setProperty("--scale", section.perMm);
  else section.style.removeProperty("--scale");
}

function fitAll() {
  const {paddingLeft, paddingRight} = getComputedStyle(wall);
  const width = wall.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
  for (const section of sections.values()) fit(section, width);
}

const outOf = (count, all) => (count === all ? String(all) : `${count} of ${all}`);

function fillSection(section, deck, cards) {
  const count = hang(section, cards);
  const general = game.problems.filter((p) => p.deck === deck.id && !p.card);
  put(section.head,
    el("span", {}, titleOf(deck)),
    el("small", {}, `${outOf(count, cards.length)} · ${deck.count} in the box · ${deck.width} × ${deck.height} mm`),
    sourceLink(deck),
    general.length ? el(general.some(isError) ? "span.badge.wrong" : "span.badge", {title: general.map((p) => p.message).join("\n")}, String(general.length)) : null,
  );
}

function fillAll(section, cards) {
  const count = hang(section, cards);
  put(section.head, el("span", {}, TITLES[view.sort]), el("small", {}, `${outOf(count, cards.length)} cards of all decks`));
}

function sectionOf(id) {
  if (!sections.has(id)) sections.set(id, newSection(id));
  return sections.get(id);
}

export function show() {
  const cards = Map.groupBy(Object.values(game.cards), (card) => card.deck);
  for (const [name, tile] of tiles)
    if (!game.cards[name]) { tile.remove(); tiles.delete(name); }
  const ids = isOneList() ? [ALL] : game.decks.map((deck) => deck.id);
  for (const [id, section] of sections)
    if (!ids.includes(id)) { section.remove(); sections.delete(id); }
  const made = ids.map(sectionOf);
  if (isOneList()) fillAll(made[0], game.decks.flatMap((deck) => cards.get(deck.id) ?? []));
  else game.decks.forEach((deck, at) => fillSection(made[at], deck, cards.get(deck.id) ?? []));
  if (made.some((section, at) => wall.children[at] !== section)) wall.prepend(...made);
  fitAll();
  find("nothing")?.remove();
  if (!made.some((section) => !section.hidden))
    wall.append(el("p", {id: "nothing"}, game.decks.length ? "No card matches." : "Nothing to show yet."));
}

// Update only the changed cards.
function update(told, all) {
  const faces = Object.values(told.faces ?? {});
  const sorted = ["fit", "changed"].includes(view.sort) && faces.length > 0;
  const few = !all && !sorted && !told.decks && !told.cards && !told.order && !told.title && !told.languages;
  if (few && !told.problems) {
    for (const name of new Set(faces.map(cardName))) {
      const card = game.cards[name];
      const deck = card && deckOf(card.deck);
      if (deck && tiles.has(name)) fill(tiles.get(name), card, deck);
    }
  } else {
    // Draw changed pictures first.
    for (const name of new Set(faces.map(cardName)))
      for (const place of tiles.get(name)?.faces.children ?? []) draw(place);
    show();
  }
  if (!all && (told.cards || told.decks) && view.where) filter();
}

export async function filter() {
  const turn = ++asked;
  const field = find("where");
  if (!view.where.trim()) {
    holding = null;
    refuse(field, "");
    return show();
  }
  const answer = await whereHolds(view.where);
  if (turn !== asked) return;
  refuse(field, answer.why, holding ? "Not applied: the cards below match the previous expression." : "Not applied: all cards are shown.");
  if (!answer.why) holding = new Set(answer.cards);
  show();
}

export function zoomed() {
  document.documentElement.style.setProperty("--scale", scale());
  fitAll();
  for (const place of wall.querySelectorAll(".face")) if (place.inView) draw(place);
}

const away = (tile) => Math.round(tile.getBoundingClientRect().top - wall.getBoundingClientRect().top);

// Return the scroll position: the first visible tile and its distance from the top.
function anchor() {
  const {top} = wall.getBoundingClientRect();
  const first = shown().find((tile) => tile.getBoundingClientRect().bottom > top);
  return first ? {card: first.dataset.card, by: away(first)} : null;
}

// Return the tile to keep in place: the selected one if it is visible, else the first one.
function held() {
  const tile = wall.querySelector(".tile.selected:not([hidden])");
  const by = tile ? away(tile) : -1;
  return tile && by >= 0 && by < wall.clientHeight ? {card: tile.dataset.card, by} : anchor();
}

// Note the position after the user scrolled, selected, sorted or filtered.
function leave() {
  cancelAnimationFrame(leaving);
  leaving = requestAnimationFrame(() => { if (!wall.hidden) left = held(); });
}

// The number of columns follows the width of the window and the panels.
function widened() {
  if (wall.hidden || wall.clientWidth === wide) return;
  const first = !wide;
  wide = wall.clientWidth;
  const kept = left ?? view.anchor;
  wall.style.overflowAnchor = "none"; // the browser would keep another card in its place
  zoomed();
  if (!first) toAnchor(24, kept);
}

// Tiles that become visible may turn out larger than estimated, so restore the position once more a frame
// later, unless the user has scrolled meanwhile.
function toAnchor(turns = 4, to = view.anchor, from = wall.scrollTop) {
  const tile = to && tiles.get(to.card);
  if (!tile || tile.hidden || wall.scrollTop !== from) {
    wall.style.overflowAnchor = "";
    return;
  }
  wall.scrollTop += tile.getBoundingClientRect().top - wall.getBoundingClientRect().top - Number(to.by);
  const now = set = wall.scrollTop;
  left = to;
  if (turns) requestAnimationFrame(() => toAnchor(turns - 1, to, now));
  else wall.style.overflowAnchor = "";
}

export function select(tile, scroll = true) {
  wall.querySelector(".selected")?.classList.remove("selected");
  tile.classList.add("selected");
  tile.focus({preventScroll: true});
  if (scroll) tile.scrollIntoView({block: "nearest"});
  leave();
}

// A hidden wall has lost its scroll position.
export const enter = () => toAnchor(4, left ?? view.anchor);

export function start() {
  let first = true;
  let settling;
  onGame((told, all) => {
    update(told, all);
    if (first && game.decks.length) {
      first = false;
      if (view.where) filter().then(() => toAnchor());
      toAnchor();
    }
  });
  notes.onNotes(show);
  onView((changed) => {
    if (["zoom", "pxPerMm", "trueSize"].some((key) => key in changed)) {
      const before = held();
      zoomed();
      if (before) toAnchor(4, before);
    }
    if ("sight" in changed) zoomed();
    if ("where" in changed) filter();
    if (["words", "sides", "hidden", "sort", "noted"].some((key) => key in changed)) {
      show();
      leave();
    }
  });
  wall.addEventListener("scroll", () => {
    if (Math.abs(wall.scrollTop - set) > 1) leave();
    clearTimeout(settling);
    settling = setTimeout(() => {
      if (wall.hidden) return;
      view.anchor = anchor();
      if (view.anchor) find("decks").value = view.anchor.card.split("/")[0];
      keep();
    }, 200);
  }, {passive: true});
  wall.addEventListener("click", (event) => {
    const tile = event.target.closest(".tile");
    if (!tile) return;
    select(tile, false);
    look({card: tile.dataset.card});
  });
  new ResizeObserver(widened).observe(wall);
  zoomed();
}
