"""What all else stands on: problems, lengths, files, the store, processes and their bounds.

In: paths, bytes and calls. Out: text and nodes with their places, what was kept, results of calls
in helper processes that cannot outlast their bounds. Knows nothing of cards; called by everyone.
"""
