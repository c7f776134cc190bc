// Shuffling and dealing a deck. The same cards, seed and moves always give the same hands.

// Pseudo-random numbers from 0 to 1 for an integer seed (a mixed 32-bit counter).
function numbers(seed) {
  let count = seed >>> 0;
  return () => {
    count = (count + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(count ^ (count >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
}

function shuffle(cards, next) {
  for (let last = cards.length - 1; last > 0; last--) {
    const other = Math.floor(next() * (last + 1));
    [cards[last], cards[other]] = [cards[other], cards[last]];
  }
}

const acts = {
  draw({deck, hands}, [player, count]) {
    hands[player]?.push(...deck.splice(0, count));
  },
  discard({discard, hands}, [player, at]) {
    discard.push(...(hands[player]?.splice(at, 1) ?? []));
  },
  // Discarded cards go back, and the whole deck is shuffled.
  shuffle(table, _, next) {
    table.deck.push(...table.discard.splice(0));
    shuffle(table.deck, next);
  },
};

// cards: one entry for each copy. Each player is dealt `size` cards, one at a time in turn; then come the
// moves: ["draw", player, how many], ["discard", player, which of the hand], ["shuffle"].
export function dealt(cards, {seed, players, size, moves}) {
  const next = numbers(seed);
  const table = {deck: [...cards], discard: [], hands: Array.from({length: players}, () => [])};
  shuffle(table.deck, next);
  for (let round = 0; round < size; round++)
    for (const hand of table.hands) hand.push(...table.deck.splice(0, 1));
  for (const [act, ...given] of moves) acts[act]?.(table, given, next);
  return table;
}
