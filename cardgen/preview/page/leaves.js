// The pages of the rulebook view: drawing, scrolling and pointing.

import {el, fill, find, sourceLink} from "./html.js";
import {isError} from "./model.js";
import {draw, forget, frame} from "./picture.js";
import {view} from "./view.js";

const place = find("book-pages");
const [BLOCK, ELEMENT, LEFT, TOP, WIDTH, HEIGHT, WORDS] = [0, 1, 2, 3, 4, 5, 6]; // indexes of an area's values, lengths in mm
const AROUND = 64; // px around the pages
const NOTES = 250; // px for problems beside the pages
const MOST = 1.6; // maximum scale over the printed size
let book = {pages: []};
let zoom = 0; // 0: fit the window's width
let spread = false;
let pointed = null; // {leaf, area}
let set = 0; // scroll position set by this module; null after the user has scrolled

export const leaves = () => [...place.children];
export const wordsOf = (area) => area[WORDS];

export function perMm() {
  if (zoom) return view.pxPerMm * zoom;
  const across = (spread ? 2 : 1) * (book.width || 210);
  const beside = AROUND + (place.classList.contains("noted") ? NOTES : 0);
  return Math.max(0.5, Math.min((place.clientWidth - beside) / across, view.pxPerMm * MOST));
}

function newLeaf(number) {
  const paper = el("div.face.paper");
  const leaf = el("article.leaf", {"data-number": number + 1, "aria-label": `page ${number + 1}`},
    paper, el("div.zone", {hidden: true}), el("ol.wrong"));
  leaf.paper = paper;
  Object.assign(paper, {from: "book/page", perMm});
  frame(paper, book.width, () => leaf.page && {picture: leaf.page.picture, state: "good"});
  return leaf;
}

// The position of an area on its page.
export function lay(mark, area) {
  for (const [name, at] of [["--x", LEFT], ["--y", TOP], ["--aw", WIDTH], ["--ah", HEIGHT]]) mark.style.setProperty(name, area[at]);
  return mark;
}

// Show the pages of a book, without touching those that did not change.
export function hang(now) {
  book = now;
  for (const leaf of leaves().slice(book.pages.length)) {
    forget(leaf.paper);
    leaf.remove();
  }
  book.pages.forEach((page, number) => {
    const leaf = place.children[number] ?? place.appendChild(newLeaf(number));
    leaf.page = page;
    leaf.paper.widthMm = book.width;
  });
  place.style.setProperty("--w", book.width);
  place.style.setProperty("--h", book.height);
  point(null);
  resize();
}

export function arrange(how) {
  zoom = how.zoom;
  spread = how.spread;
  place.classList.toggle("spread", spread);
  resize();
}

export function resize() {
  place.style.setProperty("--scale", perMm());
  for (const leaf of leaves()) draw(leaf.paper);
  lower();
}

// Tell whether all visible pages are drawn or have failed.
export const isDrawn = () => leaves().every(({paper, page}) =>
  !paper.inView || paper.dataset.picture === page.picture || paper.asked === "");

// Show problems beside their pages, at their height.
export function tell(problems) {
  const noted = problems.some((problem) => problem.page >= 0);
  if (noted !== place.classList.contains("noted")) {
    const anchor = reading();
    place.classList.toggle("noted", noted);
    resize();
    returnTo(anchor);
  }
  for (const leaf of leaves()) {
    const mine = problems.filter((problem) => problem.page === Number(leaf.dataset.number) - 1).sort((a, b) => a.top - b.top);
    fill(leaf.querySelector(".wrong"), ...mine.map((problem) =>
      el("li", {class: isError(problem) ? "error" : "warning", "data-top": problem.top}, el("p", {}, problem.message), sourceLink(problem))));
  }
  lower();
}

// Place each note at its height, or below the previous one.
function lower() {
  for (const list of place.querySelectorAll(".leaf .wrong")) {
    let end = 0;
    for (const note of list.children) {
      const top = Math.max(end, note.dataset.top * perMm());
      note.style.marginTop = `${top - end}px`;
      end = top + note.offsetHeight + 8;
    }
  }
}

// -- reading position

const top = () => place.scrollTop;
const at = (leaf, mm) => leaf.offsetTop + mm * perMm();

export function reading() {
  const leaf = leaves().find((each) => each.offsetTop + each.offsetHeight > top() + 40) ?? leaves().at(-1);
  if (!leaf) return null;
  const areas = leaf.page.areas.filter((area) => area[WORDS]);
  const area = areas.find((each) => at(leaf, each[TOP]) >= top()) ?? areas.at(-1);
  const number = Number(leaf.dataset.number) - 1;
  const down = (top() - leaf.offsetTop) / perMm();
  if (!area) return {page: number, down};
  return {page: number, down, block: leaf.page.first + area[BLOCK], element: area[ELEMENT], words: area[WORDS].slice(0, 200), above: area[TOP] - down};
}

// Scroll the same block to the same place; when it is gone, the same part of the page.
export function returnTo(anchor) {
  if (!anchor || !leaves().length) return;
  const known = leaves().flatMap((leaf) => leaf.page.areas.filter((area) => area[WORDS]).map((area) => ({leaf, area, far: Math.abs(leaf.page.first + area[BLOCK] - anchor.block)})));
  const near = (found) => found.sort((a, b) => a.far - b.far)[0];
  const found = near(known.filter(({area}) => area[WORDS].slice(0, 200) === anchor.words))
    ?? near(known.filter(({area, far}) => far === 0 && area[ELEMENT] === anchor.element));
  const leaf = leaves()[Math.min(anchor.page, leaves().length - 1)];
  scrollTo(found ? at(found.leaf, found.area[TOP] - anchor.above) : at(leaf, anchor.down));
}

function scrollTo(y) {
  place.scrollTop = y;
  set = place.scrollTop;
}

export function goTo(number, mm = 0) {
  const leaf = leaves()[number];
  if (leaf) place.scrollTop = at(leaf, mm) - 24;
}

export const isInView = (leaf, area) =>
  at(leaf, area[TOP]) >= top() && at(leaf, area[TOP] + area[HEIGHT]) <= top() + place.clientHeight;

// -- pointing

export const current = () => pointed ?? atPlace();

function atPlace() {
  const anchor = reading();
  const leaf = anchor && leaves()[anchor.page];
  const area = leaf?.page.areas.find((each) => leaf.page.first + each[BLOCK] === anchor.block && each[ELEMENT] === anchor.element);
  return area ? {leaf, area} : null;
}

function point(found) {
  if (pointed?.leaf.isConnected && pointed.leaf !== found?.leaf) pointed.leaf.querySelector(".zone").hidden = true;
  pointed = found;
  if (found) lay(found.leaf.querySelector(".zone"), found.area).hidden = false;
}

// Return the smallest area under the pointer.
function under(event) {
  const leaf = event.target.closest?.(".leaf");
  if (!leaf || event.target.closest("ol")) return null;
  const box = leaf.paper.getBoundingClientRect();
  const x = (event.clientX - box.left) / perMm(), y = (event.clientY - box.top) / perMm();
  const hit = leaf.page.areas.filter((area) =>
    x >= area[LEFT] && x <= area[LEFT] + area[WIDTH] && y >= area[TOP] && y <= area[TOP] + area[HEIGHT]);
  const size = (area) => area[WIDTH] * area[HEIGHT];
  const area = hit.sort((a, b) => size(a) - size(b) || b[ELEMENT] - a[ELEMENT])[0];
  return area ? {leaf, area} : null;
}

export function start(onPlace, onChosen) {
  let waiting;
  place.addEventListener("scroll", () => {
    if (set !== null && Math.abs(place.scrollTop - set) > 1) set = null;
    clearTimeout(waiting);
    waiting = setTimeout(() => onPlace(set === null), 120);
  });
  place.addEventListener("pointermove", (event) => point(under(event)));
  place.addEventListener("pointerleave", () => point(null));
  place.addEventListener("click", (event) => {
    const found = under(event);
    if (found) onChosen(found);
  });
}

export const addressOf = ({leaf, area}) => `book/line/${leaf.page.picture}/${area[BLOCK]}/${area[ELEMENT]}`;
