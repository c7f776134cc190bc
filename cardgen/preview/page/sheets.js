// The sheet view: sheets as they will be printed. The server lays out the chosen sheets, and pages are
// drawn when they become visible.

import {el, fill, find, post, say} from "./html.js";
import {addKeys} from "./keys.js";
import {game, isError, onGame, onSave, problemsOf} from "./model.js";
import {draw, forget, frame} from "./picture.js";
import {addRoom, isIn} from "./rooms.js";
import {choices, cycle, drawPanel, toggle} from "./sheet_panel.js";
import {languageGroup, nextLanguage, spoken} from "./spoken.js";
import {keep, look, onView, scale, view} from "./view.js";

const panel = find("sheet-panel");
const desk = find("sheet-desk");
const leaves = new Map(); // file, sheet and side → page element
const state = {answer: null, why: [], asking: 0, ink: null, making: 0, made: null, old: false};
let asked = "";
let waiting = false;
let inkTurn = 0;
let ticking;

// -- loading

// Queries use GET, which guests may use, too.
const asking = (path, wanted) =>
  fetch(`${path}?choices=${encodeURIComponent(JSON.stringify(wanted))}`).then((got) => (got.ok ? got.json() : null)).catch(() => null);

async function ask() {
  const wanted = choices();
  if (state.asking) { waiting = true; return showPanel(); }
  state.asking = Date.now();
  asked = JSON.stringify([wanted, game.looks]);
  showPanel();
  if (!leaves.size) fill(desk, el("p.nothing", {}, "Laying out the sheets …"));
  const answer = await asking("sheets", wanted);
  state.asking = 0;
  if (waiting) { waiting = false; ask(); return; }
  take(answer);
}

function take(answer) {
  const why = answer?.why ?? [{message: "cardgen does not answer"}];
  state.why = Array.isArray(why) ? why : [{message: why}];
  if (answer?.files) {
    const before = JSON.stringify(state.answer?.files);
    state.old ||= Boolean(before && before !== JSON.stringify(answer.files));
    state.answer = answer;
    state.ink = null;
    bar();
    showSheets();
    askInk();
  } else if (answer?.offered && state.answer) state.answer.offered = answer.offered;
  else if (answer?.offered) state.answer = answer;
  if (!answer?.files && !leaves.size) fill(desk, el("p.nothing", {}, "No sheets with these options."));
  desk.classList.toggle("stale", !answer?.files && leaves.size > 0);
  showPanel();
}

const sleep = (ms) => new Promise((done) => { setTimeout(done, ms); });
const drawing = () => [...leaves.values()].some((place) => place.inView && place.asked && !place.dataset.picture);

// Ink is measured in small steps while no page is waiting to be drawn.
async function askInk() {
  const turn = ++inkTurn;
  for (;;) {
    await sleep(state.ink?.unset ? 1500 : 250);
    if (turn !== inkTurn || !isIn("sheets")) return;
    if (drawing() || state.asking || state.making) continue;
    const told = await asking("sheets/ink", choices()) ?? {};
    if (turn !== inkTurn) return;
    state.ink = told;
    showPanel();
    if (!told.left) return;
  }
}

async function make() {
  if (state.making || !state.answer?.files) return;
  state.making = Date.now();
  state.made = null;
  ticking = setInterval(showPanel, 500);
  showPanel();
  const told = await post("sheets/make", choices()).catch(() => ({problems: [{message: "cardgen does not answer"}], files: []}));
  clearInterval(ticking);
  state.making = 0;
  state.made = told.files ? told : {problems: [].concat(told.why).map((each) => each.message ? each : {message: each}), files: []};
  state.old = false;
  showPanel();
  if (state.made.files.length) say(`${state.made.files[0].path} is made`);
  askInk();
}

function open() {
  const link = panel.querySelector("a.whole");
  if (link) link.click();
  else say("no PDF is made yet; m makes it");
}

// -- rendering

const showPanel = () => { if (isIn("sheets")) drawPanel(panel, state, {make}); };

function newLeaf(name) {
  const place = el("div.leaf", {"data-leaf": name});
  frame(place, 210, () => (place.page ? {picture: place.page.key, state: "good"} : null));
  place.from = "sheet";
  place.spots = el("div.spots");
  place.append(place.spots);
  leaves.set(name, place);
  return place;
}

function spot({card, left, top, width, height}, paper) {
  const part = (length, of) => `${100 * length / of}%`;
  const about = game.cards[card];
  return el("button.spot", {tabindex: "-1", title: about?.name[spoken()] ?? card, "data-card": card,
    style: {left: part(left, paper.width), top: part(top, paper.height), width: part(width, paper.width), height: part(height, paper.height)},
    onclick: () => look({card})});
}

function fillLeaf(place, page, paper) {
  place.widthMm = paper.width;
  place.zoomed = view.sheetSize / scale();
  if (place.page?.key !== page.key) {
    fill(place.spots, ...page.cards.map((each) => spot(each, paper)));
    place.removeAttribute("data-picture");
  }
  place.page = page;
  for (const each of place.spots.children) each.classList.toggle("wrong", problemsOf(each.dataset.card).some(isError));
  draw(place);
  return place;
}

const caption = (pages) => pages.map(({side}) => side).join(" · ");

// Show a file's pages with the front and back of each sheet side by side.
function sheetsOf(file, number, paper) {
  const groups = Map.groupBy(file.pages.map((page, at) => ({page, at})), ({page, at}) => page.sheet || `list ${at}`);
  return [...groups].map(([sheet, pages]) => {
    const shown = pages.map(({page, at}) => {
      const name = `${number}/${at}`;
      return fillLeaf(leaves.get(name) ?? newLeaf(name), page, paper);
    });
    const title = typeof sheet === "number" ? `${sheet} · ${caption(pages.map(({page}) => page))}` : pages[0].page.side;
    return el("figure.sheet", {}, el("div.sides", {}, ...shown), el("figcaption", {}, title));
  });
}

function figures(file) {
  const sheets = `${file.papers} ${file.papers === 1 ? "sheet" : "sheets"}`;
  return file.waste === undefined ? sheets : `${sheets} · ${file.waste} % left over`;
}

function showSheets() {
  if (!isIn("sheets") || !state.answer) return;
  const {files, paper} = state.answer;
  if (!paper) return;
  desk.style.setProperty("--w", paper.width);
  desk.style.setProperty("--h", paper.height);
  desk.style.setProperty("--size", view.sheetSize);
  const top = desk.scrollTop;
  const wanted = new Set(files.flatMap((file, number) => file.pages.map((_, at) => `${number}/${at}`)));
  for (const [name, place] of leaves)
    if (!wanted.has(name)) { forget(place); leaves.delete(name); }
  fill(desk, ...files.map((file, number) => el("section.file", {},
    el("h2", {}, el("span", {}, file.title || "What changed"), el("small", {}, figures(file))),
    el("div.sheets", {}, ...sheetsOf(file, number, paper)))),
  files.some((file) => file.pages.length) ? null : el("p.nothing", {}, nothing()));
  desk.scrollTop = top || view.sheetTop;
}

function nothing() {
  if (choices().changed && state.answer.base) return `Nothing to print: nothing has changed since ${state.answer.base}.`;
  return state.answer.why?.length ? "No sheets with these options." : "There is nothing to print.";
}

function resize(by) {
  look({sheetSize: Math.min(8, Math.max(0.35, by ? view.sheetSize * by : view.pxPerMm))});
}

function resized() {
  const middle = (desk.scrollTop + desk.clientHeight / 2) / Math.max(1, desk.scrollHeight);
  desk.style.setProperty("--size", view.sheetSize);
  for (const place of leaves.values()) { place.zoomed = view.sheetSize / scale(); draw(place); }
  desk.scrollTop = middle * desk.scrollHeight - desk.clientHeight / 2;
}

function toFile(by) {
  const files = [...desk.querySelectorAll(".file")];
  const top = desk.getBoundingClientRect().top;
  const at = files.findLastIndex((file) => file.getBoundingClientRect().top <= top + 4);
  files[Math.min(files.length - 1, Math.max(0, at + by))]?.scrollIntoView();
}

function bar() {
  const files = state.answer?.files ?? [];
  fill(find("sheet-tools"), languageGroup(),
    el("div.group.zoom", {},
      el("button", {title: "Smaller  −", onclick: () => resize(1 / 1.25)}, "−"),
      el("button", {title: "True size  1", onclick: () => resize(0)}, "1:1"),
      el("button", {title: "Larger  +", onclick: () => resize(1.25)}, "+")),
    files.length > 1 ? el("label.sort", {}, "Go to ",
      el("select", {onchange: ({target}) => desk.querySelectorAll(".file")[target.selectedIndex]?.scrollIntoView()},
        ...files.map((file) => el("option", {}, file.title)))) : null);
}

const KEYS = [
  ["m", "make the PDF", make],
  ["o", "open the PDF that was made", open],
  ["c", "only what changed", () => toggle("changed")],
  ["i", "low ink", () => toggle("low_ink")],
  ["g", "in black ink alone", () => toggle("grayscale")],
  ["x", "decks of one size share sheets", () => toggle("mix")],
  ["b", "the next way of printing backs", () => cycle("backs", state)],
  ["t", "the next paper", () => cycle("paper", state)],
  ["+", "larger", () => resize(1.25)],
  ["-", "smaller", () => resize(1 / 1.25)],
  ["1", "true size", () => resize(0)],
  [",", "the deck before", () => toFile(-1)],
  [".", "the next deck", () => toFile(1)],
  ["l", "the next language", nextLanguage],
];

function refresh() {
  if (!isIn("sheets")) return;
  bar();
  if (game.decks.length && asked !== JSON.stringify([choices(), game.looks])) ask();
  else { showSheets(); showPanel(); askInk(); }
}

export function start() {
  addRoom("sheets", "S", "Sheets", refresh);
  addKeys("sheets", KEYS);
  onGame((told, all) => {
    if (!isIn("sheets")) return;
    if (all || "looks" in told || told.languages) refresh();
    else if (told.problems) {
      for (const each of desk.querySelectorAll(".spot")) each.classList.toggle("wrong", problemsOf(each.dataset.card).some(isError));
      showPanel();
    }
  });
  // printed.yaml is not one of the game's files.
  onSave(() => { if (isIn("sheets") && choices().changed) ask(); });
  onView((changed) => {
    if (!isIn("sheets")) return;
    if ("sheetSize" in changed) resized();
    if ("sheets" in changed || "language" in changed) refresh();
  });
  let settling;
  desk.addEventListener("scroll", () => {
    clearTimeout(settling);
    settling = setTimeout(() => { if (isIn("sheets")) { view.sheetTop = Math.round(desk.scrollTop); keep(); } }, 200);
  }, {passive: true});
  desk.addEventListener("wheel", (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    resize(event.deltaY < 0 ? 1.08 : 1 / 1.08);
  }, {passive: false});
}
