// The toolbar of the rulebook: edition, zoom, contents and search; and its keys.

import {el, find} from "./html.js";
import {addKeys} from "./keys.js";
import * as leaves from "./leaves.js";

const EDITIONS = {player: "players’", designer: "designer’s"};
const contents = find("book-contents");
const field = find("book-words");
let room; // actions of the rulebook view
let hits = [];
let hit = -1;

function group(name, entries, chosen, choose) {
  const place = find(`book-${name}`);
  place.hidden = entries.length < 2;
  place.replaceChildren(...entries.map(([value, text]) =>
    el("button", {"aria-pressed": String(value === chosen), onclick: () => choose(value)}, text)));
}

export function show(book, state) {
  group("languages", book.languages.map((code) => [code, code]), book.languages.includes(state.language) ? state.language : book.language, (language) => room.set({language, anchor: null}));
  group("editions", book.editions.map((name) => [name, EDITIONS[name] ?? name]), state.edition, (edition) => room.set({edition}));
  group("formats", book.formats.map((name) => [name, name.toUpperCase()]), state.format, (format) => room.set({format}));
  group("spreads", [[false, "pages"], [true, "spreads"]], state.spread, (spread) => room.set({spread}));
  contents.hidden = !state.contents || !book.contents.length;
  contents.replaceChildren(...book.contents.map(([depth, text, page, top]) =>
    el("button", {class: `depth-${Math.min(depth, 3)}`, "data-page": page, "data-top": top, onclick: () => leaves.goTo(page, top)},
      el("span", {}, text), el("b", {}, String(page + 1)))));
  at(leaves.reading());
  search(false);
}

// Show the reading position: page number and heading.
export function at(anchor) {
  const book = room.book();
  if (!anchor || !book?.pages.length) return;
  find("book-at").textContent = `page ${anchor.page + 1} of ${book.pages.length}`;
  const entries = [...contents.children];
  const here = entries.findLast(({dataset: {page, top}}) =>
    Number(page) < anchor.page || (Number(page) === anchor.page && Number(top) <= anchor.down + 40));
  for (const entry of entries) entry.classList.toggle("here", entry === here);
  here?.scrollIntoView({block: "nearest"});
}

// -- search

const bare = (text) => text.toLowerCase().replace(/[-\u00ad]/g, "").replace(/\s+/g, " ");

function search(go = true) {
  for (const mark of document.querySelectorAll(".hit")) mark.remove();
  const words = bare(field.value.trim());
  hits = words.length < 2 ? [] : leaves.leaves().flatMap((leaf) =>
    leaf.page.areas.filter((area) => bare(leaves.wordsOf(area)).includes(words)).map((area) => {
      const mark = leaves.lay(el("div.hit"), area);
      leaf.append(mark);
      return {leaf, area, mark};
    }));
  hit = Math.min(hit, hits.length - 1);
  if (go) {
    hit = -1;
    step(1, true);
  } else count();
}

function step(by, stay = false) {
  if (!hits.length) return count();
  const inView = stay ? hits.findIndex(({leaf, area}) => leaves.isInView(leaf, area)) : -1;
  hit = inView >= 0 ? inView : (hit + by + hits.length) % hits.length;
  const {leaf, area} = hits[hit];
  if (!leaves.isInView(leaf, area)) leaves.goTo(Number(leaf.dataset.number) - 1, Math.max(0, area[3] - 30));
  count();
}

function count() {
  hits.forEach(({mark}, number) => mark.classList.toggle("now", number === hit));
  find("book-found").textContent = hits.length ? `${hit + 1} of ${hits.length}` : field.value.trim().length > 1 ? "not there" : "";
}

const zoomed = (by) => {
  const now = leaves.perMm() / room.pxPerMm();
  room.set({zoom: Math.min(4, Math.max(0.25, now * by))});
};

function next(list, value) {
  return list[(list.indexOf(value) + 1) % list.length];
}

export function start(given) {
  room = given;
  let waiting;
  field.value = room.state().words;
  field.oninput = () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => { search(); room.keepWords(field.value); }, 150);
  };
  find("book-smaller").onclick = () => zoomed(1 / 1.15);
  find("book-larger").onclick = () => zoomed(1.15);
  find("book-fit").onclick = () => room.set({zoom: 0});
  addKeys("book", [
    ["/", "search words", () => field.focus()],
    ["n", "the next place with these words", () => step(1)],
    ["N", "the one before", () => step(-1)],
    ["ArrowRight", "the next page", () => room.turn(1)],
    ["ArrowLeft", "the page before", () => room.turn(-1)],
    ["Home", "the first page", () => leaves.goTo(0)],
    ["End", "the last page", () => leaves.goTo(leaves.leaves().length - 1)],
    ["c", "contents", () => room.set({contents: !room.state().contents})],
    ["s", "pages or spreads", () => room.set({spread: !room.state().spread})],
    ["l", "the next language", () => room.book() && room.set({language: next(room.book().languages, room.book().language), anchor: null})],
    ["a", "the other edition", () => room.book() && room.set({edition: next(room.book().editions, room.state().edition)})],
    ["f", "the other page size", () => room.book() && room.set({format: next(room.book().formats, room.state().format)})],
    ["+", "larger", () => zoomed(1.15)],
    ["-", "smaller", () => zoomed(1 / 1.15)],
    ["0", "as wide as the window", () => room.set({zoom: 0})],
    ["1", "true size", () => room.set({zoom: 1})],
    ["e", "open the line of the block in the editor", room.open],
    ["y", "copy its file and line", room.copy],
  ]);
}
