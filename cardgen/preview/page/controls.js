// A control for each type of field. Each is {element, value(), set(value)}; `changed` is called while one
// types or chooses, `done` when a value is final.

import {el} from "./html.js";
import {textArea} from "./typing.js";

const NONE = "–";
const isHex = (value) => /^#[0-9a-f]{6}$/i.test(value ?? "");

// Return a text without the line breaks that end a block of YAML.
export const shownText = (text) => (text ?? "").replace(/\n+$/, "");

function listen(field, act, kind = "input") {
  field.addEventListener(kind, act.changed);
  field.addEventListener("change", act.done);
}

function oneText(value, told, act, attributes) {
  const {element, area} = textArea(shownText(value), told.icons, {spellcheck: "true", ...attributes});
  listen(area, act);
  return {element, area, value: () => area.value, set: (text) => { area.value = shownText(text); }};
}

// A text in every language, side by side.
function texts(type, value, told, act) {
  const parts = told.languages.map((code) => [code, oneText(value?.[code], told, act, {lang: code, "aria-label": `${type.name}, ${code}`})]);
  const element = el("div.languages", {}, ...parts.map(([code, part]) => el("div", {}, el("span.code", {}, code), part.element)));
  return {
    element,
    value: () => Object.fromEntries(parts.filter(([code, part]) => part.value() || value?.[code] !== undefined).map(([code, part]) => [code, part.value()])),
    set: (now) => { for (const [code, part] of parts) part.set(now?.[code]); },
  };
}

function line(type, value, told, act) {
  const field = el("input", {type: "text", spellcheck: "false", "aria-label": type.name});
  field.value = value ?? "";
  listen(field, act);
  return {element: field, value: () => field.value || null, set: (now) => { field.value = now ?? ""; }};
}

function number(type, value, told, act) {
  const field = el("input", {
    type: "number", step: type.kind === "integer" ? 1 : "any", min: type.minimum ?? undefined, max: type.maximum ?? undefined, "aria-label": type.name,
  });
  field.value = value ?? "";
  listen(field, act);
  const step = (by) => { by > 0 ? field.stepUp() : field.stepDown(); field.dispatchEvent(new Event("input")); field.dispatchEvent(new Event("change")); };
  const element = el("div.number", {},
    el("button", {type: "button", "aria-label": `Less ${type.name}`, onclick: () => step(-1)}, "−"), field,
    el("button", {type: "button", "aria-label": `More ${type.name}`, onclick: () => step(1)}, "+"));
  return {
    element,
    value: () => (field.validity.badInput ? "" : field.value === "" ? null : Number(field.value)),
    set: (now) => { field.value = now ?? ""; },
  };
}

function toggle(type, value, told, act) {
  const field = el("input", {type: "checkbox", role: "switch", "aria-label": type.name});
  field.checked = Boolean(value);
  listen(field, act);
  return {element: field, value: () => field.checked, set: (now) => { field.checked = Boolean(now); }};
}

function menu(type, value, act, choices, shown = String) {
  const known = choices.includes(value) || value === null || value === undefined ? choices : [...choices, value];
  const none = !type.required || value === null || value === undefined;
  const field = el("select", {"aria-label": type.name},
    none ? el("option", {value: ""}, NONE) : null, ...known.map((choice, at) => el("option", {value: at}, shown(choice))));
  const set = (now) => { field.value = known.includes(now) ? known.indexOf(now) : ""; };
  set(value);
  listen(field, act);
  return {element: field, value: () => (field.value === "" ? null : known[field.value]), set};
}

const choice = (type, value, told, act) => menu(type, value, act, type.choices);
const reference = (type, value, told, act) => menu(type, value, act, told.references[type.deck] ?? []);
const icon = (type, value, told, act) => menu(type, value, act, Object.keys(told.icons));

// A colour of the game by its name, or any other.
function colour(type, value, told, act) {
  const names = Object.keys(told.colours);
  const picked = menu(type, value, act, names);
  const other = el("input", {type: "color", "aria-label": `${type.name}, any colour`});
  let own = isHex(value) ? value : "";
  const hex = (now) => (isHex(now) ? now : told.colours[now] ?? "#888888").slice(0, 7).toLowerCase();
  other.value = hex(value);
  other.addEventListener("input", () => { own = other.value; act.changed(); });
  other.addEventListener("change", act.done);
  picked.element.addEventListener("input", () => { own = ""; other.value = hex(picked.value()); }, true);
  return {
    element: el("div.colour", {}, other, picked.element), value: () => own || picked.value(),
    set: (now) => { own = isHex(now) ? now : ""; picked.set(now); other.value = hex(now); },
  };
}

function list(type, value, told, act) {
  const element = el("div.list", {role: "group", "aria-label": type.name});
  let items = [];
  const redraw = () => element.replaceChildren(
    ...items.map((item, at) => el("div.item", {}, item.element, el("button", {type: "button", "aria-label": `Remove ${type.name} ${at + 1}`, onclick: () => change(() => items.splice(at, 1))}, "−"))),
    el("button.add", {type: "button", "aria-label": `Add to ${type.name}`, onclick: () => { change(() => items.push(make(null)), false); items.at(-1).element.querySelector("input, textarea, select")?.focus(); }}, "+"));
  const make = (each) => control({...type.item, name: type.item.name || type.name, required: true}, each, told, act);
  const change = (act_, isDone = true) => { act_(); redraw(); act.changed(); if (isDone) act.done(); };
  const set = (now) => { items = (now ?? []).map(make); redraw(); };
  set(value);
  return {element, value: () => items.map((item) => item.value()).filter((each) => each !== null), set};
}

function record(type, value, told, act) {
  const parts = type.fields.map((field) => [field.name, control(field, value?.[field.name], told, act), field]);
  const kept = ([, part, field]) => {
    const now = part.value();
    return now !== null && !(field.kind === "boolean" && !now && value?.[field.name] === undefined) && !(Array.isArray(now) && !now.length)
      && !(field.kind === "text" && !Object.values(now).some(Boolean));
  };
  return {
    element: el("div.record", {role: "group", "aria-label": type.name}, ...parts.map(([name, part]) => el("div", {}, el("span.code", {}, name), part.element))),
    value: () => { const now = parts.filter(kept); return now.length ? Object.fromEntries(now.map(([name, part]) => [name, part.value()])) : null; },
    set: (now) => { for (const [name, part] of parts) part.set(now?.[name]); },
  };
}

const makers = {text: texts, string: line, integer: number, number, boolean: toggle, choice, reference, icon, colour, list, record};

export const control = (type, value, told, act) => (makers[type.kind] ?? line)(type, value, told, act);
// The control of a text in one language.
export const languageControl = oneText;
