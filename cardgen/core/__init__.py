"""Values that every other package shares: problems at their file and line, YAML with lines, units,
JSON Schema and the limits of work.

Comes in: text. Goes out: plain values and problems. Called by: everything."""
