"""`language-server` serves an editor that shaders are typed in, by the Language Server Protocol."""

from __future__ import annotations

import argparse
import os
import sys

from texelscope.arguments import add_limits, seconds

HELP = "mark errors and findings in your editor: the Language Server Protocol on standard input and output"
DESCRIPTION = (
    "Serves one editor, as it starts it: compile errors while typing, findings and repairs after a save, values at a "
    "texel, definitions and renaming; docs/editors.md has configurations. Needs the package pygls. Exit code: 0 the "
    "editor ended the session or closed its pipe; 2 it cannot be served."
)
# Typing ends a diagnosis, so that one may take long enough for repairs.
_SECONDS = 60.0


def add(parser: argparse.ArgumentParser) -> None:
    """Adds the command's arguments; editors send everything else."""
    parser.add_argument(
        "--diagnose-seconds",
        metavar="S",
        type=seconds,
        default=_SECONDS,
        help="share S seconds out over the wrong passes after a save; 0: no diagnosis (default: 60)",
    )
    parser.add_argument("--trust", action="store_true", help="run the Python of a pipeline's oracle file")
    add_limits(parser)


def run(options: argparse.Namespace) -> int:
    """Serves until the editor ends the session."""
    import contextlib

    from texelscope.pipeline.crash_report.fault_log import program_version
    from texelscope.pipeline.errors import TexelscopeError
    from texelscope.pipeline.target import OpenOptions

    try:
        from texelscope.language_server.features import shader_server
        from texelscope.language_server.one_line_log import log_on_one_line
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in ("pygls", "lsprotocol"):
            raise
        raise TexelscopeError(
            "language-server", "the package pygls", "none", 'pip install "texelscope[language-server]"'
        ) from error

    log_on_one_line()
    server = shader_server(program_version(), OpenOptions(trust=options.trust), options.diagnose_seconds)
    stream = sys.stdout
    # The server closes its streams, and a thread may still wait for input when this program ends: they are copies.
    incoming, outgoing = open(os.dup(0), "rb"), open(os.dup(stream.fileno()), "wb")  # noqa: SIM115, PTH123
    with contextlib.redirect_stdout(sys.stderr):  # what anything prints is no message
        try:
            server.start_io(incoming, outgoing)
        finally:
            server.end()
    return 0
