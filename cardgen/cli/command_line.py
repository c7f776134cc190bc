"""The command line: the commands by name, each imported when it is run, and its exit codes."""

from __future__ import annotations

import gc
import io
import logging
import os
import re
import sys
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from cardgen.cli.terminal import (
    BUG,
    FINE,
    INTERRUPTED,
    PROBLEMS,
    USAGE,
    format_path,
    print_lines,
    print_text,
)
from cardgen.core import work_limits
from cardgen.core.problems import ProblemsError, did_you_mean
from cardgen.core.work_limits import LimitExceededError
from cardgen.runtime import processes
from cardgen.runtime.safe_files import PathBlockedError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from click.shell_completion import CompletionItem

COMMANDS = {
    "add": ("start_commands", "add", "Add a deck to a game."),
    "build": ("build_commands", "build_", "Make sheets, images, rulebooks and virtual tables."),
    "calibrate": ("build_commands", "calibrate", "Correct where a printer puts backs."),
    "check": ("build_commands", "check", "Check a game: files, texts, layout and rules."),
    "check-files": ("build_commands", "check_files", "Check the games that some files belong to."),
    "check-tts": ("file_check_commands", "check_tts", "Check a Tabletop Simulator save."),
    "clean": ("build_commands", "clean", "Remove what builds of this game made."),
    "completion": ("editor_commands", "completion", "Print a script for shell completion."),
    "diff": ("diff_command", "diff", "Show every changed card before and after, as a page."),
    "eject": ("start_commands", "eject", "Write a deck's look out as HTML and CSS."),
    "fetch": ("download_commands", "fetch", "Fetch the tables that say where they come from."),
    "fonts": ("download_commands", "fonts", "Fetch the fonts that the game asks for."),
    "list": ("inventory_commands", "list_", "List what is in the box."),
    "looks": ("start_commands", "looks", "List the looks that come with cardgen."),
    "new": ("start_commands", "new", "Start a game that builds at once."),
    "preflight": ("file_check_commands", "preflight", "Check PDFs against what print shops ask "
    "for."),
    "preview": ("preview_command", "preview", "Show every card in the browser while you edit."),
    "printed": ("change_commands", "printed", "Record that the game as it is now is printed."),
    "schema": ("editor_commands", "schema", "Write JSON Schemas of the game's files, for editors."),
    "stats": ("inventory_commands", "stats", "Show statistics of decks, and odds of draws."),
    "texts": ("text_commands", "texts", "Export texts for translators, and import them."),
    "which": ("change_commands", "which", "Find the card with a stamp, and its state."),
}  # fmt: skip
"""Command: its module in this package, its function there, and a line of help."""


_TYPESETTING_COMMANDS = {"build", "check"}
_OWN_WORKERS_PATTERN = re.compile(r"--workers\b|--help\Z|-h\Z")
"""Arguments of commands that need no workers of this machine, or another number."""


class _LazyGroup(click.Group):
    """The commands by name. Help and completion import none of them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, name, _ = COMMANDS[cmd_name]
        found: click.Command = getattr(import_module(f"cardgen.cli.{module}"), name)
        return found

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name not in COMMANDS and not name.startswith("-"):
            hint = did_you_mean(name, COMMANDS)
            hint = hint if "did you mean" in hint else "; 'cardgen --help' lists them"
            raise click.UsageError(f"there is no command '{name}'{hint}", ctx)
        if name in _TYPESETTING_COMMANDS and not any(map(_OWN_WORKERS_PATTERN.match, args)):
            from cardgen.runtime import worker_pool  # noqa: PLC0415 - not for help

            worker_pool.warm_up_workers()  # while this process imports the command
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command. Problems that end it are printed here, whichever command it is."""
        try:
            return super().invoke(ctx)
        except ProblemsError as error:
            from cardgen.cli.command_output import print_problems  # noqa: PLC0415 - seldom

            print_problems(error.problems)
        except PathBlockedError as error:
            print_lines(f"{format_path(error.path)}: error: {error}", err=True)
        sys.exit(PROBLEMS)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, what) for name, (_, _, what) in sorted(COMMANDS.items())])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem  # noqa: PLC0415 - a shell is waiting

        return [
            *(CompletionItem(name, help=what) for name, (_, _, what) in sorted(COMMANDS.items())
              if name.startswith(incomplete)),
            *click.Command.shell_complete(self, ctx, incomplete),
        ]  # fmt: skip


def _print_version(context: click.Context, _param: click.Parameter, asked: bool) -> None:
    if asked and not context.resilient_parsing:
        from cardgen import __version__  # noqa: PLC0415 - looked up only where it is asked for

        print_lines(f"cardgen, version {__version__}")
        context.exit()


@click.command(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_print_version,
              help="Show the version and exit.")  # fmt: skip
def cli() -> None:
    """Print-and-play card games from a folder of YAML, HTML and SVG.

    GAME is a folder with a game.yaml; without it, the nearest one upward.
    """


class _LogHandler(logging.Handler):
    """Handler that prints log records, such as a worker that was killed."""

    def emit(self, record: logging.LogRecord) -> None:
        print_lines(record.getMessage(), err=True)


class _ClickOutput(io.StringIO):
    """A text stream for click's own messages. Colours are kept, and removed when they are
    printed.
    """

    def isatty(self) -> bool:
        return True


_GC_THRESHOLDS = 200_000, 20, 50
"""Thresholds of the garbage collector.

A command keeps what it reads and plans to its end. Searching all of it for cycles again and again
would take most of the time of a large game.
"""


def run() -> NoReturn:
    """Run the command line and exit. An exception that escapes is a bug."""
    gc.set_threshold(*_GC_THRESHOLDS)
    logging.getLogger("cardgen").addHandler(_LogHandler())
    try:
        cli(prog_name="cardgen", standalone_mode=False)
    except (click.exceptions.Abort, KeyboardInterrupt):
        sys.exit(INTERRUPTED)
    except click.exceptions.Exit as leave:
        sys.exit(leave.exit_code)
    except click.ClickException as error:
        said = _ClickOutput()
        error.show(said)
        print_text(said.getvalue(), err=True)
        sys.exit(USAGE)
    except (LimitExceededError, MemoryError) as error:
        why = work_limits.format_memory_limit() if isinstance(error, MemoryError) else error
        print_lines(f"error: {why}", err=True)
        sys.exit(PROBLEMS)
    except OSError as error:
        if error.filename or error.errno in work_limits.SYSTEM_REFUSALS:
            # Whatever names a file is the user's or the machine's.
            why = error.strerror or str(error)
            # Somebody else's words say more, and what may not be opened was perhaps only read.
            if why == os.strerror(error.errno or 0) and not isinstance(error, PermissionError):
                why = work_limits.SYSTEM_REFUSALS.get(error.errno or 0, why)
            is_of_file = error.filename and error.errno not in work_limits.SHORTAGES
            place = format_path(Path(os.fsdecode(error.filename))) if is_of_file else "error"
            print_lines(f"{place}: {why}", err=True)
            sys.exit(PROBLEMS)
        if "cannot load library" not in str(error):
            _report_bug()
        from cardgen import system_libraries  # noqa: PLC0415 - seldom

        lost = system_libraries.find_missing_libraries() or ["Pango"]
        print_text(
            system_libraries.format_missing_libraries(lost, system_libraries.detect_system()),
            err=True,
        )
        sys.exit(PROBLEMS)
    except Exception:
        _report_bug()
    sys.exit(FINE)


def _report_bug() -> NoReturn:
    if processes.is_interrupted():
        sys.exit(INTERRUPTED)
    print_text("\n".join(_write_report()), err=True)
    sys.exit(BUG)


_REPORT_VARIABLE = "CARDGEN_REPORT"
_REPORTED_LIBRARIES = ("click", "jinja2", "pikepdf", "pillow", "typst", "weasyprint")


def _write_report() -> Iterator[str]:
    """Yield what a user can send: what was at work and the versions, no path or text of theirs."""
    import platform  # noqa: PLC0415 - seldom
    import traceback  # noqa: PLC0415
    from importlib import metadata  # noqa: PLC0415

    from cardgen import __version__  # noqa: PLC0415

    if os.environ.get(_REPORT_VARIABLE) == "full":
        yield from traceback.format_exc().splitlines()
    else:
        error, packages = sys.exc_info()[1], Path(__file__).parents[2].as_posix()
        for frame in traceback.extract_tb(error.__traceback__ if error else None):
            place = Path(frame.filename).as_posix().rpartition("/site-packages/")[2]
            place = place.removeprefix(f"{packages}/")
            place = Path(place).name if Path(place).is_absolute() else place
            yield f"  {place}:{frame.lineno} {frame.name}"
        yield f"  {type(error).__name__}"
    found = []
    for name in _REPORTED_LIBRARIES:
        with suppress(metadata.PackageNotFoundError):
            found.append(f"{name} {metadata.version(name)}")
    command = next((word for word in sys.argv[1:] if word in COMMANDS), "")
    yield f"  cardgen {__version__} {command}, Python {platform.python_version()},"
    yield f"  {platform.system()} {platform.machine()}, {', '.join(found)}"
    yield ""
    yield (
        f"This is a bug in cardgen {__version__}, not in your game. Please report the lines above "
        "where you got cardgen from. They hold no text, name or path of your game; with "
        f"{_REPORT_VARIABLE}=full in the environment they also say what failed on what."
    )
