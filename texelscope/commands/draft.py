"""`draft` writes a pipeline file for shaders."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from texelscope.arguments import add_limits
from texelscope.output import show

if TYPE_CHECKING:
    from texelscope.pipeline.draft.drafting import DraftRequest

HELP = "write a pipeline file for shaders, from what they declare and what can be guessed"
DESCRIPTION = (
    "Writes a new folder with the shaders and a pipeline.toml: samplers, uniforms, blocks, outputs and work groups "
    "come from the declarations, sizes and bindings from names and from the model, with the reason beside each guess. "
    'With a model the layouts are tried until every pass matches it. What nothing says is a "?": fill it in. '
    "Of a recording of WebGL it writes, with a model, the table of which texture holds which tensor, for --oracle. "
    "Exit code: 0 nothing is missing; 1 something is; 2 a file could not be read."
)


def add(parser: argparse.ArgumentParser) -> None:
    """Adds the command's arguments."""
    parser.add_argument(
        "shaders", metavar="SHADER", nargs="+", help=".frag, .comp, .vert or .glsl files, in order; or a recording"
    )
    parser.add_argument("--to", metavar="DIR", required=True, help="new or empty folder to write to")
    parser.add_argument("--model", metavar="MODEL", help=".onnx file whose layers the shaders compute")
    for option, says in (
        ("--output", "shape of what a pass writes, such as conv1=1,16,32,32"),
        ("--shape", "shape of an input, such as image=1,3,64,64"),
    ):
        parser.add_argument(option, metavar="NAME=SIZES", action="append", default=[], help=says)
    parser.add_argument(
        "--input", metavar="NAME=SOURCE", action="append", default=[], help="picture, .npy file or pattern of an input"
    )
    add_limits(parser)


def run(options: argparse.Namespace) -> int:
    """Writes the folder; returns 0, or 1 if something is missing."""
    from texelscope.pipeline.commands.arguments import parse_inputs, parse_shapes
    from texelscope.pipeline.commands.draft import described
    from texelscope.pipeline.dialects.webgl.kinds import is_webgl_recording
    from texelscope.pipeline.dialects.webgpu.kinds import is_webgpu_recording
    from texelscope.pipeline.draft.drafting import DraftRequest
    from texelscope.pipeline.draft.fields import Certainty
    from texelscope.pipeline.draft_writing.writing import write_draft

    request = DraftRequest(
        parse_shapes(options.output, "--output"), parse_shapes(options.shape), parse_inputs(options.input)
    )
    model = Path(options.model) if options.model is not None else None
    first = Path(options.shaders[0])
    if len(options.shaders) == 1 and (is_webgl_recording(first) or is_webgpu_recording(first)):
        return _table(first, Path(options.to), request, model)
    written = write_draft([Path(each) for each in options.shaders], Path(options.to), request, model)
    for line in described(written):
        show(line)
    return 1 if written.draft.count(Certainty.ASKED) else 0


def _table(recording: Path, folder: Path, request: DraftRequest, model: Path | None) -> int:
    """Writes the table of a recording's textures; returns 1 if a texture is only like its tensor."""
    from texelscope.pipeline.draft_writing.texture_table import write_texture_table
    from texelscope.pipeline.errors import TexelscopeError

    if model is None:
        raise TexelscopeError(
            f"draft {recording.name}", "--model MODEL beside a recording, whose passes it explains", "none", "Name it."
        )
    written = write_texture_table(recording, folder, request, model)
    show(written.summary)
    return 1 if any(each.likeness is not None for each in written.meanings) else 0
