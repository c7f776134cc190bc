// Typing a card's text: icons are completed after {, and Ctrl+B and Ctrl+I make words bold and italic.

import {el} from "./html.js";

const TOKEN = /\{([\w-]*)$/;
const MARKS = {b: "**", i: "*"};
const MOST = 8;
let count = 0;

function replace(area, from, to, text) {
  area.setRangeText(text, from, to, "end");
  area.dispatchEvent(new Event("input", {bubbles: true}));
}

// Put marks around the selection, or take them away.
function mark(area, sign) {
  const {selectionStart: from, selectionEnd: to, value} = area;
  const [before, inner, after] = [value.slice(0, from), value.slice(from, to), value.slice(to)];
  const marked = before.endsWith(sign) && after.startsWith(sign) && !(sign === "*" && before.endsWith("**"));
  const start = marked ? from - sign.length : from + sign.length;
  if (marked) area.setRangeText(inner, from - sign.length, to + sign.length);
  else area.setRangeText(sign + inner + sign, from, to);
  area.setSelectionRange(start, start + inner.length);
  area.dispatchEvent(new Event("input", {bubbles: true}));
}

// A text area for a card's text; `icons` maps their names to characters of the icon font.
export function textArea(value, icons, attributes) {
  const id = `icons-${++count}`;
  const area = el("textarea", {rows: 1, "aria-autocomplete": "list", "aria-controls": id, ...attributes});
  const list = el("ul.completions", {id, role: "listbox", "aria-label": "Icons", hidden: true});
  area.value = value;
  let found = [], at = 0;

  const token = () => area.selectionStart === area.selectionEnd && TOKEN.exec(area.value.slice(0, area.selectionStart));
  const close = () => { found = []; list.hidden = true; area.removeAttribute("aria-activedescendant"); };

  function take(name) {
    const open = token();
    const end = area.selectionStart + (area.value[area.selectionStart] === "}" ? 1 : 0);
    if (open) replace(area, area.selectionStart - open[1].length, end, `${name}}`);
    close();
  }

  function suggest() {
    const open = token();
    const names = open ? Object.keys(icons) : [];
    const near = names.filter((name) => name.includes(open[1]));
    found = near.sort((a, b) => b.startsWith(open[1]) - a.startsWith(open[1])).slice(0, MOST);
    at = Math.min(at, Math.max(0, found.length - 1));
    list.hidden = !found.length;
    list.replaceChildren(...found.map((name, number) =>
      el("li", {id: `${id}-${number}`, role: "option", "aria-selected": String(number === at), onpointerdown: (event) => { event.preventDefault(); take(name); }},
        el("span.icon", {"aria-hidden": "true"}, icons[name]), name)));
    if (!found.length) { close(); return; }
    area.setAttribute("aria-activedescendant", `${id}-${at}`);
    list.classList.remove("above");
    const within = area.closest("dialog")?.getBoundingClientRect().bottom ?? innerHeight;
    list.classList.toggle("above", list.getBoundingClientRect().bottom > within);
  }

  // Return true when a key was meant for the list.
  function chosen(key) {
    if (!found.length) return false;
    if (key === "Escape") close();
    else if (key === "Enter" || key === "Tab") take(found[at]);
    else if (key === "ArrowDown" || key === "ArrowUp") {
      at = (at + (key === "ArrowDown" ? 1 : found.length - 1)) % found.length;
      suggest();
    } else return false;
    return true;
  }

  area.addEventListener("input", () => { at = 0; suggest(); });
  area.addEventListener("blur", close);
  area.addEventListener("keydown", (event) => {
    const sign = (event.ctrlKey || event.metaKey) && !event.shiftKey && MARKS[event.key.toLowerCase()];
    if (sign) mark(area, sign);
    if (!sign && !chosen(event.key)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  });
  return {element: el("div.typing", {}, area, list), area};
}
