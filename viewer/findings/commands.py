"""Implements the commands that name causes, show findings, and try repairs."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import PurePath

from imgui_bundle import imgui

from texelscope.pipeline.compare.repairs import Repair, edited
from texelscope.pipeline.diagnose.naming import WRONG
from texelscope.pipeline.errors import ShaderError
from texelscope.pipeline.gl.session import Session
from texelscope.pipeline.plan import ProgramSource, StoredTensor
from texelscope.viewer.app import App
from texelscope.viewer.command import Command, MenuGroup, chord
from texelscope.viewer.document.plan_kinds import as_file_plan
from texelscope.viewer.key_names import with_keys
from texelscope.viewer.memory.settings import REPAIR_BUDGETS
from texelscope.viewer.running.commands import observe
from texelscope.viewer.shader_editor.model.drafts import Programs, Trial, Writing
from texelscope.viewer.shader_editor.model.pass_texts import PassText, texts_of
from texelscope.viewer.state import View, fit_key

# A tile takes this share of the panel, so that its neighbours are visible too; a texel is at least this large.
TILE_SHARE, SMALLEST_TEXEL, LARGEST_TEXEL = 0.8, 4.0, 32.0


def first_wrong(app: App) -> None:
    """Goes to the first wrong layer and its finding; without one, to where the end-to-end error jumps."""
    name = first_to_see(app)
    if name is not None:
        app.state.select(name)
        app.state.wanted_panels.append("Findings")


def first_to_see(app: App) -> str | None:
    """Returns the first wrong layer, or the one where the end-to-end error jumps; None without either.

    While a comparison is under way that is the first wrong one among those judged so far.
    """
    comparison, early = app.document.comparison, app.document.early
    if comparison is None or not app.document.is_compared:
        return early.first_wrong.name if early is not None and early.first_wrong is not None else None
    whole = comparison.report.end_to_end
    jump = whole.jump.name if whole is not None and whole.jump is not None else None
    return comparison.report.culprit or jump


def show_finding(app: App, name: str, file: str, line: int | None) -> None:
    """Picks the worst element of the pass called `name`, keeps its tile visible, and shows the line of the file."""
    app.state.select(name)
    report = app.document.report_of(name)
    figures = report.isolated if report is not None else None
    stored = app.showing(app.state.views[0], figures.worst) if figures is not None else None
    if line is not None:
        app.state.wanted_line = (file, line)
        app.state.wanted_panels.append("Shader")
    if figures is None or stored is None:
        return
    app.state.wanted_view = 0
    app.state.wanted_panels.append("Texture")
    tx, ty, _ = stored.layout.texel_of(stored.shape, figures.worst)
    _look_at(app, app.state.views[0], stored, (tx, ty))


def _look_at(app: App, view: View, stored: StoredTensor, texel: tuple[int, int]) -> None:
    view.pick, view.fitted = texel, fit_key(stored.key, stored.texture_shape)
    _, _, width, height = app.display.places.get("canvas", (0.0, 0.0, 400.0, 400.0))
    number = stored.layout.tile_index(stored.shape, *texel)
    centre, extent = (texel[0] + 0.5, texel[1] + 0.5), (32.0, 32.0)
    if number >= 0:
        tile = stored.layout.tile(stored.shape, number)
        centre, extent = (tile.tx + tile.width / 2, tile.ty + tile.height / 2), (tile.width, tile.height)
    zoom = min(width / extent[0], height / extent[1]) * TILE_SHARE
    if zoom < SMALLEST_TEXEL:  # the tile does not fit: the texel is more important
        centre = (texel[0] + 0.5, texel[1] + 0.5)
    view.centre, view.zoom = centre, float(int(min(max(zoom, SMALLEST_TEXEL), LARGEST_TEXEL)))


# By path in the plan: the text shown before the repair, and the repaired text.
_Texts = Mapping[str, tuple[PassText, str, str]]


def apply_repair(app: App, name: str, repair: Repair) -> None:
    """Writes a repair of the pass called `name` into the editor, and runs all passes that use its files.

    No file is saved. If the lines of one text were changed since, nothing is applied.
    """
    session = app.document.session
    if session is None or session.plan.find(name) is None:
        return
    texts = _texts(app, session, name, repair)
    target = app.document.target
    if texts is None and target is not None and repair.file == PurePath(target.path).name:
        values = _values_of(session, repair)
        if values:
            app.send("set_values", values=values)
            said = ", ".join(f"{key} = {text}" for key, text in values.items())
            app.log.add(with_keys(f"The repair of '{name}' runs: {said}. Ctrl+S saves it in {repair.file}."))
            return
        says = _asked_for(repair)
        app.log.add(f"The repair of '{name}' belongs in {repair.file}: {says}. Save that file to run it.", warning=True)
        return
    if texts is None:
        app.log.add(f"The repair of '{name}' was not applied: its lines have been changed since.", warning=True)
        return
    is_users = all(text.path is not None for text, _, _ in texts.values())
    names = [each.name for each in session.plan.passes if each.name == name or is_users]
    changed = {each: _repaired(session.program_source(each), repair, texts) for each in names}
    after = {each: source for each, source in changed.items() if source is not None}
    trial = Trial(
        before={each: session.program_source(each) for each in after},
        after=after,
        planned={each: session.plan.pass_called(each).program for each in after},
    )
    if not _run(app, session, trial.after):
        return
    app.saving.drafts.writing = [Writing(name, file, old, new, trial) for file, (_, old, new) in texts.items()]
    for text, _, new in texts.values():
        if text.path is None and text.file is not None:  # a built-in file: the edit is work that no file holds
            app.saving.drafts.note_tried(name, text.file.path, new, text.file.text)
    if app.selected != name:
        app.state.select(name)
    app.state.wanted_panels.append("Shader")
    files = ", ".join(PurePath(file).name for file in texts)
    passes = f"'{name}' runs" if len(after) == 1 else f"{len(after)} passes run"
    app.log.add(with_keys(f"{passes} the repaired {files}; nothing was saved. Ctrl+Z in the editor undoes the repair."))


def _values_of(session: Session, repair: Repair) -> Mapping[str, str] | None:
    """Returns the values of passes that a repair of the pipeline file changes; None if it changes anything else."""
    from texelscope.pipeline.pipeline_values.writing import values_between

    plan = as_file_plan(session.plan)
    if plan is None:
        return None
    before = plan.file_text()
    after = edited(before, repair.in_file)
    return values_between(before, after, plan.path.name) if after is not None else None


def turn_trial(app: App, trial: Trial, *, on: bool) -> None:
    """Runs the passes with the edits of a trial or without them; the editor shows the matching text."""
    session = app.document.session
    if session is None or trial.is_over or trial.is_on == on:
        return
    plans = [session.plan.find(each) for each in trial.planned]
    if any(each is None or each.program is not trial.planned[each.name] for each in plans):
        trial.is_over = True
        return
    trial.is_on = on
    if not _run(app, session, trial.after if on else trial.before):
        trial.is_over = True
        return
    for draft in app.saving.drafts.of_trial(trial):
        if draft.path is None and draft.file is not None and draft.tried is not None:
            text = draft.tried.after if on else draft.tried.before
            app.saving.drafts.note_tried(draft.name, draft.file.path, text, draft.file.text)
    app.log.add("The repair runs again; nothing was saved." if on else "The repair was undone.")


def _texts(app: App, session: Session, name: str, repair: Repair) -> _Texts | None:
    """Returns the texts that the repair edits; None if one of them no longer has the lines, or cannot be edited."""
    target = app.document.target
    shown = {text.file.path: text for text in texts_of(session, name, target.path if target else "") if text.file}
    found: dict[str, tuple[PassText, str, str]] = {}
    for file in dict.fromkeys(edit.file for edit in repair.in_file):
        text = shown.get(file)
        if text is None:
            return None
        draft = app.saving.drafts.of_text(name, file, text.path)
        before = draft.text if draft is not None else text.text
        after = edited(before, [edit for edit in repair.in_file if edit.file == file])
        if after is None or (draft is not None and not draft.is_held):
            return None
        found[file] = (text, before, after)
    return found


def _repaired(program: ProgramSource, repair: Repair, texts: _Texts) -> ProgramSource | None:
    """Returns the program with the repair; None if it contains no part of it."""
    from texelscope.pipeline.repair.text.patch import applied

    new = applied(program, repair.edits)
    if new.fragment == program.fragment:
        return None
    files = tuple(
        dataclasses.replace(file, text=texts[file.path][2]) if file.path in texts else file for file in new.files
    )
    return dataclasses.replace(new, files=files)


def _run(app: App, session: Session, programs: Programs) -> bool:
    """Runs the passes with those programs, and all that follows; if one is rejected, nothing changes."""
    before = {name: session.program_source(name) for name in programs}
    try:
        for name, source in programs.items():
            session.replace_program(name, source)
    except ShaderError as error:
        app.log.add(str(error), error=True)
        for name, source in before.items():
            session.replace_program(name, source)
        return False
    app.document.revision += 1  # earlier findings are about other texts
    app.document.run.on_from(min(session.plan.position(name) for name in programs))
    return True


def _asked_for(repair: Repair) -> str:
    """Returns what the user has to write in the pipeline file."""
    edit = repair.in_file[0]
    text = (edit.after or "").strip()
    place = f"line {repair.line} should read" if edit.before is not None else f"insert before line {repair.line}:"
    return f"{place} '{text}'"


def _commands() -> tuple[Command, ...]:
    key = imgui.Key
    return (
        Command("first_wrong", first_wrong, "Go to the first wrong layer and its finding", "F4", chord(key.f4)),
        Command("name_cause", _name_cause, "Name the cause", "D", chord(key.d)),
        Command(
            "diagnose_all", _diagnose_all, "Name the causes of all wrong layers", "Shift+D", chord(key.d, shift=True)
        ),
        Command(
            "repair_budget", _repair_budget, "Change the time limit of repair searches", "Alt+D", chord(key.d, alt=True)
        ),
        Command("diagnose", _diagnose),
        Command("cancel_diagnosis", lambda app: app.analyses.diagnoses.cancel()),
        Command("show_finding", show_finding),
        Command("apply_repair", apply_repair),
        Command("turn_trial", turn_trial),
    )


def _diagnose(app: App, name: str) -> None:
    """Diagnoses a pass; a fused run is opened up first, because evidence needs every tensor."""
    if app.document.run.groups is not None:
        observe(app)
    app.analyses.diagnoses.ask(name)


def _diagnose_all(app: App) -> None:
    if app.document.run.groups is not None:
        observe(app)
    app.analyses.diagnoses.go_on()


def _name_cause(app: App) -> None:
    """Diagnoses the selected pass and shows the findings."""
    report = app.document.report_of(app.selected or "")
    app.state.wanted_panels.append("Findings")
    if report is not None and report.verdict in WRONG:
        app.send("diagnose", name=report.name)


def _repair_budget(app: App) -> None:
    """Chooses the next time budget for a layer's repairs; after the longest one, none."""
    settings = app.remembering.settings
    budgets = sorted({*REPAIR_BUDGETS, settings.repair_seconds})
    settings.repair_seconds = budgets[(budgets.index(settings.repair_seconds) + 1) % len(budgets)]
    app.remembering.save()
    seconds = app.analyses.diagnoses.repair_seconds = settings.repair_seconds
    budget = f"for {seconds:g} s per layer" if seconds else "on request only"
    app.log.add(f"Repairs are searched {budget}.")


COMMANDS = _commands()
MENUS = (MenuGroup("Layers", 30, ("name_cause", "repair_budget")),)
