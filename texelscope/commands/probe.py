"""`probe`: a page that runs the target's passes in another device's browser."""

from __future__ import annotations

import argparse
from pathlib import Path

from texelscope.arguments import add_target, named_target, seconds

HELP = "one page that runs the passes in a browser's WebGL 2, judges them there, and hands out a capture"
DESCRIPTION = (
    "Writes a page that needs no network: open it on the device in question. It compares every pass, shows what the "
    "driver is, and its download is what 'diff --captured' reads."
)


def add(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    add_target(parser)
    parser.add_argument("--to", metavar="FILE", required=True, help="page to write, such as probe.html")
    parser.add_argument(
        "--limit-mb", metavar="N", type=int, default=None, help="how large the page may become (default 64)"
    )
    parser.add_argument(
        "--diagnose-seconds",
        metavar="S",
        type=seconds,
        help="the target runs here too, and the page has the causes of what is wrong here: begin no further diagnosis "
        "after S seconds; 0: no run here, no causes (default: a few passes, 10 seconds)",
    )


def run(options: argparse.Namespace) -> int:
    """Writes the page."""
    from texelscope.output import show, write_text
    from texelscope.pipeline.diagnose.naming import DiagnosisRequest
    from texelscope.pipeline.errors import one_line
    from texelscope.pipeline.probe.contents import DEFAULT_MOST_MB
    from texelscope.pipeline.probe.page import probe_page, write_probe

    most = DEFAULT_MOST_MB if options.limit_mb is None else options.limit_mb
    page = probe_page(named_target(options), most_mb=most, asked=DiagnosisRequest(seconds=options.diagnose_seconds))
    if options.to == "-":
        write_text("-", page)
        return 0
    write_probe(Path(options.to), page)
    show(
        one_line(
            f"{options.to} ({len(page) / 2**20:.1f} MB); open it in a browser, and judge its download with "
            "'diff TARGET --captured FILE'"
        )
    )
    return 0
