"""The fuzzer's parts: seeds, mutations, the worker that runs cases, and what shrinks a find."""
