"""Processes and their limits, files, locks and the store."""
