// The state of the game as the server sends it, kept up to date.

export const game = {title: {}, languages: [], decks: [], cards: {}, faces: {}, problems: [], whole: true, checked: false, books: false, held: 0, looks: 0};
const listeners = [];
export const onGame = (listener) => listeners.push(listener);
const savers = [];
export const onSave = (listener) => savers.push(listener); // called for every saved file

let ofCard = new Map();
let facesOf = new Map();

export const cardName = (of) => `${of.deck}/${of.card ?? of.id}`;
export const problemsOf = (name) => ofCard.get(name) ?? [];
export const facesOfCard = (name) => facesOf.get(name) ?? [];
export const deckOf = (id) => game.decks.find((deck) => deck.id === id);
export const isError = (problem) => problem.severity === "error";

// Tell whether the rules of the last update are still unchecked; they are checked once all is typeset.
export const isChecking = () => !game.checked || Object.values(game.faces).some((face) => face.state === "waiting");

function indexed() {
  ofCard = Map.groupBy(game.problems.filter((p) => p.card), cardName);
  facesOf = Map.groupBy(Object.entries(game.faces).map(([name, face]) => ({name, ...face})), cardName);
}

function change(told) {
  const {cards, cards_gone, faces, faces_gone, order, ...rest} = told;
  if (kept && told.decks) { // the first state of a game that was shown before
    kept = false;
    Object.assign(game, {cards: {}, faces: {}});
  }
  Object.assign(game, rest);
  Object.assign(game.cards, cards);
  Object.assign(game.faces, faces);
  for (const name of cards_gone ?? []) delete game.cards[name];
  for (const name of faces_gone ?? []) delete game.faces[name];
  if (order) game.faces = Object.fromEntries(order.map((name) => [name, game.faces[name]]));
}

// The whole state. A restarted preview that cannot read the game removes nothing.
let kept = false;
function take(wall) {
  kept = !wall.decks.length && !wall.whole && game.decks.length > 0;
  Object.assign(game, kept ? {problems: wall.problems, checked: wall.checked, books: wall.books, whole: false} : wall);
}

function heard(told) {
  if (told.wall) take(told.wall);
  else if (told.change) change(told.change);
  if (told.saved || told.wall) for (const listener of savers) listener();
  if (!told.wall && !told.change) return;
  indexed();
  for (const listener of listeners) listener(told.change ?? told.wall, Boolean(told.wall));
}

// Listen to the server until the page is closed, and to its successor, whose address the server
// announces; `state` is called with "live", "lost" or "away". A silent connection is opened again: the
// machine may have slept.
const SILENT = 40_000;
const AGAIN = 1500;
export function listen(state) {
  let events, last, code, next;
  const open = () => {
    events?.close();
    last = Date.now();
    events = new EventSource("events");
    events.onopen = () => { last = Date.now(); state("live"); };
    events.onmessage = ({data}) => {
      last = Date.now();
      const told = JSON.parse(data);
      if (told.page) code ??= told.page;
      next = told.next ?? next;
      if (told.page && told.page !== code) location.reload(); // the page of another version of cardgen
      heard(told);
      state(told.away ? "away" : "live");
    };
    events.onerror = () => {
      state("lost");
      if (events.readyState === EventSource.CLOSED) setTimeout(follow, AGAIN);
    };
  };
  const follow = async () => {
    const answer = next && await fetch(`/${next}/`, {method: "HEAD"}).catch(() => null);
    if (answer?.ok) history.replaceState(null, "", `/${next}/`);
    open();
  };
  setInterval(() => { if (Date.now() - last > SILENT) open(); }, 5000);
  open();
}

// Return the cards that match an expression as {cards, why}, where `why` is its error.
export const whereHolds = (expression) =>
  fetch(`where?expression=${encodeURIComponent(expression)}`).then((answer) => answer.json());
