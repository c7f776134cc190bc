"""PDF and pixels: pages put together from faces, colours changed, pictures drawn of pages.

In: PDFs and operators. Out: PDFs and pictures, the same bytes for the same input. WeasyPrint is set
up here (`weasy`). Called by `faces`, `sheets`, `book` and `outputs`.
"""
