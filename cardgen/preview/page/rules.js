// The game's rules, broken or not, with their measurements as bars between bounds.

import {drawn, el, find, sourceLink} from "./html.js";
import {addKeys} from "./keys.js";
import {game, isError, onGame} from "./model.js";
import {look, onView, view} from "./view.js";

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

// A bar from 0 to a little more than the largest figure, with the allowed range filled.
function bar({figure, least, most, holds}) {
  const largest = Math.max(figure, least ?? 0, most ?? 0, 1) * 1.15;
  const smallest = Math.min(0, figure, least ?? 0);
  const at = (value) => LONG * (value - smallest) / (largest - smallest);
  const from = at(least ?? smallest), to = at(most ?? largest);
  const line = (kind, x) => drawn("line", {class: kind, x1: x, x2: x, y1: 0, y2: 10});
  return drawn("svg", {class: "bar", viewBox: `-1 0 ${LONG + 2} 10`, preserveAspectRatio: "none", "aria-hidden": "true"},
    drawn("rect", {class: "way", x: 0, y: 3.5, width: LONG, height: 3}),
    drawn("rect", {class: "allowed", x: Math.max(0, from - 1.5), y: 1, width: Math.max(3, to - from + 1.5), height: 8}),
    line(holds ? "now" : "now off", at(figure)));
}

const measured = (one) =>
  el("li.measure", {class: one.holds ? "measure" : "measure off"},
    el("span.what", {}, one.what), el("b", {}, plain(one.figure)), el("span.asked", {}, asked(one)), bar(one));

function entry(rule) {
  const broken = game.problems.filter((problem) => problem.kind === rule.id);
  const state = rule.why || broken.some(isError) ? "error" : broken.length ? "warning" : "fine";
  const shown = [...rule.measures].sort((a, b) => a.holds - b.holds);
  return {state, made: el("li", {class: state, "data-rule": rule.id},
    el("div.rule", {}, el("b", {}, rule.id), sourceLink(rule)),
    el("p", {}, rule.because, rule.section ? el("span.section", {}, ` (${rule.section})`) : null),
    rule.why ? el("p.why", {}, `Cannot be evaluated: ${rule.why}`) : null,
    ...broken.map((problem) => el("p.why", {}, problem.message.replace(` – ${rule.because}`, ""))),
    shown.length ? el("ol.measures", {}, ...shown.slice(0, MOST).map(measured)) : null,
    shown.length > MOST ? el("details", {}, el("summary", {}, `${shown.length - MOST} more`), el("ol.measures", {}, ...shown.slice(MOST).map(measured))) : null,
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
