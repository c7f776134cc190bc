// The views of the page, such as the wall of cards and the rulebook. One is shown at a time; elements of a
// view are marked with data-room.

import {el, find} from "./html.js";
import {addKeys} from "./keys.js";
import {look, onView, view} from "./view.js";

const rooms = [];

// Add a view: its name, its key, the label of its button, and a function called when it is shown.
export function addRoom(name, key, title, enter = () => {}) {
  rooms.push({name, key, title, enter});
  addKeys("", [[key, title.toLowerCase(), () => look({room: name})]]);
}

export const isIn = (name) => view.room === name;

function show() {
  if (!rooms.some((room) => room.name === view.room)) view.room = rooms[0].name;
  find("rooms").replaceChildren(...rooms.map(({name, key, title}) =>
    el("button", {title: `${title}  ${key}`, "aria-pressed": String(isIn(name)), onclick: () => look({room: name})}, title)));
  for (const place of document.querySelectorAll("[data-room]")) place.hidden = !isIn(place.dataset.room);
  rooms.find(({name}) => isIn(name)).enter();
}

export function start() {
  onView((changed) => { if ("room" in changed) show(); });
  show();
}
