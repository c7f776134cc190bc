"use strict";
const root = document.documentElement;
const tools = document.querySelector(".tools");
const views = ["side", "slider", "blink"];
const cards = [...document.querySelectorAll(".card")];
const pairs = [...document.querySelectorAll(".two")];
const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
let size = 1, beat = 0, at = -1;

function press(name, value) {
  for (const button of tools.querySelectorAll(`[data-${name}]`))
    button.setAttribute("aria-pressed", String(button.dataset[name] === value));
}
function flip(to) { root.dataset.flip = to || (root.dataset.flip === "old" ? "new" : "old"); }
function view(name) {
  root.dataset.view = name;
  press("view", name);
  clearInterval(beat);
  flip("new");
  if (name === "blink" && !calm) beat = setInterval(flip, 800);
}
function marks() {
  const off = root.dataset.marks !== "off";
  root.dataset.marks = off ? "off" : "on";
  press("marks", off ? "" : "on");
}
function larger(factor) {
  size = Math.min(4, Math.max(0.25, size * factor));
  root.style.setProperty("--mm", `${(base * size).toFixed(3)}mm`);
}
function language(code) {
  press("language", code);
  for (const each of document.querySelectorAll("[data-languages]"))
    each.hidden = code !== "" && !each.dataset.languages.split(" ").includes(code);
}
function go(step) {
  if (!cards.length) return;
  at = Math.min(cards.length - 1, Math.max(0, at + step));
  cards[at].focus({ preventScroll: true });
  cards[at].scrollIntoView({ block: "start", behavior: calm ? "auto" : "smooth" });
}
function cut(pair, share) {
  const value = Math.min(100, Math.max(0, share * 100));
  pair.style.setProperty("--cut", value.toFixed(1));
  pair.nextElementSibling.value = String(value);
}

const base = parseFloat(getComputedStyle(root).getPropertyValue("--mm")) || 1;
tools.hidden = false;
root.dataset.marks = "on";
view("side");
press("marks", "on");
press("language", "");
tools.addEventListener("click", (event) => {
  const said = event.target.closest("button")?.dataset;
  if (!said) return;
  if (said.view) view(said.view);
  else if (said.marks) marks();
  else if (said.size) larger(Number(said.size));
  else if (said.language !== undefined) language(said.language);
});
for (const pair of pairs) {
  pair.addEventListener("pointermove", (event) => {
    if (root.dataset.view !== "slider") return;
    const box = pair.querySelector(".new .pic").getBoundingClientRect();
    cut(pair, (event.clientX - box.left) / box.width);
  });
  pair.nextElementSibling.addEventListener("input", (event) => {
    cut(pair, Number(event.target.value) / 100);
  });
}
document.addEventListener("focusin", (event) => {
  const found = cards.indexOf(event.target.closest?.(".card"));
  if (found >= 0) at = found;
});
const keys = {
  1: () => view("side"), 2: () => view("slider"), 3: () => view("blink"),
  v: () => view(views[(views.indexOf(root.dataset.view) + 1) % views.length]),
  " ": () => { if (root.dataset.view !== "blink") view("blink"); clearInterval(beat); flip(); },
  m: marks, j: () => go(1), k: () => go(-1), "+": () => larger(1.25), "-": () => larger(0.8),
  l: () => {
    const all = [...tools.querySelectorAll("[data-language]")];
    const now = all.findIndex((each) => each.getAttribute("aria-pressed") === "true");
    if (all.length) language(all[(now + 1) % all.length].dataset.language);
  },
};
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("button, a, input") && event.key === " ") return;
  const act = keys[event.key];
  if (!act) return;
  event.preventDefault();
  act();
});
