"""Writes what the window shows into a file, for tests and scripts that drive the window with mouse and keys.

The environment variable TEXELSCOPE_PROBE names the file, which is rewritten after each frame. While a file exists
beside it with the same name plus `.count`, the numbers of GL objects are written too. Positions of controls and of the
pointer are in pixels of the window, from its top left.
"""

from __future__ import annotations

import ctypes
import math
import os
from dataclasses import asdict
from pathlib import Path
from typing import Any

from imgui_bundle import imgui
from pyglet import gl

from texelscope.layouts.outside_text import in_json
from texelscope.pipeline.atomic_files import write_text_whole
from texelscope.pipeline.compare.repairs import Repair
from texelscope.pipeline.compare.report import Finding, Report
from texelscope.viewer.app import App
from texelscope.viewer.canvas.readout import read_out
from texelscope.viewer.debugger.model.seen import SteppingSeen, tables_seen
from texelscope.viewer.document.document import Document
from texelscope.viewer.findings.lines import made_at, place_words, words_beside_line
from texelscope.viewer.parameters.model import unsaved_values
from texelscope.viewer.reads.judging import judged
from texelscope.viewer.runs import beside
from texelscope.viewer.runs.model.change_words import layer_words
from texelscope.viewer.shader_editor.model.pass_texts import how_it_runs
from texelscope.viewer.state import View
from texelscope.viewer.texture.shown import look

VARIABLE = "TEXELSCOPE_PROBE"
# The log may be long: only its newest entries are written with each frame.
_NEWEST = 200
# After this many numbers in a row without an object there are no more.
_NO_MORE = 2048
_KINDS = {"textures": "glIsTexture", "buffers": "glIsBuffer", "framebuffers": "glIsFramebuffer"}
_KINDS |= {"programs": "glIsProgram", "queries": "glIsQuery", "arrays": "glIsVertexArray"}
_KINDS |= {"shaders": "glIsShader"}


class WindowProbe:
    """Writes the file, if the environment requests it."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._frames = 0
        self._stepping = SteppingSeen()

    @classmethod
    def from_environment(cls) -> WindowProbe:
        """Returns the probe that the environment requests."""
        path = os.environ.get(VARIABLE)
        return cls(Path(path) if path else None)

    def write(self, app: App, *, settled: bool, strokes: int) -> None:
        """Writes what the frame just drawn shows.

        `settled` says that no further frame is due; `strokes` counts released keys, pressed or released buttons, and
        notches of the wheel, so that the sender knows that the window has noticed them. Not called while some of them
        wait for further frames.
        """
        if self._path is None:
            return
        self._frames += 1
        shown = {
            **seen(app),
            "stepping": self._stepping.after_frame(app.debugger.stepping),
            "tables": tables_seen(app.debugger.looking, app.debugger.stepping.sums),
            "settled": settled,
            "strokes": strokes,
            "frame": self._frames,
        }
        if self._path.with_suffix(".count").exists():
            shown["objects"] = gl_objects()
        try:
            text = in_json(shown)
        except ValueError:
            text = in_json(_plain(shown))
        write_text_whole(self._path, text, lasting=False)


def seen(app: App) -> dict[str, Any]:
    """Returns the state of the window in plain data."""
    document, view = app.document, app.state.view
    comparison, taps = document.comparison, app.fresh_taps()
    captured = app.analyses.captured.shown_beside(document.session)
    stored = app.shown_in(view)
    texel = view.hover or view.pick
    with beside.pane(app, view):
        readout = read_out(document, stored, *texel, chained=app.state.chained) if stored and texel else None
    return {
        "target": document.target.path if document.target else None,
        "dialect": dict(document.target.options.dialect) if document.target else {},
        "layout": document.target.options.layout if document.target else None,
        "backend": document.target.options.backend if document.target else None,
        "conventions": dict(document.target.options.conventions) if document.target else {},
        "gradients": document.target.options.gradients if document.target else "",
        "backward": sorted(document.session.plan.backward) if document.session else [],
        "inputs": dict(document.target.inputs) if document.target else {},
        "failure": document.failure,
        "tour": app.state.tour,
        "selected": app.selected,
        "layers": app.layer_names(),
        "position": document.run.position,
        **_running(app),
        "inside": [each.name for each in document.passes if document.run.is_inside(each.name)],
        "busy": document.job.title if document.job else "Reading back" if document.comparing.is_reading else None,
        "verdicts": _verdicts(comparison.report if comparison else None),
        "early": _early(document),
        "mode": view.mode.name.lower(),
        "pointer": _pointer(),
        "zoom": view.zoom,
        "centre": view.centre,
        "hover": view.hover,
        "pick": view.pick,
        "shown_as": stored.layout.name if stored is not None else None,
        "seam": view.seam,
        **_colours(app),
        "views": [each.locked for each in app.state.views],
        "zooms": [each.zoom for each in app.state.views],
        "line": app.state.shown_line,
        "closing": app.saving.leave is not None and app.saving.leave.target is None,
        "unsaved": [draft.label for draft in app.saving.drafts.unsaved],
        "unsaved_values": unsaved_values(app),
        "readout": None
        if readout is None
        else {
            "tile": readout.tile,
            "lanes": [
                {"index": list(lane.index), "element": lane.element, "actual": lane.actual, "oracle": lane.oracle}
                for lane in readout.lanes
            ],
        },
        "taps": {
            "name": taps.name,
            "element": taps.element,
            "reads": taps.reads,
            "wrong": taps.wrong,
            "judged": judged(app, taps),
        }
        if taps
        else None,
        **_compared_runs(app),
        **_over_time(app),
        "captured": _verdicts(captured.report if captured else None),
        **_answer(app),
        "log": [f"{entry.level}: {entry.text}" for entry in app.log.entries[-_NEWEST:]],
        "places": dict(app.display.places),
    }


def _running(app: App) -> dict[str, Any]:
    run, session = app.document.run, app.document.session
    return {
        "running": run.is_under_way,
        "continuous": run.continuous,
        "fused": run.fused,
        "runs": _runs(app),
        "frame_of_run": session.frame if session is not None else None,
    }


def gl_objects(library: Any = gl) -> dict[str, int]:
    """Counts the objects of each kind in the current context, by means of `library`.

    Drivers number objects from 1 on and reuse numbers: after many unused ones there are no more. Numbers of programs
    and shaders, which share one sequence, and of queries may only rise: for these the search starts behind a new one's
    number.
    """
    found = {}
    program = library.glCreateProgram()
    library.glDeleteProgram(program)
    query = ctypes.c_uint()
    library.glGenQueries(1, ctypes.byref(query))
    library.glDeleteQueries(1, ctypes.byref(query))
    newest = {"programs": program, "shaders": program, "queries": query.value}
    for kind, name in _KINDS.items():
        is_one = getattr(library, name)
        count, number, last = 0, 1, newest.get(kind, 0)
        while number - last <= _NO_MORE:
            if is_one(number) & 0xFF:
                count, last = count + 1, max(last, number)
            number += 1
        found[kind] = count
    return found


def _pointer() -> tuple[int, int] | None:
    """Returns the mouse position of the frame just drawn; None before the mouse entered the window."""
    at = imgui.get_io().mouse_pos
    return (round(at.x), round(at.y)) if imgui.is_mouse_pos_valid(at) else None


def _colours(app: App) -> dict[str, Any]:
    """Returns the active tab's range and map, and its counts of NaN and infinite numbers."""
    with beside.pane(app, app.state.view):
        now = look(app, app.state.view)
    limits = list(now.limits) if now is not None else None
    return {
        "range": None if now is None or now.chosen.follows else limits,
        "limits": limits,
        "map": app.state.colours.map_of(signed=now is not None and now.is_signed),
        "odd": [now.odd.nan, now.odd.infinite] if now is not None else None,
        "outside": [now.odd.below, now.odd.above] if now is not None else None,
    }


def _runs(app: App) -> str:
    """Returns the Shader panel's text on how the selected pass runs."""
    session, name = app.document.session, app.selected or ""
    return how_it_runs(session, name, app.document.run.form_of(name))[0] if session is not None else ""


def _compared_runs(app: App) -> dict[str, Any]:
    """Returns the kept runs, which is shown and compared with, and what differs."""
    shown, against = app.document.shown, app.document.reference
    return {
        "against": against.title if against is not None else None,
        "shown": shown.title if shown is not None else None,
        "changes": _changes(app),
        "panes": [_pane(app, view) for view in app.state.views],
        "kept": [run.title for run in app.analyses.runs.shelf.runs],
    }


def _pane(app: App, view: View) -> dict[str, Any]:
    """Returns what a tab of textures shows: its run, the verdict there, and the values of its picked texel."""
    name = view.locked or app.selected or ""
    return {
        "shows": beside.heading(app, view),
        "verdict": beside.verdict(app, view, name),
        "pick": view.pick,
        "values": beside.texel_words(app, view),
        "zoom": view.zoom,
    }


def _over_time(app: App) -> dict[str, Any]:
    """Returns the frame that is played, the progress of training, its losses, kept states, and findings."""
    training = app.training
    losses = training.curve.branches[-1].losses
    trained = {
        "running": training.is_running,
        "steps": training.trainer.steps if training.trainer is not None else 0,
        "losses": [*losses[:1], *losses[1:][-_NEWEST:]],
        "kept": [each.state.step for each in training.kept],
        "findings": [str(each) for each in training.findings],
    }
    return {"playing": app.inputs.playback.position[0] if app.inputs.playback.playing else None, "training": trained}


def _changes(app: App) -> dict[str, str]:
    """Returns by layer the text on its change."""
    if app.document.reference is None or app.analyses.runs.changes(app.document) is None:
        return {}
    chained = app.state.chained
    return {name: layer_words(app.analyses.runs, app.document, name, chained=chained)[0] for name in app.layer_names()}


def _answer(app: App) -> dict[str, Any]:
    """Returns the answer: findings by pass, the selected one's first place, and the visible text."""
    state, found = app.state, _findings(app, app.selected or "")
    places = [place for place in map(made_at, found) if place is not None]
    return {
        "diagnosing": app.analyses.diagnoses.current.name if app.analyses.diagnoses.current else None,
        "named": {
            name: [each.cause for each in _findings(app, name)] for name in app.analyses.diagnoses.wrong(app.document)
        },
        "findings": [finding.cause for finding in found],
        "repairs": [repair.diff for repair in _repairs(app, app.selected or "")],
        "place": place_words(places[0]) if places else "",
        "line_words": [words_beside_line(app, app.selected or "", finding) for finding in found],
        "text": asdict(state.text_in_sight) if state.text_in_sight is not None else None,
        "visit": state.visit.view.locked if state.visit is not None else None,
        "filter": state.filter_text,
        "why": _why(app),
        "shared": _shared(app),
    }


def _why(app: App) -> dict[str, Any] | None:
    """Returns the way of the error that was asked about."""
    trail = app.debugger.trail
    if not trail.is_there:
        return None
    steps = [{"pass": each.name, "element": each.element, "made here": each.is_made_here} for each in trail.steps]
    operand = trail.operand
    return {
        "steps": steps,
        "conclusion": trail.conclusion,
        "operand": [operand.key, *operand.texel] if operand is not None else None,
    }


def _shared(app: App) -> dict[str, Any] | None:
    """Returns what is shown of the recorded work group."""
    group = app.debugger.work_group
    if group.memory is None:
        return None
    place = {"group": group.memory.group, "phase": group.phase, "phases": len(group.memory.phases)}
    return {**place, "invocation": group.invocation}


def _findings(app: App, name: str) -> tuple[Finding, ...]:
    """Returns the findings on a pass so far."""
    diagnosis = app.analyses.diagnoses.diagnosis(app.document, name)
    return diagnosis.findings if diagnosis is not None else ()


def _repairs(app: App, name: str) -> tuple[Repair, ...]:
    """Returns the repairs of a pass found so far."""
    diagnosis = app.analyses.diagnoses.diagnosis(app.document, name)
    return diagnosis.repairs if diagnosis is not None else ()


def _verdicts(report: Report | None) -> dict[str, str]:
    return {each.name: each.verdict for each in report.passes} if report is not None else {}


def _early(document: Document) -> dict[str, str]:
    """Returns the verdicts so far of a comparison under way."""
    early = document.early
    found = [early.find(each.name) for each in document.passes] if early is not None else []
    return {each.name: each.verdict for each in found if each is not None}


def _plain(value: Any) -> Any:
    """Replaces infinities and NaN by words: JSON has none."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else value
