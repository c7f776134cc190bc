"""The profile of a printing condition, for the tests of files for the press.

No profile lies in the repository: it is made once, of the free characterisation data of offset on
coated paper (FOGRA39) that Debian's package icc-profiles-free has, by colprof of its package
argyll. It is kept in pytest's own cache folder.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

from cardgen.base import folder_lock

MEASURED = Path("/usr/share/color/icc/FOGRA39L.ti3")
INK = 339
"""The most ink that the profile itself ever gives, in %."""


@pytest.fixture(scope="session")
def profile(pytestconfig: pytest.Config) -> Path:
    """The file of a CMYK profile of class `prtr`; without what makes it, the test is skipped."""
    colprof = shutil.which("colprof")
    if colprof is None:
        pytest.skip("no profile can be made: colprof is missing (Debian's package argyll)")
    if not MEASURED.is_file():
        pytest.skip(f"no profile can be made: {MEASURED} is missing (package icc-profiles-free)")
    assert pytestconfig.cache is not None
    digest = hashlib.sha256(MEASURED.read_bytes()).hexdigest()[:12]
    folder = pytestconfig.cache.mkdir(f"press-{digest}")
    kept = folder / "FOGRA39L.icc"
    with folder_lock.held([folder], lambda _: None):
        if not kept.is_file():
            _make(colprof, kept)
    return kept


def _make(colprof: str, kept: Path) -> None:
    with tempfile.TemporaryDirectory(dir=kept.parent) as name:
        work = Path(name) / "FOGRA39L.ti3"
        shutil.copy(MEASURED, work)
        # Of low quality: seven seconds of the processor instead of eighteen.
        command = [colprof, "-ql", "-b", "-kr", "-D", "FOGRA39L for tests", work.stem]
        subprocess.run(command, cwd=name, check=True, capture_output=True)
        work.with_suffix(".icc").replace(kept)
