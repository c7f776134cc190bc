// Pinch gestures on the wall change the size of the cards.

import {find} from "./html.js";
import {look, view} from "./view.js";

const fingers = new Map(); // pointer id → position
let before = 0;

function apart() {
  const [a, b] = [...fingers.values()];
  return Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
}

function moved(event) {
  if (!fingers.has(event.pointerId)) return;
  fingers.set(event.pointerId, event);
  if (fingers.size !== 2) return;
  const now = apart();
  if (Math.abs(now - before) < 6) return; // avoids drawing pictures for every pixel
  look({zoom: Math.min(8, Math.max(0.15, view.zoom * now / before)), trueSize: false});
  before = now;
}

export function start() {
  const wall = find("wall");
  wall.addEventListener("pointerdown", (event) => {
    if (event.pointerType !== "touch") return;
    fingers.set(event.pointerId, event);
    if (fingers.size === 2) before = apart();
  });
  wall.addEventListener("pointermove", moved);
  for (const kind of ["pointerup", "pointercancel", "pointerleave"])
    wall.addEventListener(kind, (event) => fingers.delete(event.pointerId));
}
