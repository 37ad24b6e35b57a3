"""`debug-adapter` lets an editor step through a fragment, by the Debug Adapter Protocol on its standard streams."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from texelscope.arguments import add_limits

if TYPE_CHECKING:
    from texelscope.pipeline.debug_adapter.recording import LaunchOrder

HELP = "let an editor step through a fragment: the Debug Adapter Protocol on standard input and output"
DESCRIPTION = (
    "Serves one session of the Debug Adapter Protocol, as editors start it; docs/editors.md has configurations for VS "
    "Code, Neovim and Emacs. Exit code: 0 the editor ended the session or closed its pipe; 2 it sent something else."
)


def add(parser: argparse.ArgumentParser) -> None:
    """Adds the limits: an editor sends everything else."""
    add_limits(parser)


def run(options: argparse.Namespace) -> int:
    """Serves the session; returns 0."""
    del options
    import contextlib

    from texelscope.ending import refuses_output
    from texelscope.pipeline.debug_adapter.serving import serve

    stream = sys.stdout
    # A thread may still wait for input when this program ends: it has a stream of its own, which Python does not close.
    incoming = open(os.dup(0), "rb")  # noqa: SIM115, PTH123
    with contextlib.redirect_stdout(sys.stderr):  # what anything prints is no message
        serve(incoming, stream.buffer, _order, lambda: refuses_output(stream))
    return 0


def _order(given: Mapping[str, Any]) -> tuple[LaunchOrder, tuple[str, ...]]:
    from texelscope.launch_arguments import launch_arguments
    from texelscope.pipeline.errors import TexelscopeError

    folder = given.get("cwd")
    if isinstance(folder, str) and folder:
        try:
            os.chdir(folder)
        except (OSError, ValueError) as error:
            got = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            raise TexelscopeError("launch argument 'cwd'", "a folder", f"'{folder}': {got}", "Correct it.") from error
    arguments = launch_arguments(given)
    return arguments.order, arguments.unknown
