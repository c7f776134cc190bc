"""Order and temporary files of a run: files that take longest come first, nothing is left behind.

`--record-durations` writes how long each file took into durations.json, beside this module.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections import defaultdict
from operator import itemgetter
from pathlib import Path

import pytest

DURATIONS = Path(__file__).with_name("durations.json")
SHORTEST_SECONDS = 1.0
"""Files that take less are not listed, and come last."""
WHOLE = frozenset({"wheel", "site"})
"""Fixtures whose tests are marked `whole`, for `make test-all`: they build a wheel or the site of
the documentation."""
_seconds: dict[str, float] = defaultdict(float)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--record-durations", action="store_true", help="for the order of the files")


def pytest_configure(config: pytest.Config) -> None:
    """Give the run a folder for temporary files, its own or that of the process that started it.

    What killed processes leave, such as the fonts of WeasyPrint, goes with it.
    """
    config.addinivalue_line(
        "markers", "whole: of a wheel, the site or a broken cluster; make test-all"
    )
    if hasattr(config, "workerinput"):
        return
    # Folders of tests stay where pytest puts them, which keeps those of the last three runs.
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", tempfile.gettempdir())
    folder = tempfile.mkdtemp(prefix="cardgen-tests-")
    os.environ["TMPDIR"], tempfile.tempdir = folder, folder
    config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of the whole, and put the files that take longest first, so that no process
    has one left when others end.
    """
    for item in items:
        if WHOLE.intersection(getattr(item, "fixturenames", ())):
            item.add_marker("whole")
    known = json.loads(DURATIONS.read_text(encoding="utf-8"))
    items.sort(key=lambda item: -known.get(item.nodeid.partition("::")[0], 0))


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Count the seconds of a file."""
    _seconds[report.nodeid.partition("::")[0]] += report.duration


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Write the durations, if that is asked for."""
    if session.config.getoption("--record-durations") and not hasattr(
        session.config, "workerinput"
    ):
        longest = sorted(_seconds.items(), key=itemgetter(1), reverse=True)
        listed = {file: round(each) for file, each in longest if each >= SHORTEST_SECONDS}
        DURATIONS.write_text(json.dumps(listed, indent=1) + "\n", encoding="utf-8")
