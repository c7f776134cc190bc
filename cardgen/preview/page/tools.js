// The toolbar at the top, and its keys.

import {el, find} from "./html.js";
import {addKeys, onKey, showKeys} from "./keys.js";
import {game, onGame} from "./model.js";
import {isIn} from "./rooms.js";
import {nextSight} from "./sight.js";
import {look, onView, send, view} from "./view.js";
import {isOneList, select, shown, tileOf} from "./wall.js";

const ON_WALL = [
  ["/", "search for words", () => find("words").focus()],
  ["w", "filter by an expression", () => find("where").focus()],
  ["f", "fronts", () => look({sides: "front"})],
  ["b", "backs", () => look({sides: "back"})],
  ["2", "fronts and backs", () => look({sides: "both"})],
  ["l", "the next language, or all", nextLanguage],
  ["+", "larger", () => zoom(1.15)],
  ["-", "smaller", () => zoom(1 / 1.15)],
  ["1", "true size", trueSize],
  ["← → ↑ ↓", "another card", null],
  ["Enter", "the card, large", () => selected() && look({card: selected()})],
  ["Esc", "back to the wall", null],
  ["s", "colours as colour-blind people see them, in grey, with low ink", nextSight],
];
const ALWAYS = [
  ["p", "problems", () => look({side: view.side === "problems" ? "" : "problems"})],
  ["d", "light or dark", () => look({theme: isDark() ? "light" : "dark"})],
  ["?", "these keys", showKeys],
];

const selected = () => view.card || document.querySelector(".tile.selected")?.dataset.card;
const isDark = () => (view.theme ? view.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches);

const zoom = (by) => look({zoom: Math.min(8, Math.max(0.15, view.zoom * by)), trueSize: false});

function nextLanguage() {
  const codes = game.languages;
  const shownNow = codes.filter((code) => !view.hidden.includes(code));
  const next = shownNow.length > 1 ? 0 : codes.indexOf(shownNow[0]) + 1;
  look({hidden: next < codes.length && codes.length > 1 ? codes.filter((code) => code !== codes[next]) : []});
}

// Bank cards are 85.60 mm wide (ISO/IEC 7810), so matching one to the screen calibrates the scale.
function trueSize() {
  const dialog = find("calibrate");
  const card = el("div.bank-card", {}, el("span", {}, "85.60 mm"));
  const slider = el("input", {type: "range", min: 2, max: 14, step: 0.005, "aria-label": "Width of the card"});
  slider.value = view.pxPerMm;
  const measured = () => {
    card.style.setProperty("--px", slider.value);
    look({pxPerMm: Number(slider.value), zoom: 1, trueSize: true});
  };
  slider.oninput = measured;
  dialog.replaceChildren(
    el("h2", {}, "True size"),
    el("p", {}, "Hold a bank card to the screen and make this one the same size. This is needed once for each screen."),
    card, slider,
    el("button.close", {onclick: () => dialog.close()}, "This is its size"));
  measured();
  dialog.showModal();
}

function group(place, entries, chosen, choose) {
  place.replaceChildren(...entries.map(([value, text]) =>
    el("button", {"aria-pressed": String(chosen(value)), onclick: () => choose(value)}, text)));
}

function show() {
  const [first] = game.languages;
  find("title").textContent = game.title[first] || "cardgen";
  document.title = `${game.title[first] || "cardgen"} · preview`;
  find("languages").hidden = game.languages.length < 2;
  group(find("languages"), game.languages.map((code) => [code, code]),
    (code) => !view.hidden.includes(code),
    (code) => {
      const hidden = view.hidden.includes(code) ? view.hidden.filter((each) => each !== code) : [...view.hidden, code];
      if (game.languages.some((each) => !hidden.includes(each))) look({hidden});
    });
  group(find("sides"), [["front", "fronts"], ["back", "backs"], ["both", "both"]],
    (side) => view.sides === side, (side) => look({sides: side}));
  find("decks").replaceChildren(...game.decks.map((deck) => el("option", {value: deck.id}, deck.title[first] || deck.id)));
  find("decks").parentElement.hidden = isOneList() || game.decks.length < 2;
  find("decks").value = view.anchor?.card?.split("/")[0] ?? game.decks[0]?.id;
  find("true").setAttribute("aria-pressed", String(view.trueSize));
  find("sort").value = view.sort;
  document.documentElement.dataset.theme = view.theme;
}

function typed(field, key) {
  let waiting;
  field.value = view[key];
  field.oninput = () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => look({[key]: field.value}), 120);
  };
}

// Return the tile next to the selected one in a direction on the screen.
function step(key) {
  const tiles = shown();
  const from = tileOf(selected());
  if (!from || from.hidden) return tiles[0] && select(tiles[0]);
  if (key === "ArrowLeft" || key === "ArrowRight") {
    const next = tiles[tiles.indexOf(from) + (key === "ArrowLeft" ? -1 : 1)];
    return next && select(next);
  }
  const here = from.getBoundingClientRect();
  const down = key === "ArrowDown";
  let best = null;
  let least = Infinity;
  for (const tile of tiles) {
    const there = tile.getBoundingClientRect();
    const way = down ? there.top - here.bottom : here.top - there.bottom;
    if (way < -1) continue;
    const far = way * 3 + Math.abs(there.left + there.width / 2 - here.left - here.width / 2);
    if (far < least) [best, least] = [tile, far];
  }
  return best && select(best);
}

function arrows(event) {
  if (!isIn("wall") || !event.key.startsWith("Arrow") || document.querySelector("dialog[open]")) return false;
  event.preventDefault();
  step(event.key);
  return true;
}

export function start() {
  typed(find("words"), "words");
  typed(find("where"), "where");
  find("decks").onchange = (event) => find(`deck-${event.target.value}`)?.scrollIntoView();
  find("sort").onchange = (event) => look({sort: event.target.value});
  find("smaller").onclick = () => zoom(1 / 1.15);
  find("larger").onclick = () => zoom(1.15);
  find("true").onclick = trueSize;
  find("show-problems").onclick = () => look({side: view.side === "problems" ? "" : "problems"});
  find("theme").onclick = () => look({theme: isDark() ? "light" : "dark"});
  find("help").onclick = showKeys;
  addKeys("wall", ON_WALL);
  addKeys("", ALWAYS);
  onKey(arrows);
  find("wall").addEventListener("wheel", (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    zoom(event.deltaY < 0 ? 1.08 : 1 / 1.08);
  }, {passive: false});
  addEventListener("pagehide", send);
  onGame((told, all) => { if (all || told.title || told.languages || told.decks) show(); });
  onView((changed) => { if (!("card" in changed && Object.keys(changed).length === 1)) show(); });
  show();
}
