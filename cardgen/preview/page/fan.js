// Fans of cards and the piles they come from. A copy of a card keeps its element wherever it goes, so that
// nothing flickers and its moves are animated.

import {el, fill} from "./html.js";
import {deckOf, facesOfCard, game} from "./model.js";
import {draw, forget, frame} from "./picture.js";
import {spoken} from "./spoken.js";
import {scale} from "./view.js";

export const LARGE = 1.6; // scale of a card that is inspected
const PILE = 0.62; // scale of a pile
const held = new Map(); // copy → its element
let fans = [];

const faceOf = (card, side) =>
  facesOfCard(card).find((face) => face.side === side && face.language === spoken());

export const nameOf = (card) => game.cards[card]?.name[spoken()] ?? card;

// A card's picture in its largest size; a side without one shows the deck's name.
function picture(of, height, deck) {
  const place = el("div.face", {}, el("span.none"));
  frame(place, deck.width, () => of.card && faceOf(of.card, of.side));
  return Object.assign(place, {of, high: height});
}

export function refresh(place, deck) {
  const face = place.ofFace();
  place.zoomed = place.high / deck.height / scale();
  place.classList.toggle("plain", !face);
  place.querySelector(".none").textContent = face ? "" : deck.title[spoken()] ?? deck.id;
  if (!face) { place.querySelector("img")?.remove(); place.asked = ""; }
  if (face) place.dataset.face = face.name; else delete place.dataset.face;
  draw(place);
}

// Put the children in order, moving only those in a wrong place.
function put(place, children) {
  if (children.some((child, at) => place.children[at] !== child) || place.children.length !== children.length)
    place.replaceChildren(...children);
}

function cardOf(copy, side, height, deck, on) {
  if (!held.has(copy.id)) {
    const card = el("button.held", {"data-card": copy.card}, picture({card: copy.card}, height, deck));
    card.onfocus = () => on.choose(card.player, card.at);
    card.onclick = () => on.choose(card.player, card.at);
    card.ondblclick = () => on.open(copy.card);
    held.set(copy.id, card);
  }
  const card = held.get(copy.id);
  card.setAttribute("aria-label", nameOf(copy.card));
  const [face] = card.children;
  face.of.side = side;
  face.high = height * LARGE;
  refresh(face, deck);
  return card;
}

// The angle in degrees between neighbouring cards, and how far the outermost card leans out of the fan, in
// card heights.
const turnOf = (many) => Math.min(5, 34 / Math.max(1, many));
const leaning = (many) => Math.sin(turnOf(many) * (many - 1) / 2 * Math.PI / 180);

// One hand, `wide` px wide; its cards overlap as far as necessary.
function spread(fan, hand, player, wide, {height, deck, side, on, many}) {
  const width = height * deck.width / deck.height;
  const turn = turnOf(hand.length);
  const room = wide - width - 2 * leaning(hand.length) * height;
  const step = hand.length > 1 ? Math.max(4, Math.min(width * 0.86, room / (hand.length - 1))) : 0;
  put(fan.cards, hand.map((copy, at) => {
    const card = cardOf(copy, side, height, deck, on);
    const off = at - (hand.length - 1) / 2;
    const seen = Math.max(0, wide / 2 + 40 - width * LARGE / 2); // distance from the middle at which it is visible as a whole
    Object.assign(card, {player, at});
    for (const [name, value] of [
      ["--x", `${off * step}px`], ["--y", `${Math.abs(off) ** 1.7 * turn * 0.42}px`], ["--turn", `${off * turn}deg`],
      ["--seen", `${Math.max(-seen, Math.min(seen, off * step))}px`],
    ])
      card.style.setProperty(name, value);
    return card;
  }));
  fill(fan.head, many ? `Player ${player + 1}` : "Hand", el("small", {}, `${hand.length} ${hand.length === 1 ? "card" : "cards"}`));
}

function newFan() {
  const fan = el("section.fan");
  fan.head = el("h2");
  fan.cards = el("div.cards");
  fan.append(fan.head, fan.cards);
  return fan;
}

export const pile = (kind, title, act) =>
  el("button.pile", {"data-pile": kind, title, onclick: act}, el("div.place"), el("span.under"));

// The top of a pile: `copy`, or nothing.
export function cover(place, copy, side, count, title, {height, deck}) {
  const [spot, under] = place.children;
  fill(under, el("b", {}, String(count)), ` ${title}`);
  place.dataset.empty = !copy;
  const wanted = copy ? `${copy.card} ${side} ${deck.id}` : "";
  if (spot.dataset.shows !== wanted) {
    spot.dataset.shows = wanted;
    for (const old of spot.children) forget(old);
    fill(spot, copy ? picture({card: copy.card, side}, 0, deck) : el("div.face.empty"));
  }
  if (!copy) return;
  spot.firstChild.high = height * PILE;
  refresh(spot.firstChild, deck);
}

// The height of a card in px with which the fans of all hands fit the view.
export function heightFor(hands, room, deck) {
  const rows = Math.ceil(hands.length / 2);
  const most = Math.max(1, ...hands.map((hand) => hand.length));
  const high = (room.height - 80 - 58 * rows) / (rows + PILE);
  const wide = room.width / Math.min(hands.length, 2) - 90;
  return Math.max(64, Math.min(high, wide / (deck.width / deck.height * (1 + 0.34 * (most - 1)) + 2 * leaning(most)), 480));
}

export function lay(place, table, given) {
  const {room, deck} = given;
  while (fans.length < table.hands.length) fans.push(newFan());
  fans.length = table.hands.length;
  put(place, fans);
  const many = table.hands.length > 1;
  const wide = room.width / (many ? 2 : 1) - 90;
  table.hands.forEach((hand, player) => spread(fans[player], hand, player, wide, {...given, many}));
  const here = new Set(table.hands.flat().map(({id}) => id));
  for (const [id, card] of held)
    if (!here.has(id)) { forget(card.firstChild); card.remove(); held.delete(id); }
}

export const cards = () => [...held.values()];
