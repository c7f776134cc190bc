// What the server tells of the game, kept as it is now.

export const game = {title: {}, languages: [], decks: [], cards: {}, faces: {}, problems: [], whole: true};
export const changedAt = new Map(); // deck/card → when its look last changed, ms
const listeners = [];
export const onGame = (listener) => listeners.push(listener);
const savers = [];
export const onSave = (listener) => savers.push(listener); // a file was saved, whatever comes of it

let ofCard = new Map();
let facesOf = new Map();

export const cardName = (of) => `${of.deck}/${of.card ?? of.id}`;
export const problemsOf = (name) => ofCard.get(name) ?? [];
export const facesOfCard = (name) => facesOf.get(name) ?? [];
export const deckOf = (id) => game.decks.find((deck) => deck.id === id);
export const isError = (problem) => problem.severity === "error";

function indexed() {
  ofCard = Map.groupBy(game.problems.filter((p) => p.card), cardName);
  facesOf = Map.groupBy(Object.entries(game.faces).map(([name, face]) => ({name, ...face})), cardName);
}

function change(told) {
  const {cards, cards_gone, faces, faces_gone, order, ...rest} = told;
  Object.assign(game, rest);
  for (const [name, face] of Object.entries(faces ?? {}))
    if (game.faces[name]?.picture !== face.picture) changedAt.set(cardName(face), Date.now());
  Object.assign(game.cards, cards);
  Object.assign(game.faces, faces);
  for (const name of cards_gone ?? []) delete game.cards[name];
  for (const name of faces_gone ?? []) delete game.faces[name];
  if (order) game.faces = Object.fromEntries(order.map((name) => [name, game.faces[name]]));
}

// Listen to the server until the page is closed; `state` is told "live", "lost" or "away".
export function listen(state) {
  const events = new EventSource("events");
  events.onmessage = ({data}) => {
    const told = JSON.parse(data);
    if (told.wall) Object.assign(game, told.wall);
    else if (told.change) change(told.change);
    if (told.wall || told.change) {
      indexed();
      for (const listener of listeners) listener(told.change ?? told.wall, Boolean(told.wall));
    }
    if (told.saved || told.wall) for (const listener of savers) listener();
    state(told.away ? "away" : "live");
  };
  events.onerror = () => state("lost");
}
