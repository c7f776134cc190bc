// A text on a card, edited in its place: the editor lies over it, with its size and font.

import {control, languageControl} from "./controls.js";
import {Draft, edited, forgetTrials, loadFont, tryValue, write} from "./edit.js";
import {el} from "./html.js";
import * as lines from "./lines.js";
import {wire} from "./panel.js";

const PT = 25.4 / 72; // mm
const within = (inner, outer) => inner.left >= outer.left - 0.5 && inner.top >= outer.top - 0.5 && inner.left + inner.width <= outer.left + outer.width + 0.5 && inner.top + inner.height <= outer.top + outer.height + 2;

// Return how many letters of a run of text are words of a text; a template may print more beside them.
function countShared(run, text) {
  const words = lines.bare(run.text), all = lines.bare(text);
  if (!words || !all) return 0;
  if (all.includes(words)) return words.length;
  const parts = text.split(/\{[\w-]+\}|\n/).map(lines.bare).filter((part) => part.length > 2 && words.includes(part));
  return Math.max(0, ...parts.map((part) => part.length));
}

// Return the field whose words a run of text is, or null: one of a text before all others.
function fieldOf(run, language) {
  const words = lines.bare(run.text);
  const fields = edited.told?.fields ?? [];
  const texts = fields.filter((field) => field.kind === "text").map((field) => [countShared(run, field.value?.[language] ?? ""), field]);
  const [best] = texts.filter(([count]) => count).sort(([a, one], [b, other]) => b - a || one.value[language].length - other.value[language].length);
  if (best) return best[1];
  const others = fields.filter((field) => !["text", "list", "record"].includes(field.kind));
  return (words && others.find((field) => lines.bare(String(field.value ?? field.default ?? "")) === words)) || null;
}

// Return the place of a field on its face, mm: its fitted box, or all lines of its text.
function areaOf(run, field, language, {texts, boxes}) {
  const text = field.kind === "text" ? field.value[language] : run.text;
  const runs = texts.filter((each) => each === run || (each.path === run.path && each.line === run.line && countShared(each, text)));
  const left = Math.min(...runs.map((each) => each.left)), top = Math.min(...runs.map((each) => each.top));
  const area = {left, top, width: Math.max(...runs.map((each) => each.left + each.width)) - left, height: Math.max(...runs.map((each) => each.top + each.height)) - top};
  const box = boxes.filter((each) => each.width && within(area, each)).sort((a, b) => a.width * a.height - b.width * b.height)[0];
  return {box, area: box ? {left: box.left, top: Math.min(box.top, area.top), width: box.width, height: Math.max(area.height, box.size ? box.height : 0)} : area};
}

// Load the card's font for the editor; until it is there, and without it, another is shown.
function fontOf(run) {
  const near = (edited.told?.fonts ?? []).filter((font) => font.family === run.families?.[0]);
  const font = near.sort((a, b) => (b.style === run.style) - (a.style === run.style) || Math.abs(a.weight - run.weight) - Math.abs(b.weight - run.weight))[0];
  if (font) loadFont(`card ${font.digest}`, font);
  return font ? `"card ${font.digest}", sans-serif` : "sans-serif";
}

function build(field, language, act) {
  const told = edited.told;
  const label = language ? `${field.name}, ${language}` : field.name;
  if (language) return languageControl(field.value?.[language], told, act, {lang: language, "aria-label": label});
  return control(field, field.value ?? field.default, told, act);
}

let close = () => {};
export const closeEditor = () => close();

// Open the editor of a run of text; without a field that can be edited, offer its two lines.
export function open(event, run, place, found, dialog) {
  close();
  const [, , , faceLanguage] = place.dataset.face.split("/");
  const field = fieldOf(run, faceLanguage);
  const language = field?.kind === "text" ? faceLanguage : "";
  const why = field && (language ? field.whyIn[language] : field.why);
  if (!field || why) { lines.offer(event, run, dialog, why); return; }
  const {box, area} = areaOf(run, field, language, found);
  let draft;
  const act = {
    changed: () => { if (draft.isChanged) tryValue(draft, place.dataset.face); },
    done: async () => { if (!draft.isOver && await write(draft)) leave(); },
  };
  const made = build(field, language, act);
  draft = new Draft(field, language, made.value);
  draft.box = box && {path: box.path, line: box.line};
  const line = el("p.fit-line", {role: "status"});
  const editor = el("div.inplace", {"data-field": field.name}, made.element, line);
  const scale = place.getBoundingClientRect().width / place.widthMm;
  const from = place.getBoundingClientRect(), base = dialog.getBoundingClientRect();
  for (const [name, value] of Object.entries({
    left: from.left - base.left + area.left * scale - 4, top: from.top - base.top + area.top * scale - 4,
    width: Math.max(area.width * scale, 90) + 8, "min-height": area.height * scale + 8,
  })) editor.style.setProperty(name, `${value}px`);
  editor.style.setProperty("--type", `${run.size * PT * scale}px`);
  editor.style.setProperty("--face", fontOf(run));
  editor.style.setProperty("--heft", run.weight);
  editor.style.setProperty("--slant", run.style);
  lines.offer({clientX: from.left + area.left * scale, clientY: from.top + (area.top + area.height) * scale + 34, stopPropagation: () => event.stopPropagation()}, run, dialog);
  dialog.append(editor);
  const leave = () => {
    if (draft.isLeft) return; // removing it takes the focus away, which leaves it, too
    draft.isLeft = true;
    close = () => {};
    lines.onClose(() => {});
    lines.close();
    editor.remove();
  };
  lines.onClose(() => { if (!draft.isChanged) leave(); });
  close = () => { draft.isOver = true; leave(); forgetTrials(); };
  wire(draft, editor, {set: made.set, line, done: leave});
  editor.addEventListener("focusout", ({relatedTarget}) => {
    if (!draft.isChanged && !editor.contains(relatedTarget) && !relatedTarget?.closest(".lines")) leave();
  });
  const input = editor.querySelector("textarea, input:not([type=color]), select");
  input.focus();
  if (input.matches("textarea")) input.setSelectionRange(input.value.length, input.value.length);
  tryValue(draft, place.dataset.face);
}

