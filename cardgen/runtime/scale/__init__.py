"""Work and stores shared by several machines.

Comes in: calls and store entries. Goes out: their results. Called by: the runtime and the command line."""
