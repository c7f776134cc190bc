// The fields of a card beside it, each with the control of its type.

import {control, languageControl} from "./controls.js";
import {Draft, describe, edited, forgetTrials, onDropped, onEdit, tryValue, undo, write} from "./edit.js";
import {el, fill, sourceLink} from "./html.js";
import {setFields} from "./lines.js";
import {facesOfCard} from "./model.js";
import {view} from "./view.js";

const mm = (value) => `${value.toFixed(1)} mm`;
let shown = []; // the drafts of the card in view, with their controls
let dialog = null;

// Say how a text fits, from the boxes of its face.
export function fitText(told, draft) {
  if (told.why) return {text: told.why, isOver: true};
  const boxes = Object.values(told.faces ?? {}).flatMap((face) => face.boxes ?? []);
  const over = Math.max(0, ...boxes.flatMap((box) => [box.excess_height, box.excess_width]));
  if (over > 0.15) return {text: `${mm(over)} too ${boxes.some((box) => box.excess_height >= over) ? "tall" : "wide"}`, isOver: true};
  const box = (draft.box && boxes.find((each) => each.path === draft.box.path && each.line === draft.box.line)) ?? boxes.filter((each) => each.size).sort((a, b) => a.size - a.smallest - b.size + b.smallest)[0];
  if (!box?.size) return {text: "", isOver: false};
  return {text: `${box.size.toFixed(1)} pt, ${(box.size - box.smallest).toFixed(1)} pt in reserve`, isOver: false};
}

export function showFit(line, told, draft) {
  const {text, isOver} = fitText(told, draft);
  line.textContent = text;
  line.classList.toggle("over", isOver);
}

// The face on which a draft shows best.
const faceOf = (draft) => {
  const faces = facesOfCard(view.card).filter((face) => !draft.language || face.language === draft.language);
  return (faces.find((face) => face.side === "front") ?? faces[0])?.name ?? "";
};


// Wire a control to a draft: it is tried while one types, and written when it is final.
export function wire(draft, element, {set, line, done = () => {}}) {
  draft.fit = (told) => showFit(line, told, draft);
  draft.restore = () => { set(draft.was); line.textContent = ""; };
  element.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      draft.isOver = true;
      draft.restore();
      forgetTrials();
      event.target.blur();
      draft.isOver = false;
      done(false);
    } else if (event.key === "Enter" && !event.shiftKey && event.target.matches("input, textarea")) {
      event.preventDefault();
      event.target.blur();
    }
  });
  for (const each of element.querySelectorAll("input, textarea")) each.draft = draft;
  if (element.matches("input, textarea")) element.draft = draft;
}

function actions(draft) {
  return {
    changed: () => { if (draft().isChanged) tryValue(draft(), faceOf(draft())); },
    done: async () => { if (!draft().isOver && await write(draft())) draft().line.textContent = ""; },
  };
}

function makeDraft(field, language, told) {
  let draft;
  const act = actions(() => draft);
  const label = language ? `${field.name}, ${language}` : field.name;
  const value = language ? field.value?.[language] : field.value ?? (field.kind === "boolean" ? field.default : null);
  const hint = field.default === null || field.value !== null ? undefined : typeof field.default === "object" ? field.default?.[language] : String(field.default);
  const made = language ? languageControl(value, told, act, {lang: language, "aria-label": label, placeholder: hint}) : control(field, value, told, act);
  if (hint) made.element.querySelector("input, textarea")?.setAttribute("placeholder", hint);
  draft = new Draft(field, language, made.value);
  draft.line = el("p.fit-line", {role: "status"});
  wire(draft, made.element, {set: made.set, line: draft.line});
  Object.assign(draft, {element: made.element, set: made.set});
  shown.push(draft);
  return el("div", {}, language ? el("span.code", {}, language) : null, made.element, draft.line);
}

function refusal(why, value) {
  return el("div.refused", {}, el("span", {}, value), el("small", {}, why));
}

const plainWords = (value) => (value === null || value === undefined ? "" : typeof value === "object" ? JSON.stringify(value) : String(value));

function row(field, told) {
  const isText = field.kind === "text";
  const parts = isText
    ? told.languages.map((code) => (field.whyIn[code] ? refusal(field.whyIn[code], `${code}: ${field.value?.[code] ?? ""}`) : makeDraft(field, code, told)))
    : [field.why ? refusal(field.why, plainWords(field.value)) : makeDraft(field, "", told)];
  const isDefault = field.value === null && field.default !== null && field.name !== "copies" && plainWords(field.default) !== "[]" && field.default !== false;
  return [
    el("dt", {}, field.name, field.value === null ? null : sourceLink(field)),
    el(isText ? "dd.languages" : "dd", {}, ...parts),
    isDefault ? el("dd.default", {}, "the default of ", sourceLink(field.declared)) : null,
  ];
}

// Fields that the card leaves out, folded unless they were unfolded before.
let isUnfolded = false;
function leftOut(fields, told) {
  if (!fields.length) return [];
  const count = fields.length === 1 ? "1 more field" : `${fields.length} more fields`;
  return [el("details", {open: isUnfolded, ontoggle: (event) => { isUnfolded = event.target.open; }},
    el("summary", {}, count), el("dl.fields", {}, ...fields.flatMap((field) => row(field, told)).filter(Boolean)))];
}

function history() {
  const told = edited.told ?? {};
  const step = (kind, sign, text) => {
    const button = el("button", {type: "button", title: text, "aria-label": text, onclick: () => undo(kind)}, sign);
    button.disabled = !told[kind];
    return button;
  };
  const place = dialog?.querySelector(".history");
  if (place) fill(place, step("undo", "↶", "Undo  Ctrl+Z"), step("redo", "↷", "Redo  Ctrl+Shift+Z"));
}

// Show what the file holds, unless something else is typed.
function refresh(draft, field) {
  if (!field || draft.isChanged) return;
  const was = JSON.stringify(draft.was);
  draft.take(field);
  if (JSON.stringify(draft.was) !== was) draft.set(draft.was);
}

// Show the fields of the card in view; what is typed stays as it is.
export async function show(place, copies, more) {
  const told = await describe(view.card);
  if (!told) return;
  dialog = place.closest("dialog");
  setFields(told.fields.map((field) => ({...field, values: field.kind === "text" ? Object.values(field.value ?? {}) : [field.value].flat().filter((each) => each !== null).map(plainWords)})));
  history();
  for (const field of told.fields) if (field.name === "copies") field.value ??= field.default;
  if (shown.some((draft) => draft.card === view.card && draft.element.contains(document.activeElement))) {
    for (const draft of shown) refresh(draft, told.fields.find((each) => each.name === draft.field.name));
    return;
  }
  shown = [];
  fill(more);
  if (told.why) place.replaceChildren(el("dd.default", {}, told.why));
  else {
    const [first, ...rest] = told.fields[0]?.name === "copies" ? told.fields : [null, ...told.fields];
    if (first) fill(copies, first.why ? refusal(first.why, `×${first.value}`) : el("div.copies", {}, "copies ", makeDraft(first, "", told)));
    const given = rest.filter((field) => field.value !== null || field.required), others = rest.filter((field) => !given.includes(field));
    place.replaceChildren(...given.flatMap((field) => row(field, told)).filter(Boolean));
    fill(more, ...leftOut(others, told));
  }
}

// Tell whether something is typed that is not written yet.
export const isTyping = () => Boolean(document.activeElement?.draft?.isChanged);

export function start(reload) {
  onEdit(history);
  onDropped((draft) => { draft.isOver = false; document.activeElement?.blur(); reload(); });
}

