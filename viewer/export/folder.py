"""Saves the open target as a folder in which every shader is a file that the user can edit."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path

from texelscope.pipeline.atomic_files import new_folder, write_whole
from texelscope.pipeline.export.bundle import files_of
from texelscope.pipeline.target import OpenOptions, Target
from texelscope.pipeline.untrusted_files import copy_file, is_file
from texelscope.viewer.app import App
from texelscope.viewer.export.model.exports import folder_for


def save_folder(app: App) -> None:
    """Writes all shaders of the open target as files, with everything that they need, and opens that folder.

    A bundle's files are copied beside it. A model is ejected, each pass with the shader that it runs now. Raises
    TexelscopeError while another file is being written.
    """
    document = app.document
    session, target = document.session, document.target
    if session is None or target is None:
        return
    place, plan = folder_place(app), session.plan
    start = Path(target.path).resolve()
    is_model = start.suffix.lower() == ".onnx"
    programs = {each.name: session.program_source(each.name) for each in plan.passes}
    tried = frozenset((*key, text) for key, text in app.saving.drafts.tried.items())
    opened = place / ("pipeline.toml" if is_model else start.name)

    def making(_progress: Callable[[float], None]) -> Path:
        if is_model:
            from texelscope.pipeline.export.eject import eject

            eject(start, place, target.options, programs)
            return opened
        with new_folder(place) as unfinished:
            for file in files_of(start, plan):
                name = file.relative_to(start.parent)
                (unfinished / name).parent.mkdir(parents=True, exist_ok=True)
                copy_file(file, unfinished / name, inside=start.parent)
        return opened

    def made() -> None:
        app.saving.drafts.kept, app.saving.drafts.stamps = tried, {}
        app.state.goes_on_in = str(opened)
        app.send("open", target=Target(str(opened), _options(target, is_model=is_model), _inputs(app, place)))

    app.saving.background.make("Saving the folder", making, made)


def folder_place(app: App) -> Path:
    """Returns the path of a new folder: beside the open bundle, else beside the exports."""
    origin = Path(app.document.origin or "")
    stem = origin.with_suffix("") if app.document.is_unpacked else Path(f"{folder_for(str(origin))}-shaders")
    names = (stem, *(stem.with_name(f"{stem.name}-{number}") for number in range(2, 1000)))
    return next((each for each in names if not each.exists()), stem)


def _options(target: Target, *, is_model: bool) -> OpenOptions:
    """Returns the options to open the folder with; the file of an ejected model holds its layouts."""
    return OpenOptions(backend=target.options.backend) if is_model else target.options


def _inputs(app: App, place: Path) -> dict[str, str]:
    """Returns the same inputs; those of a bundle are copied into the folder."""
    target, found = app.document.target, {}
    assert target is not None
    for name, source in target.inputs.items():
        path = Path(source)
        if app.document.is_unpacked and path.suffix == ".npy" and is_file(path):
            copy = place / "inputs" / path.name
            copy.parent.mkdir(exist_ok=True)
            write_whole(copy, functools.partial(copy_file, path))
            found[name] = str(copy)
        else:
            found[name] = source
    return found
