// Keyboard shortcuts: each belongs to one view or to all of them, and the page lists them.

import {el, find} from "./html.js";
import {onView, view} from "./view.js";

const known = []; // {room, key, what, act}
const takers = [];

// Entries are [key, description, action]; without an action another module handles the key.
export function addKeys(room, entries) {
  for (const [key, what, act] of entries) known.push({room, key, what, act});
}

// Listener that sees every key first and returns true when it has handled the key.
export const onKey = (taker) => takers.push(taker);

export function showKeys() {
  const dialog = find("keys");
  if (dialog.open) return dialog.close();
  const mine = known.filter(({room}) => !room || room === view.room);
  dialog.replaceChildren(
    el("h2", {}, "Keys"),
    el("dl", {}, ...mine.flatMap(({key, what}) => [el("dt", {}, el("kbd", {}, key)), el("dd", {}, what)])),
    el("button.close", {onclick: () => dialog.close()}, "Close"));
  return dialog.showModal();
}

const areListed = () => find("keys").open;

function pressed(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.matches("input, select, textarea")) {
    if (event.key === "Escape" || (event.key === "Enter" && !event.shiftKey)) event.target.blur();
    return;
  }
  if (takers.some((taker) => taker(event))) return;
  const isRead = areListed() && document.querySelectorAll("dialog[open]").length === 1;
  if (document.querySelector("dialog[open]") && !isRead && !"eEyYs?d".includes(event.key)) return;
  const named = event.key === "=" ? "+" : event.key;
  const found = known.find(({room, key}) => key === named && (!room || room === view.room));
  if (found?.act) {
    event.preventDefault();
    if (areListed() && found.act !== showKeys) find("keys").close();
    found.act();
  }
}

export function start() {
  addEventListener("keydown", pressed);
  onView((changed) => { if ("room" in changed && areListed()) find("keys").close(); });
}
