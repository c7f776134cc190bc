"""The profile of a printing condition, for the tests of files for the press.

No profile lies in the repository: it is made once, of the free characterisation data of offset on
coated paper (FOGRA39) that Debian's package icc-profiles-free has, by colprof of its package
argyll. It is kept in pytest's own cache folder.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

from cardgen.runtime import safe_files

MEASURED = Path("/usr/share/color/icc/FOGRA39L.ti3")
INK = 339
"""The most ink that the profile itself ever gives, in %."""
NEEDED = "CARDGEN_NEEDS_PROFILE"
"""Set where files for a press must be tried: no test of them may be left out."""


@pytest.fixture(scope="session")
def profile(pytestconfig: pytest.Config) -> Path:
    """The file of a CMYK profile of class `prtr`. Without what makes it the test is skipped, or
    fails where `NEEDED` is set."""
    colprof = shutil.which("colprof")
    if colprof is None:
        _missing("no profile can be made: colprof is missing (Debian's package argyll)")
    if not MEASURED.is_file():
        _missing(f"no profile can be made: {MEASURED} is missing (package icc-profiles-free)")
    assert pytestconfig.cache is not None
    assert colprof is not None
    digest = hashlib.sha256(MEASURED.read_bytes()).hexdigest()[:12]
    folder = pytestconfig.cache.mkdir(f"press-{digest}")
    kept = folder / "FOGRA39L.icc"
    with safe_files.hold_folders([folder], lambda _: None):
        if not kept.is_file():
            _make(colprof, kept)
    return kept


def _missing(why: str) -> None:
    if os.environ.get(NEEDED):
        pytest.fail(why)
    pytest.skip(why)


def _make(colprof: str, kept: Path) -> None:
    with tempfile.TemporaryDirectory(dir=kept.parent) as name:
        work = Path(name) / "FOGRA39L.ti3"
        shutil.copy(MEASURED, work)
        # Of low quality: seven seconds of the processor instead of eighteen.
        command = [colprof, "-ql", "-b", "-kr", "-D", "FOGRA39L for tests", work.stem]
        subprocess.run(command, cwd=name, check=True, capture_output=True)
        work.with_suffix(".icc").replace(kept)
