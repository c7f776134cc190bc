"""JSON that somebody else wrote, read; and what is wrong with it, said so that it can be mended."""

from __future__ import annotations

import json
from typing import Any


class NotJson(ValueError):  # noqa: N818 - it reads as what it says
    """What is wrong, as text, and the line where it is known; 0 elsewhere."""

    def __init__(self, why: str, line: int = 0) -> None:
        super().__init__(why)
        self.line = line


def parse(data: str | bytes) -> Any:
    """The value that JSON text says, with or without a byte order mark. Raises `NotJson`."""
    try:
        text = data.decode(json.detect_encoding(data)) if isinstance(data, bytes) else data
        return json.loads(text.removeprefix("\ufeff"))
    except json.JSONDecodeError as error:
        raise NotJson(f"not JSON: {error.msg}", error.lineno) from None
    except UnicodeDecodeError:
        raise NotJson("not UTF-8") from None
    except RecursionError:
        raise NotJson("nested too deep") from None
    except ValueError:  # Python reads whole numbers of 4,300 digits at most
        raise NotJson("a number of more than 4,300 digits is in it") from None
