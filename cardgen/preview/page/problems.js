// Everything that is wrong, grouped, each a click from its card and its line.

import {el, find, sourceLink} from "./html.js";
import {cardName, game, isError, onGame} from "./model.js";
import {look, onView, view} from "./view.js";

const list = find("problems");
const MOST = 200;

function entry(problem) {
  const about = problem.card ? cardName(problem) : problem.deck;
  return el("li", {class: problem.severity},
    el("p", {}, problem.message),
    el("div.at", {},
      problem.card && game.cards[about]
        ? el("button.to", {onclick: () => look({card: about})}, [about, problem.language && `[${problem.language}]`, problem.side].filter(Boolean).join(" "))
        : about ? el("span", {}, about) : null,
      sourceLink(problem)));
}

function show() {
  const errors = game.problems.filter(isError).length;
  find("count").textContent = game.problems.length;
  find("show-problems").classList.toggle("wrong", errors > 0);
  find("show-problems").classList.toggle("fine", !game.problems.length);
  find("show-problems").setAttribute("aria-expanded", String(view.side === "problems"));
  list.hidden = view.side !== "problems";
  if (list.hidden) return;
  const kinds = Map.groupBy([...game.problems].sort((a, b) => isError(b) - isError(a)), (p) => p.kind);
  list.replaceChildren(
    el("h2", {}, game.problems.length ? "Problems" : "Nothing is wrong"),
    ...[...kinds].map(([kind, told]) =>
      el("details", {open: true},
        el("summary", {}, el("span", {}, kind), el("b", {}, String(told.length))),
        el("ol", {}, ...told.slice(0, MOST).map(entry)),
        told.length > MOST ? el("p.more", {}, `and ${told.length - MOST} more`) : null)));
}

export function start() {
  onGame((told, all) => { if (all || told.problems) show(); });
  onView((changed) => { if ("side" in changed) show(); });
  show();
}
