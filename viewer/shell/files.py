"""Opens files that a person chooses or drops: pictures and arrays go into an input, folders and videos are played,
captures are shown beside the open target, and all others are opened as targets.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.importers.registry import importer_for
from texelscope.pipeline.inputs.sources import PICTURE_SUFFIXES
from texelscope.pipeline.plan import Backend
from texelscope.pipeline.target import OpenOptions, Target
from texelscope.viewer.app import App
from texelscope.viewer.captured.commands import is_capture, open_capture
from texelscope.viewer.layers.injecting import inject, is_missing


def open_path(app: App, path: str, shapes: str = "", backend: Backend | None = None) -> None:
    """Opens a file; `shapes` are those of free dimensions, separated by spaces, with or without `--shape`.

    `backend` selects draws or dispatches for forms; the default is the last choice. While a layer that cannot run is
    selected, an array replaces the missing value of that layer.
    """
    from texelscope.pipeline.commands.arguments import parse_shapes
    from texelscope.pipeline.dialects.tfjs.recording.kinds import is_recording
    from texelscope.pipeline.dialects.webgl.kinds import is_webgl_recording
    from texelscope.pipeline.dialects.webgpu.kinds import is_webgpu_recording
    from texelscope.pipeline.injection.sources import SUFFIXES
    from texelscope.pipeline.inputs.video import is_video

    path = str(Path(path.strip()).expanduser())
    is_recorded = any(each(Path(path)) for each in (is_recording, is_webgl_recording, is_webgpu_recording))
    if not is_recorded and is_capture(Path(path)):
        open_capture(app, path)
        return
    session = app.document.session
    if Path(path).suffix.lower() in SUFFIXES and is_missing(app, app.selected or ""):
        inject(app, path=Path(path))
        return
    is_folder = Path(path).is_dir() and not is_recorded
    is_played = is_folder or is_video(path)
    is_input = is_played or Path(path).suffix.lower() in PICTURE_SUFFIXES | {".npy"}
    if is_input and session is not None and session.plan.inputs:
        chosen = app.selected
        name = chosen if chosen in session.plan.inputs else session.plan.inputs[0]
        if is_played:
            app.inputs.playback.start(name, path)
        else:
            app.inputs.playback.stop()
            app.document.set_input(name, path)
        return
    try:
        options = OpenOptions(shapes=parse_shapes(_words(shapes)), backend=backend or app.remembering.settings.backend)
        app.send("open", target=Target(path, options))
    except TexelscopeError as error:
        app.log.add(str(error), error=True)


def open_paths(app: App, paths: Sequence[str]) -> None:
    """Opens files that were dropped together: shaders of one folder as passes of one draft, others one by one."""
    from texelscope.pipeline.importers.planned_draft import SHADERS

    shaders = [Path(path) for path in paths if _is_bare_shader(path)]
    first, *others = shaders or [Path()]
    if others and all(each.is_relative_to(first.parent) for each in others):
        names = ", ".join(each.relative_to(first.parent).as_posix() for each in others)
        app.send("open", target=Target(str(first), OpenOptions(dialect={SHADERS: names})))
        paths = [path for path in paths if Path(path) not in shaders]
    for path in paths:
        open_path(app, path)


def _is_bare_shader(path: str) -> bool:
    from texelscope.pipeline.importers.bare_shader import BareShaderImporter

    try:
        return isinstance(importer_for(path), BareShaderImporter)
    except TexelscopeError:
        return False


def _words(shapes: str) -> list[str]:
    """Splits shapes that were pasted from an error message, or typed."""
    try:
        words = shlex.split(shapes)
    except ValueError:  # an unmatched quotation mark
        words = shapes.split()
    return [word for word in words if word != "--shape"]
