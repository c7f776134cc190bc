"""Files as a press takes them: PDF/X-4, every colour in the inks of one printing condition.

In comes a PDF that is put together already, and a `Condition`; out goes the same in CMYK, with what
was seen on each page: which colours, and how much ink. `outputs.press` calls `converted`.

`profiles` looks at profiles before LittleCMS does; `separating` turns colours and pictures into
inks; `painters` and `conversion` change a document, `gradients` its functions; `exchange` makes it
PDF/X.
"""
