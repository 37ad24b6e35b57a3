"""`diff`: every pass against the oracle."""

from __future__ import annotations

import argparse
import dataclasses
from pathlib import Path

from pipeline.errors import TexelscopeError
from texelscope.arguments import add_target, named_target, seconds
from texelscope.output import terminal_width, write_text

HELP = "run everything, compare every pass with the oracle, name the culprit"
DESCRIPTION = (
    "Exit code: 0 no pass is wrong (what the storage rounds is not), 1 one is, 2 it could not run or nothing could be "
    "compared."
)


def add(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    add_target(parser)
    parser.add_argument("--json", metavar="FILE", help="write the report as JSON")
    parser.add_argument("--html", metavar="FILE", help="write it as one page with all textures")
    parser.add_argument(
        "--inject", action="store_true", help="put the oracle's values in place of what cannot run, to go on after it"
    )
    parser.add_argument(
        "--diagnose", metavar="PASS", action="append", default=[], help="diagnose this wrong pass, whatever it takes"
    )
    parser.add_argument(
        "--diagnose-seconds",
        metavar="S",
        type=seconds,
        help="begin no further diagnosis after S seconds; 0: none at all (default: a few passes, 10 seconds)",
    )
    parser.add_argument(
        "--captured",
        metavar="DIR",
        help="judge what another program dumped, in place of a run here (a folder with capture.json, or that file)",
    )


def run(options: argparse.Namespace) -> int:
    """Prints or writes the report; `pipeline.commands.diff.exit_code` of it."""
    from pipeline.commands.captured import captured_exit_code, diff_captured
    from pipeline.commands.diff import diff, exit_code, text
    from pipeline.diagnose.naming import Asked

    if options.json == options.html == "-":
        raise TexelscopeError("--html", "one report on standard output", "two", "Write one of them to a file.")
    if options.captured is not None and options.inject:
        raise TexelscopeError("--inject", "a run here", "a capture", "Leave one of the two out.")
    asked = Asked(tuple(options.diagnose), options.diagnose_seconds)
    target, with_page = dataclasses.replace(named_target(options), inject=options.inject), options.html is not None
    if options.captured is None:
        outcome, code_of = diff(target, with_page=with_page, asked=asked), exit_code
    else:
        outcome, code_of = diff_captured(target, Path(options.captured), with_page=with_page), captured_exit_code
    if options.json is not None:
        write_text(options.json, outcome.report.as_json() + "\n")
    if outcome.page is not None:
        write_text(options.html, outcome.page)
    if "-" not in (options.json, options.html):
        print(text(outcome.report, terminal_width()))
    return code_of(outcome.report)
