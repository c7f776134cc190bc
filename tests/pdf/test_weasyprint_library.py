"""WeasyPrint imported."""

from __future__ import annotations

import subprocess
import sys

import pytest

_COUNTED = """
import sys
started = []
def told(event, given):
    if event == "subprocess.Popen":
        started.append(given)
sys.addaudithook(told)
import cardgen.pdf.weasyprint_library
import ctypes.util
assert ctypes.util.find_library("c")
print(len(started))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="libraries are found in other ways")
def test_no_process_looks_for_its_libraries() -> None:
    """But for the one that is asked here in the end."""
    found = subprocess.run(
        [sys.executable, "-c", _COUNTED], capture_output=True, text=True, check=True
    )
    assert int(found.stdout) <= 1
