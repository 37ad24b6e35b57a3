"""`mcp` serves assistants that write shaders, over the Model Context Protocol."""

from __future__ import annotations

import argparse
from pathlib import Path

from texelscope.arguments import add_limits

HELP = "serve an assistant over the Model Context Protocol (standard input and output)"
DESCRIPTION = (
    "Tools for an assistant that writes shaders: compare, trace, show textures and reads, and search for repairs of "
    "targets inside one folder. Nothing is changed without --allow-edit. Needs the package mcp. Exit code: 0 the "
    "assistant has closed its end; 2 it cannot be served."
)


def add(parser: argparse.ArgumentParser) -> None:
    """Adds the command's arguments."""
    parser.add_argument("folder", metavar="DIR", nargs="?", default=".", help="the folder to serve (default: this one)")
    parser.add_argument("--allow-edit", action="store_true", help="let the assistant change shaders and pipeline files")
    parser.add_argument("--trust", action="store_true", help="run the Python of a pipeline's oracle file")
    add_limits(parser)


def run(options: argparse.Namespace) -> int:
    """Serves until the other end is closed."""
    from texelscope.pipeline.crash_report.fault_log import program_version
    from texelscope.pipeline.errors import TexelscopeError
    from texelscope.pipeline.untrusted_files import is_folder

    if not is_folder(options.folder):
        raise TexelscopeError(options.folder, "a folder", "none", "Check the path.")
    try:
        from texelscope.assistant.server import server_of
    except ModuleNotFoundError as error:
        if error.name is None or not error.name.startswith("mcp"):
            raise
        raise TexelscopeError("mcp", "the package mcp", "none", 'pip install "texelscope[mcp]"') from error
    from texelscope.assistant.workbench import Workbench

    folder = Path(options.folder).resolve()
    bench = Workbench(folder, trusts=options.trust, may_edit=options.allow_edit)
    server_of(bench, program_version()).run()
    return 0
