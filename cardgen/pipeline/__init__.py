"""The pipeline: a request goes in; a report and files in `build/` come out.

`build` and `check` call the stages as plain functions. The command line, the preview and the diff
call `build`, `check` or single stages.
"""
