// Before and after: an earlier version of the card - before the last save, as printed, or at a commit -
// over the current one, up to a slider.

import {el} from "./html.js";
import {facesOfCard, game} from "./model.js";
import {address} from "./picture.js";
import {look, onView, scale, view} from "./view.js";

const SAVE = "save", PRINTED = "printed", COMMIT = "commit";
const KINDS = [[SAVE, "the last save"], [PRINTED, "what was printed"], [COMMIT, "a commit"]];
let past = {}; // the earlier version, as the server describes it
let asked = "";
let changed = () => {};

const isOn = () => view.overlays.includes("before");

// Return the picture that a face is compared with, "" for none.
function pictureOf(face) {
  if (!isOn() || !["good", "draft"].includes(face?.state)) return "";
  const then = view.against === SAVE ? face.before : past.pictures?.[face.name];
  return then && then !== face.picture ? then : "";
}

// The message beside the choice.
function said() {
  const faces = facesOfCard(view.card).filter((face) => !view.hidden.includes(face.language));
  if (view.against === SAVE) return faces.some((face) => face.before) ? "" : "It has not changed since the preview began.";
  if (past.waits) return "Loading …";
  if (past.why) return `${past.why[0].toUpperCase()}${past.why.slice(1)}.`;
  const same = faces.every((face) => !past.pictures?.[face.name] || past.pictures[face.name] === face.picture);
  return `${past.name ?? ""}${same ? ": it looked as it does now" : ""}`;
}

function edits() {
  const told = Object.entries(past.edits ?? {}).filter(([language]) => view.against !== SAVE && !view.hidden.includes(language));
  return told.flatMap(([language, fields]) => fields.map(({name, old, new: now}) =>
    el("li", {}, el("b", {}, `${name} `), game.languages.length > 1 ? el("span.id", {}, `${language} `) : null,
      old ? el("del", {}, old) : null, " ", now ? el("ins", {}, now) : null)));
}

// The choice of the earlier version, in the card's panel.
export function controls() {
  const kinds = el("select", {"aria-label": "Compare with", onchange: (event) => look({against: event.target.value})},
    ...KINDS.map(([kind, text]) => el("option", {value: kind}, text)));
  const commit = el("input", {type: "search", "aria-label": "Commit or date", title: "A commit, tag or branch, or a date: HEAD~3, v1.2, 2026-11-20", spellcheck: "false"});
  commit.onchange = () => look({commit: commit.value.trim() || "HEAD"});
  return el("div.against", {}, el("label.sort", {}, "Before: ", kinds), commit, el("p.then"), el("ol.edits"));
}

export function showControls(dialog) {
  const place = dialog.querySelector(".against");
  place.hidden = !isOn();
  place.querySelector("select").value = view.against;
  const commit = place.querySelector("input");
  commit.hidden = view.against !== COMMIT;
  if (document.activeElement !== commit) commit.value = view.commit;
  place.querySelector(".then").textContent = said();
  place.querySelector(".edits").replaceChildren(...edits());
}

// Lay the earlier picture over the current one.
export function compare(place) {
  const wanted = pictureOf(game.faces[place.dataset.face] && {name: place.dataset.face, ...game.faces[place.dataset.face]});
  const px = Math.round(place.widthMm * scale() * place.zoomed * devicePixelRatio);
  const url = wanted && address(wanted, px, true);
  if (place.compared === url) return;
  place.compared = url;
  const split = place.querySelector(".before input")?.value ?? 50;
  place.querySelector(".before")?.remove();
  if (!wanted) return;
  const slider = el("input", {type: "range", min: 0, max: 100, value: split, "aria-label": "How much of the earlier version is shown"});
  const over = el("div.before", {}, el("img", {src: url, alt: ""}), slider);
  const moved = () => over.style.setProperty("--split", `${slider.value}%`);
  slider.oninput = moved;
  moved();
  place.append(over);
}

// Load the earlier version unless it is known, and again when the card has changed.
export async function ask() {
  if (!view.card || !isOn() || view.against === SAVE) { asked = ""; past = {}; return; }
  const when = view.against === PRINTED ? PRINTED : view.commit;
  const now = facesOfCard(view.card).map((face) => face.picture).join();
  const wanted = JSON.stringify([view.card, when, now]);
  if (asked === wanted) return;
  asked = wanted;
  past = {waits: true};
  changed();
  const told = await fetch(`past/${view.card}?at=${encodeURIComponent(when)}`)
    .then((answer) => answer.json()).catch(() => ({why: "cardgen does not answer"}));
  if (asked !== wanted) return;
  past = told;
  changed();
}

export function start(redraw) {
  changed = redraw;
  onView((told) => { if (["against", "commit", "overlays", "card"].some((key) => key in told)) ask(); });
}
