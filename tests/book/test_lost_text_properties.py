"""Whatever a rulebook holds, each of its words is printed or reported."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from test_markdown_of_forges import write

FRAGMENTS = (
    "a<b and {w}>c",
    "x <i {w}> y",
    "1 <s title> 2 {w} <3",
    "<b>{w}",
    "</b> {w}",
    "<q {w}=5>",
    "<!{w} of the game>",
    "<?{w}?>",
    "<![CDATA[{w}]]>",
    "<div {w}>",
    '<span title="{w}">a</span>',
    "<abbr>{w}</abbr>",
    "<td>{w}</td>",
    "<{w}>",
    "<{w} and more>",
    "5*{w}*2",
    "2*{w} and 4*{w}",
    "**{w}**",
    "snake_{w}_case",
    "~~{w}~~",
    "`{w}`",
    "\\[ {w} = 5 \\]",
    "\\( {w} \\)",
    "${w}$",
    "[b]{w}[/b]",
    "'''{w}'''",
    "[{w}](#nowhere)",
    '[a](#nowhere "{w}")',
    "[{w}]{{.lead}}",
    "{w} {{.lead}}",
    "{{.lead}} {w} {{.lead}}",
    "{{}} {w} {{}}",
    "[a]{{{w}=5}}",
    "[{w}]: 5",
    "[^{w}]",
    "a^[{w}]",
    "![{w}](art/none.svg)",
    "![[{w}.png]]",
    "[[{w}]]",
    "%%{w}%%",
    "=={w}==",
    ":{w}:",
    "&{w};",
    "> [!{w}]",
    "> 5 {w}",
    "::: {w}",
    "!!! {w}",
    "*[{w}]: more",
    "| {w} |",
    "# {w}",
    "#{w}",
    "- [ ] {w}",
    "{w}:: 5",
    "Term\n: {w}",
    "    {w} in four spaces",
    "```{w}",
    "\\{w}{{x}}",
    "{{{w}}}",
)
PLACES = {
    "alone": "{}",
    "in a list": "- {}",
    "in a numbered list": "1. {}",
    "in a quotation": "> {}",
    "in a box": "::: note\n{}\n:::",
    "behind words": "Words {} and more.",
    "in a heading": "## {}",
    "in a cell": "| a | b |\n|---|---|\n| {} | c |",
    "in a note": "Words[^n1].\n\n[^n1]: {}",
    "behind a tag": "<div>{}</div>",
    "after a tag": "<p>\n{}\n</p>",
}


@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES)
def test_each_word_is_printed_or_reported(place: str, tmp_path: Path) -> None:
    for number, fragment in enumerate(FRAGMENTS):
        word = f"word{number}q"
        text = place.format(fragment.format(w=word).replace("\n", "\n  "))
        html, problems = write(tmp_path / str(number), f"{text}\n\nEnd of the book.\n")
        printed = re.sub(r"<[^>]*>", "", html)
        assert word in printed or problems, (text, html)
        assert "End of the book." in printed or problems, (text, html)
