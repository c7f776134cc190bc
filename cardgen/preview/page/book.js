// The rulebook view: loads the book after every save and keeps the reading position.

import * as bar from "./book_bar.js";
import {copySource, el, fill, find, openSource, say, sourceLink} from "./html.js";
import * as leaves from "./leaves.js";
import {isError, onSave} from "./model.js";
import {addRoom, isIn} from "./rooms.js";
import {keep, look, onView, view} from "./view.js";

const ROOM = "book";
const FINISHED_AFTER = 700; // ms without a save after which the whole PDF is written
const SLOW = 500; // ms after which a slow step is announced
const usual = {language: "", edition: "player", format: "a4", spread: false, zoom: 0, contents: true, words: "", anchor: null};
const told = find("book-told");
let shown = null; // the answer whose pages are shown
let query = ""; // the query it answers
let asking = false;
let stale = true;
let finishing;
let ticking;

export const state = () => ({...usual, ...view.book});
export const set = (changed) => look({book: {...state(), ...changed}});

const wanted = () => {
  const {language, edition, format} = state();
  return String(new URLSearchParams({language, edition, format}));
};

const answer = (path) => fetch(`${path}?${wanted()}`).then((given) => (given.ok ? given.json() : null)).catch(() => null);

// Load the current book, and once more when a file was saved meanwhile.
async function ask() {
  stale = true;
  if (asking || !isIn(ROOM)) return;
  asking = true;
  clearTimeout(finishing);
  mark();
  wait();
  while (stale && isIn(ROOM)) {
    stale = false;
    const mine = wanted();
    const given = await answer("book");
    if (mine !== wanted()) stale = true;
    else if (given) take(given, mine);
  }
  clearInterval(ticking);
  asking = false;
  tell();
  finishing = setTimeout(finish, FINISHED_AFTER);
}

function wait() {
  const begun = Date.now();
  clearInterval(ticking);
  ticking = setInterval(() => {
    const seconds = Math.round((Date.now() - begun) / 1000);
    if (Date.now() - begun > SLOW) tell(`Laying out the rulebook${seconds > 1 ? `, ${seconds} s` : ""} …`);
  }, 250);
}

// Have the whole PDF written, so that a build has nothing left to do. The answer adds the problems
// that only show there, and the page of each problem.
async function finish() {
  if (asking || !isIn(ROOM) || !shown) return;
  if (!leaves.isDrawn()) {
    finishing = setTimeout(finish, 200);
    return;
  }
  const mine = wanted();
  const given = await answer("book/finished");
  if (!given) stale = true; // the worker that laid it out has ended: the next save loads it again
  if (!given || asking || mine !== wanted()) return;
  shown = {...shown, problems: given.problems, whole: given.whole};
  tell();
  leaves.resize(); // a page that could not be drawn alone
}

function take(given, mine) {
  const same = mine === query;
  const none = !given.pages.length;
  if (none && same && shown?.pages.length) {
    shown = {...shown, problems: given.problems, older: true};
    return;
  }
  const anchor = state().anchor;
  shown = given;
  query = mine;
  leaves.hang(given);
  leaves.arrange(state());
  leaves.returnTo(anchor);
  bar.show(given, state());
}

// Show the problems, or the current step, above the pages.
function tell(doing = "") {
  if (!shown) {
    told.className = "";
    told.textContent = doing || "Laying out the rulebook …";
    told.hidden = false;
    return;
  }
  const errors = shown.problems.filter(isError);
  const first = errors[0];
  const none = !shown.pages.length && !shown.languages.length && !errors.length;
  leaves.tell(shown.problems);
  find("book-pages").dataset.state = shown.older ? "older" : "good";
  told.className = doing || none ? "" : first ? "wrong" : "loose";
  const loose = shown.problems.filter((problem) => problem.page < 0 && problem !== first);
  if (doing) fill(told, doing);
  else if (none) fill(told, "The game has no rulebook. Write one in ", el("code", {}, `rulebook/${document.documentElement.lang}.md`), ".");
  else fill(told, ...[first, ...loose].filter(Boolean).map((problem) =>
    el("p", {}, problem.message, " ", sourceLink(problem), " ",
      problem.page >= 0 && el("button.source", {onclick: () => leaves.goTo(problem.page, problem.top)}, `page ${problem.page + 1}`))));
  told.hidden = !told.childNodes.length;
  mark();
}

function mark() {
  document.documentElement.dataset.book = asking ? "asked" : shown.whole ? "whole" : "shown";
}

// -- lines of the Markdown

async function lineOf(found) {
  const source = found && await fetch(leaves.addressOf(found)).then((given) => given.json()).catch(() => null);
  return source?.path ? source : null;
}

async function chosen(found) {
  const source = await lineOf(found);
  if (source) return openSource(source);
  const bare = (text) => text.replace(/\s/g, "");
  const heading = shown.contents.find(([, text]) => bare(text) === bare(leaves.wordsOf(found.area)));
  if (heading) leaves.goTo(heading[2], heading[3]);
  else say("it comes from no line of the rulebook");
}

async function ofCurrent(act) {
  const source = await lineOf(leaves.current());
  if (source) act(source);
  else say("no block is chosen");
}

function placed(byHand) {
  const anchor = leaves.reading();
  if (!anchor || !isIn(ROOM)) return;
  if (byHand) {
    view.book = {...state(), anchor};
    keep();
  }
  bar.at(anchor);
}

const turn = (by) => {
  const page = leaves.reading()?.page ?? 0;
  leaves.goTo(Math.max(0, page + by * (state().spread ? 2 : 1)));
};

export function start() {
  addRoom(ROOM, "R", "Rulebook", enter);
  leaves.start(placed, chosen);
  bar.start({
    state, set, turn,
    pxPerMm: () => view.pxPerMm,
    keepWords: (words) => { view.book = {...state(), words}; keep(); },
    open: () => ofCurrent(openSource),
    copy: () => ofCurrent(copySource),
    book: () => shown,
  });
  onSave(ask);
  onView((changed) => {
    if (!changed.book || !isIn(ROOM)) return;
    const {anchor} = state();
    if (wanted() !== query) ask();
    leaves.arrange(state());
    leaves.returnTo(anchor);
    if (shown) bar.show(shown, state());
  });
  // After a resize of the window or a panel.
  let wide = 0;
  new ResizeObserver(() => {
    const {clientWidth} = find("book-pages");
    if (!isIn(ROOM) || clientWidth === wide) return;
    wide = clientWidth;
    leaves.resize();
    leaves.returnTo(state().anchor);
  }).observe(find("book-pages"));
}

function enter() {
  if (shown) {
    leaves.resize();
    leaves.returnTo(state().anchor);
  }
  tell();
  if (stale) ask();
}
