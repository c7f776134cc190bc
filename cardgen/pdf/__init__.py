"""Everything that touches a PDF. The only importer of weasyprint, pikepdf, reportlab, pypdfium2
and typst; points and CSS pixels live in here, the rest of cardgen knows millimetres.

- typeset: HTML to faces, one small PDF each; measure: what a layout shows before it is painted
- vector: SVG art to PDF; compose: faces, art and fonts put together into one document
- marks: crop marks and slugs; raster: pages to pixels
"""
