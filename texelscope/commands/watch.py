"""`watch` compares a target anew after every save, in the terminal."""

from __future__ import annotations

import argparse
from contextlib import closing

from texelscope.arguments import add_target, named_target, seconds
from texelscope.output import show_screen, terminal_height, terminal_width

HELP = "compare anew after every save, with the first wrong pass and its line on one screen"
DESCRIPTION = (
    "Runs the target, compares every pass with the oracle, and does so again whenever a file of it is saved. In a "
    "terminal each round replaces the one before. Ctrl+C ends it. Exit code: 2 the saves cannot be watched."
)
# As `diff` has it by default.
_SECONDS = 10.0


def add(parser: argparse.ArgumentParser) -> None:
    """Adds the command's arguments."""
    add_target(parser)
    parser.add_argument(
        "--diagnose-seconds",
        metavar="S",
        type=seconds,
        default=_SECONDS,
        help="share S seconds out over the wrong passes, for their causes and repairs; 0: no diagnosis (default: 10)",
    )


def run(options: argparse.Namespace) -> int:
    """Prints rounds until a signal ends it."""
    from texelscope.pipeline.commands.watch import screen, watched

    target = named_target(options)
    with closing(watched(target, options.diagnose_seconds)) as rounds:
        for found in rounds:
            show_screen(screen(found, str(target.path), terminal_width(), terminal_height()))
    return 0
