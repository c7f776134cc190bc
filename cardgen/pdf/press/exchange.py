"""A composed PDF made one for a press: PDF/X-4 (ISO 15930-7) of one printing condition.

The profile lies in the file, every page tells where it is cut, and what a press cannot use goes:
links, notes, forms, scripts, and what is there to be read aloud.
"""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from hashlib import blake2b
from typing import Any
from uuid import UUID
from xml.sax.saxutils import escape

import pikepdf
from pikepdf import Array, Dictionary, Name, String

from cardgen.pdf import bookmarks, boxes
from cardgen.pdf.press.condition import Condition, Paper
from cardgen.pdf.press.conversion import Conversion
from cardgen.pdf.press.seen import Seen
from cardgen.pdf.press.separating import separator

VERSION = "1.6"
_NO_DATE = "2000-01-01"
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}\Z")
_NOT_FOR_PRESS = ("/AcroForm", "/OpenAction", "/AA", "/Names", "/StructTreeRoot", "/MarkInfo")
_NOT_ON_PAGES = ("/Annots", "/AA", "/StructParents", "/Tabs")
_XMP = """<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about=""
 xmlns:dc="http://purl.org/dc/elements/1.1/"
 xmlns:xmp="http://ns.adobe.com/xap/1.0/"
 xmlns:xmpMM="http://ns.adobe.com/xap/1.0/mm/"
 xmlns:pdf="http://ns.adobe.com/pdf/1.3/"
 xmlns:pdfxid="http://www.npes.org/pdfx/ns/id/">
<pdfxid:GTS_PDFXVersion>PDF/X-4</pdfxid:GTS_PDFXVersion>
<dc:format>application/pdf</dc:format>
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">{title}</rdf:li></rdf:Alt></dc:title>
<pdf:Producer>cardgen</pdf:Producer>
<pdf:Trapped>False</pdf:Trapped>
<xmp:CreatorTool>cardgen</xmp:CreatorTool>
<xmp:CreateDate>{date}T00:00:00Z</xmp:CreateDate>
<xmp:ModifyDate>{date}T00:00:00Z</xmp:ModifyDate>
<xmp:MetadataDate>{date}T00:00:00Z</xmp:MetadataDate>
<xmpMM:DocumentID>uuid:{document}</xmpMM:DocumentID>
<xmpMM:VersionID>1</xmpMM:VersionID>
<xmpMM:RenditionClass>default</xmpMM:RenditionClass>
</rdf:Description>
</rdf:RDF>
</x:xmpmeta>
<?xpacket end="r"?>"""


def converted(pdf: bytes, condition: Condition, paper: Paper) -> tuple[bytes, list[Seen]]:
    """A PDF for the press, and what was seen on each of its pages. Raises `Unprintable`.

    The same bytes for the same PDF and condition.
    """
    with pikepdf.open(io.BytesIO(pdf)) as document:
        conversion = Conversion(document, separator(condition))
        seen = []
        for page in document.pages:
            seen.append(conversion.page(page))
            _bare(page.obj, _NOT_ON_PAGES)
            boxes.tell(page, paper.bleed)
        _bare(document.Root, _NOT_FOR_PRESS)
        _plain_outlines(document)
        if paper.names:
            document.Root.PageLabels = _labels(paper.names)
        _intended(document, condition)
        _told(document, paper)
        return _saved(document), seen


def picked(pdf: bytes, pages: Sequence[int], paper: Paper) -> bytes:
    """Some pages of a converted PDF, numbered from 0, as a file of their own."""
    with pikepdf.open(io.BytesIO(pdf)) as document:
        for number in reversed(range(len(document.pages))):
            if number not in pages:
                del document.pages[number]
        document.Root.PageLabels = _labels(paper.names)
        _told(document, paper)
        return _saved(document)


def _saved(document: Any) -> bytes:
    out = io.BytesIO()
    document.remove_unreferenced_resources()
    document.save(
        out, deterministic_id=True, force_version=VERSION,
        object_stream_mode=pikepdf.ObjectStreamMode.generate,
    )  # fmt: skip
    return out.getvalue()


def _bare(item: Any, names: Sequence[str]) -> None:
    for name in names:
        if name in item:
            del item[name]


def _plain_outlines(document: Any) -> None:
    """Bookmarks lead to places of the file; what they would do else goes."""
    for item in bookmarks.each(document):
        action = item.get("/A")
        if action is not None:
            if action.get("/S") == Name.GoTo and "/D" in action:
                item.Dest = action.D
            del item["/A"]
        if isinstance(item.get("/Dest"), (String, Name)):
            del item["/Dest"]  # a name that went with the others


def _labels(names: Sequence[str]) -> Dictionary:
    """What viewers show in place of pages' numbers."""
    numbered: list[Any] = []
    for number, name in enumerate(names):
        numbered += [number, Dictionary(P=String(name))]
    return Dictionary(Nums=Array(numbered))


def _intended(document: Any, condition: Condition) -> None:
    """The printing condition, its profile in the file."""
    profile = condition.profile
    stream = document.make_stream(profile.data)
    stream.N, stream.Alternate = 4, Name.DeviceCMYK
    document.Root.OutputIntents = Array([
        Dictionary(
            Type=Name.OutputIntent, S=Name.GTS_PDFX, Info=String(profile.description),
            OutputCondition=String(profile.description),
            OutputConditionIdentifier=String(profile.description),
            DestOutputProfile=document.make_indirect(stream),
        )
    ])  # fmt: skip


def _told(document: Any, paper: Paper) -> None:
    """Title, dates and kind, once for readers of each age."""
    date = paper.date if _DATE.match(paper.date) else _NO_DATE
    stamp = f"D:{date.replace('-', '')}000000Z"
    for name in list(document.docinfo):
        del document.docinfo[name]
    document.docinfo["/Title"] = paper.title
    document.docinfo["/Producer"] = document.docinfo["/Creator"] = "cardgen"
    document.docinfo["/CreationDate"] = document.docinfo["/ModDate"] = stamp
    document.docinfo["/Trapped"] = Name("/False")
    told = repr((paper.title, date, paper.bleed, paper.names))
    digest = blake2b(told.encode(), digest_size=16).digest()
    text = _XMP.format(title=escape(paper.title), date=date, document=UUID(bytes=digest, version=4))
    metadata = document.make_stream(text.encode())
    metadata.Type, metadata.Subtype = Name.Metadata, Name.XML
    document.Root.Metadata = metadata
