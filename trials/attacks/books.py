"""Rulebooks and saves of a virtual table that are bombs."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from typing import Any

from trials.attack import EITHER, PLACED, SMALL, Attack, Content, nested
from trials.attacks.data import LARGE
from trials.attacks.pictures import png

GAME = str(SMALL["game.yaml"])
BOOK = 45.0
"""A whole book has more time than a thing on a card."""
ONE = ("build", "rulebook", "--edition", "player", "--book-size", "a4")


def book(
    name: str, text: Content, more: Mapping[str, Content] | None = None, seconds: float = BOOK
) -> Attack:
    """An attack by the rulebook's text."""
    return Attack(f"book/{name}", {"rulebook/en.md": text, **(more or {})}, (), EITHER, command=ONE,
                  seconds=seconds)  # fmt: skip


def style(name: str, css: str, text: str = "## One\n\nTwo *three*.\n" * 20) -> Attack:
    """An attack by the rulebook's own style."""
    return book(f"style-{name}", text, {"rulebook/book.css": css})


def save(name: str, content: Content) -> Attack:
    """An attack by a save that somebody asks to be held to the rules."""
    return Attack(f"save/{name}", {"save.json": content}, (), EITHER,
                  command=("check-tts", "@GAME@/save.json"))  # fmt: skip


def objects(*found: Any) -> str:
    """A save with those objects."""
    return json.dumps({"ObjectStates": found})


def card(**more: Any) -> dict[str, Any]:
    """A card of a save."""
    deck = {"1": {"FaceURL": "@IMAGE@", "BackURL": "x", "NumWidth": 2, "NumHeight": 2}}
    return {
        "GUID": "abcdef",
        "Name": "Card",
        "Transform": {},
        "CardID": 100,
        "CustomDeck": deck,
        **more,
    }


def faced(address: str) -> str:
    """A save with a card whose sheet has that address."""
    return objects(card()).replace("@IMAGE@", address)


FIGURE = "```figure\n{}\n```\n"
CHARTS = "{% for n in range(900) %}{{ chart('loot', by='name') }}\n\n{% endfor %}"
BOOKS: tuple[Attack, ...] = (
    book("headings", "".join(f"## Heading {n}\n\n" for n in range(50_000))),
    book("headings-in-a-loop", "{% for n in range(100000) %}\n## Heading {{ n }}\n\n{% endfor %}"),
    book("headings-alike", "## Heading\n\n" * 20_000),
    book("contents", "[[toc]]\n\n" * 2000 + "## One\n\n" * 200),
    book("contents-in-a-loop", "{% for n in range(99999) %}\n[[toc]]\n\n{% endfor %}\n## One\n"),
    book("indexes", "[[index]]\n\n" * 2000 + "[a]{.term} " * 500),
    book("terms", " ".join(f"[a{n}]{{.term}}" for n in range(50_000))),
    book("charts", CHARTS),
    book("chart-odd", "{{ chart('loot', by='__class__') }}{{ chart('none') }}{{ chart(none, of=7, title=[]) }}"),
    book("references", "## One {#one}\n\n" + "[](#one) " * 50_000, seconds=LARGE),
    book("references-broken", "[](#none) " * 20_000),
    book("rules-in-a-loop", "{% for n in range(99999) %}{{ rules() }}{% endfor %}"),
    book("quotes-deep", ">" * 20_000 + " a\n"),
    book("lists-deep", "".join("  " * n + "- a\n" for n in range(1500))),
    book("lists-in-lists", "- " * 10_000 + "a\n"),
    book("boxes-deep", "".join(":" * (2000 - n) + " note\n" for n in range(1900))),
    book("boxes-open", "::: note\n" * 5000),
    book("boxes-odd", "::: ../x {#a onclick=b}\n:::\n::: summary\n" + "a\n\n" * 20_000 + ":::\n"),
    book("brackets", "[" * 100_000),
    book("brackets-closed", nested("[", "]", 20_000, "a")),
    book("links", "[a](" * 50_000),
    book("pictures-open", "![" * 50_000),
    book("stars", "*a " * 100_000),
    book("stars-and-lines", "**_" * 50_000),
    book("backticks", "".join("`" * n + " " for n in range(700)) * 5),
    book("angle-brackets", "<" * 100_000),
    book("html-deep", nested("<div>", "</div>", 20_000, "a")),
    book("html-open", "<div><table><tr><td>" * 5000),
    book("html-refused", "<script>1</script><iframe src='http://@ENEMY@/'></iframe><style>@import 'http://@ENEMY@/'</style>\n"
         "<div style='background: url(http://@ENEMY@/a)' onclick=x>a</div>\n<img src='file://@ELSEWHERE@/secret.svg'>\n"),
    book("entities", "&amp;&#0;&#xd800;&#99999999;" * 20_000),
    book("links-defined", "".join(f"[a{n}]: /x\n" for n in range(20_000)) + "[a1] " * 20_000),
    book("table-wide", "|" + "a|" * 5000 + "\n|" + "-|" * 5000 + "\n" + ("|" + "a|" * 5000 + "\n") * 20),
    book("table-long", "|a|\n|-|\n" + "|a|\n" * 100_000),
    book("footnotes", "".join(f"a[^{n}]\n\n[^{n}]: b\n\n" for n in range(20_000))),
    book("footnote-in-itself", "a[^1]\n\n[^1]: b[^1] [^2]\n\n[^2]: c[^1]\n"),
    book("definitions", "".join(f"a{n}\n: b\n\n" for n in range(20_000))),
    book("rules-of-lines", "---\n\n" * 100_000),
    book("attributes", "a {" + ".b " * 100_000 + "}\n"),
    book("front-matter", "---\n" + "a: [" * 50_000 + "\n---\n"),
    book("front-matter-odd", "---\ntitle: [a]\ncover: {scene: 7}\nnumbered: 7\ntoc: x\nindex: []\nx: y\n---\n"),
    book("front-matter-open", "---\ntitle: x\n" + "a\n" * 100_000),
    book("pages", "{% for n in range(5000) %}\n## {{ n }} {.page}\n\n{% endfor %}"),
    book("text", ("the convoy stops before the bridge " * 100 + "\n\n") * 1000),
    book("word", "a" * 1_000_000),
    book("lines", "a\\\n" * 200_000),
    book("tabs", "\t" * 100_000 + "a\n" + "-\t" * 10_000),
    book("bytes", bytes(range(256)) * 100),
    book("surrogates", b"\xed\xa0\x80" * 100),
    book("bidi", "\u202e\u2066\x1b[2J\x9b\x07" * 100),
    book("nul", "\0" * 1000),
    book("byte-order-mark", "\ufeff---\ntitle: x\n---\n"),
    book("parentheses", "{{ " + nested("(", ")", 5000, "1") + " }}"),
    book("not-not", "{{ " + "not " * 5000 + "1 }}"),
    book("include", "{% include '../../elsewhere/secret.md' %}{% import 'os' as os %}"),
    book("jinja-broken", "{% for %}{{ {% endif %} {{ card('a','b').c }}"),
    book("cards-in-a-loop", "{% for n in range(100000) %}{{ card('loot', 'school').name }}{% endfor %}"),
    book("figures", "![](card:loot/school){width=1mm}\n\n" * 5000),
    book("figure-odd", "".join(FIGURE.format(inner) for inner in (
        "row: 7", "rows: [[[]]]", "scene: x", "width: nan\nrow: [loot/school]", "width: 1e300\nrow: [loot/school]",
        "gap: -1e300\nrow: [loot/school, loot/school]", "row: [{card: loot/school, turn: 1e300}]",
        "scene: [{text: a, at: [1e300, -1e300], size: 1e300}]", "scene: [{arrow: [[0, 0], [0, 0]]}]",
        "scene: [{circle: [0, 0, -1]}, {box: [0, 0, -1, nan]}]", "scene: [{circle: [1, 2]}, {arrow: 7}, {box: []}]",
        "row: [{card: loot/school, scale: 0}]", "row: [{card: ../x}]", "a: &a [*a]", "[", "",
        "width: ²\nrow: [loot/school]", "name: []\ncaption: {a: b}\nrow: [loot/school]"))),
    book("figure-deep", FIGURE.format("row: [" + "{card: loot/school, with: [" * 14 + "]}" * 14 + "]")),
    book("figure-many", FIGURE.format("row: [" + "loot/school, " * 20_000 + "]")),
    book("figure-scene-many", FIGURE.format("scene:\n" + "  - {circle: [1, 2, 3]}\n" * 20_000)),
    book("figure-picture-width", "![a](card:loot/school){width=1e300mm}\n\n![a](art/x.png){width=nanmm height=-1mm}\n"),
    book("picture-elsewhere", "![a](../elsewhere/secret.svg)\n\n![a](@ELSEWHERE@/secret.svg)\n\n![a](file://@ELSEWHERE@/secret.svg)\n\n"
         "![a](http://@ENEMY@/a.png)\n\n![a](http://[::1)\n\n[a](http://[::1)\n"),
    book("picture-of-900-megapixels", "![a](art/a.png)\n", {"art/a.png": lambda: png(30_000, 30_000)}),
    book("picture-in-data", "![a](data:image/png;base64," + base64.b64encode(png(30_000, 30_000)).decode() + ")\n"),
    book("words-of-600-letters", "## " + "w" * 600 + " {#" + "x" * 600 + "}\n\n[](#" + "x" * 600 + ")\n"),
    Attack("book/ten-thousand-languages", {
        "game.yaml": "title: Small\nlanguages: [en, " + ", ".join(f"aa-{n}" for n in range(10_000)) + "]\n",
        "rulebook/en.md": "# One\n"}, (), EITHER, command=ONE),
    Attack("book/folder-for-a-file", {"rulebook/en.md/x": "a"}, (), EITHER, command=ONE),
)  # fmt: skip
STYLES: tuple[Attack, ...] = (
    style("page", "@page { size: 1e300mm }\n"),
    style("flex", ".in, p { display: flex }\nsection, div { display: flex }\n"),
    style("grid", "section, div, p { display: grid; grid-template-columns: repeat(1000000, 1px) }\n"),
    style("columns", "section, div, body { columns: 1000 }\n", "## One\n\nTwo.\n\n" * 300),
    style("columns-nested", nested("* { columns: 2 } ", "", 1), nested("<div>", "</div>", 40, "a")),
    style("calc", f"p {{ width: {nested('calc(', ')', 5000, '1mm')} }}\n"),
    style("selectors", f"{nested(':is(', ')', 5000, 'p')} {{ color: red }}\n"),
    style("font-size", "p { font-size: 1e300pt } h2 { font-size: 0 }\n"),
    style("font-size-large", "p { font-size: 1000mm; word-break: break-all }\n"),
    style("pages", "p { break-before: page; height: 100000mm }\n"),
    style("pages-endless", "p { height: 1e30mm } em { break-inside: avoid; display: block; height: 1e9mm }\n"),
    style("wavy", "* { text-decoration: underline wavy; font-size: 0.01pt }\n", "a b c " * 20_000),
    style("leaders", "p::after { content: leader('.') target-counter('#one', page) }\n"),
    style("gradient", "p { background: repeating-linear-gradient(red 0, blue 1e-9mm) }\n"),
    style("import", "@import url(http://@ENEMY@/x.css); @font-face { font-family: x; src: url(file://@ELSEWHERE@/secret.txt) }\n"),
    style("footnotes", "em { float: footnote; height: 1000mm }\n"),
    style("running", "em { position: running(a) } p::after { content: element(a) }\n"),
    style("position", "p { position: fixed } em { position: absolute; top: 1e300mm }\n"),
    style("bookmarks", "p { bookmark-level: 1; bookmark-label: content(text) } em { bookmark-level: 99999999 }\n"),
    style("transform", "p { transform: scale(1e308) rotate(calc(1deg / 0)) }\n"),
    style("font", f".x {{ font-family: {PLACED!r} }} p {{ font-family: \"{'x' * 300}\" }}\n"),
)  # fmt: skip
SAVES: tuple[Attack, ...] = (
    save("deep", nested('{"ObjectStates":[', "]}", 50_000)),
    save("lists-deep", "[" * 500_000),
    save("bags-in-bags", '{"ObjectStates":[' + nested('{"Name":"Bag","ContainedObjects":[', "]}", 900) + "]}"),
    save("states-in-states", '{"ObjectStates":[' + nested('{"Name":"Bag","States":{"1":', "}}", 900, "{}") + "]}"),
    save("objects", '{"ObjectStates":[' + ",".join(["{}"] * 200_000) + "]}"),
    save("numbers", objects(card(CardID=10**300), card(CardID=-1), card(CardID=1.5), card(CardID=True))),
    save("number-of-10000-digits", '{"ObjectStates":[{"Name":"Card","CardID":' + "9" * 10_000 + "}]}"),
    save("not-a-number", '{"ObjectStates":[{"Name":"Card","CardID":NaN,"CustomDeck":{"Infinity":{"NumWidth":Infinity}}}]}'),
    save("surrogates", '{"ObjectStates":[{"Name":"\\ud800","Nickname":"\\udfff\\ud800","GUID":"\\ud800"}]}'),
    save("escapes", '{"ObjectStates":[{"Name":"\\u001b]0;owned\\u0007","Nickname":"\\u009b2J\\u202e","GUID":"\\u001b[2J"}]}'),
    save("address-broken", faced("http://[::1")),
    save("address-odd", faced("http://[::1]:99999999/\\u0000%00%ff%zz//\\\\\\\\server/x")),
    save("address-of-a-megabyte", faced("http://x/" + "a" * 1_000_000)),
    save("address-of-the-network", faced("http://@ENEMY@/a.png")),
    save("address-of-a-file", faced("file://@ELSEWHERE@/secret.svg")),
    save("address-that-leads-out", faced("file:///../../../../..@ELSEWHERE@/secret.svg")),
    save("address-of-another-machine", faced("file://@ENEMY@/a.png")),
    save("types", objects(1, [], None, {"Name": [], "CustomDeck": [], "ContainedObjects": {"a": 1}, "DeckIDs": {"a": 1}},
                          card(CustomDeck={"x": 7, "1": {"FaceURL": [], "NumWidth": "²", "NumHeight": None}}),
                          {"Name": "Deck", "DeckIDs": [[], {}, None, "x"], "ContainedObjects": [1, None]})),
    save("sheet-of-nothing", objects(card(CustomDeck={"1": {"FaceURL": "a.png", "NumWidth": 0, "NumHeight": -5}}))),
    save("keys-odd", objects(card(CustomDeck={"²": {}, "٣": {}, "": {}, "9" * 5000: {}, "-1": {}, "1e3": {}}))),
    save("empty", ""),
    save("bytes", bytes(range(256)) * 100),
    save("utf-16", '{"ObjectStates": []}'.encode("utf-16")),
    save("list", "[]"),
    save("objects-no-list", '{"ObjectStates": {"a": {"ContainedObjects": 7}}}'),
    Attack("save/picture-of-900-megapixels", {"save.json": faced("a.png"), "a.png": lambda: png(30_000, 30_000)},
           (), EITHER, command=("check-tts", "@GAME@/save.json")),
    Attack("save/picture-is-none", {"save.json": faced("a.png"), "a.png": "no\n"}, (), EITHER,
           command=("check-tts", "@GAME@/save.json")),
    Attack("save/proof-of-a-deep-one", {"save.json": faced("a.png")}, (), EITHER,
           command=("check-tts", "@GAME@/save.json", "--game", "@GAME@")),
)  # fmt: skip
ATTACKS = (*BOOKS, *STYLES, *SAVES)
