// The rooms of the page: the wall, and what lies beside it. One of them is shown at a time; what
// belongs to a room in the page says so by data-room.

import {el, find} from "./html.js";
import {addKeys} from "./keys.js";
import {look, onView, view} from "./view.js";

const rooms = [];

// A room: its name, the key that leads there, what the button says, and what is done when it is
// entered.
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
