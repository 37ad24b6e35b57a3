"""Saves the open target with its inputs, edited shaders and views: as a bundle, or as a folder of files to edit."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path

from texelscope.pipeline.atomic_files import new_folder, write_whole
from texelscope.pipeline.export.bundle import SUFFIX, files_of, pack
from texelscope.pipeline.target import OpenOptions, Target
from texelscope.pipeline.untrusted_files import copy_file, is_file
from texelscope.viewer.app import App
from texelscope.viewer.export.model.exports import folder_for
from texelscope.viewer.key_names import with_keys
from texelscope.viewer.memory.saved_state import as_data
from texelscope.viewer.shader_editor.model.drafts import Stamp, stamp_of

# The keys of a text in a bundle.
TEXT_FIELDS = ("pass", "file", "text")


def save_bundle(
    app: App, folder: Path | None = None, path: Path | None = None, then: Callable[[], None] = lambda: None
) -> None:
    """Writes the open target, its inputs, edited shaders and views as one file that reopens this state.

    The file is `path`, or a name made from the target, in `folder` or in the default folder. `then` is called when the
    file is complete. Raises TexelscopeError while another file is being written.
    """
    document = app.document
    session, target = document.session, document.target
    if session is None or target is None:
        app.log.add(with_keys("There is nothing to save: open a model or a pipeline first (Ctrl+O)."), warning=True)
        return
    if path is None:
        home = folder_for(document.origin or target.path)
        path = (home if folder is None else folder) / f"{home.name}{SUFFIX}"
    inputs = {name: session.tensor(name) for name in session.plan.inputs if session.is_valid(name)}
    state = {**as_data(app.state), "position": document.run.position, "shaders": _tried(app)}
    state["drafts"] = [dict(zip(TEXT_FIELDS, text, strict=True)) for text in app.saving.drafts.untried()]
    plan, place, keep = session.plan, path, _keeping(app)

    def making(progress: Callable[[float], None]) -> Path:
        pack(place, target, plan, inputs, state, progress)
        return place

    def made() -> None:
        keep()
        then()

    app.saving.background.make("Saving the bundle", making, made)


def bundle_place(app: App) -> Path:
    """Returns the default path of a bundle: the opened bundle itself, else a new file beside the exports."""
    document = app.document
    origin = document.origin or ""
    if document.is_unpacked:
        return Path(origin)
    home = folder_for(origin)
    names = (f"{home.name}{SUFFIX}", *(f"{home.name}-{number}{SUFFIX}" for number in range(2, 1000)))
    return next((home / name for name in names if not (home / name).exists()), home / names[0])


def _keeping(app: App) -> Callable[[], None]:
    """Returns a function that records that a bundle now holds all edits made so far."""
    kept, files = frozenset(app.saving.drafts.texts()), stamps_now(app)
    target = app.document.target
    values = dict(target.options.dialect) if target is not None else {}

    def keep() -> None:
        app.saving.drafts.kept = kept
        app.saving.kept_values = values
        if app.document.is_unpacked:
            app.saving.drafts.stamps = files

    return keep


def _tried(app: App) -> list[dict[str, str]]:
    """Returns the texts that passes run in place of the text in their files."""
    session = app.document.session
    assert session is not None
    changed = []
    for each in session.plan.passes:
        own = {file.number: file.text for file in each.program.files}
        for file in session.program_source(each.name).files:
            if own.get(file.number) != file.text:
                changed.append({"pass": each.name, "file": file.path, "text": file.text})
    return changed


def stamps_now(app: App) -> dict[Path, Stamp]:
    """Returns the present stamps of the files of an opened bundle."""
    session, target = app.document.session, app.document.target
    if session is None or target is None or not app.document.is_unpacked:
        return {}
    start = Path(target.path).resolve()
    return {path: stamp_of(path) for path in files_of(start, session.plan)}


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
