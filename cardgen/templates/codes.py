"""QR codes as drawings, for addresses and whatever else a telephone reads off a card."""

from __future__ import annotations

import io

LEVELS = ("l", "m", "q", "h")
"""How much of a code may be spoilt and still be read: 7, 15, 25 or 30 %."""
_LONGEST = 1000


def qr(text: str, level: str = "m", colour: str = "#000000", quiet: int = 0) -> bytes:
    """The SVG of a code (ISO/IEC 18004) that fills its picture; `quiet` modules around it stay
    free, where the template does not see to that. Raises ValueError for what no code can hold."""
    import segno  # noqa: PLC0415 - only where codes are printed

    if level not in LEVELS:
        raise ValueError(f"a code's level is {', '.join(LEVELS[:-1])} or {LEVELS[-1]}")
    if not text or len(text) > _LONGEST:
        raise ValueError(f"a code holds a text of 1 to {_LONGEST} signs")
    if not 0 <= quiet <= 8:
        raise ValueError("the quiet zone of a code is 0 to 8 modules")
    try:
        code = segno.make_qr(text, error=level, boost_error=False)
        out = io.BytesIO()
        code.save(
            out, kind="svg", dark=colour, border=quiet, xmldecl=False, svgclass=None,
            lineclass=None, omitsize=False, nl=False,
        )  # fmt: skip
    except ValueError as error:
        raise ValueError(f"the code cannot be made: {error}") from None
    return out.getvalue()


def modules(text: str, quiet: int) -> list[list[bool]]:
    """The rows of a code of a short text, True for dark, with so many free modules around it."""
    import segno  # noqa: PLC0415 - only where codes are shown

    code = segno.make_qr(text, error="l", boost_error=False)
    return [[bool(each) for each in row] for row in code.matrix_iter(border=quiet)]
