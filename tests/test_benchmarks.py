"""The benchmarks run to their end, on a few cards."""

from __future__ import annotations

import subprocess
import sys

import chromium
from conftest import ROOT


def run_short(name: str) -> str:
    command = [sys.executable, "-P", f"benchmarks/{name}.py", "--short"]
    result = subprocess.run(command, cwd=ROOT, text=True, capture_output=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


@chromium.needs_browser
def test_the_benchmark_of_the_preview_measures_every_kind_of_edit() -> None:
    lines = run_short("preview").splitlines()
    assert [line.rpartition(":")[0] for line in lines if line] == [
        "first picture, store empty",
        "all faces, store empty",
        "a word of a card, first picture",
        "a word of a card, last in view",
        "a colour of its style, first picture",
        "a colour of its style, last in view",
        "a sentence, page in view",
        "a sentence, the PDF written",
    ]


def test_the_benchmark_of_builds_ends() -> None:
    assert run_short("run").count("| what | time |") == 4
