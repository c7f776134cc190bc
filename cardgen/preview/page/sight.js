// Simulations of colour blindness, and previews in grey and with little ink.
//
// Colour blindness is an SVG filter over unchanged pictures. Grey and low ink are drawn by cardgen, as it
// would print them.

import {drawn, el, find} from "./html.js";
import {look, onView, view} from "./view.js";

export const SIGHTS = [
  ["", "as printed"], ["protan", "red-blind (protan)"], ["deutan", "green-blind (deutan)"],
  ["tritan", "blue-blind (tritan)"], ["grey", "in grey"], ["low", "with low ink"], ["low grey", "with low ink, in grey"],
];

// Linear RGB to linear RGB, as coloraide has it, which measures `colours_apart` by it too. Protan and
// deutan: Viénot, Brettel and Mollon, "Digital video colourmaps for checking the legibility of displays
// by dichromats" (1999). Tritan: Brettel, Viénot and Mollon, "Computerized simulation of color
// appearance for dichromats" (1997), with one matrix on each side of a plane.
const PROTAN = [0.11238, 0.88762, 0, 0.11238, 0.88762, 0, 0.00401, -0.00401, 1];
const DEUTAN = [0.29275, 0.70725, 0, 0.29275, 0.70725, 0, -0.02234, 0.02234, 1];
const TRITAN_NEAR = [0.93678, 0.18979, -0.12657, 0.06153, 0.81526, 0.1232, -0.37561, 1.12765, 0.24795];
const TRITAN_FAR = [1.01277, 0.13548, -0.14826, -0.01243, 0.86812, 0.14431, 0.07589, 0.805, 0.11911];
const TRITAN_PLANE = [0.03901, -0.02788, -0.01113];
const SHARP = 4000; // so that the transition is a sharp edge

function matrix(values, result) {
  const rows = [0, 3, 6].map((at) => [...values.slice(at, at + 3), 0, 0].join(" "));
  return drawn("feColorMatrix", {in: "SourceGraphic", result, values: `${rows.join(" ")} 0 0 0 1 0`});
}

// Opaque on the far side of the plane, transparent on the near side.
const farSide = () => drawn("feColorMatrix", {
  in: "SourceGraphic", result: "far-side",
  values: `0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 ${TRITAN_PLANE.map((part) => part * SHARP).join(" ")} 0 0`,
});

const filter = (id, ...steps) =>
  drawn("filter", {id, x: 0, y: 0, width: 1, height: 1, "color-interpolation-filters": "linearRGB"}, ...steps);

function filters() {
  return drawn("svg", {class: "sights", width: 0, height: 0, "aria-hidden": "true"},
    filter("protan", matrix(PROTAN, "seen")),
    filter("deutan", matrix(DEUTAN, "seen")),
    filter("tritan", matrix(TRITAN_NEAR, "near"), matrix(TRITAN_FAR, "far"), farSide(),
      drawn("feComposite", {in: "far", in2: "far-side", operator: "in", result: "part"}),
      drawn("feComposite", {in: "part", in2: "near", operator: "over"})));
}

// Query flags of pictures, named like cardgen's options.
const INKS = {low: "low-ink", grey: "grayscale"};
export const ink = () => view.sight.split(" ").map((word) => INKS[word]).filter(Boolean);

export function nextSight() {
  const names = SIGHTS.map(([name]) => name);
  look({sight: names[(names.indexOf(view.sight) + 1) % names.length]});
}

// A select element; all of them show the same choice.
export const sights = () =>
  el("select", {class: "sight", "aria-label": "Colours", onchange: (event) => look({sight: event.target.value})},
    ...SIGHTS.map(([name, text]) => el("option", {value: name, selected: name === view.sight}, text)));

function show() {
  document.documentElement.dataset.sight = view.sight;
  for (const each of document.querySelectorAll("select.sight")) each.value = view.sight;
}

export function start() {
  if (!SIGHTS.some(([name]) => name === view.sight)) view.sight = "";
  document.body.append(filters());
  find("sights").append(sights());
  onView((changed) => { if ("sight" in changed) show(); });
  show();
}
