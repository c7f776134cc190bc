// The settings and scroll position of the page. The server stores them, so that they outlive the page and
// the preview.

const usual = {
  zoom: 1, trueSize: false, pxPerMm: 96 / 25.4, hidden: [], sides: "front", words: "", where: "", noted: "",
  sort: "order", card: "", side: "", room: "wall", theme: "", anchor: null, overlays: [],
  sight: "", against: "save", commit: "HEAD",
  book: {}, language: "", sheets: {}, sheetSize: 1, sheetTop: 0, table: {k: 0, x: 0, y: 0}, hand: {seed: 0, players: 1, size: 7},
};

export const view = {...usual};
const listeners = [];
let sending;

// On other machines the page has settings of its own: those of the owner are private.
export const guest = !["127.0.0.1", "localhost"].includes(location.hostname);
const OWN = "cardgen-view";

export async function restore() {
  const kept = guest ? readOwn() : await fetch("view").then((answer) => answer.json()).catch(() => null);
  for (const key of Object.keys(usual))
    if (kept && typeof kept[key] === typeof usual[key]) view[key] = kept[key];
  if (!Array.isArray(view.hidden)) view.hidden = [];
  if (!Array.isArray(view.overlays)) view.overlays = [];
}

function readOwn() {
  try {
    return JSON.parse(localStorage.getItem(OWN));
  } catch {
    return null;
  }
}

export const onView = (listener) => listeners.push(listener);

// Change some settings and call the listeners with the changes.
export function look(changed) {
  Object.assign(view, changed);
  keep();
  for (const listener of listeners) listener(changed);
}

export function keep() {
  clearTimeout(sending);
  sending = setTimeout(send, 250);
}

export function send() {
  clearTimeout(sending);
  if (guest) return localStorage.setItem(OWN, JSON.stringify(view));
  return fetch("view", {method: "PUT", body: JSON.stringify(view), keepalive: true}).catch(() => {});
}

// Convert mm to CSS pixels.
export const scale = () => view.pxPerMm * view.zoom;
