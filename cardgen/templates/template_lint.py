"""Lint of the HTML of templates: mistakes that browsers accept, but that print something else."""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from html.entities import html5

from cardgen.core.problems import Severity, did_you_mean, find_closest

LintFinding = tuple[int, str, Severity]
"""Line from 1, message, severity."""
_JINJA_OR_COMMENT = re.compile(
    r"\{\{(?:(?!\{\{|\}\}).)*\}\}|\{%(?:(?!\{%|%\}).)*%\}|\{#(?:(?!\{#).)*?#\}|<!--(?:(?!<!--).)*?-->",
    re.DOTALL,
)
_OPENING_TAG = re.compile(r"<([a-zA-Z][\w-]*+)([^<>]*+)>")
_TAG_ATTRIBUTE = re.compile(
    r"""([^\s=>"'/\x02]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s>"'\x02]*))?|[\s/\x02]+"""
)
_FILLED, _BLOCK = "\x01", "\x02"
"""Placeholders for {{ … }} and for {% … %}."""
_CLASSES = re.compile(r"""<[a-zA-Z][^<>]*?\sclass\s*=\s*(?:"([^"]*)"|'([^']*)')""")
_CLASS = re.compile(r"\.(-?[A-Za-z_][\w-]*)")
_CSS_VALUES = re.compile(r"/\*.*?(?:\*/|\Z)|\{[^{}]*+\}|url\([^()]*+\)", re.DOTALL)
_ENTITY = re.compile(r"&([A-Za-z][A-Za-z0-9]*);")
_CONTEXT_NAMES = "card|deck|game|words|player|players|number|first_copy|stamp|side|language"
_UNFILLED = re.compile(
    rf"\$?\{{\s*(?P<braced>(?:{_CONTEXT_NAMES})(?:\.[\w.]+)?(?:\s*\|[^{{}}\n]*)?)\s*\}}"
    rf"|\[(?P<square>(?:{_CONTEXT_NAMES})\.[\w.]+)\]|<%=?\s*(?P<percent>[^%\n]*)%>"
)
_ENTITY_NAMES = ("amp", "gt", "hellip", "lt", "mdash", "nbsp", "ndash", "quot", "shy", "times")
_CURLY_QUOTES = "“”„‘’«»"
_KNOWN_ATTRIBUTES = (
    "class", "style", "src", "alt", "data-fit", "data-fit-steps", "data-place", "data-text",
    "data-unsafe", "href", "colspan", "rowspan",
)  # fmt: skip
_HTML_TAGS = frozenset({
    "b", "br", "center", "div", "em", "font", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "i", "img",
    "li", "ol", "p", "small", "span", "strong", "sub", "sup", "table", "tbody", "td", "tfoot", "th",
    "thead", "tr", "u", "ul",
})  # fmt: skip
_CSS_EQUIVALENTS = {
    "align": "text-align", "background": "background", "bgcolor": "background", "border": "border",
    "cellpadding": "padding", "cellspacing": "border-spacing", "color": "color",
    "face": "font-family", "height": "height", "size": "font-size", "valign": "vertical-align",
    "width": "width",
}  # fmt: skip
"""Attributes of HTML that the typesetter ignores → CSS property that does the same."""


def lint_template(text: str) -> Iterator[LintFinding]:
    """Yield every finding in a template."""
    if not text.strip():
        yield 1, "the template is empty; its faces are blank", "warning"
        return
    bare = _JINJA_OR_COMMENT.sub(_blank_match, text)
    for match in _UNFILLED.finditer(bare):
        name = (match["braced"] or match["square"] or match["percent"]).strip()
        message = f"'{match[0]}' is printed literally; write {{{{ {name} }}}}"
        yield _count_line(bare, match.start()), message, "error"
    for tag in _OPENING_TAG.finditer(bare):
        line = _count_line(bare, tag.start())
        yield from ((line, message, how) for message, how in _lint_tag(tag[1].lower(), tag[2]))
    for entity in _ENTITY.finditer(bare):
        if f"{entity[1]};" not in html5:
            hint = did_you_mean(entity[1], _ENTITY_NAMES)
            hint = hint if "did you mean" in hint else ""
            message = f"'{entity[0]}' is not a character of HTML and is printed literally{hint}"
            yield _count_line(bare, entity.start()), message, "warning"


def find_unstyled_classes(
    templates: Mapping[str, str], styles: Iterable[str]
) -> Iterator[tuple[str, LintFinding]]:
    """Yield classes that no stylesheet has, if a similar class of a stylesheet is unused."""
    styled = {name for css in styles for name in _CLASS.findall(_CSS_VALUES.sub("{}", css))}
    used = [
        (name, _count_line(bare, match.start()), word)
        for name, text in templates.items()
        for bare in [_JINJA_OR_COMMENT.sub(_blank_match, text)]
        for match in _CLASSES.finditer(bare)
        for word in (match[1] or match[2]).split()
        if _FILLED not in word and _BLOCK not in word
    ]
    idle = sorted(styled - {word for *_, word in used})
    for name, line, word in used:
        near = get_close_matches(word, idle, n=1, cutoff=0.75) if word not in styled else ()
        near = near or [other for other in idle if other.lower() == word.lower() != other]
        if near and word not in styled:
            message = f"no stylesheet has the class '{word}'; did you mean '{near[0]}'?"
            yield name, (line, message, "warning")


def _lint_tag(tag: str, inside: str) -> Iterator[tuple[str, Severity]]:
    """Yield what is wrong with the attributes of a tag."""
    curly = re.search(rf"=\s*([{_CURLY_QUOTES}])", inside)
    if curly:
        yield (
            f'{curly[1]} is not a quote of HTML; write attributes with straight quotes, "…"',
            "error",
        )
        return
    names, whole = _list_attributes(inside)
    if not whole:
        yield f"a quote is missing in <{tag} …>", "error"
        return
    for name, count in Counter(names).items():
        if count > 1 and _BLOCK not in inside:
            yield f"<{tag} …> has {name} twice, and the second is ignored; join them", "error"
        meant = "" if name in _KNOWN_ATTRIBUTES else _find_meant_attribute(name)
        if name in _CSS_EQUIVALENTS and tag in _HTML_TAGS:
            style = f"{_CSS_EQUIVALENTS[name]}: …"
            yield f'{name}=… has no effect here; write style="{style}"', "warning"
        elif meant:
            yield f"there is no {name}=…; did you mean '{meant}'?", "warning"


def _list_attributes(inside: str) -> tuple[list[str], bool]:
    """Return the names of a tag's attributes, and whether every quote is closed."""
    names: list[str] = []
    position = 0
    while match := _TAG_ATTRIBUTE.match(inside, position):
        position = match.end()
        if match[1]:
            names.append(match[1].lower())
        quoted = (match[2] or "")[:1] in ("'", '"')
        if quoted and inside[position : position + 1].strip(f" \t\n\r\f/{_FILLED}{_BLOCK}"):
            return names, False
    return names, position == len(inside)


def _find_meant_attribute(name: str) -> str:
    """Return the known attribute that is nearly `name`, or ""; HTML and SVG have others."""
    swapped = (own for own in _KNOWN_ATTRIBUTES if sorted(own) == sorted(name))
    return next(swapped, "") or find_closest(name, _KNOWN_ATTRIBUTES, 0.85)


def _blank_match(match: re.Match[str]) -> str:
    """Replace Jinja and comments by placeholders with the same line breaks."""
    filler = {"{{": _FILLED, "{%": _BLOCK}.get(match[0][:2], " ")
    return re.sub(r"[^\n]", filler, match[0])


def _count_line(text: str, position: int) -> int:
    return text.count("\n", 0, position) + 1


_TAG = re.compile(
    r"<!--.*?(?:-->|\Z)|<([a-zA-Z][^\s/>]*+)"
    r"""((?:[^>"'=]++|=\s*+(?:"[^"]*+"?|'[^']*+'?)?+|["'])*+)>?""",
    re.DOTALL,
)
_ATTRIBUTE = re.compile(
    r"""([^\s=>"'/]++)(?:\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s>"']++)))?""", re.DOTALL
)
_URL = re.compile(
    r"""/\*.*?(?:\*/|\Z)|(?<![\w-])url\(\s*+(?:"([^"\n]*+)"|'([^'\n]*+)'|([^"'()\s]++))\s*+\)"""
    r"""|"(?:[^"\\\n]|\\.)*+"?|'(?:[^'\\\n]|\\.)*+'?""",
    re.DOTALL | re.IGNORECASE,
)
_PICTURE_ATTRIBUTES = {"img": ("src",), "embed": ("src",), "image": ("href", "xlink:href")}


def list_pictures(text: str) -> list[str]:
    """Return the addresses of pictures in HTML as written, each once, from tags and styles."""
    return list(dict.fromkeys(_find_pictures(text)))


def _find_pictures(text: str) -> Iterator[str]:
    for match in _TAG.finditer(text):
        rest = match[2] or ""
        if not any(word in rest.lower() for word in ("src", "href", "url(")):
            continue
        sources = _PICTURE_ATTRIBUTES.get(match[1].lower(), ())
        for attribute in _ATTRIBUTE.finditer(rest):
            name = attribute[1].lower()
            value = attribute[2] or attribute[3] or attribute[4] or ""
            if name in sources and value:
                yield value
            elif name == "style":
                yield from list_urls(html.unescape(value))


def list_urls(css: str) -> list[str]:
    """Return the URLs in CSS as written, each once, except those within the same file (#…)."""
    urls = (match[1] or match[2] or match[3] for match in _URL.finditer(css))
    return [url for url in dict.fromkeys(urls) if url and not url.startswith("#")]


def find_attribute(text: str, name: str) -> Iterator[tuple[int, int, str]]:
    """Yield each occurrence of an attribute in HTML: (start, end, value)."""
    if name not in text:
        return
    for tag in _TAG.finditer(text):
        if tag[2] and name in tag[2]:
            for found in _ATTRIBUTE.finditer(tag[2]):
                if found[1].lower() == name:
                    start = tag.start(2)
                    value = found[2] or found[3] or found[4] or ""
                    yield start + found.start(), start + found.end(), value
