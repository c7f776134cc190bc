"""Run the steps of action.yml as GitHub does, on a small game with a pull request: `--into FOLDER`.

    python distribution/try_action.py [--into FOLDER] [--install]

A repository is made with two games and two commits: where a branch began, and what its pull request
asks for. Each `run:` step of action.yml is run in bash, with what the runner gives it: the inputs'
defaults, the event, files for outputs and for the summary. The steps that use other actions are
passed over, and the one that installs, unless that is asked for: then cardgen is installed into a
fresh environment, as the action does it, and nothing is fetched otherwise. What came of it is
looked at, and told; it ends with 1 if anything is not as it should be.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[1]
INSTALLING = "install"
_EXPRESSION = re.compile(r"\$\{\{\s*([a-z_.-]+)\s*\}\}")
_ALWAYS = "${{ !cancelled() }}"
_GAME = "game: {0}\ntitle: {{en: {1}}}\nlanguages: [en]\ndate: '2026-01-02'\n"
_DECK = """deck: fish
title: {en: Fish}
size: poker
front: fish.html
fields: {name: text, weight: integer}
cards:
  - {id: perch, name: Perch, weight: 2}
  - {id: pike, name: Pike, weight: 5, copies: 2}
"""
_FRONT = (
    '<p style="position: absolute; left: 8mm; top: 10mm">{{ card.name }}</p>\n'
    '<p style="position: absolute; left: 8mm; top: 20mm">{{ card.weight }}</p>\n'
)
_RULES = "rules:\n  - {id: net, sum: fish, of: weight, at_most: 14, because: it holds no more}\n"
GAMES = ("lake", "games/sea shore")
"""Two games, the folder of one of which has a blank in its name."""
CHANGED = GAMES[1]
"""The one that the pull request changes; main went on with the other."""


class Wrong(Exception):  # noqa: N818 - it reads as what it says
    """What is not as it should be."""


@dataclass
class Step:
    """What a step that was run came to."""

    name: str
    code: int
    said: str


@dataclass
class Job:
    """A workflow's job as the action sees it: its checkout, the runner's folder and the event."""

    workspace: Path
    temp: Path
    context: dict[str, str]
    env: dict[str, str] = field(default_factory=dict)
    steps: list[Step] = field(default_factory=list)

    @property
    def summary(self) -> str:
        """What the job's page shows."""
        return (self.temp / "summary.md").read_text(encoding="utf-8")

    @property
    def failed(self) -> bool:
        """Whether a step failed."""
        return any(step.code for step in self.steps)

    def step(self, name: str) -> Step:
        """The step of that name."""
        return next(step for step in self.steps if step.name == name)


def action() -> dict[str, Any]:
    """action.yml, read."""
    found: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    return found


def pull_request(folder: Path) -> tuple[Path, str, str]:
    """A repository whose main went on since a branch left it, which a pull request asks to take;
    and the commits that the event names: of main and of the branch. The branch is checked out."""
    repository = folder / "repository"
    for game in GAMES:
        _write(repository / game, game)
    (repository / ".gitignore").write_text("build/\n")
    _git(repository, "init", "-q", "-b", "main")
    _commit(repository)
    _git(repository, "checkout", "-q", "-b", "pike")
    deck = repository / CHANGED / "cards/fish.yaml"
    deck.write_text(deck.read_text().replace("name: Pike, weight: 5", "name: Old Pike, weight: 6"))
    _commit(repository)
    head = _git(repository, "rev-parse", "HEAD")
    _git(repository, "checkout", "-q", "main")
    deck = repository / GAMES[0] / "cards/fish.yaml"
    deck.write_text(deck.read_text().replace("Perch", "Cod"))
    _commit(repository)
    base = _git(repository, "rev-parse", "HEAD")
    _git(repository, "checkout", "-q", "pike")
    return repository, base, head


def _write(folder: Path, game: str) -> None:
    files = {
        "game.yaml": _GAME.format(Path(game).name.replace(" ", "-"), f'"At the {Path(game).name}"'),
        "cards/fish.yaml": _DECK,
        "cards/rules.yaml": _RULES,
        "templates/fish.html": _FRONT,
    }
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def _commit(repository: Path) -> None:
    _git(repository, "add", "-A")
    _git(repository, "commit", "-qm", "as it is")


def _found(program: str) -> str:
    path = shutil.which(program)
    if path is None:
        raise Wrong(f"{program} is not installed")
    return path


def _git(repository: Path, *words: str) -> str:
    who = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
    done = subprocess.run(
        [_found("git"), *who, *words], cwd=repository, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


def run(
    folder: Path,
    given: Mapping[str, str] | None = None,
    *,
    install: Path | None = None,
    commands: bool = True,
) -> Job:
    """The action run on a pull request, with another context than the usual where that is `given`.
    With `install` it installs the cardgen of that checkout, else it is called as it is here;
    without `commands` there is none to call."""
    told = action()
    repository, base, head = pull_request(folder)
    temp = folder / "runner"
    temp.mkdir()
    inputs = {name: str(each["default"]) for name, each in told["inputs"].items()}
    context = {f"inputs.{name}": value for name, value in inputs.items()} | {
        "github.event_name": "pull_request",
        "github.event.pull_request.base.sha": base,
        "github.event.pull_request.head.sha": head,
        "github.action_path": str(install or ROOT),
        "runner.temp": str(temp),
        # Without sudo, what it would install from Debian must be there already.
        "runner.os": "Linux" if sys.platform == "linux" and shutil.which("sudo") else "other",
    }
    around = _environment(repository, temp, folder / "bin")
    if install:
        around = _fresh(around, folder / "fresh")
    elif not commands:
        (folder / "bin/cardgen").write_text("#!/bin/sh\nexit 127\n")
    job = Job(repository, temp, context | dict(given or {}), around)
    for step in told["runs"]["steps"]:
        left_out = "uses" in step or (step.get("id") == INSTALLING and not install)
        if left_out or (job.failed and step.get("if") != _ALWAYS):
            continue
        job.steps.append(_run(step, job))
    return job


def _environment(repository: Path, temp: Path, commands: Path) -> dict[str, str]:
    """What the runner tells every step, with the cardgen of this checkout in its path."""
    commands.mkdir()
    command = commands / "cardgen"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -P -m cardgen "$@"\n')
    command.chmod(0o755)
    for name in ("summary.md", "output", "env", "path"):
        (temp / name).touch()
    around = {name: value for name, value in os.environ.items() if not name.startswith("GITHUB_")}
    return around | {
        "PATH": os.pathsep.join([str(commands), os.environ.get("PATH", os.defpath)]),
        "PYTHONPATH": str(ROOT),
        "CI": "true",
        "GITHUB_ACTIONS": "true",
        "GITHUB_WORKSPACE": str(repository),
        "GITHUB_SERVER_URL": "https://github.com",
        "GITHUB_REPOSITORY": "someone/games",
        "GITHUB_RUN_ID": "17",
        "GITHUB_STEP_SUMMARY": str(temp / "summary.md"),
        "GITHUB_OUTPUT": str(temp / "output"),
        "GITHUB_ENV": str(temp / "env"),
        "GITHUB_PATH": str(temp / "path"),
    }


def _fresh(around: Mapping[str, str], folder: Path) -> dict[str, str]:
    """The same with a new environment of Python in place of the cardgen of this checkout."""
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    path = os.pathsep.join([str(folder / "bin"), os.environ.get("PATH", os.defpath)])
    kept = {name: value for name, value in around.items() if name != "PYTHONPATH"}
    return kept | {"PATH": path, "VIRTUAL_ENV": str(folder)}


def _run(step: Mapping[str, Any], job: Job) -> Step:
    if step.get("shell") != "bash":
        raise Wrong(f"the step {step['name']} names no shell")
    own = {name: filled(str(value), job.context) for name, value in step.get("env", {}).items()}
    script = job.temp / "step.sh"
    script.write_text(step["run"], encoding="utf-8")
    done = subprocess.run(
        [_found("bash"), "--noprofile", "--norc", "-eo", "pipefail", str(script)],
        cwd=job.workspace, env=job.env | own, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True, check=False,
    )  # fmt: skip
    return Step(step["name"], done.returncode, done.stdout)


def filled(text: str, context: Mapping[str, str]) -> str:
    """A text with its expressions filled in, each a value of the context."""
    return _EXPRESSION.sub(lambda match: context.get(match[1], ""), text)


def wrongs(job: Job, games: Sequence[str] = GAMES) -> Iterator[str]:
    """What of a run on those games is not as it should be."""
    if job.failed:
        yield "a step failed"
    made = job.temp / "cardgen"
    for number, game in enumerate(sorted(games), start=1):
        name = f"{number}-{re.sub(r'[^A-Za-z0-9_-]', '-', Path(game).name)}"
        if not (made / name / "en/sheets.pdf").is_file():
            yield f"{game}: no sheets"
        if not (made / f"diff-{name}.html").is_file():
            yield f"{game}: no page"
    if "fish/pike: name, weight" not in job.summary.replace("&#58;", ":"):
        yield "the summary does not tell of the card that changed"
    if ("Nothing changed." in job.summary) is not (len(games) > 1):
        yield "the summary does not say that the other game is as it was"
    if "](https://github.com/someone/games/actions/runs/17#artifacts)" not in job.summary:
        yield "the summary does not say where the pages are"
    if job.context["inputs.sarif"] == "true" and not any(
        (job.temp / "cardgen-sarif").glob("*.sarif")
    ):
        yield "no SARIF"
    if "::" in job.step("Check").said:
        yield "problems are told of a game that has none"


def main() -> int:
    """Run it, tell what came of it, and whether that is as it should be."""
    asked = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    asked.add_argument("--into", type=Path, help="keep what was made here")
    asked.add_argument("--install", action="store_true", help="run the step that installs, too")
    given = asked.parse_args()
    folder = given.into or Path(tempfile.mkdtemp(prefix="cardgen-action-"))
    folder.mkdir(parents=True, exist_ok=True)
    try:
        install = ROOT if given.install else None
        job = run(folder.resolve(), {"inputs.sarif": "true"}, install=install)
        for step in job.steps:
            print(f"## {step.name}: {step.code}\n{step.said}")
        print(job.summary)
        found = [*wrongs(job)]
        print("\n".join(found) or "all as it should be")
    finally:
        if not given.into:
            shutil.rmtree(folder, ignore_errors=True)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
