"""What a print shop would say of a PDF, before it does: any PDF, ours or a stranger's.

In: a file and what a printer asks (`spec`). Out: what it holds, page by page (`facts`), and what is
wrong with it, as problems (`examine`). Files are hostile until looked at: pages, operators, depth,
pixels and what is unpacked are bounded (`streams`). Called by `cli.preflighting`; the figures of
shops by `outputs.shops`, too.
"""
