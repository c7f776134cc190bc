"""action.yml, run as GitHub runs it: what a pull request is told, and by whom the shell is told."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import try_action
import yaml
from conftest import ROOT
from try_action import CHANGED, GAMES, Job

from cardgen.outputs.registry import DEFAULT_OUTPUTS

STEPS = try_action.action()["runs"]["steps"]


@pytest.fixture(scope="module")
def job(tmp_path_factory: pytest.TempPathFactory) -> Job:
    """The action on a pull request, for the one game that it changes."""
    given = {"inputs.games": f"\n  {CHANGED}\n", "inputs.build": "sheets"}
    return try_action.run(tmp_path_factory.mktemp("action"), given)


def test_a_pull_request_gets_sheets_a_page_and_a_summary(job: Job) -> None:
    said = "\n".join(step.said for step in job.steps)
    assert [*try_action.wrongs(job, (CHANGED,))] == [], said
    assert [step.name for step in job.steps] == [
        "Who asks", "Fonts", "Check", "Build", "What the pull request changes",
    ]  # fmt: skip
    assert "- net&#58; moved; weight of fish 12 → 14 (≤ 14)" in job.summary
    (page,) = (job.temp / "cardgen").glob("diff-*.html")
    assert page.read_text(encoding="utf-8").count("<img ") == 2


def test_a_pull_request_of_a_stranger_gets_no_rights(tmp_path: Path) -> None:
    """pull_request_target would build it with those of the repository."""
    job = try_action.run(tmp_path, {"github.event_name": "pull_request_target"})
    first = job.step("Who asks")
    assert first.code == 1
    assert first.said.startswith("::error title=cardgen::run this action on pull_request, ")
    assert [step.name for step in job.steps] == ["Who asks", "What the pull request changes"]
    assert job.steps[1].said == ""


def test_every_game_of_the_repository_is_found(tmp_path: Path) -> None:
    """The first step alone is run: the second one fails, for want of a command."""
    job = try_action.run(tmp_path, {"runner.os": "", "inputs.diff": "false"}, commands=False)
    assert (job.temp / "cardgen-games").read_text().splitlines() == sorted(GAMES)
    assert f"folder={job.temp}/cardgen\n" in (job.temp / "output").read_text()


def test_nothing_from_outside_is_written_into_a_script() -> None:
    scripts = [step["run"] for step in STEPS if "run" in step]
    assert len(scripts) == 6
    assert not any("${{" in script for script in scripts)
    used = [step["uses"] for step in STEPS if "uses" in step]
    assert all(re.match(r"actions/[a-z-]+@v\d+\Z", name) for name in used), "GitHub's own alone"


def test_every_input_is_told_and_used() -> None:
    told = try_action.action()
    text = (ROOT / "action.yml").read_text(encoding="utf-8")
    page = (ROOT / "docs/teams.md").read_text(encoding="utf-8")
    for name, each in told["inputs"].items():
        assert each["description"].endswith("."), name
        assert f"${{{{ inputs.{name} }}}}" in text, name
        assert f"| `{name}` |" in page, name
    assert told["inputs"]["build"]["default"].split()[0] in DEFAULT_OUTPUTS


def test_the_workflow_of_the_page_asks_for_few_rights() -> None:
    page = (ROOT / "docs/teams.md").read_text(encoding="utf-8")
    blocks = [yaml.safe_load(text) for text in re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)]
    flows = [block for block in blocks if isinstance(block, dict) and "jobs" in block]
    assert flows
    for flow in flows:
        rights = flow["permissions"]
        assert rights["contents"] == "read"
        assert set(rights) <= {"contents", "security-events"}
        # YAML reads the bare word `on` as true.
        assert "pull_request_target" not in str(flow[True])
        checkout = flow["jobs"]["cards"]["steps"][0]
        assert checkout["with"] == {"fetch-depth": 0, "persist-credentials": False}
