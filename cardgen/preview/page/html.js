// Creates elements without templates, so that text from a game is never markup.

import {guest} from "./view.js";

export const find = (id) => document.getElementById(id);

// el("button.small", {title: "…", onclick: f}, "text", child, …)
export function el(what, attributes = {}, ...children) {
  const [tag, ...classes] = what.split(".");
  const made = document.createElement(tag);
  if (classes.length) made.className = classes.join(" ");
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (typeof value === "function") made[name] = value;
    else if (name === "style") for (const [k, v] of Object.entries(value)) made.style.setProperty(k, v);
    else made.setAttribute(name, value === true ? "" : value);
  }
  fill(made, ...children);
  return made;
}

// The same for SVG: drawn("rect", {x: 1, …}, child, …)
export function drawn(tag, attributes, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

// Replace an element's children, leaving out null.
export const fill = (place, ...children) => place.replaceChildren(...children.filter((child) => child ?? false));

// Show an error below a field, or remove it with "". `still` says what applies meanwhile.
export function refuse(field, why, still) {
  field.setCustomValidity(why);
  field.title = why;
  field.parentElement.querySelector(".why-not")?.remove();
  if (why) field.after(el("p.why-not", {role: "alert"}, why, el("small", {}, still)));
}

let hiding;
export function say(text) {
  const place = find("said");
  place.textContent = text;
  place.classList.add("shown");
  clearTimeout(hiding);
  hiding = setTimeout(() => place.classList.remove("shown"), 2600);
}

export async function post(path, body) {
  const answer = await fetch(path, {method: "POST", body: JSON.stringify(body)});
  return answer.ok ? answer.json() : {why: "cardgen does not answer"};
}

export const place = (of) => (of.line ? `${of.path}:${of.place || of.line}` : of.path);

export async function openSource(of) {
  if (guest) return say(`${place(of)} – the editor opens on the machine that shows this`);
  const {why} = await post("open", {path: of.path, line: of.line || 1});
  return say(why || `${place(of)} is opened`);
}

export async function copySource(of) {
  if (!navigator.clipboard) return say(place(of)); // the clipboard needs TLS
  await navigator.clipboard.writeText(place(of));
  return say(`${place(of)} is copied`);
}

// Listener for the file and line under the pointer, null for none.
let linked = () => {};
export const onLink = (listener) => { linked = listener; };

// A button that opens the editor at a file and line.
export const sourceLink = (of) =>
  el("button.source", {title: "Open in the editor", onpointerenter: () => linked(of), onpointerleave: () => linked(null), onclick: (e) => { e.stopPropagation(); openSource(of); }}, place(of));
