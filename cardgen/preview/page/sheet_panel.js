// The panel of the sheet view: totals, the button that builds the PDF, and all options.

import {el, fill, sourceLink} from "./html.js";
import {game, isError} from "./model.js";
import {spoken} from "./spoken.js";
import {guest, look, view} from "./view.js";

const BACKS = {
  "duplex-long": "duplex, long edge", "duplex-short": "duplex, short edge",
  gutterfold: "folded on, beside fronts", none: "no backs", only: "backs alone",
};
const MARKS = {
  crop: "crop marks", silhouette: "Silhouette machine, three marks",
  "silhouette-4": "Silhouette machine, four marks", none: "none",
};
const PAPERS = {a4: "A4", letter: "Letter", a3: "A3", legal: "Legal", tabloid: "Tabloid", a2: "A2"};
let drawn = "";

const kept = () => (view.sheets && typeof view.sheets === "object" ? view.sheets : {});
export const choices = () => ({...kept(), language: spoken()});

// Set an option; values equal to game.yaml are not stored.
function choose(changed) {
  const chosen = Object.entries({...kept(), ...changed}).filter(([, value]) => value !== null && value !== "" && value !== false && !(Array.isArray(value) && !value.length));
  look({sheets: Object.fromEntries(chosen)});
}

const usual = (state, key) => state.answer?.offered?.usual[key];
const value = (state, key) => kept()[key] ?? usual(state, key) ?? null;
export const toggle = (key) => choose({[key]: key === "mix" ? !(kept().mix ?? false) || null : !kept()[key]});

function listOf(state, key) {
  const offered = state.answer?.offered;
  return offered ? {paper: offered.papers, backs: offered.backs, marks: offered.marks}[key] : [];
}

export function cycle(key, state) {
  const all = listOf(state, key);
  if (!all.length) return;
  const next = all[(all.indexOf(value(state, key)) + 1) % all.length];
  choose({[key]: next === usual(state, key) ? null : next});
}

// -- controls

function select(state, key, title, words) {
  const field = el("select", {"data-choice": key}, ...listOf(state, key).map((each) => el("option", {value: each}, words[each] ?? each)));
  field.value = value(state, key);
  field.onchange = () => choose({[key]: field.value === usual(state, key) ? null : field.value});
  return el("label.row", {}, el("span", {}, title), field);
}

// Precut stock decides paper and marks.
function stock(state) {
  const known = Object.entries(state.answer?.offered?.stock ?? {});
  const field = el("select", {"data-choice": "stock"}, el("option", {value: ""}, "none, plain paper"),
    ...known.map(([name, what]) => el("option", {value: name, title: what}, `${name}: ${what}`)));
  field.value = kept().stock ?? "";
  field.onchange = () => choose({stock: field.value});
  return el("label.row", {}, el("span", {}, "Pre-cut"), field);
}

function length(state, key, title, why) {
  const field = el("input", {type: "number", min: 0, max: 50, step: 0.5, "data-choice": key, title: why});
  field.value = value(state, key);
  field.onchange = () => choose({[key]: field.value === "" || Number(field.value) === usual(state, key) ? null : Number(field.value)});
  return el("label.row.length", {title: why}, el("span", {}, title), field, "mm");
}

function measures(state, key, title, why) {
  const field = el("input", {type: "text", "data-choice": key, title: why, spellcheck: "false"});
  field.value = value(state, key);
  field.onchange = () => choose({[key]: field.value.trim() === usual(state, key) ? null : field.value.trim()});
  return el("label.row.words.measures", {title: why}, el("span", {}, title), field, "mm");
}

function tick(key, title, checked, act) {
  const field = el("input", {type: "checkbox", "data-choice": key});
  field.checked = checked;
  field.onchange = () => act(field.checked);
  return el("label.tick", {}, field, el("span", {}, title));
}

const flag = (key, title) => tick(key, title, Boolean(kept()[key]), (on) => choose({[key]: on}));

function words(key, title, hint) {
  const field = el("input", {type: "search", placeholder: hint, "data-choice": key, spellcheck: "false"});
  field.value = kept()[key] ?? "";
  field.onchange = () => choose({[key]: field.value.trim()});
  return el("label.row.words", {}, el("span", {}, title), field);
}

function decks() {
  const chosen = kept().decks ?? [];
  const all = game.decks.map((deck) => deck.id);
  const set = (id, on) => {
    const now = (chosen.length ? chosen : all).filter((each) => each !== id);
    const next = all.filter((each) => now.includes(each) || (on && each === id));
    choose({decks: next.length === all.length ? [] : next});
  };
  const title = chosen.length ? `${chosen.length} of ${all.length} decks` : "All decks";
  return el("details.decks", {open: chosen.length > 0}, el("summary", {}, title),
    chosen.length ? el("button.all", {onclick: () => choose({decks: []})}, "all of them") : null,
    ...game.decks.map((deck) => tick(`deck ${deck.id}`, deck.title[spoken()] ?? deck.id, !chosen.length || chosen.includes(deck.id), (on) => set(deck.id, on))));
}

function controls(state) {
  const {changed, stock: cut} = kept();
  const cuts = kept().cut_files ?? [];
  return [
    el("h3", {}, "What is printed"),
    flag("changed", "Only what changed"),
    changed ? words("since", "since", "the last print") : null,
    changed ? el("p.hint", {}, "Or since a commit or a date: HEAD~3, v1.2, 2026-11-20.") : null,
    decks(),
    changed ? null : words("where", "Only cards", "cost > 3"),
    changed ? null : words("sheets", "Only sheets", "2-4,7"),
    el("h3", {}, "Paper"),
    stock(state),
    cut ? null : select(state, "paper", "Paper", PAPERS),
    words("skip", "Skip", "1-4,7"),
    kept().skip ? el("p.hint", {}, "Places on the first sheet, counted from the top left in reading order.") : null,
    select(state, "backs", "Backs", BACKS),
    ...cut ? [] : [
      measures(state, "margin", "Margin", "White edges the printer needs: 5, or 10,5,5,5 for top, right, bottom, left"),
      measures(state, "gap", "Gap", "Space between cards: 4, or 4x0 for across x down"),
      words("grid", "Grid", usual(state, "grid") || "2x3"),
      length(state, "overlap", "Overlap", "Overlap of the parts of a board larger than the paper"),
    ],
    changed ? null : tick("mix", "Decks of one size share sheets", Boolean(value(state, "mix")), (on) => choose({mix: on === Boolean(usual(state, "mix")) ? null : on})),
    el("h3", {}, "Ink"),
    flag("low_ink", "Low ink: pale grounds and art"),
    flag("grayscale", "Black ink only"),
    el("h3", {}, "Cutting"),
    cut ? null : select(state, "marks", "Marks", MARKS),
    flag("cut_lines", "Lines around every card"),
    flag("corner_guides", "Arcs at round corners"),
    changed ? null : el("div.pair", {}, el("span", {}, "Cut files"), ...["dxf", "svg"].map((kind) =>
      tick(`cut ${kind}`, kind.toUpperCase(), cuts.includes(kind), (on) => choose({cut_files: on ? [...cuts, kind] : cuts.filter((each) => each !== kind)})))),
    Object.keys(kept()).length ? el("button.usual", {onclick: () => look({sheets: {}})}, "Reset to game.yaml") : null,
  ];
}

// -- totals

const seconds = (since) => `${Math.max(0, Math.round((Date.now() - since) / 1000))} s`;
const percent = (share) => `${Math.round(100 * share)} %`;
const size = (bytes) => (bytes >= 1e6 ? `${(bytes / 1e6).toFixed(1)} MB` : `${Math.max(1, Math.round(bytes / 1e3))} kB`);

function inkLine({ink}) {
  if (!ink) return el("p.ink", {}, "Ink is measured once the visible pages are drawn.");
  if (ink.unset) return el("p.ink", {}, `Ink: ${ink.left} faces are not typeset yet.`);
  if (ink.left) return el("p.ink", {}, `Ink is measured: ${ink.left} faces to go.`);
  if (ink.share === undefined) return null;
  return el("p.ink", {}, el("span.gauge", {style: {"--share": `${100 * ink.share}%`}}),
    el("b", {}, percent(ink.share)), " of a page is inked on average",
    ink.saving ? `; ${percent(ink.saving)} less than in full` : "");
}

function comes(state) {
  const {answer} = state;
  if (!answer?.files) return state.asking ? [el("p.big", {}, el("b", {}, "…"))] : [];
  const pages = answer.files.flatMap((file) => file.pages).filter((page) => page.side === "list" || page.cards.length).length;
  const paper = PAPERS[answer.paper?.name] ?? answer.paper?.name;
  return [
    el("p.big", {}, el("b", {}, String(answer.papers ?? 0)), ` ${answer.papers === 1 ? "sheet" : "sheets"} of ${paper ?? "paper"}`),
    el("p.figures", {}, [`${pages} printed ${pages === 1 ? "page" : "pages"}`, answer.waste === undefined ? "" : `${answer.waste} % of the paper left over`].filter(Boolean).join(", ")),
    ...(answer.summary ?? []).map((text) => el("p.figures", {}, text)),
    answer.waiting?.length ? el("p.note", {}, `Left out until fixed: ${answer.waiting.join(", ")}.`) : null,
    inkLine(state),
  ];
}

const told = (problem) => el("li", {class: problem.severity === "warning" ? "warning" : "error"}, el("p", {}, problem.message),
  problem.line ? sourceLink(problem) : problem.path && !problem.path.startsWith("--") ? el("span.soft", {}, problem.path) : null);

function result(state) {
  if (state.making) return el("p.note", {role: "status"}, `Building as 'cardgen build' does, ${seconds(state.making)} …`);
  const {made} = state;
  if (!made) return null;
  if (made.problems.length) {
    return el("div.made", {role: "status"}, el("p.note", {}, "Nothing was built; the files in build/ have not changed."),
      el("ol.wrong", {}, ...made.problems.slice(0, 5).map(told)),
      made.problems.length > 5 ? el("p.note", {}, `and ${made.problems.length - 5} more`) : null);
  }
  const whole = made.files.filter((file, place) => file.whole || !place);
  const rest = made.files.slice(whole.length);
  if (!whole.length) return el("p.note", {role: "status"}, "Nothing to print: nothing has changed since the last print.");
  const link = (file, kind) => el(`a${kind}`, {href: file.href, target: "_blank", rel: "noopener"}, `${made.folder}/${file.path}`);
  return el("div.made", {role: "status"},
    ...whole.map((file) => el("p", {}, link(file, ".whole"), el("small", {}, ` ${size(file.bytes)}`))),
    rest.length ? el("details", {}, el("summary", {}, `and ${rest.length} more`), ...rest.map((file) => el("p", {}, link(file, ""), el("small", {}, ` ${size(file.bytes)}`)))) : null,
    el("p.note", {}, state.old ? "Built before the last change." : `${made.new ? `${made.new} new, ` : "all was made before, "}${made.seconds} s`));
}

function head(state, {make}) {
  const errors = game.problems.filter(isError).length;
  return [
    ...comes(state),
    ...state.why.length ? [el("ol.wrong", {}, ...state.why.slice(0, 4).map(told))] : [],
    guest ? null : el("button.make", {title: "Make the PDF  m", disabled: Boolean(state.making) || !state.answer?.files, onclick: make},
      state.making ? "Building the PDF …" : "Make the PDF"),
    errors && !state.made ? el("p.note", {}, `${errors} ${errors === 1 ? "error stands" : "errors stand"} in its way; p lists them.`) : null,
    result(state),
  ];
}

// Render only controls that changed, so that the focus stays in its field.
export function drawPanel(place, state, acts) {
  if (!place.head) {
    place.head = el("div.comes");
    place.controls = el("div.controls");
    place.append(place.head, place.controls);
  }
  const open = place.head.querySelector(".made details")?.open;
  fill(place.head, ...head(state, acts));
  if (open) place.head.querySelector(".made details")?.setAttribute("open", "");
  place.classList.toggle("asking", Boolean(state.asking));
  const wanted = JSON.stringify([kept(), state.answer?.offered, game.decks.map((deck) => deck.id), spoken()]);
  if (drawn === wanted) return;
  drawn = wanted;
  const focus = document.activeElement?.dataset?.choice;
  const unfolded = place.querySelector("details.decks")?.open;
  fill(place.controls, ...controls(state));
  if (unfolded) place.querySelector("details.decks").open = true;
  if (focus) place.querySelector(`[data-choice="${CSS.escape(focus)}"]`)?.focus();
}
