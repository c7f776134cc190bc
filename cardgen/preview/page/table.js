// The view of the virtual table from above, with pan, zoom and details.

import {el, fill, find, sourceLink} from "./html.js";
import {addKeys, onKey} from "./keys.js";
import {deckOf, facesOfCard, game, onGame} from "./model.js";
import {draw, forget, frame} from "./picture.js";
import {addRoom, isIn} from "./rooms.js";
import {languageGroup, nextLanguage, spoken} from "./spoken.js";
import {look, onView, scale, view} from "./view.js";

const desk = find("table-desk");
const panel = find("table-panel");
const world = el("div.world");
const pieces = new Map(); // id → its element
const LEAST = 0.08, MOST = 12;
const MARGIN = 24; // px, of the whole table in the window
let answer = null;
let why = [];
let chosen = "";
let asking = false;
let again = false;
let asked = "";
let at = {k: 0, x: 0, y: 0}; // k: px/mm; x, y: the table's middle in the view
let isWhole = false; // all of the table is in view, also when the window changes
let drawing;

// -- loading

async function ask() {
  if (asking) { again = true; return; }
  asking = true;
  asked = JSON.stringify([spoken(), game.looks]);
  const told = await fetch(`table/${spoken()}`).then((got) => got.json()).catch(() => ({things: null, why: [{message: "cardgen does not answer"}]}));
  asking = false;
  if (again) { again = false; ask(); return; }
  why = told.why ?? [];
  desk.classList.toggle("stale", !told.things && Boolean(answer));
  if (told.things) {
    answer = told;
    show();
    if (isWhole || !at.k) fit();
  }
  tell();
}

// -- pan and zoom

// Where everything lies, in mm from the table's middle.
function bounds() {
  const all = answer ? [...answer.things, ...answer.extras] : [];
  const ends = all.map(({x, y, turn, width, height}) => {
    const [wide, high] = turn % 180 ? [height, width] : [width, height];
    return [x - wide / 2, y - high / 2, x + wide / 2, y + high / 2];
  });
  const [left, top, right, bottom] = [0, 1, 2, 3].map((side) => (side < 2 ? Math.min : Math.max)(side < 2 ? -100 : 100, ...ends.map((each) => each[side])));
  return {left, top, wide: right - left, high: bottom - top};
}

function move(to, whole = false) {
  isWhole = whole;
  at = {...to, k: Math.min(MOST, Math.max(LEAST, to.k))};
  world.style.setProperty("transform", `translate(${desk.clientWidth / 2 + at.x}px, ${desk.clientHeight / 2 + at.y}px) scale(${at.k})`);
  world.style.setProperty("--k", at.k);
  clearTimeout(drawing);
  drawing = setTimeout(() => { redraw(); look({table: {k: isWhole ? 0 : at.k, x: at.x, y: at.y}}); }, 180);
}

function fit() {
  const {left, top, wide, high} = bounds();
  if (!desk.clientWidth) return;
  const k = Math.min((desk.clientWidth - MARGIN) / wide, (desk.clientHeight - MARGIN) / high);
  move({k, x: -k * (left + wide / 2), y: -k * (top + high / 2)}, true);
}

// Zoom by a factor around a point of the view.
function zoom(by, x = desk.clientWidth / 2, y = desk.clientHeight / 2) {
  const k = Math.min(MOST, Math.max(LEAST, at.k * by));
  const left = x - desk.clientWidth / 2, top = y - desk.clientHeight / 2;
  move({k, x: left - (left - at.x) * k / at.k, y: top - (top - at.y) * k / at.k});
}

// Pictures are drawn in a few sizes, not for every step of the wheel.
const sharp = () => 2 ** (Math.ceil(Math.log2(Math.max(0.3, at.k)) * 2) / 2);

function redraw() {
  for (const piece of pieces.values()) {
    if (!piece.picture) continue;
    const face = piece.picture.ofFace();
    if (face) piece.picture.dataset.face = face.name;
    piece.picture.zoomed = sharp() / scale();
    draw(piece.picture);
  }
}

// -- things

const faceOf = (card, side) =>
  facesOfCard(card).find((face) => face.side === side && face.language === spoken());

function newPiece(thing) {
  const piece = el("button.thing", {"data-thing": thing.id, onclick: () => choose(thing.id)});
  pieces.set(thing.id, piece);
  return piece;
}

function lay(piece, {x, y, turn, width, height}) {
  for (const [name, value] of Object.entries({left: `${x - width / 2}px`, top: `${y - height / 2}px`, width: `${width}px`, height: `${height}px`, rotate: `${turn}deg`, "--turn": `${turn}deg`}))
    piece.style.setProperty(name, value);
}

function pictureOf(thing) {
  const deck = deckOf(thing.deck);
  const [card] = thing.cards[0] ?? [];
  if (!deck || !card) return null;
  const side = thing.kind === "infinite" || thing.kind === "bag" ? "front" : thing.side;
  const place = el("div.face");
  place.style.setProperty("border-radius", deck.shape === "round" ? "50%" : `${deck.corner}px`);
  frame(place, deck.width, () => faceOf(card, side));
  return place;
}

function fillPiece(piece, thing) {
  lay(piece, thing);
  piece.thing = thing;
  const deck = deckOf(thing.deck);
  Object.assign(piece.dataset, {kind: thing.kind, shape: deck?.shape ?? "", lying: (deck?.width ?? 0) > (deck?.height ?? 0)});
  piece.title = thing.count > 1 ? `${thing.name}: ${thing.count}` : thing.name;
  piece.style.setProperty("--pile", Math.min(9, 1 + thing.count / 8));
  const wanted = JSON.stringify([thing.cards[0]?.[0], thing.side, thing.kind, deck?.width, deck?.corner, deck?.shape]);
  if (piece.wanted !== wanted) {
    piece.wanted = wanted;
    if (piece.picture) forget(piece.picture);
    piece.picture = pictureOf(thing);
    fill(piece, piece.picture, el("span.none"), el("span.number"));
  }
  const face = piece.picture?.ofFace();
  piece.querySelector(".none").textContent = face ? "" : thing.name;
  piece.querySelector(".number").textContent = thing.kind === "infinite" ? "∞" : thing.count > 1 ? thing.count : "";
  return piece;
}

function extra(each) {
  const place = el(`div.extra.${each.kind}`, {title: each.text}, el("b", {}, each.name), each.text ? el("p", {}, each.text) : null);
  lay(place, each);
  if (each.colour) place.style.setProperty("--colour", each.colour);
  return place;
}

function show() {
  if (!isIn("table") || !answer) return;
  const ids = new Set(answer.things.map((thing) => thing.id));
  for (const [id, piece] of pieces)
    if (!ids.has(id)) { if (piece.picture) forget(piece.picture); pieces.delete(id); }
  fill(world, ...answer.extras.map(extra), ...answer.things.map((thing) => fillPiece(pieces.get(thing.id) ?? newPiece(thing), thing)));
  redraw();
  mark();
}

// -- the selected thing

function mark() {
  for (const [id, piece] of pieces) piece.classList.toggle("chosen", id === chosen);
}

function choose(id) {
  const thing = pieces.get(id)?.thing;
  chosen = thing ? id : "";
  mark();
  tell();
  if (thing?.cards.length === 1) look({card: thing.cards[0][0]});
}

function step(by) {
  const ids = (answer?.things ?? []).map((thing) => thing.id);
  if (!ids.length) return;
  const from = ids.indexOf(chosen);
  const id = ids[from < 0 ? (by > 0 ? 0 : ids.length - 1) : (from + by + ids.length) % ids.length];
  chosen = id;
  mark();
  tell();
  const piece = pieces.get(id);
  piece.focus({preventScroll: true});
  const {left, top, right, bottom} = piece.getBoundingClientRect();
  const room = desk.getBoundingClientRect();
  const over = (low, high, least, most) => (low < least + 20 ? least + 20 - low : high > most - 20 ? most - 20 - high : 0);
  move({...at, x: at.x + over(left, right, room.left, room.right), y: at.y + over(top, bottom, room.top, room.bottom)});
}

const WORDS = {pile: "cards in a pile", bag: "in a bag", infinite: "in a bag that never empties", tile: "on the table", marker: "on a board"};

function contents(thing) {
  return [
    el("h2", {}, thing.name),
    el("p.figures", {}, [`${thing.count} ${WORDS[thing.kind] ?? ""}`, thing.kind === "pile" ? `face ${thing.side === "front" ? "up" : "down"}` : "", thing.locked ? "locked" : ""].filter(Boolean).join(", ")),
    el("ul.cards-in", {}, ...thing.cards.map(([card, copies]) => el("li", {},
      el("button.to", {onclick: () => look({card})}, game.cards[card]?.name[spoken()] ?? card), copies > 1 ? el("small", {}, ` ×${copies}`) : null))),
  ];
}

function tell() {
  if (!isIn("table")) return;
  const thing = pieces.get(chosen)?.thing;
  const {wide, high} = bounds();
  const number = answer?.things.length ?? 0;
  fill(panel,
    el("p.big", {}, el("b", {}, answer ? String(number) : "…"), answer ? ` ${number === 1 ? "thing lies" : "things lie"} on the table` : ""),
    answer ? el("p.figures", {}, `${(wide / 1000).toFixed(2)} × ${(high / 1000).toFixed(2)} m, as the save for Tabletop Simulator lays them. `, answer.source ? sourceLink({...answer.source, line: 0}) : "There is no table.yaml; this is the default table.") : el("p.figures", {}, "Laying out the table …"),
    why.length ? el("ol.wrong", {}, ...why.map((problem) => el("li", {class: problem.severity === "warning" ? "warning" : "error"}, el("p", {}, problem.message), problem.path ? sourceLink(problem) : null))) : answer ? el("p.note", {}, "Every piece has a place.") : null,
    answer?.waiting?.length ? el("p.note", {}, `Left out until fixed: ${answer.waiting.join(", ")}.`) : null,
    ...(thing ? contents(thing) : answer ? [el("p.note.hint", {}, "Click a thing to see what is in it. Drag to move, scroll to zoom.")] : []));
}

// -- pointer

function drag(event) {
  if (event.button !== 0) return;
  const from = {x: event.clientX - at.x, y: event.clientY - at.y};
  let far = false;
  const moved = (now) => {
    far ||= Math.hypot(now.clientX - event.clientX, now.clientY - event.clientY) > 4;
    if (!far) return;
    if (!desk.hasPointerCapture(event.pointerId)) desk.setPointerCapture(event.pointerId);
    desk.classList.add("dragged");
    move({...at, x: now.clientX - from.x, y: now.clientY - from.y});
  };
  desk.addEventListener("pointermove", moved);
  desk.addEventListener("pointerup", () => {
    desk.removeEventListener("pointermove", moved);
    desk.classList.remove("dragged");
  }, {once: true});
}

function arrows(event) {
  const by = {ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1]}[event.key];
  if (!isIn("table") || !by || document.querySelector("dialog[open]")) return false;
  event.preventDefault();
  move({...at, x: at.x + 80 * by[0], y: at.y + 80 * by[1]});
  return true;
}

function bar() {
  fill(find("table-tools"), languageGroup(),
    el("div.group.zoom", {},
      el("button", {title: "Farther  −", onclick: () => zoom(1 / 1.25)}, "−"),
      el("button", {title: "All of it  0", onclick: fit}, "All"),
      el("button", {title: "Nearer  +", onclick: () => zoom(1.25)}, "+")));
}

const KEYS = [
  ["+", "nearer", () => zoom(1.25)],
  ["-", "farther", () => zoom(1 / 1.25)],
  ["0", "all of it", fit],
  ["← → ↑ ↓", "move about", null],
  [",", "the thing before", () => step(-1)],
  [".", "the next thing", () => step(1)],
  ["c", "its first card, large", () => { const [first] = pieces.get(chosen)?.thing.cards ?? []; if (first) look({card: first[0]}); }],
  ["l", "the next language", nextLanguage],
];

function refresh() {
  if (!isIn("table")) return;
  bar();
  if (game.decks.length && asked !== JSON.stringify([spoken(), game.looks])) ask();
  else show();
  if (at.k) move(at, isWhole);
  tell();
}

export function start() {
  desk.append(world);
  const kept = view.table;
  if (kept && [kept.k, kept.x, kept.y].every(Number.isFinite) && kept.k > 0) at = {k: kept.k, x: kept.x, y: kept.y};
  addRoom("table", "T", "Table", refresh);
  addKeys("table", KEYS);
  onKey(arrows);
  onGame((told, all) => {
    if (!isIn("table")) return;
    if (all || "looks" in told || told.languages) refresh();
    else if (told.faces) redraw();
  });
  onView((changed) => { if (isIn("table") && "language" in changed) refresh(); });
  desk.addEventListener("pointerdown", drag);
  desk.addEventListener("wheel", (event) => {
    event.preventDefault();
    const room = desk.getBoundingClientRect();
    zoom(Math.exp(-Math.max(-60, Math.min(60, event.deltaY)) / 240), event.clientX - room.left, event.clientY - room.top);
  }, {passive: false});
  new ResizeObserver(() => { if (isIn("table") && answer && (isWhole || !at.k)) fit(); else if (isIn("table") && at.k) move(at); }).observe(desk);
}
