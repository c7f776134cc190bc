"""Fontsource's families, which npm brings: looked for, and one put into a game.

The registry's answers are a stranger's, too: names, versions and figures out of them are held to
their signs before they are written down or handed to npm.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from cardgen.assets import npm, npmfiles
from cardgen.assets.npm import Failed, Unknown
from cardgen.base import filing, jsontext, paths, yamlnodes
from cardgen.base.problems import Problem, Source, did_you_mean, has_errors
from cardgen.game import builtin_fonts, fonts_file, fonts_writing
from cardgen.game.fonts_writing import Entry

SCOPE = "@fontsource/"
_SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_WEIGHTS = (400, 700)
_LATIN = ("latin", "latin-ext")
_SUBSET = re.compile(r"[a-z0-9-]{1,40}")
_OF = re.compile(r"Self-host the (.{1,80}?) font\b")
_MOST_SIGNS = 80
_ELSEWHERE = "families are shown at fontsource.org; add one by its name: cardgen fonts --add NAME"
_MOST_FOUND = 40
_SCRIPTS = {
    "arabic": "ar fa ps ur",
    "armenian": "hy",
    "bengali": "as bn",
    "chinese-simplified": "zh",
    "chinese-traditional": "zh-Hant zh-HK zh-TW",
    "cyrillic": "be bg kk ky mk mn ru sr tg tt uk",
    "cyrillic-ext": "kk ky mn tg tt",
    "devanagari": "hi mr ne",
    "ethiopic": "am ti",
    "georgian": "ka",
    "greek": "el",
    "gujarati": "gu",
    "gurmukhi": "pa",
    "hebrew": "he yi",
    "japanese": "ja",
    "kannada": "kn",
    "khmer": "km",
    "korean": "ko",
    "malayalam": "ml",
    "sinhala": "si",
    "tamil": "ta",
    "telugu": "te",
    "thai": "th",
    "vietnamese": "vi",
}
"""Which subsets languages need that are not written in Latin letters alone, or in many of them."""
_OF_EUROPE = frozenset({"cyrillic", "cyrillic-ext", "greek", "vietnamese"})
"""Those that many families have in passing."""


_BUILTIN = {builtin_fonts.package(name): name for name in builtin_fonts.BY_NAME}


@dataclass(frozen=True)
class Found:
    """A family of the registry."""

    family: str
    package: str


@dataclass(frozen=True)
class Added:
    """What came of it: problems of the game's files, or what was done, in lines to be shown."""

    problems: list[Problem]
    said: tuple[str, ...] = ()


def package_of(family: str) -> str:
    """The package that a family would have; "" when no family is called so."""
    slug = builtin_fonts.slug(" ".join(family.removeprefix(SCOPE).replace("'", "").split()))
    return SCOPE + slug if len(slug) <= _MOST_SIGNS and _SLUG.fullmatch(slug) else ""


def search(root: Path, words: str) -> list[Found]:
    """The families whose names or keywords hold the words, best first. Raises `Failed`."""
    named = package_of(words)
    if not named:
        raise Failed("a family's name has letters, digits, spaces and hyphens")
    slug = named.removeprefix(SCOPE)
    try:
        answer = npm.ask(root, "search", f"{SCOPE}{slug}", f"--searchlimit={_MOST_FOUND}")
    except Unknown:  # a registry of one's own may not search
        raise Failed(f"npm's registry here answers no searches; {_ELSEWHERE}") from None
    return list(_of_scope(answer))


def _of_scope(answer: Any) -> Iterable[Found]:
    for each in answer if isinstance(answer, list) else ():
        name = each.get("name") if isinstance(each, dict) else None
        if isinstance(name, str) and name.startswith(SCOPE) and package_of(name) == name:
            said = _OF.match(str(each.get("description")))
            slug = name.removeprefix(SCOPE)
            yield Found(said[1] if said else slug.replace("-", " ").title(), name)


def add(root: Path, families: Sequence[str], languages: Sequence[str]) -> Added:
    """Put families into a game: fetched, and named in fonts.yaml and package.json. Raises `Failed`;
    then nothing was written."""
    problems = npm.in_the_way(root) or _there_already(root, families)
    if problems:
        return Added(problems)
    packages_of = {package_of(name): name for name in families}
    builtin = [_BUILTIN[package] for package in packages_of if package in _BUILTIN]
    wanted = dict(
        _looked_up(root, name) for package, name in packages_of.items() if package not in _BUILTIN
    )
    asked, problems = npmfiles.read(root, wanted) if wanted else (None, [])
    if has_errors(problems):
        return Added(problems)
    entries = [Entry(name) for name in builtin]
    if asked is None:
        return Added(problems, _declared(root, entries))
    with npm.fetched(root, replace(asked, pinned=False)) as packages:
        entries += [_chosen(packages.folder, package, languages) for package in wanted]
        package_json = npmfiles.text_with(root, wanted)
        filing.folder(root, ["fonts"])
        npm.put(packages, root / "fonts", with_lock=True)
        filing.put(root / npmfiles.PACKAGE, package_json.encode())
    said = [line for entry in entries for line in _described(entry, wanted, languages)]
    return Added(problems, (*said, *_declared(root, entries)))


def _there_already(root: Path, families: Iterable[str]) -> list[Problem]:
    """Families that the game has."""
    if not paths.there(root, fonts_file.FILE):
        had = [_BUILTIN[name] for name in map(package_of, families) if name in _BUILTIN]
        message = "comes with cardgen; a game without fonts.yaml has it already"
        return [Problem(Source(fonts_file.FILE), f"{name} {message}", "font") for name in had]
    text, why = paths.read_text(root, fonts_file.FILE)
    if why:
        return [Problem(Source(fonts_file.FILE), f"the file {why}", "font")]
    node, problems = yamlnodes.load(text, fonts_file.FILE)
    listed = node.get("fonts") if node else None
    asked = {package_of(name) for name in families} - {""}
    for child in listed.nodes() if listed else ():
        name = child.get("family")
        if name is not None and package_of(name.text) in asked:
            message = f"{name.text} is there; its weights, styles and subsets stand here"
            problems.append(Problem(child.source, message, "font"))
    return problems


def _looked_up(root: Path, family: str) -> tuple[str, str]:
    """The package of a family, and its newest version. Raises `Failed`."""
    package = package_of(family)
    if not package:
        raise Failed(f"{family!r} is no family's name: letters, digits, spaces and hyphens")
    try:
        told = npm.ask(root, "view", package, "name", "version")
    except Unknown:
        raise Unknown(f"there is no family '{family}'{_near(root, family)}") from None
    told = told if isinstance(told, dict) else {}
    version = told.get("version")
    if told.get("name") != package or not npmfiles.is_version(version):
        raise Failed(f"npm knows no version of {package}")
    return package, str(version)


def _near(root: Path, family: str) -> str:
    """What may have been meant, if the registry tells."""
    try:
        found = [each.family for each in search(root, family)]
    except Failed:
        return "; fontsource.org shows which there are"
    hint = did_you_mean(family, found)
    return hint or (f"; there are {', '.join(found[:8])}" if found else "")


@dataclass(frozen=True)
class _Package:
    """What a package says is in it."""

    family: str
    weights: list[int]
    styles: list[str]
    subsets: list[str]


def _metadata(packages: Path, package: str) -> _Package:
    text, why = paths.read_text(packages, f"{package}/metadata.json")
    try:
        told = jsontext.parse(text) if not why else {}
        found = _Package(
            str(told["family"]),
            [weight for weight in told["weights"] if type(weight) is int],
            [style for style in fonts_file.STYLES if style in told["styles"]],
            [subset for subset in told["subsets"] if _SUBSET.fullmatch(subset)],
        )
    except (jsontext.NotJson, LookupError, TypeError):
        found = _Package("", [], [], [])
    if not (fonts_file.is_family(found.family) and found.weights and found.styles):
        raise Failed(f"{package} does not say what is in it")
    return found


def _chosen(packages: Path, package: str, languages: Iterable[str]) -> Entry:
    """What of a family a game is given: plain and bold, upright and italic, in the scripts of its
    languages, as far as the package has them. Raises `Failed`."""
    told = _metadata(packages, package)
    weights = [weight for weight in _WEIGHTS if weight in told.weights]
    weights = weights or [min(told.weights, key=lambda weight: abs(weight - _WEIGHTS[0]))]
    wanted = (*_LATIN, *_scripts(languages), *_own(told.subsets))
    subsets = [each for each in dict.fromkeys(wanted) if each in told.subsets]
    subsets = subsets or told.subsets[:1]
    for styles in (told.styles, told.styles[:1]):
        entry = Entry(told.family, package, tuple(subsets), tuple(weights), tuple(styles))
        if _has(packages, entry):
            return entry
    raise Failed(f"{package} lacks files of {told.family}")


def _own(subsets: Sequence[str]) -> list[str]:
    """The script that a family was drawn for, which is wanted whatever languages the game has so
    far: the one that it has beside those of Europe."""
    drawn_for = [each for each in subsets if each in _SCRIPTS and each not in _OF_EUROPE]
    return drawn_for if len(drawn_for) == 1 else []


def _has(packages: Path, entry: Entry) -> bool:
    """Whether every weight is there in every style and subset."""
    stem = entry.package.removeprefix(SCOPE)
    return all(
        paths.there(packages, f"{entry.package}/files/{stem}-{subset}-{weight}-{style}.woff2")
        for subset in entry.subsets
        for weight in entry.weights
        for style in entry.styles
    )


def _scripts(languages: Iterable[str]) -> list[str]:
    """The subsets that languages need beside Latin."""
    return [
        subset
        for subset, written in _SCRIPTS.items()
        if any(_is_written(language, written.split()) for language in languages)
    ]


def _is_written(language: str, codes: Sequence[str]) -> bool:
    return language in codes or language.partition("-")[0] in codes


def _described(entry: Entry, versions: dict[str, str], languages: Sequence[str]) -> list[str]:
    if not entry.package:
        return [f"{entry.family} comes with cardgen"]
    cuts = ", ".join(f"{weight} {style}" for weight in entry.weights for style in entry.styles)
    version = versions[entry.package]
    asked = [each for each in _scripts(languages) if each not in _OF_EUROPE]
    brings = any(each in entry.subsets for each in asked)
    lost = [] if brings else [each for each in _scripts(languages) if each not in entry.subsets]
    told = f"{entry.family}: {entry.package} {version}; {cuts}; {', '.join(entry.subsets)}"
    return [told, *(f"{entry.family} has no {script}, which this game needs" for script in lost)]


def _declared(root: Path, entries: Sequence[Entry]) -> tuple[str, ...]:
    """Name families in fonts.yaml; what to do by hand where it cannot be done."""
    text, why = paths.read_text(root, fonts_file.FILE)
    made = fonts_writing.new(entries) if why else fonts_writing.appended(text, entries)
    if made is None:
        lines = [f"  {line}" for entry in entries for line in entry.lines()]
        return (f"{fonts_file.FILE}: add these lines to its list by hand:", *lines)
    filing.put(root / fonts_file.FILE, made.encode())
    names = " and ".join(f'"{entry.family}"' for entry in entries)
    return (f"{fonts_file.FILE}: CSS calls it font-family: {names}",)
