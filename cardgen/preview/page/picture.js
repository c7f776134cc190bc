// Pictures of faces. A new picture is decoded before it replaces the old one, so that nothing flickers.
// Invisible pictures are not loaded.

import {ink} from "./sight.js";
import {guest, scale} from "./view.js";

const seen = new IntersectionObserver((entries) => {
  for (const {target, isIntersecting} of entries) {
    target.inView = isIntersecting;
    if (isIntersecting) draw(target);
  }
  report();
}, {rootMargin: "400px 0px", scrollMargin: "400px 0px"}); // for elements that scroll within the page

// Tell the server which faces are near the screen, so that they are updated first.
function inView() {
  const near = [...document.querySelectorAll(".face[data-face]")].filter((place) => place.inView);
  const {on, off} = Object.groupBy(near, (place) => {
    const {top, bottom} = place.getBoundingClientRect();
    return bottom > 0 && top < innerHeight ? "on" : "off";
  });
  return [...on ?? [], ...off ?? []].map((place) => place.dataset.face);
}
let waiting;
let told = "";
function report() {
  clearTimeout(waiting);
  waiting = setTimeout(() => {
    const names = JSON.stringify(inView());
    if (names !== told && !guest) fetch("seeing", {method: "POST", body: told = names, keepalive: true}).catch(() => { told = ""; });
  }, 150);
}

// A frame for a face; sizes in mm. `of()` returns its current state. Other pictures set the URL they come
// `from`, and the scale `perMm()` in px/mm.
export function frame(place, width, of, bleed = false) {
  Object.assign(place, {ofFace: of, widthMm: width, bleed, inView: false});
  seen.observe(place);
  return place;
}

export const forget = (place) => seen.unobserve(place);

export function address(picture, px, bleed) {
  const asked = [bleed && "bleed", ...ink()].filter(Boolean).join("&");
  return `picture/${picture}/${px}${asked && "?"}${asked}`;
}

export async function draw(place) {
  const face = place.ofFace();
  place.dataset.state = face?.state ?? "none";
  if (!face?.picture || !place.inView) return;
  const px = Math.max(16, Math.min(6000, Math.round(place.widthMm * (place.perMm?.() ?? scale() * (place.zoomed ?? 1)) * devicePixelRatio)));
  const url = place.from ? `${place.from}/${face.picture}/${px}` : address(face.picture, px, place.bleed);
  if (place.asked === url) return;
  place.asked = url;
  if (place.next) place.next.src = "";
  const next = place.next = new Image();
  next.alt = "";
  next.draggable = false;
  next.src = url;
  try {
    await next.decode();
  } catch {
    if (place.asked === url) place.asked = "";
    return;
  }
  if (place.asked !== url) return;
  place.next = null;
  place.querySelector("img")?.remove();
  place.prepend(next);
  place.dataset.picture = face.picture;
}
