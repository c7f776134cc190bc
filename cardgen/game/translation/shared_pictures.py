"""Pictures of a workbook that stand in several places, each kept once."""

from __future__ import annotations

import hashlib
import io
import zipfile

_MEDIA, _PARTS = "xl/media/", "xl/drawings/_rels/"


def once(data: bytes) -> bytes:
    """The workbook with each picture once, whatever shows it."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        same = _same(package)
        if not same:
            return data
        with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as shared:
            for part in package.infolist():
                if part.filename in same:
                    continue
                content = package.read(part)
                if part.filename.startswith(_PARTS):
                    content = _led(content, same)
                shared.writestr(part, content)
    return made.getvalue()


def _same(package: zipfile.ZipFile) -> dict[str, str]:
    """Pictures that another one is like, and that one."""
    first: dict[bytes, str] = {}
    found = {}
    for name in package.namelist():
        if name.startswith(_MEDIA):
            kept = first.setdefault(hashlib.sha256(package.read(name)).digest(), name)
            if kept != name:
                found[name] = kept
    return found


def _led(content: bytes, same: dict[str, str]) -> bytes:
    """What leads to pictures, led to those that are kept."""
    parts = content.split(b'"')
    for number, part in enumerate(parts):
        kept = same.get(part.decode(errors="replace").lstrip("/"))
        if kept:
            parts[number] = b"/" + kept.encode()
    return b'"'.join(parts)
