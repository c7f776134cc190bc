// The source of the text under the pointer. A text of a card has two lines: one in its template, and one
// in the field with its words. A click offers both; so do keys while the pointer is on the text.

import {copySource, el, fill, onLink, openSource, place, say} from "./html.js";
import {addKeys} from "./keys.js";
import {game} from "./model.js";
import {view} from "./view.js";

let fields = []; // fields of the shown card, from the server
let text = null; // the text under the pointer
let link = null; // the file and line under the pointer

export const setFields = (told) => { fields = told; };

// Icons are special characters in a text, and names in braces in a field.
const ICONS = /[\ue000-\uf8ff\u{f0000}-\u{10ffff}]/gu;
export const bare = (said) => said.replace(ICONS, "").replace(/\{[\w-]+\}|[\u00ad\s]/g, "").toLowerCase();

// Return the field with a text's words, or the card when there is none.
function cardLine(of) {
  const wanted = bare(of.text);
  const found = wanted && fields.find((field) => field.values.some((value) => bare(value).includes(wanted)));
  return found || game.cards[view.card];
}

let closed = () => {};
export const onClose = (listener) => { closed = listener; };

export function close() {
  document.querySelector(".lines")?.remove();
  closed();
}

function row(title, key, of) {
  return el("div.row", {},
    el("span", {}, title),
    el("button.source", {title: "Open in the editor", onclick: () => { close(); openSource(of); }}, place(of)), el("kbd", {}, key.open),
    el("button.copy", {title: "Copy file and line", onclick: () => { close(); copySource(of); }}, "copy"), el("kbd", {}, key.copy));
}

// Show the two lines of a text beside the pointer.
export function offer(event, of, dialog, why) {
  close();
  const card = cardLine(of);
  const said = of.text.replace(ICONS, "").trim() || "An icon";
  const made = el("div.lines");
  fill(made,
    el("p", {}, said.length > 60 ? `${said.slice(0, 59)}…` : said),
    why ? el("p.why", {}, why) : null,
    row(card.name && card.values ? `Card: ${card.name}` : "Card", {open: "e", copy: "y"}, card),
    row("Template", {open: "E", copy: "Y"}, of));
  dialog.append(made);
  const {width, height} = made.getBoundingClientRect();
  const within = dialog.getBoundingClientRect();
  made.style.setProperty("left", `${Math.min(event.clientX - within.left, within.width - width - 12)}px`);
  made.style.setProperty("top", `${Math.min(event.clientY - within.top + 10, within.height - height - 12)}px`);
  made.querySelector("button").focus();
  event.stopPropagation();
}

// Note the text under the pointer, or none.
export const point = (of) => { text = of; };

function ofCard(act) {
  const of = link ?? (text && cardLine(text)) ?? game.cards[view.card || document.querySelector(".tile.selected")?.dataset.card];
  if (!of) return say("No card is selected");
  close();
  return act(of);
}

function ofTemplate(act) {
  if (!text) return say("Point at a text on a card first");
  close();
  return act(text);
}

export function start() {
  onLink((of) => { link = of; });
  addKeys("", [
    ["e", "open the line of what is pointed at, or of the card", () => ofCard(openSource)],
    ["y", "copy its file and line", () => ofCard(copySource)],
    ["E", "open the template's line of the text that is pointed at", () => ofTemplate(openSource)],
    ["Y", "copy its file and line", () => ofTemplate(copySource)],
  ]);
  addEventListener("click", (event) => { if (!event.target.closest(".lines, .inplace")) close(); });
}
