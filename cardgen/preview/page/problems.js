// All problems, grouped, with links to their cards and lines.

import {el, fill, find, sourceLink} from "./html.js";
import {cardName, game, isChecking, isError, onGame} from "./model.js";
import {look, onView, view} from "./view.js";

const list = find("problems");
const MOST = 200;
const unfolded = new Set(); // problems whose cards are listed

const counted = (count) => `${count} ${count === 1 ? "problem" : "problems"}`;

// The problems known so far, with a note that more may follow.
function summary() {
  const count = game.problems.length;
  if (!isChecking()) return counted(count);
  return count ? `checking … ${counted(count)} so far` : "checking …";
}

// A problem on several cards is shown once, with all of them.
const mistake = (problem) => JSON.stringify([problem.path, problem.line, problem.message, problem.severity]);

// What follows from one mistake elsewhere, such as a deck that was renamed, is folded below it.
const cause = (problem) => (problem.card ? mistake(problem) : JSON.stringify([problem.cause, problem.severity]));

function consequences(problems) {
  const [problem] = problems;
  const key = cause(problem);
  return el("li", {class: problem.severity},
    el("p", {}, problem.cause, el("b.times", {}, ` ×${problems.length}`)),
    el("details.cards", {open: unfolded.has(key), ontoggle: (event) => unfolded[event.target.open ? "add" : "delete"](key)},
      el("summary", {}, `at ${problems.length} places`),
      ...problems.map((each) => el("div.at", {}, each.message === each.cause ? null : el("span", {}, each.message), sourceLink(each)))));
}

// The place of a problem.
function whereabouts(problem) {
  const about = problem.card ? cardName(problem) : problem.deck;
  if (!about) return null;
  if (!problem.card || !game.cards[about]) return el("span", {}, about);
  return el("button.to", {onclick: () => look({card: about})}, [about, problem.language && `[${problem.language}]`, problem.side].filter(Boolean).join(" "));
}

function entry(problems) {
  const [problem] = problems;
  if (problems.some((each) => mistake(each) !== mistake(problem))) return consequences(problems);
  const about = [...new Set(problems.map(cardName))].length;
  const key = mistake(problem);
  return el("li", {class: problem.severity},
    el("p", {}, problem.message, problems.length > 1 ? el("b.times", {}, ` ×${problems.length}`) : null),
    el("div.at", {}, problems.length > 1 ? null : whereabouts(problem), sourceLink(problem)),
    problems.length > 1
      ? el("details.cards", {open: unfolded.has(key), ontoggle: (event) => unfolded[event.target.open ? "add" : "delete"](key)},
        el("summary", {}, `on ${about} ${about === 1 ? "card" : "cards"}`),
        el("div.at", {}, ...problems.map(whereabouts)))
      : null);
}

function show() {
  const errors = game.problems.filter(isError).length;
  find("show-problems").textContent = summary();
  find("show-problems").classList.toggle("wrong", errors > 0);
  find("show-problems").classList.toggle("fine", !game.problems.length && !isChecking());
  find("show-problems").classList.toggle("checking", isChecking());
  find("show-problems").setAttribute("aria-expanded", String(view.side === "problems"));
  list.hidden = view.side !== "problems";
  if (list.hidden) return;
  const causes = Map.groupBy([...game.problems].sort((a, b) => isError(b) - isError(a)), cause);
  const kinds = Map.groupBy(causes.values(), ([first]) => first.kind);
  const top = list.scrollTop;
  fill(list,
    el("h2", {}, game.problems.length ? "Problems" : isChecking() ? "Checking …" : "No problems"),
    isChecking() ? el("p.more", {}, "Rules are checked once all cards are typeset, so more problems may follow.") : null,
    ...[...kinds].map(([kind, mistakes]) =>
      el("details", {open: true},
        el("summary", {}, el("span", {}, kind), el("b", {}, String(mistakes.flat().length))),
        el("ol", {}, ...mistakes.slice(0, MOST).map(entry)),
        mistakes.length > MOST ? el("p.more", {}, `and ${mistakes.length - MOST} more`) : null)));
  list.scrollTop = top;
}

export function start() {
  let checking = isChecking();
  onGame((told, all) => {
    if (!all && !told.problems && checking === isChecking()) return;
    checking = isChecking();
    show();
  });
  onView((changed) => { if ("side" in changed) show(); });
  show();
}
