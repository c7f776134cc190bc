// All problems, grouped, with links to their cards and lines.

import {el, fill, find, sourceLink} from "./html.js";
import {cardName, game, isChecking, isError, onGame} from "./model.js";
import {look, onView, view} from "./view.js";

const list = find("problems");
const MOST = 200;
const ALIKE = 5; // problems in the same words that are folded into one
const unfolded = new Set(); // problems whose cards are listed

const counted = (count) => `${count} ${count === 1 ? "problem" : "problems"}`;

// The problems known so far, with a note that more may follow.
function summary() {
  const count = game.problems.length;
  if (isChecking()) return count ? `checking … ${counted(count)} so far` : "checking …";
  return game.books ? counted(count) : `${counted(count)} · rulebook …`;
}

// What may still change in the list.
function pending() {
  if (isChecking()) return "Rules are checked once all cards are typeset, so more problems may follow.";
  return game.books ? "" : "The rulebook is checked last. What is listed of it is from before the save.";
}

// A problem on several cards is shown once, with all of them.
const mistake = (problem) => JSON.stringify([problem.path, problem.line, problem.message, problem.severity]);

// What follows from one mistake elsewhere, such as a deck that was renamed, is folded below it.
const cause = (problem) => (problem.card ? mistake(problem) : JSON.stringify([problem.cause, problem.severity]));

// So is what is said many times of one file in the same words, such as each text of a card that was moved.
const words = ({message, path, kind, severity}) =>
  JSON.stringify([message.replace(/; in question.*/, "").replace(/'[^']*'|\S*[\d/]\S*/g, "…"), path, kind, severity]);

function grouped(problems) {
  const causes = [...Map.groupBy(problems, cause).values()];
  const alike = Map.groupBy(causes, ([first]) => words(first));
  return causes.flatMap((group) => {
    const same = alike.get(words(group[0]));
    if (same.length < ALIKE) return [group];
    return group === same[0] ? [same.flat()] : [];
  });
}

// Details below a problem, whose content is made when they are opened.
function folded(key, title, content) {
  const place = el("div", {}, ...unfolded.has(key) ? content() : []);
  const toggle = ({target}) => {
    unfolded[target.open ? "add" : "delete"](key);
    if (target.open && !place.firstChild) fill(place, ...content());
  };
  return el("details.cards", {open: unfolded.has(key), ontoggle: toggle}, el("summary", {}, title), place);
}

function consequences(problems) {
  const [problem] = problems;
  const isCaused = problems.every((each) => cause(each) === cause(problem));
  const line = (each) => el("div.at", {},
    isCaused && each.message === each.cause ? null : el("span", {}, each.message), each.card ? whereabouts(each) : null, sourceLink(each));
  return el("li", {class: problem.severity},
    el("p", {}, isCaused ? problem.cause : problem.message, el("b.times", {}, ` ×${problems.length}`)),
    isCaused ? null : el("div.at", {}, whereabouts(problem), sourceLink(problem)),
    isCaused ? folded(cause(problem), `at ${problems.length} places`, () => problems.map(line))
      : folded(words(problem), `and ${problems.length - 1} more like it`, () => problems.slice(1).map(line)));
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
      ? folded(key, `on ${about} ${about === 1 ? "card" : "cards"}`, () => [el("div.at", {}, ...problems.map(whereabouts))])
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
  const kinds = Map.groupBy(grouped([...game.problems].sort((a, b) => isError(b) - isError(a))), ([first]) => first.kind);
  const top = list.scrollTop;
  fill(list,
    el("h2", {}, game.problems.length ? "Problems" : pending() ? "Checking …" : "No problems"),
    pending() ? el("p.more", {}, pending()) : null,
    ...[...kinds].map(([kind, mistakes]) =>
      el("details", {open: true},
        el("summary", {}, el("span", {}, kind), el("b", {}, String(mistakes.flat().length))),
        el("ol", {}, ...mistakes.slice(0, MOST).map(entry)),
        mistakes.length > MOST ? el("p.more", {}, `and ${mistakes.length - MOST} more`) : null)));
  list.scrollTop = top;
}

export function start() {
  let checking = pending();
  onGame((told, all) => {
    if (!all && !told.problems && checking === pending()) return;
    checking = pending();
    show();
  });
  onView((changed) => { if ("side" in changed) show(); });
  show();
}
