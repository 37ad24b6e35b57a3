"""Draws the menu bar with verdict and progress, and the tool bar: stepping, comparison, layout, precision, input."""

from __future__ import annotations

import time
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from types import MappingProxyType

from imgui_bundle import ImVec2, imgui

from texelscope.pipeline.importers.registry import may_choose
from texelscope.pipeline.inputs.sources import PATTERNS
from texelscope.pipeline.planning import layout_choice
from texelscope.pipeline.target import DEFAULT_SOURCE, Target
from texelscope.pipeline.untrusted_files import is_inside
from texelscope.pipeline.untrusted_files.door import real_path
from texelscope.viewer import theme
from texelscope.viewer.app import App
from texelscope.viewer.document.document import Document
from texelscope.viewer.findings.commands import first_to_see
from texelscope.viewer.key_names import with_keys
from texelscope.viewer.panel import all_panels
from texelscope.viewer.runs import against
from texelscope.viewer.shell.command_table import COMMANDS, MENUS
from texelscope.viewer.widgets import controls
from texelscope.viewer.widgets.controls import RowPiece, shortened

_BUTTONS = (
    ("Back one", "step_back"),
    ("Run all", "run_all"),
    ("Run one", "step_forward"),
    ("Run to here", "run_here"),
)
# For passes whose frames differ.
_FRAME_BUTTONS = (("Next frame", "next_frame"), ("Frame 0", "restart"))

# Texts by why the last comparison did not end.
_WITHOUT_VERDICT = {
    "": ("comparing …", theme.SIGNS["waiting"]),
    "cancelled": ("not compared: cancelled", theme.SIGNS["not_compared"]),
    "failed": ("not compared: it failed, see the log", theme.SIGNS["error"]),
}


def menu_bar(app: App) -> None:
    """Draws the menus, and the verdict over all passes at the right."""
    if not imgui.begin_main_menu_bar():
        return
    for title, groups in MENUS.items():
        is_open = imgui.begin_menu(title)
        app.mark(f"bar {title}")
        if is_open:
            for group in groups:
                if group is not groups[0]:
                    imgui.separator()
                for entry in group.entries:
                    if isinstance(entry, str):
                        _entry(app, entry)
                    else:
                        entry(app)
            if title == "View":
                _panel_menu(app)
            imgui.end_menu()
    _state(app)
    imgui.end_main_menu_bar()


def _entry(app: App, name: str) -> None:
    command = COMMANDS[name]
    if imgui.menu_item(command.title, command.keys, _is_on(app, name), _is_there(app, name))[0]:
        app.send(name)
    app.mark(f"entry {name}")


def tool_bar(app: App) -> None:
    """Draws one row of controls, greyed while nothing is open; in a narrow window the last ones move into a list."""
    imgui.begin_disabled(app.document.session is None)
    controls.draw_row(app, _pieces(app))
    imgui.end_disabled()


def _pieces(app: App) -> list[RowPiece]:
    """Returns the controls, the most important first."""
    pieces = [_button_piece(app, label, command) for label, command in _BUTTONS]
    pieces.append(RowPiece(62.0, partial(_live, app), 4.0))
    if app.document.session is not None and app.document.session.plan.has_frames:
        pieces += [_button_piece(app, label, command) for label, command in _FRAME_BUTTONS]
    pieces.append(RowPiece(158.0, partial(_mode_combo, app), 16.0))
    pieces.append(RowPiece(96.0, partial(_compare_combo, app), 16.0))
    pieces.append(RowPiece(against.WIDTH, partial(against.choice, app)))
    if app.document.target is not None:
        pieces.append(RowPiece(158.0, partial(_layout_combo, app, app.document.target)))
        pieces.append(RowPiece(88.0, partial(_precision_combo, app, app.document.target)))
        pieces.append(RowPiece(150.0, partial(_input_combo, app)))
    return pieces


def _button_piece(app: App, label: str, command: str) -> RowPiece:
    padding = 2.0 * imgui.get_style().frame_padding.x
    width = (imgui.calc_text_size(label).x + padding) / app.scale
    return RowPiece(width, partial(_button, app, label, command), 4.0)


def _button(app: App, label: str, command: str) -> None:
    if imgui.button(label):
        app.send(command)
    app.mark(command)
    imgui.set_item_tooltip(f"{COMMANDS[command].title} ({COMMANDS[command].keys})")


def _live(app: App) -> None:
    changed, _ = controls.checkbox("live", app.document.run.continuous)
    if changed:
        app.send("continuous")
    imgui.set_item_tooltip("Run continuously (F8)")


def _mode_combo(app: App) -> None:
    """Draws the choice of the run mode: every tensor stored, or fused."""
    fused = app.document.run.fused
    chosen = _combo(app, "run mode", ("observe everything", "fused"), "fused" if fused else "observe everything", 158)
    imgui.set_item_tooltip(
        with_keys(
            "Observe everything: every tensor is stored (Alt+F5).\n"
            "Fused: as few steps as possible; click a layer inside to open it up (Shift+F5)."
        )
    )
    if chosen is not None and (chosen == "fused") != fused:
        app.send("fused" if chosen == "fused" else "observe")


def _compare_combo(app: App) -> None:
    chosen = _combo(app, "compare", ("isolated", "chained"), "chained" if app.state.chained else "isolated", 96)
    imgui.set_item_tooltip(
        "Isolated: each pass is checked on its actual inputs.\nChained: from the model's inputs. (C)"
    )
    if chosen is not None and (chosen == "chained") != app.state.chained:
        app.send("chained")


def _layout_combo(app: App, target: Target) -> None:
    imgui.begin_disabled(not may_choose(target.path, "takes_layout"))
    chosen = _combo(app, "layout", layout_choice.names(), target.options.layout, 158)
    imgui.set_item_tooltip("Layout of the activations; auto chooses for each tensor by its shape")
    if chosen is not None and chosen != target.options.layout:
        app.send("reopen", layout=chosen)
    imgui.end_disabled()


def _precision_combo(app: App, target: Target) -> None:
    imgui.begin_disabled(not may_choose(target.path, "takes_precision"))
    chosen = _combo(app, "precision", ("float32", "float16"), target.options.precision, 88)
    imgui.set_item_tooltip("Number format that stores tensors")
    if chosen is not None and chosen != target.options.precision:
        app.send("reopen", precision=chosen)
    imgui.end_disabled()


def _input_combo(app: App) -> None:
    document = app.document
    session, target = document.session, document.target
    if session is None or target is None or not session.plan.inputs:
        return
    name = app.selected if app.selected in session.plan.inputs else session.plan.inputs[0]
    current = target.inputs.get(name, "as in the file" if name in session.plan.initial_inputs else DEFAULT_SOURCE)
    pictures = {str(path): path.stem for path in sorted(_pictures_beside(target.path))}
    stem = Path(current).stem if current not in PATTERNS else current
    chosen = _combo(app, "input", (*pictures, *PATTERNS), current, 150, shown={**pictures, current: stem})
    imgui.set_item_tooltip(f"Input '{name}': a picture beside the model or a test pattern; or drop a file")
    if chosen is not None and chosen != current:
        app.send("set_input", name=name, source=chosen)


def _pictures_beside(path: str) -> list[Path]:
    folder = real_path(path).parent / "inputs"
    return [each for each in folder.glob("*.png") if is_inside(each, folder.parent)] if folder.is_dir() else []


def _combo(
    app: App,
    name: str,
    options: tuple[str, ...],
    current: str,
    width: float,
    *,
    shown: Mapping[str, str] = MappingProxyType({}),
) -> str | None:
    """Draws a list of `width` (at scale 1) to choose from, marked `name`; returns the choice made in this frame.

    `shown` has shorter names of some options.
    """
    imgui.set_next_item_width(min(width * app.scale, max(imgui.get_content_region_avail().x, 40.0)))
    chosen = None
    is_open = imgui.begin_combo(f"##{name}", shown.get(current, current), int(imgui.ComboFlags_.height_large))
    if not is_open:
        app.mark(name)
        return None
    for option in options:
        if imgui.selectable(f"{shown.get(option, option)}##{option}", option == current)[0]:
            chosen = option
        app.mark(f"{name} {option}")
    imgui.end_combo()
    return chosen


def _panel_menu(app: App) -> None:
    imgui.separator()
    is_open = imgui.begin_menu("Panels")
    app.mark("menu panels")
    if not is_open:
        return
    keys = {panel.title: COMMANDS[f"panel {panel.title}"].keys for panel in all_panels()}
    for title, key in keys.items():
        shown = app.state.shown_panels.get(title, True)
        if imgui.menu_item(title, key, shown)[0]:
            app.state.shown_panels[title] = not shown
        app.mark(f"menu panel {title}")
    if not all(keys.values()):
        imgui.text_disabled(with_keys("Without a key: Ctrl+P, then the panel's name"))
    if imgui.menu_item(COMMANDS["arrange"].title, COMMANDS["arrange"].keys, False)[0]:
        app.send("arrange")
    imgui.end_menu()


def _is_on(app: App, command: str) -> bool:
    """Returns whether a command's menu entry has a tick."""
    view = app.state.view
    ticks = {"grid": view.grid, "labels": view.labels, "negative": view.mark_negative, "chained": app.state.chained}
    ticks |= {"legend": app.state.colours.legend, "log_counts": app.state.colours.log_counts}
    ticks |= {"mark_outside": view.mark_outside}
    ticks |= {"texture_first": app.state.texture_first, "compact": app.remembering.settings.compact}
    ticks |= {"look": app.remembering.settings.look == "light"}
    ticks |= {"filter_over": app.state.filter_over}
    ticks |= {"observe": not app.document.run.fused, "fused": app.document.run.fused}
    ticks |= {"side_by_side": app.state.side_by_side, "linked": app.state.linked}
    ticks |= {"continuous": app.document.run.continuous, f"mode_{view.mode.name.lower()}": True}
    return ticks.get(command, False)


def _is_there(app: App, command: str) -> bool:
    """Returns whether a menu's entry is enabled, also while another command has its keys."""
    return COMMANDS[command].stepping is not True or app.debugger.stepping.is_on


def _state(app: App) -> None:
    """Draws at the right: work under way with a cancel button, the progress of passes, the verdict."""
    document = app.document
    text, sign = verdict_text(app)
    took = document.run.milliseconds
    session = document.session
    done = f"frame {session.frame}, " if session is not None and session.plan.has_frames else ""
    done += f"{document.run.position} of {len(document.passes)} passes"
    done += f", {took:.1f} ms" if took is not None else ""
    done = done if document.passes else ""
    gap, work = 18 * app.scale, _work(app)
    bar = max(180 * app.scale, imgui.calc_text_size(work[1]).x + gap if work is not None else 0.0)
    room = imgui.get_window_width() - imgui.get_cursor_pos_x() - 2 * gap
    width = gap + imgui.calc_text_size(text).x
    working = imgui.calc_text_size("Cancel").x + 2.5 * gap if work is not None else 0.0
    # If there is too little room, the progress of passes is left out first, then the bar, then the verdict is cut.
    beside = imgui.calc_text_size(done).x + gap
    done = done if done and width + working + beside + (bar if work is not None else 0.0) <= room else ""
    if work is not None:
        bar = min(max(room - width - working, 60 * app.scale), bar)
        working += bar
    width += working + (beside if done else 0.0)
    if width > room:
        text = shortened(text, max(room - working - gap, 0.0))
        width = working + gap + imgui.calc_text_size(text).x
    imgui.same_line(imgui.get_window_width() - width - gap)
    if work is not None:
        share, title = work
        imgui.progress_bar(share, ImVec2(bar, 0), shortened(title, bar - gap / 2))
        imgui.set_item_tooltip(title)
        imgui.same_line()
        if imgui.button("Cancel"):
            app.send("cancel")
        app.mark("cancel")
        imgui.same_line(0, gap)
    if done:
        imgui.text_disabled(done)
        imgui.same_line(0, gap)
    if text:
        at = imgui.get_cursor_screen_pos()
        centre = at.y + imgui.get_frame_height() / 2
        theme.draw_sign(imgui.get_window_draw_list(), at.x, centre, 6 * app.scale, sign)
        imgui.set_cursor_pos_x(imgui.get_cursor_pos_x() + 12 * app.scale)
        _verdict(app, text)


def _verdict(app: App, text: str) -> None:
    """Draws the verdict, as a link if there is a wrong pass."""
    comparison, name = app.document.comparison, first_to_see(app)
    is_known = comparison is not None and app.document.has_current_verdicts
    whole = comparison.report.end_to_end if comparison is not None and is_known else None
    hints = [f"Goes to {name} and its findings (F4)"] if name is not None else []
    hints += [whole.message] if whole is not None else []
    imgui.text_unformatted(text)
    app.mark("verdict")
    if hints:
        imgui.set_item_tooltip("\n".join(hints))
    if name is None or not imgui.is_item_hovered():
        return
    low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
    underline = ImVec2(low.x, high.y - 1), ImVec2(high.x, high.y - 1)
    imgui.get_window_draw_list().add_line(*underline, theme.packed(theme.TEXT), app.scale)
    imgui.set_mouse_cursor(imgui.MouseCursor_.hand)
    if imgui.is_mouse_clicked(0):
        app.send("first_wrong")


def _work(app: App) -> tuple[float, str] | None:
    """Returns the work under way: its progress and a title."""
    document = app.document
    job = document.job
    if document.opening:
        return (time.monotonic() % 1.0, document.opening) if job is not None else None
    if document.run.is_under_way and len(document.passes) and not document.run.continuous:
        return document.run.position / len(document.passes), "Running"
    if document.comparing.is_reading and not document.run.is_live:
        return 0.0, "Reading the results back"
    recorded = app.saving.recording.progress
    if job is None and recorded is not None:
        return recorded, "Recording for the report"
    inquiry = app.analyses.diagnoses.current
    if job is None and inquiry is not None:
        return inquiry.progress, f"{'Diagnosing' if inquiry.locating is None else 'Repairing'} {inquiry.name}"
    if job is not None:
        early = document.comparing.early
        return (
            (job.progress, "Comparing with the oracle")
            if early is None
            else (early.progress, f"Comparing with the oracle: {early.words}")
        )
    writing = app.saving.background.job
    return (writing.progress, writing.title) if writing is not None else None


def verdict_text(app: App) -> tuple[str, theme.Sign]:
    """Returns one line on all passes: how many match, and the first wrong one; or why that is unknown."""
    document, comparison = app.document, app.document.comparison
    if document.session is None:
        return "", theme.SIGNS["waiting"]
    if comparison is None or not document.has_current_verdicts:
        return _so_far(document)
    report = comparison.report
    judged = comparison.judged
    matching = sum(each.verdict == "match" for each in judged)
    text = f"{_before(app)}{matching}/{len(judged)} match"
    if comparison.capture.inside:
        text += f", {len(comparison.capture.inside)} inside"
    if report.culprit:
        text += f" · first wrong: {report.culprit}"
    elif report.end_to_end is not None and report.end_to_end.jump is not None:
        text += f" · the end-to-end error jumps at {report.end_to_end.jump.name}"
    return text, theme.SIGNS[comparison.verdict]


def _so_far(document: Document) -> tuple[str, theme.Sign]:
    """Returns one line on the passes that are judged so far; or why none is."""
    early = document.early
    if early is None or not early.count:
        return _WITHOUT_VERDICT[document.comparing.ended]
    wrong = early.first_wrong
    text = f"{early.matching} of {early.count} match so far"
    if document.comparing.ended == "cancelled":
        text = f"cancelled: {early.matching} of {early.count} compared match"
    if wrong is None:
        return text, theme.SIGNS["not_compared" if document.comparing.ended else "waiting"]
    return f"{text} · wrong so far: {wrong.name}", theme.SIGNS[wrong.verdict]


def _before(app: App) -> str:
    """Returns what the verdict is about, if that is over by now: passes that run live are compared now and then."""
    if app.document.is_compared:
        return ""
    what = "step" if app.training.is_under_way else "input" if app.inputs.playback.playing else "frame"
    return f"comparing anew; the {what} before: "
