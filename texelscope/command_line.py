"""Texelscope: see a neural network run as framebuffer passes, and name the first shader that is wrong.

This module parses the command line and hands over to one of `texelscope.commands`.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from typing import NoReturn

from pipeline.discovery import Plugin, plugins
from pipeline.errors import TexelscopeError, one_line
from pipeline.installation import command
from pipeline.quotas import allowing, quotas_of
from pipeline.start_marks import SayMarks, mark
from texelscope import commands as commands_folder
from texelscope.output import say

FAILED = 2
# Of what argparse says, which stands behind the command's name.
_MOST_LETTERS = 440


class _Parser(argparse.ArgumentParser):
    """One whose refusals, which quote what was typed, are a line."""

    def error(self, message: str) -> NoReturn:
        """Says how the command is used, and what is wrong; ends the program."""
        super().error(one_line(message, _MOST_LETTERS))


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command; returns its exit code. An error that a user can cause is one line on standard error."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a terminal that lacks a sign gets its number
            stream.reconfigure(errors="backslashreplace")
    try:
        commands = all_commands()
        if not words or (words[0] not in commands and words[0] not in ("-h", "--help")):
            words.insert(0, "window")
        options = parser_of(commands).parse_args(words)
        with SayMarks(sys.stderr) if getattr(options, "debug", False) else nullcontext():
            mark("imported")
            with allowing(quotas_of(getattr(options, "limit", []))):
                return int(options.run(options))
    except TexelscopeError as error:
        say(str(error))
        return FAILED
    except MemoryError:
        say("expected enough memory, got none. Use a smaller --shape.")
        return FAILED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except KeyboardInterrupt:
        return 130


def all_commands() -> Mapping[str, Plugin]:
    """The commands by name, which is that of their module. Raises TexelscopeError for one that lacks a part."""
    found = {plugin.stem: plugin for plugin in plugins(commands_folder)}
    for plugin in found.values():
        plugin.take("HELP", "one line", "Say what the command does.", lambda value: isinstance(value, str))
        for part in ("add", "run"):
            plugin.take(part, "a function", "See the other commands.", callable)
    return found


def parser_of(commands: Mapping[str, Plugin]) -> argparse.ArgumentParser:
    """What reads a command line of these commands."""
    parser = _Parser(
        prog=command(),
        description=__doc__.splitlines()[0],
        epilog=f"Without a command: the window on TARGET ({command()} [TARGET]). Without a TARGET: the bundled demo. "
        "A file argument of - is standard output.",
    )
    parsers = parser.add_subparsers(metavar="COMMAND", required=True)
    for name, plugin in commands.items():
        module = plugin.module
        own = parsers.add_parser(name, help=module.HELP, description=getattr(module, "DESCRIPTION", None))
        module.add(own)
        own.set_defaults(run=module.run)
    return parser


if __name__ == "__main__":
    sys.exit(main())
