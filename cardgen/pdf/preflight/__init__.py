"""Preflight: what a print shop would object to in a PDF, from cardgen or any other program.

`inspection` reads a file and what a printer asks (`printer_spec`), and returns problems and a
summary. Files may be hostile: pages, operators, nesting, pixels and the size of streams are
limited.
"""
