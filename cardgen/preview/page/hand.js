// The hand view: cards of a deck as players hold them. Everything follows from a seed and the moves, so
// hands can be repeated and every move can be undone.

import {dealt} from "./deal.js";
import {cards, cover, heightFor, LARGE, lay, nameOf, pile, refresh} from "./fan.js";
import {el, fill, find, refuse, say} from "./html.js";
import {addKeys, onKey} from "./keys.js";
import {cardName, deckOf, game, onGame, whereHolds} from "./model.js";
import {addRoom, isIn} from "./rooms.js";
import {languageGroup, nextLanguage, spoken} from "./spoken.js";
import {look, onView, view} from "./view.js";

const MOST_PLAYERS = 8, MOST_SIZE = 30, MOST_PAST = 60, MOST_SEED = 2 ** 32 - 1;
const room = find("hand");
const deckPile = pile("deck", "Draw one  n", takeOne);
const discarded = pile("discard", "Shuffle the discarded cards into the deck  s", () => move("shuffle"));
const about = el("p", {id: "held-about", "aria-live": "polite"});
const fans = el("div.fans");
const nothing = el("p.nothing", {hidden: true});
let holding = null; // cards that match the expression; null for all
let asked = 0;
let table = {deck: [], discard: [], hands: []};
let chosen = {player: 0, at: 0};
let side = "front";

const between = (least, value, most) => Math.min(most, Math.max(least, Math.round(Number(value)) || least));
const anySeed = () => crypto.getRandomValues(new Uint32Array(1))[0] % 90000 + 10000;

// Read the stored state of the hand, which may be anything.
function now() {
  const kept = view.hand ?? {};
  return {
    deck: deckOf(kept.deck) ? kept.deck : (game.decks.find((deck) => deck.count > 6) ?? game.decks[0])?.id ?? "",
    where: String(kept.where ?? ""), seed: between(1, kept.seed, MOST_SEED),
    players: between(1, kept.players, MOST_PLAYERS), size: between(0, kept.size, MOST_SIZE),
    moves: Array.isArray(kept.moves) ? kept.moves.filter(Array.isArray) : [],
  };
}

const past = () => (Array.isArray(view.hand?.past) ? view.hand.past : []);
const copyChosen = () => table.hands[chosen.player]?.[chosen.at];

function change(changed) {
  const before = now();
  look({hand: {...before, ...changed, past: [...past(), before].slice(-MOST_PAST)}});
}

function anew(changed = {}) {
  chosen = {player: 0, at: 0};
  change({seed: anySeed(), moves: [], ...changed});
}

const move = (...given) => change({moves: [...now().moves, given]});

function undo() {
  const before = past();
  if (!before.length) return say("nothing to take back");
  look({hand: {...before.at(-1), past: before.slice(0, -1)}});
}

function takeOne() {
  if (!table.deck.length) return say(table.discard.length ? "the deck is empty; s shuffles what was discarded into it" : "the deck is empty");
  const {player} = chosen;
  move("draw", player, 1);
  choose(player, table.hands[player].length - 1);
}

function discard() {
  if (copyChosen()) move("discard", chosen.player, chosen.at);
  else say("no card is chosen");
}

// Every copy in the deck: its id and the id of its card.
function copies() {
  const wanted = Object.values(game.cards).filter((card) =>
    card.deck === now().deck && (!holding || holding.has(cardName(card))));
  return wanted.flatMap((card) => Array.from({length: card.copies}, (_, n) => ({id: `${cardName(card)} ${n}`, card: cardName(card)})));
}

function show() {
  if (!isIn("hand")) return;
  bar();
  const deck = deckOf(now().deck);
  const all = deck ? copies() : [];
  nothing.hidden = all.length > 0;
  nothing.textContent = deck ? "No card of the deck matches." : "Nothing to deal yet.";
  fans.hidden = room.firstChild.hidden = !nothing.hidden;
  if (!all.length) return;
  table = dealt(all, now());
  const place = {width: room.clientWidth - 40, height: room.clientHeight - 30};
  const height = heightFor(table.hands, place, deck);
  const sizes = {
    "--high": `${height}px`, "--wide": `${height * deck.width / deck.height}px`, "--large": LARGE,
    "--round": deck.shape === "round" ? "50%" : `${deck.corner * height / deck.height}px`,
  };
  for (const [name, value] of Object.entries(sizes)) room.style.setProperty(name, value);
  room.dataset.many = table.hands.length > 1;
  room.dataset.shape = deck.shape;
  room.dataset.lying = deck.width > deck.height;
  const given = {height, deck, side, room: place, on: {choose: (player, at) => choose(player, at, false), open: (card) => look({card})}};
  cover(deckPile, table.deck[0], "back", table.deck.length, "in the deck", given);
  cover(discarded, table.discard.at(-1), "front", table.discard.length, "discarded", given);
  lay(fans, table, given);
  choose(chosen.player, chosen.at, Boolean(document.activeElement?.closest(".held")));
}

// Select a card and show where its copies are.
function choose(player, at, focus = true) {
  const own = table.hands[player] ? player : 0;
  chosen = {player: own, at: between(0, at, Math.max(0, (table.hands[own] ?? []).length - 1))};
  for (const card of cards()) {
    const mine = card.player === chosen.player && card.at === chosen.at;
    card.classList.toggle("chosen", mine);
    if (mine && focus) card.focus({preventScroll: true});
  }
  const name = copyChosen()?.card;
  if (!name || !game.cards[name]) return fill(about);
  const count = (pile) => pile.filter(({card}) => card === name).length;
  const where = table.hands.map((hand, number) => [count(hand), table.hands.length > 1 ? `with player ${number + 1}` : "in the hand"]);
  const told = [...where.filter(([n]) => n), [count(table.deck), "in the deck"], [count(table.discard), "discarded"]];
  fill(about, el("b", {}, `${nameOf(name)} ×${game.cards[name].copies}`), told.map((each) => each.join(" ")).join(", "));
}

// -- toolbar

function number(title, value, least, most, act) {
  const field = el("input.number", {type: "number", min: least, max: most, "aria-label": title});
  field.value = value;
  field.onchange = () => act(between(least, field.value, most));
  return el("label.sort", {}, title, " ", field);
}

function bar() {
  const kept = now();
  const deck = el("select", {"aria-label": "Deck"}, ...game.decks.map((each) =>
    el("option", {value: each.id}, `${each.title[spoken()] ?? each.id} (${each.count})`)));
  deck.value = kept.deck;
  deck.onchange = () => anew({deck: deck.value, where: ""});
  const where = el("input.where", {type: "search", placeholder: "Filter: copies > 1  w", "aria-label": "Only cards for which this expression is true", spellcheck: "false"});
  where.value = kept.where;
  where.onchange = () => anew({where: where.value});
  fill(find("hand-tools"), deck, el("span.asked", {}, where),
    number("Players", kept.players, 1, MOST_PLAYERS, (players) => anew({players})),
    number("Cards each", kept.size, 0, MOST_SIZE, (size) => anew({size})),
    number("Seed", kept.seed, 1, MOST_SEED, (seed) => change({seed, moves: []})),
    el("button.main", {title: "Shuffle all and deal  a", onclick: () => anew()}, "Deal anew"),
    el("div.group", {},
      el("button", {title: "Draw one  n", onclick: takeOne}, "Draw"),
      el("button", {title: "Discard the selected card  x", onclick: discard}, "Discard"),
      el("button", {title: "Shuffle the discarded cards into the deck  s", onclick: () => move("shuffle")}, "Shuffle"),
      el("button", {title: "Undo  u", onclick: undo, disabled: !past().length}, "Undo")),
    languageGroup());
  refuse(where, refused, "Not applied: the hand has not changed.");
}

let refused = ""; // error of the expression

async function filter() {
  const turn = ++asked;
  const {where} = now();
  let why = "";
  if (where.trim()) {
    const answer = await whereHolds(where);
    if (turn !== asked) return;
    why = answer.why;
    if (!why) holding = new Set(answer.cards);
  } else holding = null;
  refused = why;
  show();
}

function nextDeck(by) {
  const ids = game.decks.map((deck) => deck.id);
  if (ids.length) anew({deck: ids[(ids.indexOf(now().deck) + by + ids.length) % ids.length], where: ""});
}

function arrows(event) {
  if (!isIn("hand") || !event.key.startsWith("Arrow") || document.querySelector("dialog[open]")) return false;
  event.preventDefault();
  const {player, at} = chosen;
  if (event.key === "ArrowLeft" || event.key === "ArrowRight") choose(player, at + (event.key === "ArrowLeft" ? -1 : 1));
  else choose(between(0, player + (event.key === "ArrowUp" ? -1 : 1), table.hands.length - 1), at);
  return true;
}

const KEYS = [
  ["7", "seven cards for one", () => anew({players: 1, size: 7})],
  ["a", "shuffle all and deal anew", () => anew()],
  ["n", "draw one", takeOne],
  ["x", "discard the chosen card", discard],
  ["s", "shuffle what was discarded into the deck", () => move("shuffle")],
  ["u", "undo", undo],
  ["+", "one more player", () => anew({players: between(1, now().players + 1, MOST_PLAYERS)})],
  ["-", "one player less", () => anew({players: between(1, now().players - 1, MOST_PLAYERS)})],
  [",", "the deck before", () => nextDeck(-1)],
  [".", "the next deck", () => nextDeck(1)],
  ["w", "cards for which an expression holds", () => find("hand-tools").querySelector(".where").focus()],
  ["f", "turn the hand over", () => { side = side === "front" ? "back" : "front"; show(); }],
  ["l", "the next language", nextLanguage],
  ["← → ↑ ↓", "another card", null],
  ["c", "the chosen card, large", () => copyChosen() && look({card: copyChosen().card})],
];

const isNew = () => !view.hand?.seed && game.decks.length > 0;

export function start() {
  fill(room, el("div.piles", {}, deckPile, discarded, about), fans, nothing);
  addRoom("hand", "H", "Hand", () => (isNew() ? anew() : filter()));
  addKeys("hand", KEYS);
  onKey(arrows);
  onGame((told, all) => {
    if (!isIn("hand")) return;
    if (isNew()) anew();
    else if (all || told.decks || told.cards || told.order || told.languages) filter();
    else for (const card of cards()) refresh(card.firstChild, deckOf(now().deck));
  });
  onView((changed) => {
    if (!isIn("hand")) return;
    if ("hand" in changed) filter();
    else if ("language" in changed) show();
  });
  new ResizeObserver(show).observe(room);
}
