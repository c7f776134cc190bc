"""What a face's HTML must be like to stand in one document with other faces."""

from __future__ import annotations

import pytest

from cardgen.faces.page_layout import MAX_DEPTH, MAX_ELEMENTS, find_structure_error


@pytest.mark.parametrize(
    "html",
    [
        "",
        "School & more < less",
        "<p>One<p>Two",
        "<ul><li>One<li>Two</ul>",
        "<table><tr><td>1<td>2<tr><td>3</table>",
        "<p>One<div>Two</div></p>",
        "<b>a <i>b</b> c</i>",
        "<img src=x><br/><hr>",
        "<svg viewBox='0 0 1 1'><g><path d='M0 0'/></g></svg>",
        "<!-- <div> --><div></div>",
        "<div>" * MAX_DEPTH + "</div>" * MAX_DEPTH,
        "<br>" * MAX_ELEMENTS,
    ],
)
def test_sound(html: str) -> None:
    assert find_structure_error(html) == ("", "")


@pytest.mark.parametrize(
    ("html", "at", "what"),
    [
        ("<div data-at=a.html:1>\n", "a.html:1", "<div> is not closed"),
        ("<div data-at=a.html:1><b data-at=a.html:2></div>", "a.html:2", "<b> is not closed"),
        ("<div data-at=a.html:1><p data-at=a.html:2><b data-at=a.html:3>", "a.html:3", "<b> is"),
        ("<p data-at=a.html:1></p></div>", "a.html:1", "</div> closes nothing"),
        ("<div data-at=a.html:1><span data-at=a.html:2></div>", "a.html:2", "<span> is not closed"),
        ("<p data-at=a.html:1></p><!-- left open", "a.html:1", "a <!-- is not closed"),
        ("<p data-at=a.html:1></p><div class='x'", "a.html:1", "a < is not closed"),
        ("<style data-at=a.html:1>p { color: red }</style>", "a.html:1", "<style> is not allowed"),
        ("<script data-at=a.html:1></script>", "a.html:1", "<script> is not allowed"),
        ("<div data-at=a.html:1>" * (MAX_DEPTH + 1), "a.html:1", "elements are nested more than"),
        ("<br data-at=a.html:1>" * (MAX_ELEMENTS + 1), "a.html:1", "there are more than"),
    ],
)
def test_unsound(html: str, at: str, what: str) -> None:
    where, message = find_structure_error(html)
    assert where == at
    assert message.startswith(what)
