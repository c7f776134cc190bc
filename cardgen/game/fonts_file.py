"""fonts/fonts.yaml: which families a game uses and the files that make each up.

Font files are never part of a game's repository: they come as npm packages (`@fontsource/*`)
into `fonts/node_modules`, or lie beside fonts.yaml under the designer's own hand, where
`roboto-condensed-400-normal.ttf` wins over the package.
"""

from __future__ import annotations

import re
from pathlib import Path

from cardgen.base import paths, yamlnodes
from cardgen.base.problems import Problem, Source, did_you_mean, quoted
from cardgen.base.units import MOST_SIGNS
from cardgen.base.yamlnodes import Node
from cardgen.game.model import FontFamily, Fonts
from cardgen.game.reading import known_keys, telling

FILE = "fonts/fonts.yaml"
_KEYS = ("family", "package", "subsets", "weights", "styles")
_STYLES = ("normal", "italic")
_WEIGHT = re.compile(r"(?:[1-9][0-9]{0,2}|1000)\Z")
_FAMILY = re.compile(r"[^\W_](?:[\w .+-]*\w)?\Z")
_SUFFIXES = (".ttf", ".otf", ".woff2")


def load(root: Path, languages: tuple[str, ...]) -> tuple[Fonts, list[Problem]]:
    """The fonts and hyphenation patterns of a game folder."""
    text, why = paths.read_text(root, FILE)
    if why:
        message = f"the file {why}; it names the fonts that the templates use"
        return Fonts(), [Problem(Source(FILE), message, "font")]
    node, problems = yamlnodes.load(text, FILE)
    if node is None:
        return Fonts(), problems
    families = []
    listed = node.get("fonts")
    if listed is None or not listed.nodes():
        problems.append(Problem(node.source, "fonts.yaml has no list 'fonts:'", "font"))
    for child in listed.nodes() if listed else ():
        family = _family(child, root, problems)
        if family:
            families.append(family)
    hyphenation = node.get("hyphenation")
    patterns = _patterns(hyphenation, root, languages, problems)
    named = {key: child.source for key, child in hyphenation.items()} if hyphenation else {}
    return Fonts(tuple(families), patterns, named), problems


def _family(node: Node, root: Path, problems: list[Problem]) -> FontFamily | None:
    known_keys(node, _KEYS, "", telling(problems))
    name = node.get("family")
    if name is None or not isinstance(name.value, str):
        problems.append(Problem(node.source, "a font needs family: NAME", "font"))
        return None
    if not _FAMILY.match(name.value) or len(name.value) > MOST_SIGNS:
        message = f"family is {name.describe()}; letters, digits, spaces and hyphens are asked for"
        problems.append(Problem(name.source, message, "font"))
        return None
    files: dict[tuple[int, str], tuple[Path, ...]] = {}
    for weight in _words(node, "weights", ["400"]):
        for style in _words(node, "styles", ["normal"]):
            if style not in _STYLES or not _WEIGHT.match(weight):
                cut = quoted(f"{weight} {style}")
                message = f"{cut} is no weight (100-900) and style (normal, italic)"
                problems.append(Problem(node.source, message, "font"))
                continue
            found = _files(node, root, name.value, f"{weight}-{style}", problems)
            if found:
                files[int(weight), style] = found
    return FontFamily(name.value, files, node.source)


def _words(node: Node, key: str, default: list[str]) -> list[str]:
    child = node.get(key)
    if child is None:
        return default
    words = [entry.text for entry in child.nodes()] if child.is_list else [child.text]
    return words or default


def _files(
    node: Node, root: Path, family: str, cut: str, problems: list[Problem]
) -> tuple[Path, ...]:
    slug = family.lower().replace(" ", "-")
    for suffix in _SUFFIXES:
        name = f"fonts/{slug}-{cut}{suffix}"
        if paths.there(root, name):
            return _found(node, root, name, problems)
    package_node = node.get("package")
    if package_node is None:
        message = f"{family} {cut} needs package: … or the file fonts/{slug}-{cut}.ttf"
        problems.append(Problem(node.source, message, "font"))
        return ()
    package = str(package_node.value)
    stem = package.rpartition("/")[2]
    found: list[Path] = []
    for subset in _words(node, "subsets", ["latin"]):
        relative = f"fonts/node_modules/{package}/files/{stem}-{subset}-{cut}.woff2"
        if not paths.there(root, relative):
            problems.append(_not_installed(package_node, root, package, f"{subset} {cut}"))
            return ()
        found += _found(package_node, root, relative, problems)
    return tuple(found)


def _found(node: Node, root: Path, name: str, problems: list[Problem]) -> tuple[Path, ...]:
    """A file that is there, if it can be read."""
    try:
        return (paths.find(root, name),)
    except paths.Unreadable as error:
        problems.append(Problem(node.source, f"{name} {error}", "font"))
        return ()


def _not_installed(node: Node, root: Path, package: str, what: str) -> Problem:
    if not paths.there(root, f"fonts/node_modules/{package}"):
        message = f"the font package {package} is not installed; 'cardgen fonts' fetches it"
    else:
        message = f"the font package {package} has no {what}"
    return Problem(node.source, message, "font")


def _patterns(
    node: Node | None, root: Path, languages: tuple[str, ...], problems: list[Problem]
) -> dict[str, Path]:
    """Hyphenation patterns by language, as files of the npm package `hyphen`."""
    found: dict[str, Path] = {}
    for language, child in node.items() if node else ():
        assert node is not None
        if language not in languages:
            hint = did_you_mean(language, languages)
            message = f"unknown language '{language}'{hint}"
            problems.append(Problem(node.keys[language], message, "language"))
            continue
        name = f"fonts/node_modules/hyphen/patterns/{child.value}.js"
        if not paths.there(root, name):
            message = (
                f"the hyphenation patterns {child.value} are not installed; "
                "'cardgen fonts' fetches them"
            )
            problems.append(Problem(child.source, message, "font"))
            continue
        for path in _found(child, root, name, problems):
            found[language] = path
    return found
