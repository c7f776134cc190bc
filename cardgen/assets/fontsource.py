"""Families of Fontsource on the npm registry: search for them, add them to a game."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any

from cardgen.assets import font_files, npm_client
from cardgen.assets.npm_client import NpmError, UnknownPackageError
from cardgen.core import json_schema, yaml_nodes
from cardgen.core.problems import Problem, Source, did_you_mean, has_errors
from cardgen.game import fonts_file
from cardgen.game.fonts_file import FontEntry
from cardgen.runtime import game_files, safe_files

SCOPE = "@fontsource/"
_SLUG_PATTERN = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_DEFAULT_WEIGHTS = (400, 700)
_LATIN_SUBSETS = ("latin", "latin-ext")
_SUBSET_PATTERN = re.compile(r"[a-z0-9-]{1,40}")
_DESCRIPTION_PATTERN = re.compile(r"Self-host the (.{1,80}?) font\b")
_MAX_SLUG_LENGTH = 80
_BROWSE_HINT = "families are shown at fontsource.org; add one by its name: cardgen fonts --add NAME"
_MAX_RESULTS = 40
_LANGUAGES_BY_SUBSET = {
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
"""Languages that need each subset beside Latin."""
_SYMBOL_SUBSETS = ("symbols", "symbols2", "emoji", "math")
"""Subsets that any game may need, in families that have them."""
_LAST_LATIN = 0x24F
_UNICODE_RANGE = re.compile(r"U\+([0-9A-Fa-f]{1,6})(?:-([0-9A-Fa-f]{1,6}))?")
_COMMON_EUROPEAN_SUBSETS = frozenset({"cyrillic", "cyrillic-ext", "greek", "vietnamese"})
"""Subsets many Latin families have, too."""

_FAMILIES_BY_SCRIPT = (
    (0x30, 0x52F, ""), (0x530, 0x58F, "Armenian"), (0x590, 0x5FF, "Hebrew"),
    (0x600, 0x77F, "Arabic"), (0x900, 0x97F, "Devanagari"), (0x980, 0x9FF, "Bengali"),
    (0xB80, 0xBFF, "Tamil"), (0xE00, 0xE7F, "Thai"), (0x10A0, 0x10FF, "Georgian"),
    (0x1200, 0x139F, "Ethiopic"), (0x16A0, 0x16FF, "Runic"), (0x1D00, 0x1FFF, ""),
    (0x3040, 0x30FF, "JP"), (0xAC00, 0xD7AF, "KR"), (0x2E80, 0x9FFF, "SC"), (0xFF00, 0xFFEF, "JP"),
    (0x2190, 0x23FF, "Math"), (0x2400, 0x2BFF, "Symbols 2"), (0x1D100, 0x1D1FF, "Music"),
    (0x1D400, 0x1D7FF, "Math"), (0x1F000, 0x1F2FF, "Symbols 2"), (0x1F300, 0x1F6FF, "Emoji"),
    (0x1F700, 0x1F8FF, "Symbols 2"), (0x1F900, 0x1F9FF, "Emoji"), (0x1FA00, 0x1FA6F, "Symbols 2"),
    (0x1FA70, 0x1FAFF, "Emoji"), (0x1FB00, 0x1FBFF, "Symbols 2"),
)  # fmt: skip
"""Ranges of scripts and symbols with their family of Noto Sans; the first that fits counts."""
_LATIN_FAMILY = "Noto Sans"
_CJK_FAMILIES = {"ja": "JP", "ko": "KR", "zh-Hant": "TC", "zh-TW": "TC", "zh-HK": "TC"}
"""Families for languages that draw shared Chinese characters in their own way."""
_OTHER_NOTO_FAMILIES = ("Emoji", "Music")
_SUBSETS_BY_RANGE = (
    (0x1EA0, 0x1EF9, "vietnamese"), (0x1F00, 0x1FFF, "greek-ext"), (0x370, 0x3FF, "greek"),
    (0x400, 0x45F, "cyrillic"), (0x460, 0x52F, "cyrillic-ext"), (0x100, 0x1EFF, "latin-ext"),
)  # fmt: skip
"""Ranges of letters that many Latin families have in a subset of its own."""


@dataclass(frozen=True)
class FontsourceFamily:
    """A family on the registry."""

    family: str
    package: str


@dataclass(frozen=True)
class AddedFamilies:
    """Result of adding families: problems of the game's files, or lines to print."""

    problems: list[Problem]
    lines: tuple[str, ...] = ()


def get_package_name(family: str) -> str:
    """Return the package name for a family, or "" for an impossible name."""
    slug = fonts_file.make_family_slug(
        " ".join(family.removeprefix(SCOPE).replace("'", "").split())
    )
    return SCOPE + slug if len(slug) <= _MAX_SLUG_LENGTH and _SLUG_PATTERN.fullmatch(slug) else ""


def search_families(root: Path, words: str) -> list[FontsourceFamily]:
    """Return families whose name or keywords match, best first. Raises `NpmError`."""
    named = get_package_name(words)
    if not named:
        raise NpmError("a family's name has letters, digits, spaces and hyphens")
    slug = named.removeprefix(SCOPE)
    try:
        answer = npm_client.query_registry(
            root, "search", f"{SCOPE}{slug}", f"--searchlimit={_MAX_RESULTS}"
        )
    except UnknownPackageError:  # private registries may not support search
        raise NpmError(f"npm's registry here answers no searches; {_BROWSE_HINT}") from None
    return list(_parse_results(answer))


def _parse_results(answer: Any) -> Iterable[FontsourceFamily]:
    for each in answer if isinstance(answer, list) else ():
        name = each.get("name") if isinstance(each, dict) else None
        if isinstance(name, str) and name.startswith(SCOPE) and get_package_name(name) == name:
            description = _DESCRIPTION_PATTERN.match(str(each.get("description")))
            slug = name.removeprefix(SCOPE)
            yield FontsourceFamily(
                description[1] if description else slug.replace("-", " ").title(), name
            )


_CONTROL_CATEGORIES = frozenset({"Cc", "Zl", "Zp"})
"""Unicode categories of characters that are not printed."""


def suggest_remedy(letters: Iterable[str], language: str = "", family: str = "") -> str:
    """Return a hint at how a game gets the letters that its fonts lack.

    `family` is the one that the text is set in, if it could have them.
    """
    letters = set(letters)
    if all(unicodedata.category(letter) in _CONTROL_CATEGORIES for letter in letters):
        return "; remove it, it is a control character"
    codes = {ord(letter) for letter in letters}
    if codes <= font_files.read_builtin_code_points(fonts_file.SYMBOLS_FAMILY):
        return f"; 'cardgen fonts --add {fonts_file.SYMBOLS_FAMILY}' brings them"
    families = {_find_family(code, language) for code in codes} - {""}
    if families & {"Noto Sans JP", "Noto Sans KR"}:
        families.discard("Noto Sans SC")  # their own families have Chinese characters, too
    names = sorted(families)
    if not names:
        return "; draw an icon instead, and map the character to it under emoji: in game.yaml"
    subset = _find_subset(codes) if names == [_LATIN_FAMILY] else ""
    if subset and family in fonts_file.BUILTIN_BY_NAME:
        # The package of the text's family has them all, those of others may not.
        names = [family] if family == fonts_file.BUILTIN_FAMILIES[0].name else names
        subset = ""
    added = "".join(f' --add "{name}"' for name in names)
    command = f"""'cardgen fonts{added}' brings them"""
    whose = f"the subsets of {family or 'a family'}"
    return f"; add {subset} to {whose}, or {command}" if subset else f"; {command}"


def _find_family(code: int, language: str) -> str:
    """Return the family of Noto that has a character, "" where none is known."""
    for low, high, script in _FAMILIES_BY_SCRIPT:
        if low <= code <= high:
            drawn = _CJK_FAMILIES.get(language, script) if script == "SC" else script
            return f"Noto {'' if drawn in _OTHER_NOTO_FAMILIES else 'Sans '}{drawn}".strip()
    return ""


def _find_subset(codes: Iterable[int]) -> str:
    """Return a subset of Latin families with one of the characters, or ""."""
    return next(
        (
            subset
            for code in sorted(codes)
            for first, last, subset in _SUBSETS_BY_RANGE
            if first <= code <= last
        ),
        "",
    )


def add_families(
    root: Path, families: Sequence[str], languages: Sequence[str], characters: Iterable[str] = ()
) -> AddedFamilies:
    """Fetch families and declare them in fonts.yaml and package.json, with the subsets for the
    languages and characters of the game.

    Raises `NpmError`; then nothing was written.
    """
    codes = {ord(character) for character in characters}
    complete = _find_complete_builtin(languages, codes)
    problems = npm_client.check_links(root) or _check_existing(root, families, complete)
    if problems:
        return AddedFamilies(problems)
    packages_of = {get_package_name(name): name for name in families}
    builtin = [complete[package] for package in packages_of if package in complete]
    others = [name for package, name in packages_of.items() if package not in complete]
    wanted = dict(_find_package(root, name) for name in others)
    request, problems = npm_client.read_request(root, wanted) if wanted else (None, [])
    if has_errors(problems):
        return AddedFamilies(problems)
    entries = [FontEntry.of_builtin(fonts_file.BUILTIN_BY_NAME[name]) for name in builtin]
    if request is None:
        return AddedFamilies(problems, _declare_families(root, entries))
    with npm_client.fetch_packages(root, replace(request, is_pinned=False)) as packages:
        entries += [_choose_files(packages.folder, package, languages, codes) for package in wanted]
        package_json = npm_client.format_package_json(root, wanted)
        safe_files.ensure_folder(root, ["fonts"])
        npm_client.place_packages(packages, root / "fonts", with_lock=True)
        safe_files.replace_file(root / npm_client.PACKAGE, package_json.encode())
    description = [line for entry in entries for line in _describe_family(entry, wanted, languages)]
    return AddedFamilies(problems, (*description, *_declare_families(root, entries)))


def _find_complete_builtin(languages: Sequence[str], codes: Iterable[int]) -> dict[str, str]:
    """Return the built-in families, by package, that have the European letters of the game.

    The others are fetched, since their packages may have more subsets.
    """
    needed = _COMMON_EUROPEAN_SUBSETS.intersection(_list_subsets(languages))
    needed |= {_find_subset([code]) for code in codes} - {""}
    return {
        fonts_file.get_npm_package(family.name): family.name
        for family in fonts_file.BUILTIN_FAMILIES
        if family.name == fonts_file.SYMBOLS_FAMILY or needed <= {*family.subsets}
    }


def _check_existing(
    root: Path, families: Iterable[str], complete: Mapping[str, str]
) -> list[Problem]:
    """Return a problem for each family the game has already."""
    if not game_files.has_entry(root, fonts_file.FONTS_FILE):
        had = filter(None, (complete.get(get_package_name(name)) for name in families))
        message = "comes with cardgen; a game without fonts.yaml has it already"
        return [
            Problem(Source(fonts_file.FONTS_FILE), f"{name} {message}", "font")
            for name in had
            if fonts_file.BUILTIN_BY_NAME[name].is_basic
        ]
    text, why = game_files.read_text(root, fonts_file.FONTS_FILE)
    if why:
        return [Problem(Source(fonts_file.FONTS_FILE), f"the file {why}", "font")]
    node, problems = yaml_nodes.load(text, fonts_file.FONTS_FILE)
    listed = node.get("fonts") if node else None
    request = {get_package_name(name) for name in families} - {""}
    for child in listed.list_nodes() if listed else ():
        name = child.get("family")
        if name is not None and get_package_name(name.text) in request:
            message = f"{name.text} is there; its weights, styles and subsets stand here"
            problems.append(Problem(child.source, message, "font"))
    return problems


def _find_package(root: Path, family: str) -> tuple[str, str]:
    """Return the package of a family and its newest version. Raises `NpmError`."""
    package = get_package_name(family)
    if not package:
        raise NpmError(f"{family!r} is not a family name: letters, digits, spaces and hyphens")
    try:
        metadata = npm_client.query_registry(root, "view", package, "name", "version")
    except UnknownPackageError:
        raise UnknownPackageError(
            f"there is no family '{family}'{_suggest_family(root, family)}"
        ) from None
    metadata = metadata if isinstance(metadata, dict) else {}
    version = metadata.get("version")
    if metadata.get("name") != package or not npm_client.is_version(version):
        raise NpmError(f"npm knows no version of {package}")
    return package, str(version)


def _suggest_family(root: Path, family: str) -> str:
    """Return a hint at similar families on the registry."""
    try:
        found = [each.family for each in search_families(root, family)]
    except NpmError:
        return "; fontsource.org shows which there are"
    hint = did_you_mean(family, found)
    return hint or (f"; there are {', '.join(found[:8])}" if found else "")


@dataclass(frozen=True)
class _FontsourcePackage:
    """Contents of a package according to its metadata.json."""

    family: str
    weights: list[int]
    styles: list[str]
    subsets: list[str]


def _read_metadata(packages: Path, package: str) -> _FontsourcePackage:
    text, why = game_files.read_text(packages, f"{package}/metadata.json")
    try:
        metadata = json_schema.parse_json(text) if not why else {}
        found = _FontsourcePackage(
            str(metadata["family"]),
            [weight for weight in metadata["weights"] if type(weight) is int],
            [style for style in fonts_file.FONT_STYLES if style in metadata["styles"]],
            [subset for subset in metadata["subsets"] if _SUBSET_PATTERN.fullmatch(subset)],
        )
    except (json_schema.InvalidJsonError, LookupError, TypeError):
        found = _FontsourcePackage("", [], [], [])
    if not (fonts_file.is_family_name(found.family) and found.weights and found.styles):
        raise NpmError(f"{package} has no readable metadata.json")
    return found


def _choose_files(
    packages: Path, package: str, languages: Iterable[str], codes: set[int]
) -> FontEntry:
    """Choose regular and bold, upright and italic, in the scripts of the languages and characters.

    Raises `NpmError` if the package lacks files.
    """
    metadata = _read_metadata(packages, package)
    weights = [weight for weight in _DEFAULT_WEIGHTS if weight in metadata.weights]
    weights = weights or [
        min(metadata.weights, key=lambda weight: abs(weight - _DEFAULT_WEIGHTS[0]))
    ]
    wanted = (*_LATIN_SUBSETS, *_list_subsets(languages), *_find_own_script(metadata.subsets),
              *_SYMBOL_SUBSETS, *_find_needed_subsets(packages, package, codes))  # fmt: skip
    subsets = [each for each in dict.fromkeys(wanted) if each in metadata.subsets]
    subsets = subsets or metadata.subsets[:1]
    for styles in (metadata.styles, metadata.styles[:1]):
        entry = FontEntry(metadata.family, package, tuple(subsets), tuple(weights), tuple(styles))
        if _has_files(packages, entry):
            return entry
    raise NpmError(f"{package} lacks files of {metadata.family}")


def _find_needed_subsets(packages: Path, package: str, codes: set[int]) -> Iterable[str]:
    """Yield the subsets that hold one of the characters which Latin lacks."""
    text, why = game_files.read_text(packages, f"{package}/unicode.json")
    try:
        ranges = json_schema.parse_json(text) if not why else {}
    except json_schema.InvalidJsonError:
        return
    left = {code for code in codes if code > _LAST_LATIN}
    for subset, listed in ranges.items() if isinstance(ranges, dict) else ():
        for first, last in _UNICODE_RANGE.findall(str(listed)):
            if any(int(first, 16) <= code <= int(last or first, 16) for code in left):
                yield subset
                break


def _find_own_script(subsets: Sequence[str]) -> list[str]:
    """Return the script the family was designed for, if exactly one is not European.

    It is wanted even if no language of the game needs it yet.
    """
    scripts = _LANGUAGES_BY_SUBSET.keys() - _COMMON_EUROPEAN_SUBSETS
    drawn_for = [each for each in subsets if each in scripts]
    return drawn_for if len(drawn_for) == 1 else []


def _has_files(packages: Path, entry: FontEntry) -> bool:
    """Return True if the package has every weight in every style and subset."""
    stem = entry.package.removeprefix(SCOPE)
    files = (
        f"{entry.package}/files/{stem}-{subset}-{weight}-{style}.woff2"
        for subset, weight, style in product(entry.subsets, entry.weights, entry.styles)
    )
    return all(game_files.has_entry(packages, file) for file in files)


def _list_subsets(languages: Iterable[str]) -> list[str]:
    """Return the subsets the languages need beside Latin."""
    return [
        subset
        for subset, written in _LANGUAGES_BY_SUBSET.items()
        if any(_is_language_in(language, written.split()) for language in languages)
    ]


def _is_language_in(language: str, codes: Sequence[str]) -> bool:
    return language in codes or language.partition("-")[0] in codes


def _describe_family(
    entry: FontEntry, versions: dict[str, str], languages: Sequence[str]
) -> list[str]:
    if not entry.package:
        return [f"{entry.family} comes with cardgen"]
    cuts = ", ".join(f"{weight} {style}" for weight in entry.weights for style in entry.styles)
    version = versions[entry.package]
    needed = _list_subsets(languages)
    added = f"{entry.family}: {entry.package} {version}; {cuts}; {', '.join(entry.subsets)}"
    if any(each in entry.subsets for each in needed if each not in _COMMON_EUROPEAN_SUBSETS):
        return [added]
    missing = (each for each in needed if each not in entry.subsets)
    return [added, *(f"{entry.family} has no {each}, which this game needs" for each in missing)]


def _declare_families(root: Path, entries: Sequence[FontEntry]) -> tuple[str, ...]:
    """Add families to fonts.yaml and return lines to print, such as what to add by hand."""
    text, why = game_files.read_text(root, fonts_file.FONTS_FILE)
    new_text = (
        fonts_file.format_fonts_file(entries) if why else fonts_file.append_families(text, entries)
    )
    if new_text is None:
        lines = [f"  {line}" for entry in entries for line in entry.format_lines()]
        return (f"{fonts_file.FONTS_FILE}: add these lines to its list by hand:", *lines)
    safe_files.replace_file(root / fonts_file.FONTS_FILE, new_text.encode())
    names = " and ".join(f'"{entry.family}"' for entry in entries)
    return (f"{fonts_file.FONTS_FILE}: CSS calls it font-family: {names}",)
