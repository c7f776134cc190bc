"""Conversion to PDF/X-4 (ISO 15930-7): every colour in the inks of one printing condition.

`convert_to_pdfx` takes a composed PDF and a `PrintingCondition`. It returns the PDF in CMYK, and a
record of each page: its colours, and how much ink they take.
"""
