// The language of views that show one at a time.

import {el} from "./html.js";
import {game} from "./model.js";
import {look, view} from "./view.js";

export const spoken = () =>
  game.languages.includes(view.language) ? view.language
    : game.languages.find((code) => !view.hidden.includes(code)) ?? game.languages[0];

export function nextLanguage() {
  const codes = game.languages;
  if (codes.length > 1) look({language: codes[(codes.indexOf(spoken()) + 1) % codes.length]});
}

// Buttons for the languages; none when there is only one.
export function languageGroup() {
  if (game.languages.length < 2) return null;
  return el("div.group", {role: "group", "aria-label": "Language"}, ...game.languages.map((code) =>
    el("button", {"aria-pressed": String(code === spoken()), title: "Language  l", onclick: () => look({language: code})}, code)));
}
