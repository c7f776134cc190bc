// The card dialog: large faces with guides, the fields with their lines, and the problems.

import * as compare from "./compare.js";
import * as edit from "./edit.js";
import {drawn, el, find, sourceLink} from "./html.js";
import * as inplace from "./inplace.js";
import {onKey} from "./keys.js";
import * as lines from "./lines.js";
import {deckOf, facesOfCard, game, isError, onGame, problemsOf} from "./model.js";
import * as notes from "./notes.js";
import * as panel from "./panel.js";
import {draw, forget, frame} from "./picture.js";
import {sights} from "./sight.js";
import {guest, look, onView, scale, view} from "./view.js";
import {select, shown, tileOf} from "./wall.js";

const dialog = find("card");
const GUIDES = [["trim", "cut"], ["safe", "safe area"], ["bleed", "bleed"], ["boxes", "boxes"], ["faults", "faults"], ["before", "before"]];
let built = "";
let shownCard = "";
let where = null; // the card in view, as it was last
let turn = 0;

// Tell whether a face shows the picture of the last save, with or without problems.
const isNew = (face) => face.state === "good" || face.state === "draft";
// Faults are shown unless they are switched off; other guides only when they are switched on.
const isShown = (kind) => view.overlays.includes(kind) !== (kind === "faults");

const mm = (value) => `${Math.abs(value).toFixed(1)} mm`;

function told(box) {
  const fitted = box.size ? `${box.size.toFixed(1)} pt of ${box.smallest}–${box.largest}` : "";
  const over = Math.max(box.excess_height, box.excess_width);
  const room = over > 0.15 ? `${mm(over)} too ${box.excess_height >= box.excess_width ? "tall" : "wide"}` : box.size ? `${mm(box.excess_height)} left` : "";
  return [fitted, room].filter(Boolean).join(", ");
}

// Show that something is still loading.
const coming = {fields: 0, outlines: 0};

function tellComing() {
  const place = dialog.querySelector(".coming");
  const wanted = Object.keys(coming).filter((what) => coming[what]).join(" and ");
  if (place) place.textContent = wanted ? `${wanted} are looked up …` : "";
}

async function looked(what, answer) {
  coming[what] += 1;
  tellComing();
  try {
    return await answer;
  } finally {
    coming[what] -= 1;
    tellComing();
  }
}

// Draw boxes with their measurements, and texts that link to their lines.
async function inside(place) {
  const face = edit.faceNow(place.dataset.face);
  if (edit.edited.trials.has(place.dataset.face)) return;
  if (!face || !isNew(face) || place.inside === face.picture) return;
  place.inside = face.picture;
  const found = await looked("outlines", fetch(`inside/${face.picture}`).then((answer) => answer.json()));
  if (place.inside !== face.picture) return;
  const svg = drawn("svg", {class: "inside", viewBox: `0 0 ${place.widthMm} ${place.heightMm}`});
  const area = (each, kind, ...more) => drawn("rect", {class: kind, x: each.left, y: each.top, width: Math.max(0, each.width), height: Math.max(0, each.height)}, ...more);
  const name = (text) => drawn("title", {}, text);
  for (const text of found.texts) {
    const made = area(text, "text", name(`${text.text}\n${text.size.toFixed(1)} pt, ${text.path}:${text.line}`));
    made.onclick = (event) => (guest ? lines.offer(event, text, dialog) : inplace.open(event, text, place, found, dialog));
    made.onpointerenter = () => lines.point(text);
    made.onpointerleave = () => lines.point(null);
    svg.append(made);
  }
  for (const box of found.boxes) {
    const over = Math.max(box.excess_height, box.excess_width) > 0.15;
    svg.append(area(box, over ? "box over" : "box"),
      drawn("text", {class: over ? "over" : "", x: box.left, y: box.top - 0.7}, told(box)));
  }
  for (const fault of found.faults)
    svg.append(area(fault, "fault"), drawn("text", {class: "fault", x: fault.left, y: fault.top - 0.9}, fault.label));
  place.querySelector("svg.inside")?.remove();
  place.append(svg);
}

function guides(deck) {
  const {width, height, bleed, safe, corner, shape} = deck;
  const svg = drawn("svg", {class: "guides", viewBox: `${-bleed} ${-bleed} ${width + 2 * bleed} ${height + 2 * bleed}`});
  const add = (kind, inset, radius) => {
    const w = width - 2 * inset, h = height - 2 * inset;
    svg.append(shape === "round"
      ? drawn("ellipse", {class: kind, cx: width / 2, cy: height / 2, rx: w / 2, ry: h / 2})
      : drawn("rect", {class: kind, x: inset, y: inset, width: w, height: h, rx: Math.max(0, radius)}));
  };
  add("bleed", -bleed, 0);
  add("trim", 0, corner);
  add("safe", deck.safe, corner - safe);
  return svg;
}

function picture(face, deck) {
  const place = el("div.face", {"data-face": face.name});
  frame(place, deck.width + 2 * deck.bleed, () => edit.faceNow(face.name), true);
  place.append(guides(deck));
  return el("figure", {}, place, el("figcaption", {}, `${face.language} · ${face.side}`));
}

// Scale the faces to fit the window.
function sized(place, deck) {
  const wide = deck.width + 2 * deck.bleed, high = deck.height + 2 * deck.bleed;
  const columns = Math.ceil(Math.sqrt(facesShown().length));
  const rows = Math.ceil(facesShown().length / columns);
  const room = {w: innerWidth * 0.66 / columns - 30, h: innerHeight * 0.9 / rows - 60};
  place.zoomed = Math.max(0.5, Math.min(room.w / wide, room.h / high, 14)) / scale();
  place.style.setProperty("--zoomed", place.zoomed);
  place.heightMm = high;
}

function facesShown() {
  const spoken = facesOfCard(view.card).filter((face) => !view.hidden.includes(face.language));
  const side = view.sides === "back" ? "back" : "front";
  const wanted = spoken.filter((face) => view.sides === "both" || face.side === side);
  return wanted.length ? wanted : spoken;
}

// The fields: with their controls, or for guests as they are.
async function fields() {
  const place = dialog.querySelector(".fields");
  if (!place) return;
  if (guest) await listed();
  else await looked("fields", panel.show(place, dialog.querySelector(".copies-of"), dialog.querySelector(".more-fields")));
}

async function listed() {
  const mine = ++turn;
  const place = dialog.querySelector(".fields");
  const told = await looked("fields", fetch(`card/${view.card}`).then((answer) => (answer.ok ? answer.json() : [])));
  if (mine !== turn || !place) return;
  lines.setFields(told);
  place.replaceChildren(...told.flatMap((field) => [
    el("dt", {}, field.name, sourceLink(field)),
    ...field.values.map((value) => el("dd", {}, value)),
  ]));
}

// A card without an id is called by its name: when that is edited, it stays in view.
function follow() {
  const [name] = Object.entries(game.cards).find(([, card]) => where && ["deck", "path", "line"].every((key) => card[key] === where[key])) ?? [];
  if (name) look({card: name});
  else if (dialog.open) dialog.close();
}

function show() {
  const name = view.card;
  const card = game.cards[name];
  if (!card) return follow();
  where = card;
  if (shownCard !== name) { inplace.closeEditor(); edit.edited.trials.clear(); shownCard = name; }
  const deck = deckOf(card.deck);
  const faces = facesShown();
  const wanted = JSON.stringify([name, faces.map((face) => face.name), deck]);
  if (built !== wanted) {
    built = wanted;
    for (const old of dialog.querySelectorAll(".face")) forget(old);
    dialog.style.setProperty("--w", deck.width + 2 * deck.bleed);
    dialog.style.setProperty("--h", deck.height + 2 * deck.bleed);
    dialog.replaceChildren(
      el("div.faces", {}, ...faces.map((face) => picture(face, deck))),
      el("div.about", {},
        el("div.turn", {},
          el("button", {title: "Previous card  ←", "aria-label": "The card before", onclick: () => step(-1)}, "‹"),
          el("button", {title: "Next card  →", "aria-label": "The next card", onclick: () => step(1)}, "›")),
        el("button.close", {title: "Back to the wall  Esc", onclick: () => dialog.close()}, "×"),
        el("h2", {tabindex: -1, autofocus: true}, card.name[faces[0]?.language] ?? card.id),
        el("p.id", {}, name, card.copies === 1 ? "" : ` ×${card.copies}`, " ", sourceLink(card)),
        guest ? "" : el("div.tasks", {}, el("div.copies-of"), el("div.history.group", {role: "group", "aria-label": "Edits"})),
        el("div.group.overlays", {role: "group"}, ...GUIDES.map(([kind, text]) =>
          el("button", {"data-guide": kind, onclick: () => look({overlays: view.overlays.includes(kind) ? view.overlays.filter((each) => each !== kind) : [...view.overlays, kind]})}, text))),
        el("label.sort", {}, "Colours ", sights()),
        compare.controls(),
        el("p.coming", {role: "status"}),
        el("ol.wrong"),
        el("div.notes"),
        el("dl.fields"),
        el("div.more-fields")));
    fields();
  }
  for (const place of dialog.querySelectorAll(".face")) {
    sized(place, deck);
    draw(place);
    inside(place);
    compare.compare(place);
  }
  for (const button of dialog.querySelectorAll("[data-guide]"))
    button.setAttribute("aria-pressed", String(isShown(button.dataset.guide)));
  compare.showControls(dialog);
  dialog.dataset.guides = GUIDES.map(([kind]) => kind).filter(isShown).join(" ");
  dialog.querySelector(".wrong").replaceChildren(...problemsOf(name).map((problem) =>
    el("li", {class: isError(problem) ? "error" : "warning"}, el("p", {}, problem.message), sourceLink(problem))));
  notes.show(dialog.querySelector(".notes"), name);
  if (!dialog.open) dialog.showModal();
}

// Go to the next or previous card that the wall shows.
function step(by) {
  const tiles = shown();
  const next = tiles[tiles.indexOf(tileOf(view.card)) + by];
  if (!next) return;
  select(next);
  look({card: next.dataset.card});
}

function turned(event) {
  if (dialog.querySelector(".inplace, .conflict")) return false;
  const by = {ArrowLeft: -1, ArrowRight: 1}[event.key];
  if (!by || !dialog.open) return false;
  event.preventDefault();
  step(by);
  return true;
}

// A picture that is dropped onto a card goes into art/, and its name into the card's field.
function dropped(event) {
  if (guest || !event.dataTransfer?.types.includes("Files")) return;
  event.preventDefault();
  dialog.classList.toggle("dropping", event.type === "dragover");
  const [file] = event.type === "drop" ? event.dataTransfer.files : [];
  if (file) edit.addPicture(file);
}

export function start() {
  for (const kind of ["dragover", "dragleave", "drop"]) dialog.addEventListener(kind, dropped);
  onKey(turned);
  edit.start();
  edit.onEdit(() => { for (const place of dialog.querySelectorAll(".face")) draw(place); });
  panel.start(fields);
  notes.onNotes(() => { if (view.card && dialog.open) show(); });
  compare.start(() => { if (view.card && dialog.open) show(); });
  onGame((told, all) => {
    if (!view.card) return;
    for (const name of Object.keys(told.faces ?? {})) if (!panel.isTyping()) edit.edited.trials.delete(name);
    show();
    compare.ask();
    const isNewer = all || told.cards?.[view.card] || "looks" in told || Object.keys(told.faces ?? {}).some((name) => name.startsWith(`${view.card}/`));
    if (game.cards[view.card] && isNewer) fields();
  });
  onView((changed) => { if (["card", "overlays", "hidden", "sides", "sight", "against", "commit"].some((key) => key in changed) && view.card) show(); });
  dialog.addEventListener("close", () => { built = shownCard = ""; inplace.closeEditor(); look({card: ""}); });
  dialog.addEventListener("cancel", (event) => { if (dialog.querySelector(".inplace, .conflict")) event.preventDefault(); });
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
  addEventListener("resize", () => { inplace.closeEditor(); if (view.card) show(); });
}
