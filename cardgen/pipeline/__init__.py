"""The build from a request to published files, as plain calls.

Comes in: a request. Goes out: a report, files in `build/`. Called by: the command line, the preview and the diff."""
