// The game's rules, broken or not, with their measurements as bars between bounds.

import {drawn, el, find, post, say, sourceLink} from "./html.js";
import {addKeys} from "./keys.js";
import {game, isError, onGame} from "./model.js";
import {guest, look, onView, view} from "./view.js";

const panel = find("rules");
const MOST = 8; // maximum number of measurements shown for a rule
const LONG = 100; // length of a bar in its own units
let turn = 0;

const plain = (value) => String(Math.round(value * 100) / 100);

function asked({least, most}) {
  if (least === most) return `= ${plain(least)}`;
  if (most === null) return `≥ ${plain(least)}`;
  return least === null ? `≤ ${plain(most)}` : `${plain(least)} – ${plain(most)}`;
}

// The ends of a bar: 0 and a little more than the largest figure.
const ends = ({figure, least, most}) =>
  [Math.min(0, figure, least ?? 0), Math.max(figure, least ?? 0, most ?? 0, 1) * 1.15];

// A bar with the allowed range filled.
function bar(one, [smallest, largest]) {
  const {figure, least, most, holds} = one;
  const at = (value) => LONG * (value - smallest) / (largest - smallest);
  const from = at(least ?? smallest), to = at(most ?? largest);
  const line = (kind, x) => drawn("line", {class: kind, x1: x, x2: x, y1: 0, y2: 10});
  return drawn("svg", {class: "bar", viewBox: `0 0 ${LONG} 10`, preserveAspectRatio: "none", "aria-hidden": "true"},
    drawn("rect", {class: "way", x: 0, y: 3.5, width: LONG, height: 3}),
    drawn("rect", {class: "allowed", x: Math.max(0, from - 1.5), y: 1, width: Math.max(3, to - from + 1.5), height: 8}),
    line(holds ? "now" : "now off", at(figure)));
}

const SIDES = {is: ["least", "most"], at_least: ["least"], at_most: ["most"]};
const WORDS = {is: "exactly", at_least: "at least", at_most: "at most"};

// The bounds of a measurement that are plain numbers in cards/rules.yaml.
const movable = (rule, one) => (guest ? [] : Object.keys(rule.bounds).filter((key) => SIDES[key].every((side) => one[side] === rule.bounds[key])));

async function write(rule, key, value) {
  const {why} = await post("bound", {line: rule.line, key, was: rule.bounds[key], value});
  say(why || `${rule.id}: ${WORDS[key]} ${plain(value)}`);
  if (why) show();
}

// A handle that moves a bound along its bar; `moved(value)` draws it. Letting go writes it.
function handle(rule, one, key, [smallest, largest], moved) {
  const old = rule.bounds[key];
  const step = Number.isInteger(old) && Number.isInteger(one.figure) ? 1 : 10 ** Math.floor(Math.log10((largest - smallest) / 50));
  let value = old;
  const set = (wanted) => {
    value = Number((Math.round(wanted / step) * step).toPrecision(9));
    if (key === "at_least" && one.most !== null) value = Math.min(value, one.most);
    if (key === "at_most" && one.least !== null) value = Math.max(value, one.least);
    button.style.left = `${100 * (value - smallest) / (largest - smallest)}%`;
    button.setAttribute("aria-valuenow", value);
    moved(Object.fromEntries(SIDES[key].map((side) => [side, value])));
  };
  const done = () => { if (value !== old) write(rule, key, value); };
  const button = el("button.handle", {
    role: "slider", title: `${WORDS[key]}: drag, or use the arrows and Enter`, "aria-label": `${rule.id}, ${WORDS[key]}`, "aria-valuemin": smallest, "aria-valuemax": largest,
    onpointerdown: (event) => { event.preventDefault(); button.focus(); button.setPointerCapture(event.pointerId); },
    onpointermove: ({clientX, pointerId}) => {
      if (!button.hasPointerCapture(pointerId)) return;
      const {left, width} = button.parentElement.getBoundingClientRect();
      set(smallest + (largest - smallest) * Math.min(1, Math.max(0, (clientX - left) / width)));
    },
    onlostpointercapture: done,
    onkeydown: (event) => {
      const by = {ArrowLeft: -step, ArrowDown: -step, ArrowRight: step, ArrowUp: step}[event.key];
      if (!by && !["Enter", "Escape"].includes(event.key)) return;
      event.preventDefault();
      event.stopPropagation();
      if (by) set(value + by);
      else if (event.key === "Escape") set(old);
      else done();
    },
  });
  set(old);
  return button;
}

function measured(rule, one) {
  const scale = ends(one);
  const wanted = el("span.asked", {}, asked(one));
  const place = el("div.track", {}, bar(one, scale));
  const moved = (sides) => {
    wanted.textContent = asked({...one, ...sides});
    place.querySelector(".bar").replaceWith(bar({...one, ...sides}, scale));
  };
  place.append(...movable(rule, one).map((key) => handle(rule, one, key, scale, moved)));
  return el("li.measure", {class: one.holds ? "measure" : "measure off"},
    el("span.what", {}, one.what), el("b", {}, plain(one.figure)), wanted, place);
}

function entry(rule) {
  const broken = game.problems.filter((problem) => problem.kind === rule.id);
  const state = rule.why || broken.some(isError) ? "error" : broken.length ? "warning" : "fine";
  const shown = [...rule.measures].sort((a, b) => a.holds - b.holds);
  return {state, made: el("li", {class: state, "data-rule": rule.id},
    el("div.rule", {}, el("b", {}, rule.id), sourceLink(rule)),
    el("p", {}, rule.because, rule.section ? el("span.section", {}, ` (${rule.section})`) : null),
    rule.why ? el("p.why", {}, `Cannot be evaluated: ${rule.why}`) : null,
    ...broken.map((problem) => el("p.why", {}, problem.message.replace(` – ${rule.because}`, ""))),
    shown.length ? el("ol.measures", {}, ...shown.slice(0, MOST).map((one) => measured(rule, one))) : null,
    shown.length > MOST ? el("details", {}, el("summary", {}, `${shown.length - MOST} more`), el("ol.measures", {}, ...shown.slice(MOST).map((one) => measured(rule, one)))) : null,
    !shown.length && (rule.asks || rule.figures.length)
      ? el("p.figures", {}, [rule.asks, ...rule.figures].filter(Boolean).join(" · ")) : null)};
}

function statistics() {
  const [first] = game.languages;
  const rows = game.decks.map((deck) => {
    const cards = Object.values(game.cards).filter((card) => card.deck === deck.id);
    return el("tr", {}, el("td", {}, deck.title[first] || deck.id), el("td", {}, String(cards.length)), el("td", {}, String(deck.count)));
  });
  const sum = (of) => String(game.decks.reduce((total, deck) => total + of(deck), 0));
  return el("table.decks", {},
    el("thead", {}, el("tr", {}, el("th", {}, "Deck"), el("th", {}, "Cards"), el("th", {}, "In the box"))),
    el("tbody", {}, ...rows),
    el("tfoot", {}, el("tr", {}, el("td", {}, "All"), el("td", {}, String(Object.keys(game.cards).length)), el("td", {}, sum((deck) => deck.count)))));
}

async function show() {
  panel.hidden = view.side !== "rules";
  find("show-rules").setAttribute("aria-expanded", String(!panel.hidden));
  if (panel.hidden) return;
  const mine = ++turn;
  const told = await fetch("rules").then((answer) => (answer.ok ? answer.json() : [])).catch(() => []);
  if (mine !== turn || panel.hidden) return;
  const made = told.map(entry);
  const order = ["error", "warning", "fine"];
  const listed = made.sort((a, b) => order.indexOf(a.state) - order.indexOf(b.state));
  const off = made.filter(({state}) => state !== "fine").length;
  const top = panel.scrollTop;
  panel.replaceChildren(
    el("h2", {}, "Rules"),
    el("p.tally", {}, told.length ? `${told.length - off} hold${off ? `, ${off} ${off === 1 ? "is" : "are"} broken` : ""}` : "The game has no rules in cards/rules.yaml."),
    el("ol", {}, ...listed.map((each) => each.made)),
    el("h2", {}, "Decks"),
    statistics());
  panel.scrollTop = top;
}

const toggle = () => look({side: view.side === "rules" ? "" : "rules"});

export function start() {
  addKeys("", [["r", "rules, with what they measure", toggle]]);
  find("show-rules").onclick = toggle;
  onGame((told, all) => { if (all || "held" in told || (told.problems && view.side === "rules")) show(); });
  onView((changed) => { if ("side" in changed) show(); });
  show();
}
