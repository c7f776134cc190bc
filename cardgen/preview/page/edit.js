// The card that is edited: what is typed is tried first, and written when it is final. The file wins: if it
// was changed meanwhile, both values are shown, and the user chooses.

import {el, place, post, say} from "./html.js";
import {game} from "./model.js";
import {guest, look, view} from "./view.js";
import {shownText} from "./controls.js";

export const edited = {told: null, trials: new Map()}; // what the server says of the card, and pictures that are tried
const ICONS = "cardgen icons"; // the family of the game's icon font
const listeners = [];
export const onEdit = (listener) => listeners.push(listener);
const tell = () => { for (const listener of listeners) listener(); };

// Return a face with the picture of what is being typed.
export function faceNow(name) {
  const face = game.faces[name];
  const picture = edited.trials.get(name);
  return face && picture ? {...face, picture, state: "good"} : face;
}

// Let the page use a font of the game.
const loaded = new Map();
export function loadFont(name, {digest}) {
  if (loaded.get(name) === digest) return;
  loaded.set(name, digest);
  new FontFace(name, `url(edit/font/${digest})`).load().then((face) => document.fonts.add(face)).catch(() => {});
}

export async function describe(card) {
  const told = await fetch(`edit/card/${card}`).then((answer) => (answer.ok ? answer.json() : null)).catch(() => null);
  if (card !== view.card) return null;
  if (told?.fields) told.languages = game.languages;
  const icons = told?.fonts?.find((font) => font.family === ICONS);
  if (icons) loadFont(ICONS, icons);
  edited.told = told;
  return told;
}

// An empty list or text is the same as a field that is left out.
const plain = (value) => (typeof value === "boolean" ? value : Array.isArray(value) && !value.length ? null : value || (value === 0 ? 0 : null));
const same = (one, other) => JSON.stringify(plain(one)) === JSON.stringify(plain(other));

// A value of a field while it is edited, of a text in one language.
export class Draft {
  constructor(field, language, read) {
    Object.assign(this, {field, language, read});
    this.card = view.card;
    this.take(field);
    this.fit = () => {};
  }

  // What the file holds, and the digest of that file: what is typed is held against it.
  take(field) {
    this.field = field;
    this.digest = edited.told?.digest ?? "";
    const value = field.kind === "boolean" ? field.value ?? field.default ?? false : field.value;
    this.was = this.language ? shownText(value?.[this.language]) : value ?? null;
  }

  get value() { return this.read(); }

  get isChanged() { return !same(this.value, this.was); }

  change() {
    const [deck, card] = this.card.split("/");
    return {deck, card, field: this.field.name, language: this.language, value: this.value};
  }
}

// Try the newest value; while one is under way, only the last of the next ones counts.
let wanted = null, running = false;
export async function tryValue(draft, face) {
  wanted = {draft, face};
  if (running) return;
  running = true;
  while (wanted) {
    const {draft: mine, face: shown} = wanted;
    wanted = null;
    const told = await post("edit/try", {...mine.change(), face: shown}).catch(() => ({why: "cardgen does not answer"}));
    if (mine.card !== view.card || mine.isOver) continue;
    for (const [name, {picture}] of Object.entries(told.faces ?? {}))
      if (picture !== game.faces[name]?.picture) edited.trials.set(name, picture);
      else edited.trials.delete(name);
    mine.fit(told);
    tell();
  }
  running = false;
}

// Show the card as its file has it.
export function forgetTrials() {
  if (!edited.trials.size) return;
  edited.trials.clear();
  tell();
}

export async function write(draft, more = {}) {
  if (!draft.isChanged && !more.anyway) { forgetTrials(); return true; }
  const {anyway, ...given} = more;
  const was = draft.was;
  const change = draft.change();
  draft.was = change.value;
  const told = await post("edit/write", {...change, was, digest: draft.digest, ...given}).catch(() => ({why: "cardgen does not answer"}));
  note(told);
  if (told.conflict) {
    draft.was = was;
    choose(draft, change.value, told);
    return false;
  }
  if (told.why) {
    draft.was = was;
    draft.fit(told);
    say(told.why);
    return false;
  }
  draft.digest = told.digest;
  if (edited.told && draft.card === view.card) edited.told.digest = told.digest;
  if (!told.same) say(`${place(told)} is written`);
  return true;
}

// Keep how many edits can be undone and redone.
function note(told) {
  if (edited.told && "undo" in told) Object.assign(edited.told, {undo: told.undo, redo: told.redo});
  tell();
}

const words = (value) => (value === null || value === undefined || value === "" ? "nothing" : typeof value === "string" ? value : JSON.stringify(value));

// Ask which of two values stays.
function choose(draft, mine, told) {
  const card = document.getElementById("card");
  card.querySelector(".conflict")?.remove();
  const closed = (act) => () => { box.remove(); act(); };
  const keep = closed(() => { draft.isOver = true; forgetTrials(); tell(); dropped(draft); });
  const take = closed(() => { draft.was = told.theirs ?? null; write(draft, {value: mine, was: told.theirs, digest: "", anyway: true}); });
  const box = el("div.conflict", {role: "alertdialog", "aria-label": "The file was changed meanwhile"},
    el("h3", {}, `${draft.field.name} was changed meanwhile`),
    el("dl", {}, el("dt", {}, `In ${place(told)}`), el("dd", {}, words(told.theirs)), el("dt", {}, "Typed here"), el("dd", {}, words(mine))),
    el("div.choice", {}, el("button", {type: "button", onclick: keep}, "Keep the file's"), el("button", {type: "button", onclick: take}, "Write mine")));
  card.append(box);
  box.querySelector("button").focus();
}

let dropped = () => {};
export const onDropped = (listener) => { dropped = listener; };

export async function undo(step) {
  const told = await post(`edit/${step}`, {}).catch(() => ({why: "cardgen does not answer"}));
  note(told);
  if (told.why && !told.conflict) return say(told.why);
  const name = `${told.deck}/${told.card}`;
  if (view.card && name !== view.card && game.cards[name]) look({card: name});
  return say(told.conflict ? `${told.field} of ${name} was changed meanwhile, and stays` : `${told.field} of ${name} is ${step === "undo" ? "as it was" : "changed again"}`);
}

export async function addPicture(file) {
  say(`${file.name} is copied …`);
  const told = await fetch(`edit/picture/${view.card}?name=${encodeURIComponent(file.name)}`, {method: "POST", body: file})
    .then((answer) => answer.json()).catch(() => ({why: "cardgen does not answer"}));
  note(told);
  say(told.why || `${told.picture} is copied, and named at ${place(told)}`);
}

// Ctrl+Z and Ctrl+Shift+Z, unless a field has changes of its own to undo.
export function start() {
  if (guest) return;
  addEventListener("keydown", (event) => {
    const key = event.key.toLowerCase();
    if (!(event.ctrlKey || event.metaKey) || event.altKey || !["z", "y"].includes(key)) return;
    const {target} = event;
    if (target.matches?.("input, textarea") && (!target.draft || target.draft.isChanged)) return;
    event.preventDefault();
    undo(key === "y" || event.shiftKey ? "redo" : "undo");
  });
}
