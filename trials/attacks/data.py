"""YAML, tables, names and numbers: game.yaml, decks, table.yaml, fonts.yaml."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from trials.attack import DECK, EITHER, SMALL, Attack, Content, nested

GAME = str(SMALL["game.yaml"])
CARD = "  - {id: school, name: School}\n"
HEAD = DECK.removesuffix("cards:\n")
LONG = "x" * 300
LARGE = 90.0
"""What is as large as a game may be, and not wrong, takes its time."""
DIGITS = (
    "²",
    "٣",
    "③",
    "１２",
    "Ⅷ",
    "৪",
    "1_000",
    "0x10",
    "0o7",
    "1e3",
    "+5",
    "-0",
    " 7",
    "∞",
    "NaN",
)


def game(name: str, text: Content) -> Attack:
    """An attack by game.yaml."""
    return Attack(f"game/{name}", {"game.yaml": text}, (), EITHER)


def deck(name: str, text: Content, more: Mapping[str, Content] | None = None,
         command: Iterable[str] = ("check",), seconds: float = 15) -> Attack:  # fmt: skip
    """An attack by a deck's file."""
    return Attack(f"deck/{name}", {"cards/loot.yaml": text, **(more or {})}, (), EITHER,
                  command=tuple(command), seconds=seconds)  # fmt: skip


def table(name: str, csv: Content) -> Attack:
    """An attack by a table of cards."""
    return Attack(f"table/{name}", {"cards/loot.yaml": HEAD + "rows: loot.csv\n", "cards/loot.csv": csv},
                  (), EITHER)  # fmt: skip


def tabletop(name: str, text: Content) -> Attack:
    """An attack by table.yaml."""
    return Attack(f"tabletop/{name}", {"table.yaml": text}, (), EITHER, command=("build", "tts"))


def fonts(name: str, text: Content) -> Attack:
    """An attack by fonts.yaml."""
    return Attack(f"fonts/{name}", {"fonts/fonts.yaml": text}, (), EITHER)


def players(number: int) -> str:
    """That many players."""
    rows = (f"  - {{id: p{n}, name: P{n}, colour: '#{n:06x}'}}\n" for n in range(number))
    return "players:\n" + "".join(rows)


def laughs() -> str:
    """Aliases of aliases."""
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 10)]
    return "\n".join(lines)


def sized(value: str) -> str:
    """A deck of that size."""
    return DECK.replace("40 x 40", value) + CARD


def fetched(name: str, rows: str) -> Attack:
    """An attack by a table that is to be fetched."""
    return Attack(f"fetch/{name}", {"cards/loot.yaml": HEAD + f"rows: {rows}\n"}, (), EITHER,
                  command=("fetch",))  # fmt: skip


SIZES = ("1e300 x 5", "nan x nan", "inf x inf", "٣٠ x ٣٠", "²0 x ²0", "-5 x 5", "0 x 0", "5x", "x",
         f"{'9' * 400} x 5", "5 x 5 landscape landscape", "[]", "{}", "1200 x 1200")  # fmt: skip
BYTES = bytes(range(256)) * 20
YAML: tuple[tuple[str, Content], ...] = (
    ("lists-deep", "[" * 100_000),
    ("lists-deep-and-closed", nested("[", "]", 50_000)),
    ("maps-deep", "{a: " * 50_000),
    ("maps-deep-by-lines", "".join(f"{' ' * n}a:\n" for n in range(2000))),
    ("dashes-deep", "- " * 20_000),
    ("questions-deep", "? " * 20_000),
    ("keys-not-scalar", "[a]: b\n{a: b}: c\n? [x]\n: y\n"),
    ("aliases-of-aliases", laughs()),
    ("alias-of-itself", "a: &a [*a]\n"),
    ("merge", "a: &a {b: 1}\n<<: *a\n<<: [1]\n"),
    ("tags", "!!python/object/apply:os.system ['touch @ELSEWHERE@/code-ran']\n"),
    ("tags-many", "a: !!binary x\nb: !!set {x}\nc: !!timestamp 2001-13-99\nd: !!int x\ne: !!float x\nf: !x y\n"),
    ("tags-on-maps", "!!str {a: b}\n"),
    ("directive", "%YAML 9.9\n%TAG ! tag:x\n---\na: b\n"),
    ("documents", "--- a\n" * 10_000),
    ("bytes", BYTES),
    ("empty", ""),
    ("nothing", "null\n"),
    ("word", "hello\n"),
    ("nul", "\0" * 1000),
    ("utf-16", "game: small\ntitle: Small\n".encode("utf-16")),
    ("utf-32", "game: small\n".encode("utf-32")),
    ("byte-order-mark", "\ufeff\ufeffgame: small\n"),
    ("surrogate", 'title: "\\ud800"\n'),
    ("surrogate-bytes", b"title: \xed\xa0\x80\n"),
    ("number-of-100000-digits", f"title: {'9' * 100_000}\nlanguages: {'9' * 5000}\n"),
    ("float-of-39-digits", f"title: {'9' * 37}.5\ncopies: 1{'0' * 18}\n"),
    ("key-of-a-megabyte", f"{'k' * 1_000_000}: 1\n"),
    ("key-of-a-megabyte-asked", f"? {'k' * 1_000_000}\n: 1\n"),
    ("keys-by-the-100000", "".join(f"k{n}: {n}\n" for n in range(100_000))),
    ("escapes", 'title: "\\x1b]0;owned\\a\\x9b2J\\u202e\\u2066"\n'),
    ("five-megabytes", b"#" * 5_000_000),
    ("comment-of-four-megabytes", b"#" * 3_900_000),
    ("tabs", "\t\t\tgame: x\n"),
    ("quotes-open", "title: '" + "a\n" * 100_000),
    ("block-open", "title: |\n" + " a\n" * 100_000),
)  # fmt: skip
GAMES: tuple[Attack, ...] = (
    *(game(name, text) for name, text in YAML),
    game("ten-thousand-languages", "title: {en: x}\nlanguages: ["
         + ", ".join(f"a{chr(97 + n // 676)}{chr(97 + n // 26 % 26)}-{n}" for n in range(10_000)) + "]\n"),
    game("ten-thousand-languages-of-one-word", "title: Small\nlanguages: ["
         + ", ".join(f"aa-{n}" for n in range(10_000)) + "]\n"),
    game("language-of-300-letters", f"title: x\nlanguages: [en-{LONG}]\n"),
    game("languages-odd", "title: x\nlanguages: [../x, en, en, 7, null, [en], \"e\\nn\", con, en-\u0665]\n"),
    game("hundred-thousand-players", GAME + players(100_000)),
    game("players-odd", GAME + "players: [1, {id: ../x}, {id: [a]}, {id: a, name: {x: y}}, {id: '', name: 7}]\n"),
    game("player-of-300-letters", GAME + f"players: [{{id: {LONG}, name: x}}]\n"),
    game("fifty-thousand-colours", GAME + "colours:\n" + "".join(f"  c{n}: '#{n:06x}'\n" for n in range(50_000))),
    game("colours-odd", GAME + "colours: {'a;b': '#ffffff', ink: '#٣٣٣٣٣٣', b: red, 'c}': 7, d: [1]}\n"),
    game("constants-deep", GAME + "constants: " + nested("{a: ", "}", 31, "1") + "\n"),
    game("constants-odd", GAME + "constants: {count: 1, min: 2, true: 3, '': 4, 'a b': 5, __class__: 6, players: x}\n"),
    game("emoji-odd", GAME + "emoji: {'': x, a: b, '{': '}', '\ufe0f': coin}\n"),
    game("emoji-thousands", GAME + "emoji:\n" + "".join(f"  {chr(0x1F300 + n)}: coin\n" for n in range(20_000))),
    fetched("of-the-enemy", '{file: a.csv, from: "https://@ENEMY@/spreadsheets/d/1/edit"}'),
    fetched("of-the-enemy-plainly", '{file: a.csv, from: "http://@ENEMY@/a.csv"}'),
    fetched("as-the-enemy", '{file: a.csv, from: "https://docs.google.com@@ENEMY@/spreadsheets/d/1/edit"}'),
    fetched("of-a-file", '{file: a.csv, from: "file:///etc/passwd"}'),
    fetched("elsewhere", '{file: ../../elsewhere/a.csv, from: "https://@ENEMY@/spreadsheets/d/1/edit"}'),
    game("variants-thousands", GAME + "variants: {" + ", ".join(f"v{n}: {{}}" for n in range(9999)) + "}\n"),
    game("variants-odd", GAME + "variants: {../x: {}, con: {decks: [[]], languages: 7, sizes: {loot: 1e300 x 5}, "
         "words: [x], constants: {a: {b: 1}}, colours: x, print: 7, title: [1]}, en: {}, all: {}}\nwhole: [x]\n"),
    game("variants-as-many-as-there-may-be", GAME + "variants: {" + ", ".join(f"v{n}: {{}}" for n in range(64)) + "}\n"),
    game("keywords-odd", GAME + "keywords: {'': coin, '{': coin, School: coin, '(a+)+$': coin, '\\\\': coin}\n"),
    game("keywords-thousands", GAME + "keywords:\n" + "".join(f"  w{n}: coin\n" for n in range(20_000))),
    game("date-odd", GAME + "date: 99999999999999999999\nedition: [1]\n"),
    game("print-odd", GAME + "print: {paper: 1e300x1e300, dpi: 99999999999999999999, margin: nan, gap: -1, backs: [x], marks: {a: b}}\n"),
    game("print-digits", GAME + "print: {paper: ٣٠٠x٤٠٠, dpi: ٣٠٠, margin: ²}\n"),
    game("id-of-300-letters", f"game: {LONG}\ntitle: Small\nlanguages: [en]\n"),
    game("id-leads-out", "game: ../../elsewhere/x\ntitle: ../../x\nlanguages: [en]\n"),
    game("title-of-a-megabyte", f"game: x\ntitle: {'x' * 1_000_000}\nlanguages: [en]\n"),
    game("table-odd", GAME + "table: {middle: [[[]]], seat: 7, notes: {a: b}, width: 1e300}\n"),
)  # fmt: skip
DECKS: tuple[Attack, ...] = (
    *(deck(name, text) for name, text in YAML),
    *(deck(f"size-{n}", sized(size), command=("build", "sheets")) for n, size in enumerate(SIZES)),
    deck("figures-odd", DECK.replace("front:", "bleed: 1e300\nsafe: nan\ncorner: -1\ngap: []\nfront:") + CARD),
    deck("digits", HEAD.replace("{name", "{n: integer, m: number, name") + "cards:\n" + "".join(
        f"  - {{id: c{i}, n: '{d}', m: '{d}', copies: '{d}', name: x}}\n  - {{id: d{i}, n: {d}, m: {d}, copies: {d}, name: x}}\n"
        for i, d in enumerate(DIGITS))),
    deck("digits-in-fields", HEAD.replace("{name", "{n: {type: integer, min: ², max: ٣}, l: {type: list, min: ²}, name") + "cards:\n" + CARD),
    deck("figures-of-400-digits", DECK + f"  - {{id: a, copies: {'9' * 400}, name: {'9' * 400}}}\n"),
    deck("twenty-thousand-cards-of-a-thousand", HEAD.replace("{name", "{copies-of: text, name")
         + "cards:\n" + "".join(f"  - {{id: c{n}, copies: 1000, name: x}}\n" for n in range(20_000)), seconds=LARGE),
    deck("million-copies", DECK + "".join(f"  - {{id: c{n}, copies: 1000, name: x}}\n" for n in range(1000)),
         command=("build", "sheets")),
    deck("hundred-thousand-cards", DECK + "".join(f"  - {{id: c{n}}}\n" for n in range(100_000)), seconds=LARGE),
    deck("players-times-cards", DECK.replace("front:", "for_each: player\nfront:")
         + "".join(f"  - {{id: c{n}}}\n" for n in range(10_000)), {"game.yaml": GAME + players(1000)}, seconds=LARGE),
    deck("deck-of-300-letters", DECK.replace("deck: loot", f"deck: {LONG}") + CARD, command=("build", "sheets", "images")),
    deck("deck-of-250-letters", DECK.replace("deck: loot", f"deck: {'x' * 250}") + CARD, command=("build", "sheets", "images")),
    deck("id-of-300-letters", DECK + f"  - {{id: {LONG}, name: x}}\n", command=("build", "images")),
    deck("id-of-251-letters", DECK + f"  - {{id: {'x' * 251}, name: x}}\n", command=("build", "images")),
    deck("ids-odd", DECK + "".join(f"  - {{id: {name}, name: x}}\n" for name in (
        "../x", "'a/b'", "CON", "'a\\0b'", "'.'", "'..'", "٣", "-", "[a]", "{a: b}", "null", "7", "1.5", "true"))),
    deck("called-build", DECK.replace("deck: loot", "deck: build") + "  - {id: build, name: build}\n", command=("build",)),
    deck("named-like-files", DECK.replace("deck: loot", "deck: sheets") + "  - {id: a, name: b}\n  - {id: a-back, name: b}\n",
         {"cards/b.yaml": DECK.replace("deck: loot", "deck: images") + CARD}, command=("build",)),
    deck("template-of-300-letters", DECK.replace("loot.html", f"{LONG}.html") + CARD),
    deck("style-of-300-letters", DECK.replace("loot.css", f"{LONG}.css") + CARD),
    deck("rows-of-300-letters", HEAD + f"rows: {LONG}.csv\n"),
    deck("names-with-nul", DECK.replace("loot.html", '"a\\0b"').replace("[loot.css]", '["a\\0b.css"]').replace(
        "cards:", 'rows: "a\\0.csv"\ncards:') + CARD),
    deck("names-that-lead-out", DECK.replace("loot.html", "../../elsewhere/secret.html").replace(
        "loot.css", "../../elsewhere/secret.css").replace("cards:", "rows: ../../elsewhere/secret.csv\ncards:") + CARD),
    deck("names-absolute", DECK.replace("loot.html", "@ELSEWHERE@/secret.html").replace(
        "loot.css", "@ELSEWHERE@/secret.css").replace("cards:", "rows: '@ELSEWHERE@/secret.csv'\ncards:") + CARD),
    deck("names-of-folders", DECK.replace("loot.html", ".").replace("loot.css", "..").replace("cards:", "rows: .\ncards:") + CARD),
    deck("names-of-lists", "deck: [a]\ntitle: [b]\nsize: [c]\nfront: [d]\nback: {e: f}\nstyles: g\nfields: h\ncards: i\nrows: [j]\nlike: [k]\n"),
    deck("styles-of-maps", DECK.replace("[loot.css]", "[{a: b}, [c], 7, null, true]") + CARD),
    deck("fields-deep", HEAD.replace("{name", "{deep: " + nested("{type: record, fields: {a: ", "}}", 14, "text") + ", name") + "cards:\n" + CARD),
    deck("fields-odd", HEAD.replace("{name", "{a: {type: list, of: {type: list, of: list}}, b: {type: choice, of: {}}, "
         "c: {type: choice}, d: {type: record}, e: {type: reference, to: [x]}, f: [text], g: {type: [x]}, h: null, "
         "i: {type: integer, min: 5, max: 1, default: x}, __class__: text, '': text, 'a b': text, 7: text, name") + "cards:\n" + CARD),
    deck("fields-thousands", HEAD.replace("{name", "{" + ", ".join(f"f{n}: text" for n in range(20_000)) + ", name") + "cards:\n" + CARD),
    deck("list-of-100000", HEAD.replace("{name", "{l: {type: list, of: integer}, name") + "cards:\n  - {id: a, l: ["
         + "1, " * 100_000 + "]}\n"),
    deck("like-itself", DECK.replace("title:", "like: loot\ntitle:") + CARD),
    deck("like-in-a-chain", DECK.replace("title:", "like: k0\ntitle:") + CARD,
         {f"cards/k{n}.yaml": f"kind: k{n}\nlike: k{n + 1}\n" for n in range(1500)}),
    deck("like-in-a-ring", DECK.replace("title:", "like: k0\ntitle:") + CARD,
         {f"cards/k{n}.yaml": f"kind: k{n}\nlike: k{(n + 1) % 5}\n" for n in range(5)}),
    deck("two-thousand-decks", DECK + CARD, {f"cards/d{n}.yaml": DECK.replace("deck: loot", f"deck: d{n}") + CARD
                                             for n in range(2000)}),
    deck("names-of-fields-print-python", HEAD.replace("{name", "{items: text, values: text, keys: text, get: text, name")
         + "cards:\n  - {id: a, items: x}\n", {"templates/loot.html": "{{ card.items }}{{ card.values }}{{ card.get }}"}),
    Attack("deck/file-called-build", {"build": "I am a file.\n"}, (), EITHER, command=("build",)),
    Attack("deck/file-called-build-en", {"build/en": "I am a file.\n"}, (), EITHER, command=("build",)),
    Attack("deck/file-called-store", {"build/.store": "I am a file.\n"}, (), EITHER, command=("build",)),
    Attack("deck/file-called-faces", {"build/.store/faces": "I am a file.\n"}, (), EITHER, command=("build",)),
    Attack("deck/folder-called-sheets.pdf", {"build/en/sheets.pdf/x": "x"}, (), EITHER, command=("build",)),
    Attack("deck/folders-for-files", {"cards/a.yaml/x": "", "cards/rules.yaml/x": "",
           "art/icons/a.svg/x": "", "table.yaml/x": "", "printed.yaml/x": "", "rulebook/en.md/x": ""}, (), EITHER),
)  # fmt: skip
TABLES: tuple[Attack, ...] = (
    table("bytes", BYTES),
    table("empty", ""),
    table("nul", "id,name\na\0,b\0\n"),
    table("latin-1", "id,name\na,Käse\n".encode("latin-1")),
    table("utf-16", "id,name\na,b\n".encode("utf-16")),
    table("byte-order-marks", "\ufeff\ufeffid,name\na,b\n"),
    table("quote-open", 'id,name\n"' + "a\n" * 100_000),
    table("cell-of-a-megabyte", f"id,name\na,{'x' * 1_000_000}\n"),
    table("columns", ",".join(["id", "name", *(f"c{n}" for n in range(50_000))]) + "\na,b\n"),
    table("column-twice", "id,id,name,name.en,name.en.en,name..,.\na,a,b,c\n"),
    table("cells", "id,name\na" + "," * 1_000_000 + "\n"),
    table("rows", "id,name\n" + "".join(f"c{n},x\n" for n in range(100_000))),
    table("lines-empty", "id,name\n" + "\n" * 1_000_000),
    table("carriage-returns", "id,name\r\ra,b\r\rc,d\r\n\r\n"),
    table("digits", "id,copies,name\n" + "".join(f"c{n},{d},x\n" for n, d in enumerate(DIGITS))),
    table("copies-of-400-digits", f"id,copies,name\na,{'9' * 400},x\n"),
    table("copies-of-5000-digits", f"id,copies,name\na,{'9' * 5000},x\n"),
    table("escapes", "id,name\n\x1b[2J,\x1b]0;owned\x07\n\u202eabc,x\n"),
    table("surrogate", b"id,name\na,\xed\xa0\x80\n"),
    table("id-of-300-letters", f"id,name\n{LONG},x\n"),
    table("record-of-records", "id,name,a.b.c.d,.x,name.xx\na,b,c,d,e\n"),
)  # fmt: skip
TABLETOPS: tuple[Attack, ...] = (
    *(tabletop(name, text) for name, text in YAML[::4]),
    tabletop("take-huge", "middle:\n  - {deck: loot, take: 999999999999}\n"),
    tabletop("take-slow", "middle:\n  - {deck: loot, take: 'range(100000) | map(\"string\") | sort | length'}\n"),
    tabletop("where-deep", f"middle:\n  - {{deck: loot, where: '{nested('(', ')', 5000, '1')}'}}\n"),
    tabletop("where-not-not", f"middle:\n  - {{deck: loot, where: '{'not ' * 5000}1'}}\n"),
    tabletop("entries", "middle:\n" + "  - {deck: loot, as: infinite}\n" * 20_000),
    tabletop("markers", "middle:\n  - deck: loot\n    as: board\n    markers:\n"
             + "      - {card: loot/school, at: [1e300, '1e308 * 10']}\n" * 500),
    tabletop("markers-odd", "middle:\n  - {deck: loot, as: board, markers: [1, {card: x, at: y}, {card: [a], at: [b]}, {}]}\n"),
    tabletop("rows-odd", "middle:\n  - {deck: loot, row: 999999999, turn: 45, face: x, locked: y}\n  - {deck: loot, row: -1}\n  - {deck: loot, row: ²}\n"),
    tabletop("width", "width: 1e300\ngap: -1e300\nhands: 7\n"),
    tabletop("width-zero", "width: 0\ngap: nan\n"),
    tabletop("types", "middle: [1, [], null, {deck: [x]}, {deck: loot, by: [x], as: [y]}]\nseat: x\nnotes: [1, {title: [x]}]\n"),
    tabletop("notes", "notes:\n" + "".join(f"  - {{title: T{n}, text: {'x' * 200}}}\n" for n in range(5000))),
    tabletop("by", "middle:\n  - {deck: loot, as: stacks, by: '__class__'}\n"),
)  # fmt: skip
FONTS: tuple[Attack, ...] = (
    *(fonts(name, text) for name, text in YAML[1::4]),
    fonts("family-of-300-letters", f"fonts:\n  - family: Roboto Condensed\n  - family: {LONG}\n"),
    fonts("package-of-300-letters", f"fonts:\n  - family: Roboto Condensed\n  - {{family: X, package: '{LONG}'}}\n"),
    fonts("weights-of-digits", "fonts:\n  - {family: Roboto Condensed, weights: [400, ², ٤٠٠, ③, 4e2, -400, 99999999999999999999]}\n"),
    fonts("weights-thousands", f"fonts:\n  - {{family: Roboto Condensed, weights: [{', '.join(map(str, range(20_000)))}]}}\n"),
    fonts("types", "fonts:\n  - 7\n  - [a]\n  - {family: [x]}\n  - {family: null}\n  - {family: A, package: [b], subsets: {c: d}, styles: 7, weights: {}}\n"),
    fonts("leads-out", "fonts:\n  - family: Roboto Condensed\n  - {family: ../../elsewhere/secret, package: ../../../elsewhere}\n"
          "hyphenation: {en: ../../../../../elsewhere/secret}\n"),
    fonts("names-with-nul", 'fonts:\n  - family: Roboto Condensed\n  - {family: "a\\0b", package: "c\\0d", subsets: ["e\\0f"]}\nhyphenation: {en: "\\0"}\n'),
    fonts("families-thousands", "fonts:\n  - family: Roboto Condensed\n" + "".join(f"  - family: F{n}\n" for n in range(20_000))),
    fonts("quotes", "fonts:\n  - family: Roboto Condensed\n  - family: \"a'}b;{\\\"\\\\ \\n\"\n"),
    fonts("hyphenation-odd", "fonts:\n  - family: Roboto Condensed\nhyphenation: {en: [x], xx: y, '': z, en-GB: null}\n"),
    fonts("hyphenation-of-300-letters", f"fonts:\n  - family: Roboto Condensed\nhyphenation: {{en: {LONG}}}\n"),
)  # fmt: skip
ATTACKS = (*GAMES, *DECKS, *TABLES, *TABLETOPS, *FONTS)
