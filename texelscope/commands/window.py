"""`window` opens the window on a target; without a display, it writes a table and pictures."""

from __future__ import annotations

import argparse
import logging
import os
import sys
from pathlib import Path

from texelscope.arguments import add_target, demo, target_of
from texelscope.diff_modes import other_target, print_difference
from texelscope.output import say, show
from texelscope.pipeline.display import DisplayFound, display
from texelscope.pipeline.errors import one_line

HELP = "open the window (the default); without a display, write a table and snapshots"


def add(parser: argparse.ArgumentParser) -> None:
    """Adds the command's arguments."""
    add_target(parser, ".onnx file, pipeline.toml or bundle")
    parser.add_argument(
        "--captured", metavar="DIR", help="show another device's capture beside it (a folder with capture.json)"
    )
    parser.add_argument("--against", metavar="TARGET", help="run another target beside this one, on the same inputs")
    parser.add_argument("--against-layout", metavar="LAYOUT", help="run the target beside itself in another layout")
    parser.add_argument(
        "--against-precision", choices=("float32", "float16"), help="run the target beside itself in another storage"
    )
    parser.add_argument("--verbose", action="store_true", help="print to standard error what happens in the window")
    parser.add_argument(
        "--scale",
        metavar="FACTOR",
        type=_scale,
        help="size of text and controls, 0.5 to 4 (default: the display's own)",
    )


def run(options: argparse.Namespace) -> int:
    """Opens the window; returns its exit code when it closes."""
    if not (found := display()).name:
        return _headless(options, found)
    from texelscope.viewer.allocator import collect_later, keep_large_apart, share_one_pool

    collect_later()
    share_one_pool()  # before there are threads to share it
    keep_large_apart()
    from texelscope.viewer.window import open_window

    if options.verbose:
        logging.basicConfig(format="%(asctime)s %(name)s: %(message)s", stream=sys.stderr)
        logging.getLogger("texelscope.window").setLevel(logging.DEBUG)
    asked = options.target is not None or bool(options.input)
    target = target_of(options)
    sent: list[tuple[str, dict[str, object]]] = []
    if options.captured is not None:
        sent.append(("open_capture", {"path": options.captured}))
    if (beside := other_target(target, options)) is not None:
        sent.append(("open_beside", {"target": beside}))
    return open_window(target, demo=demo(), scale=options.scale, asked=asked, sent=sent)


def _scale(text: str) -> float:
    """Parses a factor from 0.5 to 4; anything else is an error of argparse."""
    try:
        factor = float(text)
    except ValueError:
        factor = 0.0
    if not 0.5 <= factor <= 4.0:
        raise argparse.ArgumentTypeError(f"expected a factor from 0.5 to 4, got '{text}'")
    return factor


def _headless(options: argparse.Namespace, missing: DisplayFound) -> int:
    """Writes the table and a picture of every layer on a machine without a display, whose absence `missing` tells."""
    from texelscope.pipeline.commands.captured import captured_exit_code, diff_captured
    from texelscope.pipeline.commands.diff import exit_code, text
    from texelscope.pipeline.export.snapshots import export
    from texelscope.pipeline.opening import open_and_run

    if options.captured is not None:
        report = diff_captured(target_of(options), Path(options.captured)).report
        show(text(report))
        return captured_exit_code(report)
    if (other := other_target(target_of(options), options)) is not None:
        return print_difference(target_of(options), other)
    folder = Path("out") / "snapshots"
    with open_and_run(target_of(options)) as session:
        report = session.compare()
        files = export(session, folder)
    show(text(report))
    show(one_line(f"No display here: {len(files)} layer pictures are in {folder}{os.sep} instead of a window."))
    say(f"no window: {missing.missing}. {missing.do_next}")
    return exit_code(report)
