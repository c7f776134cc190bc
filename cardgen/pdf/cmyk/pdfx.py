"""PDF/X-4 (ISO 15930-7) of one printing condition, made of a composed PDF."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from hashlib import blake2b
from itertools import chain
from typing import Any
from uuid import UUID
from xml.sax.saxutils import escape

import pikepdf
from pikepdf import Array, Dictionary, Name, String

from cardgen.pdf import page_edits
from cardgen.pdf.cmyk.page_conversion import InkConversion
from cardgen.pdf.cmyk.printing_condition import PressMetadata, PrintingCondition
from cardgen.pdf.cmyk.separation import SeparationRecord, get_separator
from cardgen.pdf.pdf_objects import save_pdf

PDFX_VERSION = "1.6"
_DEFAULT_DATE = "2000-01-01"
_DATE_PATTERN = re.compile(r"\d{4}-\d{2}-\d{2}\Z")
_REMOVED_ROOT_KEYS = ("/AcroForm", "/OpenAction", "/AA", "/Names", "/StructTreeRoot", "/MarkInfo")
_REMOVED_PAGE_KEYS = ("/Annots", "/AA", "/StructParents", "/Tabs")
_XMP_TEMPLATE = """<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
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


def convert_to_pdfx(
    pdf: bytes, condition: PrintingCondition, paper: PressMetadata
) -> tuple[bytes, list[SeparationRecord]]:
    """Return a PDF for the press, and the record of each page. Raises `UnprintableError`."""
    with pikepdf.open(io.BytesIO(pdf)) as document:
        conversion = InkConversion(document, get_separator(condition))
        records = []
        for page in document.pages:
            records.append(conversion.convert_page(page))
            _remove_keys(page.obj, _REMOVED_PAGE_KEYS)
            page_edits.set_page_boxes(page, paper.bleed)
        _remove_keys(document.Root, _REMOVED_ROOT_KEYS)
        _simplify_bookmarks(document)
        if paper.page_names:
            document.Root.PageLabels = _make_page_labels(paper.page_names)
        _set_output_intent(document, condition)
        _set_metadata(document, paper)
        return _save_document(document), records


def extract_pages(pdf: bytes, pages: Sequence[int], paper: PressMetadata) -> bytes:
    """Return some pages of a converted PDF, numbered from 0, as a file of their own."""
    with pikepdf.open(io.BytesIO(pdf)) as document:
        for number in reversed(range(len(document.pages))):
            if number not in pages:
                del document.pages[number]
        document.Root.PageLabels = _make_page_labels(paper.page_names)
        _set_metadata(document, paper)
        return _save_document(document)


def _save_document(document: Any) -> bytes:
    document.remove_unreferenced_resources()
    return save_pdf(document, force_version=PDFX_VERSION)


def _remove_keys(item: Any, names: Sequence[str]) -> None:
    for name in names:
        if name in item:
            del item[name]


def _simplify_bookmarks(document: Any) -> None:
    """Keep only the targets of bookmarks in the file, and remove their other actions."""
    for item in page_edits.iterate_bookmarks(document):
        action = item.get("/A")
        if action is not None:
            if action.get("/S") == Name.GoTo and "/D" in action:
                item.Dest = action.D
            del item["/A"]
        if isinstance(item.get("/Dest"), (String, Name)):
            del item["/Dest"]  # a name that went with the others


def _make_page_labels(names: Sequence[str]) -> Dictionary:
    """Return the labels that viewers show in place of page numbers."""
    labels = enumerate(Dictionary(P=String(name)) for name in names)
    return Dictionary(Nums=Array(list(chain.from_iterable(labels))))


def _set_output_intent(document: Any, condition: PrintingCondition) -> None:
    """Set the output intent, with the profile in the file."""
    profile = condition.profile
    stream = document.make_stream(profile.data, N=4, Alternate=Name.DeviceCMYK)
    document.Root.OutputIntents = Array([
        Dictionary(
            Type=Name.OutputIntent, S=Name.GTS_PDFX, Info=String(profile.description),
            OutputCondition=String(profile.description),
            OutputConditionIdentifier=String(profile.description),
            DestOutputProfile=document.make_indirect(stream),
        )
    ])  # fmt: skip


def _set_metadata(document: Any, paper: PressMetadata) -> None:
    """Set title, dates and standard, in the old and the new form of metadata."""
    date = paper.date if _DATE_PATTERN.match(paper.date) else _DEFAULT_DATE
    stamp = f"D:{date.replace('-', '')}000000Z"
    for name in list(document.docinfo):
        del document.docinfo[name]
    document.docinfo["/Title"] = paper.title
    document.docinfo["/Producer"] = document.docinfo["/Creator"] = "cardgen"
    document.docinfo["/CreationDate"] = document.docinfo["/ModDate"] = stamp
    document.docinfo["/Trapped"] = Name("/False")
    told = repr((paper.title, date, paper.bleed, paper.page_names))
    digest = blake2b(told.encode(), digest_size=16).digest()
    text = _XMP_TEMPLATE.format(
        title=escape(paper.title), date=date, document=UUID(bytes=digest, version=4)
    )
    metadata = document.make_stream(text.encode(), Type=Name.Metadata, Subtype=Name.XML)
    document.Root.Metadata = metadata
