"""The file fonts/fonts.yaml: families of fonts, and the files of each.

Font files are never part of a game's repository. They come as npm packages (`@fontsource/*`) into
`fonts/node_modules`, or lie beside fonts.yaml: `roboto-condensed-400-normal.ttf` takes precedence
over the package. A few families come with cardgen; a game without fonts.yaml has all of these.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from cardgen.core import json_schema, yaml_nodes
from cardgen.core.json_schema import Schema
from cardgen.core.problems import Problem, Source, did_you_mean, format_value
from cardgen.core.units import MAX_NAME_LENGTH
from cardgen.core.yaml_nodes import Node
from cardgen.game.keys import Key, build_schema, load_yaml, read_keys, report_to
from cardgen.game.loose_fonts import FONT_SUFFIXES, LooseFonts, find_loose_fonts
from cardgen.game.model import FontFamily, Fonts
from cardgen.runtime import game_files

BUILTIN_FONTS_FOLDER = Path(__file__).parents[1] / "assets/fonts"


@dataclass(frozen=True)
class BuiltinFamily:
    """A family that comes with cardgen, with each of its weights in each of its styles."""

    name: str
    subsets: tuple[str, ...]
    weights: tuple[int, ...] = (400,)
    styles: tuple[str, ...] = ("normal",)
    is_basic: bool = False
    """Whether a game without fonts.yaml has it; looks and styles have all families."""

    @property
    def cuts(self) -> list[tuple[int, str]]:
        """Its weights with their styles."""
        return [(weight, style) for weight in self.weights for style in self.styles]

    def get_file_name(self, weight: int, style: str) -> str:
        """Return the path of a cut below the folder of built-in fonts."""
        return f"{make_family_slug(self.name)}/{make_family_slug(self.name)}-{weight}-{style}.ttf"

    def find_file(self, weight: int, style: str) -> Path | None:
        """Return the file of a cut, if it is installed."""
        name = self.get_file_name(weight, style)
        return (
            BUILTIN_FONTS_FOLDER / name
            if game_files.has_entry(BUILTIN_FONTS_FOLDER, name)
            else None
        )


SYMBOLS_FAMILY = "Symbols"
"""Name of the family of symbols and emoji, which distribution/families.py makes of several."""
_EUROPEAN_SUBSETS = ("latin", "latin-ext", "cyrillic")
_TEXT_CUTS = ((400, 700), ("normal", "italic"))
BUILTIN_FAMILIES = (
    BuiltinFamily("Fira Sans Condensed", (*_EUROPEAN_SUBSETS, "greek"), *_TEXT_CUTS, is_basic=True),
    BuiltinFamily("Yeseva One", _EUROPEAN_SUBSETS, is_basic=True),
    BuiltinFamily("Fira Mono", (*_EUROPEAN_SUBSETS, "greek"), is_basic=True),
    BuiltinFamily(SYMBOLS_FAMILY, ("symbols", "emoji"), is_basic=True),
    BuiltinFamily("Alegreya", _EUROPEAN_SUBSETS, *_TEXT_CUTS),
    BuiltinFamily("Alegreya SC", _EUROPEAN_SUBSETS, (400, 800)),
    BuiltinFamily("Caveat", _EUROPEAN_SUBSETS, (400, 700)),
    BuiltinFamily("Forum", _EUROPEAN_SUBSETS),
    BuiltinFamily("Jura", _EUROPEAN_SUBSETS, (400, 700)),
    BuiltinFamily("Montserrat", _EUROPEAN_SUBSETS, (400, 800)),
    BuiltinFamily("Nunito", _EUROPEAN_SUBSETS, *_TEXT_CUTS),
    BuiltinFamily("Oswald", _EUROPEAN_SUBSETS, (400, 700)),
    BuiltinFamily("Pangolin", _EUROPEAN_SUBSETS),
    BuiltinFamily("Playfair Display", _EUROPEAN_SUBSETS, *_TEXT_CUTS),
    BuiltinFamily("Podkova", _EUROPEAN_SUBSETS, (400, 800)),
    BuiltinFamily("Russo One", _EUROPEAN_SUBSETS),
)
"""The first sets all text without a font-family."""
BUILTIN_BY_NAME = {family.name: family for family in BUILTIN_FAMILIES}


def make_family_slug(family: str) -> str:
    """Return a family's name in file and package names, such as `roboto-condensed`."""
    return family.lower().replace(" ", "-")


def get_npm_package(family: str) -> str:
    """Return the npm package of a family."""
    return f"@fontsource/{make_family_slug(family)}"


FONTS_FILE = "fonts/fonts.yaml"
FONT_STYLES = ("normal", "italic")
_FAMILY_NAME = re.compile(r"[^\W_](?:[\w .+-]*\w)?\Z")


def is_family_name(name: str) -> bool:
    """Return whether a family may have a name."""
    return _FAMILY_NAME.match(name) is not None and len(name) <= MAX_NAME_LENGTH


def _make_words_key(item: Schema, about: str, default: str = "") -> Key:
    """Return a key with one word or a list of words."""

    def parse(node: Node) -> list[str] | None:
        nodes = node.list_nodes() if node.is_list else [node]
        return [each.text for each in nodes] or [default]

    schema = json_schema.describe(about, json_schema.allow_one_or_list(item))
    return Key(schema, parse, default=[default] if default else [])


_FAMILY_KEYS: Mapping[str, Key] = {
    "family": Key(
        json_schema.describe("The name that CSS uses.", json_schema.STRING),
        lambda node: node.text if node.is_scalar and is_family_name(str(node.value)) else None,
        "letters, digits, spaces and hyphens", kind="font", required=True,
    ),
    "package": Key.node(json_schema.STRING, "The npm package, such as @fontsource/inter."),
    "subsets": _make_words_key(
        json_schema.STRING, "The scripts: latin, latin-ext, cyrillic, greek …"
    ),
    "weights": _make_words_key(
        json_schema.allow_integer(1, 1000), "400 is regular, 700 bold.", "400"
    ),
    "styles": _make_words_key(
        json_schema.allow_values(FONT_STYLES), "normal, italic, or both.", "normal"
    ),
}  # fmt: skip
_FONTS_KEYS: Mapping[str, Key] = {
    "fonts": Key.sequence(
        build_schema(_FAMILY_KEYS), "Every family; the first sets the text.", bounds=(1,),
        required=True,
    ),
    "hyphenation": Key.node(
        json_schema.allow_named_values(json_schema.STRING, json_schema.LANGUAGE),
        "Patterns of the npm package hyphen.",
    ),
}  # fmt: skip
FONTS_SCHEMA = build_schema(_FONTS_KEYS)
_WEIGHT = re.compile(r"(?:[1-9][0-9]{0,2}|1000)\Z")


def load_fonts(root: Path, languages: tuple[str, ...]) -> tuple[Fonts, list[Problem]]:
    """Load the fonts and hyphenation patterns of a game folder."""
    if not game_files.has_entry(root, FONTS_FILE):
        fonts, problems = _load_builtin_fonts()
        loose, loose_problems = find_loose_fonts(root, ())
        return _add_loose_fonts(fonts, loose), problems + loose_problems
    node, problems = load_yaml(root, FONTS_FILE)
    if node is None:
        return Fonts(), problems
    given = read_keys(node, _FONTS_KEYS, FONTS_FILE, report_to(problems))
    if not given["fonts"] and not problems:
        problems.append(Problem(node.source, "fonts.yaml has no list 'fonts:'", "font"))
    loose, loose_problems = find_loose_fonts(root, _list_claimed_files(given["fonts"]))
    problems += loose_problems
    families = [
        _FamilyReader(child, root, problems, loose).read_family() for child in given["fonts"]
    ]
    hyphenation = given["hyphenation"]
    patterns = _read_hyphenation(hyphenation, root, languages, problems)
    sources = {key: child.source for key, child in hyphenation.items()} if hyphenation else {}
    fonts = Fonts(tuple(filter(None, families)), patterns, sources)
    return _add_loose_fonts(fonts, loose), problems


def _list_claimed_files(nodes: Iterable[Node]) -> set[str]:
    """Return the names under which files of the listed families are looked for."""
    slugs = [make_family_slug(name.text) for node in nodes if (name := node.get("family"))]
    return {
        f"fonts/{slug}-{weight}-{style}{suffix}"
        for slug in slugs
        for weight in range(100, 1000, 100)
        for style in FONT_STYLES
        for suffix in FONT_SUFFIXES
    }


def _add_loose_fonts(fonts: Fonts, loose: LooseFonts) -> Fonts:
    """Return the fonts, and after them the families of files that fonts.yaml does not list."""
    listed = {family.name for family in fonts.families}
    more = [
        FontFamily(name, cuts, Source("fonts/"))
        for name, cuts in loose.items()
        if name not in listed and is_family_name(name)
    ]
    return replace(fonts, families=(*fonts.families, *more))


def needs_npm_packages(root: Path) -> bool:
    """Return whether fonts.yaml names npm packages; True if it cannot be read."""
    if not game_files.has_entry(root, FONTS_FILE):
        return False
    node, _ = load_yaml(root, FONTS_FILE)
    fonts = node.get("fonts") if node else None
    if node is None or fonts is None or node.get("hyphenation") is not None:
        return True
    return any(child.get("package") is not None for child in fonts.list_nodes())


def _load_builtin_fonts() -> tuple[Fonts, list[Problem]]:
    """Return the families that come with cardgen, for a game that names none."""
    families = []
    for family in BUILTIN_FAMILIES:
        if not family.is_basic:
            continue
        files = _list_builtin_files(family)
        if not files:
            message = (
                "the file is missing, and this installation of cardgen has no fonts of its own; "
                "name the fonts to use in this file"
            )
            return Fonts(), [Problem(Source(FONTS_FILE), message, "font")]
        families.append(FontFamily(family.name, files, Source(FONTS_FILE)))
    return Fonts(tuple(families)), []


def add_builtin_families(fonts: Fonts, names: Collection[str]) -> Fonts:
    """Return the fonts of a game, and after them the families of cardgen that its looks name."""
    listed = {family.name for family in fonts.families}
    more = [
        FontFamily(family.name, files, Source(FONTS_FILE))
        for family in BUILTIN_FAMILIES
        if family.name in names and family.name not in listed
        and (files := _list_builtin_files(family))
    ]  # fmt: skip
    return replace(fonts, families=(*fonts.families, *more))


def _list_builtin_files(family: BuiltinFamily) -> dict[tuple[int, str], tuple[Path, ...]]:
    """Return the files of a family that comes with cardgen; none if one of them is missing."""
    paths = {cut: family.find_file(*cut) for cut in family.cuts}
    files: dict[tuple[int, str], tuple[Path, ...]] = {
        cut: (path,) for cut, path in paths.items() if path
    }
    return files if files.keys() == paths.keys() else {}


class _FamilyReader:
    """Reader of an entry under `fonts:`."""

    def __init__(self, node: Node, root: Path, problems: list[Problem], loose: LooseFonts) -> None:
        self._node, self._root, self._problems, self._loose = node, root, problems, loose
        self._given = read_keys(node, _FAMILY_KEYS, "", report_to(problems))

    def read_family(self) -> FontFamily | None:
        name = self._given["family"]
        if not name:
            if self._node.get("family") is None:
                self._report("a font needs family: NAME")
            return None
        files: dict[tuple[int, str], tuple[Path, ...]] = {}
        for weight in self._given["weights"]:
            for style in self._given["styles"]:
                if style not in FONT_STYLES or not _WEIGHT.match(weight):
                    cut = format_value(f"{weight} {style}")
                    self._report(f"{cut} is not a weight (100-900) and style (normal, italic)")
                elif paths := self._find_cut_files(name, f"{weight}-{style}"):
                    files[int(weight), style] = paths
        return FontFamily(name, files, self._node.source)

    def _report(self, message: str) -> None:
        self._problems.append(Problem(self._node.source, message, "font"))

    def _find_cut_files(self, family: str, cut: str) -> tuple[Path, ...]:
        slug = make_family_slug(family)
        for suffix in FONT_SUFFIXES:
            name = f"fonts/{slug}-{cut}{suffix}"
            if game_files.has_entry(self._root, name):
                return _find_font_file(self._node, self._root, name, self._problems)
        weight, _, style = cut.partition("-")
        if (own := self._loose.get(family, {}).get((int(weight), style))) is not None:
            return own
        node = self._given["package"]
        if node is None:
            return self._find_builtin_file(family, cut)
        package = str(node.value)
        stem = package.rpartition("/")[2]
        paths: list[Path] = []
        for subset in self._given["subsets"] or ["latin"]:
            name = f"fonts/node_modules/{package}/files/{stem}-{subset}-{cut}.woff2"
            if not game_files.has_entry(self._root, name):
                message = f"the font package {package} has no {subset} {cut}"
                if not game_files.has_entry(self._root, f"fonts/node_modules/{package}"):
                    message = f"the font package {package} is not installed; run 'cardgen fonts'"
                self._problems.append(Problem(node.source, message, "font"))
                return ()
            paths += _find_font_file(node, self._root, name, self._problems)
        return tuple(paths)

    def _find_builtin_file(self, family: str, cut: str) -> tuple[Path, ...]:
        """Return the file of a cut that comes with cardgen; report why there is none."""
        builtin = BUILTIN_BY_NAME.get(family)
        if builtin is None:
            hint = did_you_mean(family, BUILTIN_BY_NAME, 0.8)
            hint = hint if "did you mean" in hint else ""
            own = f"fonts/{make_family_slug(family)}-{cut}.ttf"
            fetch = f"'cardgen fonts --add \"{family}\"' fetches it, if Fontsource has it"
            self._report(f"{family} {cut} needs the file {own}{hint or f'; {fetch}'}")
            return ()
        weight, _, style = cut.partition("-")
        fetch = f'; package: "{get_npm_package(family)}" fetches'
        others = f"{fetch} others" if family != SYMBOLS_FAMILY else ""
        if (int(weight), style) not in builtin.cuts:
            cuts = ", ".join(f"{weight} {style}" for weight, style in builtin.cuts)
            self._report(f"{family} comes in {cuts}, not in {weight} {style}{others}")
            return ()
        for subset in self._given["subsets"]:
            if subset not in builtin.subsets:
                subsets = ", ".join(builtin.subsets)
                missing = format_value(subset)
                self._report(f"{family} comes in {subsets}, not in {missing}{others}")
                return ()
        path = builtin.find_file(int(weight), style)
        if path is None:
            fetch = f"{fetch} it" if family != SYMBOLS_FAMILY else ""
            self._report(f"this installation of cardgen has no {family}{fetch}")
        return (path,) if path else ()


def _find_font_file(node: Node, root: Path, name: str, problems: list[Problem]) -> tuple[Path, ...]:
    """Return a file that is known to exist, if it can be read."""
    try:
        return (game_files.find_file(root, name),)
    except game_files.UnreadableError as error:
        problems.append(Problem(node.source, f"{name} {error}", "font"))
        return ()


def _read_hyphenation(
    node: Node | None, root: Path, languages: tuple[str, ...], problems: list[Problem]
) -> dict[str, Path]:
    """Return the hyphenation patterns by language, as files of the npm package `hyphen`."""
    patterns: dict[str, Path] = {}
    for language, child in node.items() if node else ():
        name = f"fonts/node_modules/hyphen/patterns/{child.value}.js"
        message, kind = "", "font"
        if language not in languages:
            message = f"unknown language '{language}'{did_you_mean(language, languages)}"
            kind = "language"
        elif not isinstance(child.value, str):
            message = f"hyphenation of {language} is {child.describe()}; expected a name, such as "
            message, kind = message + "fi-x-school", "type"
        elif not game_files.has_entry(root, name):
            message = f"the hyphenation patterns {child.value} are not installed; run "
            message += "'cardgen fonts'"
        else:
            for path in _find_font_file(child, root, name, problems):
                patterns[language] = path
        if message:
            problems.append(Problem(child.source, message, kind))
    return patterns


_FILE_COMMENT = "# The families that cards and books use. The first is what text is set in.\n"
_FONTS_LINE = re.compile(r"fonts:\s*(?:#.*)?\Z")
_LIST_ITEM = re.compile(r"( *)- ")
_INDENTED = re.compile(r"[ -]")


@dataclass(frozen=True)
class FontEntry:
    """A family as fonts.yaml lists it. Without a package it comes with cardgen."""

    family: str
    package: str = ""
    subsets: tuple[str, ...] = ()
    weights: tuple[int, ...] = (400,)
    styles: tuple[str, ...] = ("normal",)

    @classmethod
    def of_builtin(cls, family: BuiltinFamily) -> FontEntry:
        """Return the entry of a family that comes with cardgen, with all of its cuts."""
        return cls(family.name, weights=family.weights, styles=family.styles)

    def format_lines(self) -> list[str]:
        """Return the family as YAML, without default values."""
        lines = [f"- family: {self.family}"]
        if self.package:
            lines.append(f'  package: "{self.package}"')
        if self.subsets and self.subsets != ("latin",):
            lines.append(f"  subsets: [{', '.join(self.subsets)}]")
        if self.weights != (400,):
            lines.append(f"  weights: [{', '.join(map(str, self.weights))}]")
        if self.styles != ("normal",):
            lines.append(f"  styles: [{', '.join(self.styles)}]")
        return lines


def format_fonts_file(entries: Iterable[FontEntry]) -> str:
    """Return a fonts.yaml for a game that had none, beginning with the families it has used so
    far."""
    listed = {
        family.name: FontEntry.of_builtin(family) for family in BUILTIN_FAMILIES if family.is_basic
    }
    listed |= {entry.family: entry for entry in entries}
    lines = [line for entry in listed.values() for line in entry.format_lines()]
    return _FILE_COMMENT + "fonts:\n" + "".join(f"  {line}\n" for line in lines)


def append_families(text: str, entries: Sequence[FontEntry]) -> str | None:
    """Return the text of fonts.yaml with more families; None if its list is not written line by
    line."""
    end = "\r\n" if "\r\n" in text else "\n"
    lines = text.removesuffix(end).split(end)
    start = next((number for number, line in enumerate(lines) if _FONTS_LINE.match(line)), None)
    if start is None:
        return None
    last = start
    for number, line in enumerate(lines[start + 1 :], start + 1):
        if line.strip() and not line.lstrip().startswith("#"):
            if not _INDENTED.match(line):
                break
            last = number
    dashes = (_LIST_ITEM.match(line) for line in lines[start + 1 : last + 1])
    indent = next((match[1] for match in dashes if match), "  ")
    added = [indent + line for entry in entries for line in entry.format_lines()]
    made = end.join([*lines[: last + 1], *added, *lines[last + 1 :], ""])
    return made if _has_only_added(made, text, entries) else None


def _has_only_added(made: str, before: str, entries: Sequence[FontEntry]) -> bool:
    """Return whether a text differs from the previous one by the new families only."""
    nodes = [yaml_nodes.load(text, FONTS_FILE)[0] for text in (made, before)]
    now, was = (node.to_plain() if node is not None else None for node in nodes)
    if not isinstance(now, dict) or not isinstance(was, dict):
        return False
    names = [entry.family for entry in entries]
    previous, listed = was.get("fonts") or [], now.get("fonts")
    if not isinstance(listed, list) or listed[: -len(names)] != previous:
        return False
    added = [each.get("family") if isinstance(each, dict) else each for each in listed]
    return added[-len(names) :] == names and {**now, "fonts": previous} == {
        **was,
        "fonts": previous,
    }
