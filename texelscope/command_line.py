"""Texelscope: see a neural network run as framebuffer passes, and name the first shader that is wrong.

This module parses the command line and hands over to one of `texelscope.commands`.
"""

from __future__ import annotations

import argparse
import logging
import math
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from texelscope.ending import EXIT_CODES, OneLineParser, ended, signals_end_it, threads_tell
from texelscope.pipeline.crash_report.recent import Recent

if TYPE_CHECKING:
    from texelscope.pipeline.discovery import Plugin

# Loggers whose warnings the user has to see at once: of plug-ins that are left out, and of the plan of a target.
_TOLD = ("texelscope.plugins", "texelscope.plan")
_DESCRIPTION = "Texelscope: see a neural network run as framebuffer passes, and name the first shader that is wrong."


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command; returns its exit code. An error that a user can cause is one line on standard error."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    with signals_end_it(), threads_tell(), Recent():
        return ended(lambda: _run_in_time(words) if arguments is None else _run(words), debug="--debug" in words)


def _run_in_time(words: list[str]) -> int:
    from texelscope.in_time import run_in_time

    code = run_in_time(words) if any(word.startswith("--timeout") for word in words) else None
    return _run(words) if code is None else code


def _run(words: list[str]) -> int:
    from texelscope.pipeline.start_marks import SayMarks, mark

    with ExitStack() as listening:
        for name in _TOLD:
            listening.enter_context(_said(name))
        commands = all_commands()
        if not words or (words[0] not in commands and words[0] not in ("-h", "--help")):
            words = ["window", *words]
        options, unknown = parser_of(commands).parse_known_args(words)
        if unknown:
            options.parser.error(f"unrecognized arguments: {' '.join(unknown)}")
        if options.debug:
            listening.enter_context(SayMarks(sys.stderr))
        _check_folder()
        mark("imported")
        with _bounded(words[0], options):
            return int(options.run(options))


@contextmanager
def _said(name: str) -> Iterator[None]:
    """Prints warnings of a logger to standard error, a line each, inside the `with` block."""

    class Says(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            from texelscope.output import say

            say(f"warning: {record.getMessage()}")

    handler, logger = Says(logging.WARNING), logging.getLogger(name)
    logger.addHandler(handler)
    try:
        yield
    finally:
        logger.removeHandler(handler)


def _check_folder() -> None:
    """Raises TexelscopeError if the current folder was deleted: libraries ask for it on import."""
    from texelscope.pipeline.errors import TexelscopeError

    try:
        Path.cwd()
    except OSError as error:
        got = "a deleted or unreadable one"
        raise TexelscopeError("the current folder", "one that exists", got, "Go to another folder (cd).") from error


@contextmanager
def _bounded(name: str, options: argparse.Namespace) -> Iterator[None]:
    """Enforces the user's limits on the work inside; a window may stay open as long as it likes."""
    from texelscope.pipeline.deadline import within
    from texelscope.pipeline.quotas import allowing, present, quotas_of, with_seconds

    seconds = getattr(options, "timeout", None)
    timed = present() if seconds is None else with_seconds(present(), seconds)
    whole = math.inf if seconds is None or name == "window" else seconds
    with allowing(timed), allowing(quotas_of(getattr(options, "limit", []))), within(whole, name):
        yield


def all_commands() -> Mapping[str, Plugin]:
    """Returns the commands by the names of their modules, with - for _.

    Raises TexelscopeError for one that lacks a part.
    """
    from texelscope import commands as commands_folder
    from texelscope.pipeline.discovery import plugins

    found = {plugin.stem.replace("_", "-"): plugin for plugin in plugins(commands_folder)}
    for plugin in found.values():
        plugin.take("HELP", "one line", "Say what the command does.", lambda value: isinstance(value, str))
        for part in ("add", "run"):
            plugin.take(part, "a function", "See the other commands.", callable)
    return found


def parser_of(commands: Mapping[str, Plugin]) -> argparse.ArgumentParser:
    """Builds the parser for the command lines of these commands."""
    from texelscope.pipeline.installation import command

    parser = OneLineParser(
        prog=command(),
        description=_DESCRIPTION,
        epilog=f"Without a command, the window opens TARGET ({command()} [TARGET]); without TARGET, the bundled demo. "
        f"The file argument - means standard output. {EXIT_CODES}",
    )
    parsers = parser.add_subparsers(metavar="COMMAND", required=True)
    for name, plugin in commands.items():
        module = plugin.module
        own = parsers.add_parser(name, help=module.HELP, description=getattr(module, "DESCRIPTION", None))
        module.add(own)
        own.add_argument(
            "--debug",
            action="store_true",
            help="print to standard error each finished step of the start, and the traceback of a fault",
        )
        own.set_defaults(run=module.run, parser=own)
    return parser


if __name__ == "__main__":
    sys.exit(main())
