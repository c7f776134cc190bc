// Notes about cards, kept in notes.yaml: marks on the wall, and a list beside each card.

import {el, fill, find, post, say} from "./html.js";
import {onSave} from "./model.js";
import {guest, look, view} from "./view.js";

const listeners = [];
export const onNotes = (listener) => listeners.push(listener);
let notes = new Map(); // deck/card → its notes
let told = "";

const isOpen = (note) => !note.resolved;
export const openNotes = (name) => (notes.get(name) ?? []).filter(isOpen);

// Tell whether a card passes the choice in the toolbar.
export const passes = (name) => !view.noted || (view.noted === "open" ? openNotes(name) : notes.get(name) ?? []).length > 0;

// The mark of a card with open notes on the wall.
export function mark(name) {
  const open = openNotes(name);
  return open.length ? el("span.badge.noted", {title: open.map(({text}) => text).join("\n")}, `✎ ${open.length}`) : null;
}

async function load() {
  const answer = await fetch("notes").then((got) => (got.ok ? got.text() : "")).catch(() => "");
  if (!answer || answer === told) return;
  told = answer;
  const {notes: listed, why} = JSON.parse(answer);
  if (why) say(why);
  notes = Map.groupBy(listed, ({card}) => card);
  find("noted").parentElement.hidden = !listed.length && !view.noted;
  for (const listener of listeners) listener();
}

async function write(path, body) {
  const {why} = await post(path, body);
  if (why) say(why);
  await load();
  return !why;
}

function entry(note) {
  return el("li", {class: note.resolved ? "resolved" : ""},
    el("span", {}, note.text), el("small", {}, note.date),
    el("button", {onclick: () => write("notes/resolve", {...note, resolved: !note.resolved})}, note.resolved ? "Reopen" : "Resolve"));
}

// Show the notes of a card in a place of its dialog, with a field for another one.
export function show(place, name) {
  if (guest) return;
  if (!place.firstChild) {
    const field = el("input", {placeholder: "Note about this card", "aria-label": "New note", maxlength: 2000});
    const add = async () => { if (field.value.trim() && await write("notes/add", {card: view.card, text: field.value})) field.value = ""; };
    field.onkeydown = (event) => {
      event.stopPropagation();
      if (event.key === "Enter") add();
      if (event.key === "Escape") field.blur();
    };
    place.append(el("ul"), field, el("button", {onclick: add}, "Add"));
  }
  fill(place.querySelector("ul"), ...(notes.get(name) ?? []).map(entry));
}

export function start() {
  if (guest) return;
  find("noted").value = view.noted;
  find("noted").onchange = ({target}) => look({noted: target.value});
  onSave(load);
}
