"""Implements the command that writes the drafted pipeline file of a shader."""

from __future__ import annotations

from pathlib import Path

from texelscope.pipeline.atomic_files import write_text_whole
from texelscope.pipeline.target import Target
from texelscope.viewer.app import App
from texelscope.viewer.command import Command, MenuGroup
from texelscope.viewer.document.plan_kinds import as_drafted_plan


def _keep(app: App) -> None:
    """Writes the draft beside its shader, with a name that is free, and opens it."""
    from texelscope.pipeline.draft.document import document

    session, target = app.document.session, app.document.target
    plan = as_drafted_plan(session.plan) if session is not None else None
    if plan is None or target is None:
        app.log.add("Only the draft of a shader can be written, and none is open.")
        return
    shader = Path(target.path)
    place = _free(shader.with_suffix(".toml"))
    write_text_whole(place, document(plan.draft.runnable(), [shader.name]))
    app.log.add(f"Written: {place}")
    app.send("open", target=Target(str(place), inputs=target.inputs))


def find_layouts(app: App) -> bool:
    """Takes up the layouts that were found for the open draft; returns whether there are any."""
    found = app.analyses.layouts.update(app.document, app.log)
    if found and app.document.target is not None:
        app.send("reopen", dialect={**app.document.target.options.dialect, **found})
    return bool(found)


def _free(place: Path) -> Path:
    number, free = 1, place
    while free.exists():
        number += 1
        free = place.with_stem(f"{place.stem}_{number}")
    return free


COMMANDS = (Command("keep_draft", _keep, "Write the draft as a pipeline file"),)
MENUS = (MenuGroup("File", 35, ("keep_draft",)),)
