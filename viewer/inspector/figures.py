"""Draws figures of the selected layer: the range of its numbers, its difference from a reference, its pass in words."""

from __future__ import annotations

from collections.abc import Iterator

from imgui_bundle import ImVec2, imgui

from texelscope.pipeline.compare.report import Figures, PassReport, Report, ratio_text
from texelscope.pipeline.compare.words import beside_verdict
from texelscope.pipeline.glsl.resources import local_size
from texelscope.pipeline.plan import Pass, ProgramSource
from texelscope.viewer import theme
from texelscope.viewer.app import App
from texelscope.viewer.canvas.spread import Spread
from texelscope.viewer.runs.model.change_words import trend_of
from texelscope.viewer.state import ViewMode
from texelscope.viewer.texture.controls import odd_text
from texelscope.viewer.texture.shown import expected_of, spread
from texelscope.viewer.widgets.controls import short_number

_COLUMN = 128.0


def draw_changes(app: App, name: str) -> None:
    """Draws a few lines, while a run is the reference."""
    document, run = app.document, app.analyses.runs.run
    stored, found = document.stored(name), app.analyses.runs.changes(app.document)
    if document.reference is None or run is None or stored is None or found is None:
        return
    if name not in (each.name for each in document.passes):
        return  # the summary already mentions changed inputs
    imgui.separator_text(f"Against {document.reference.word}")
    tensor = found.tensors.get(stored.key)
    if tensor is None or tensor.max_abs is None:
        unlike = tensor is not None and tensor.sameness == "other_shape"
        imgui.text_disabled("It has another shape in that run." if unlike else "That run has no such layer.")
        return
    if not tensor.unequal:
        _line(app, "values", "the same, bit for bit")
    else:
        _line(app, "max |diff|", f"{tensor.max_abs:.3g}")
        _line(app, "differ", f"{tensor.unequal:,} of {tensor.count:,}")
        _line(app, "beyond rounding", f"{tensor.beyond:,}")
    there = run.report.find(name)
    report = app.analyses.runs.left_report(document)
    here = report.find(name) if report is not None else None
    if here is None or there is None:
        return
    _line(app, "verdict", f"{_words(app, there)}  →  {_words(app, here)}")
    towards = trend_of(app.analyses.runs, document, name, chained=app.state.chained)
    if towards in ("better", "worse"):
        imgui.text_colored(theme.GOOD if towards == "better" else theme.BAD, f"{towards.capitalize()} by the oracle.")


def _words(app: App, report: PassReport) -> str:
    figures: Figures | None = report.chained if app.state.chained else report.isolated
    ratio = f" {ratio_text(figures.bound_ratio)}×" if figures is not None and report.verdict != "match" else ""
    return f"{theme.SIGNS[report.verdict].word}{beside_verdict(report)}{ratio}"


def _line(app: App, what: str, text: str) -> None:
    imgui.text_disabled(what)
    imgui.same_line(_COLUMN * app.scale)
    imgui.text_wrapped(text)


_LABEL_WIDTH = 78.0


def draw_values(app: App, name: str) -> None:
    """Draws the figures of the layer called `name`, if it has run."""
    stored, session = app.document.stored(name), app.document.session
    if stored is None or session is None or not session.is_valid(stored.key):
        return
    rows = [("actual", spread(app, stored, ViewMode.ACTUAL))]
    if expected_of(app, stored.key) is not None:
        rows.append(("oracle", spread(app, stored, ViewMode.ORACLE)))
        rows.append(("difference", spread(app, stored, ViewMode.DIFFERENCE)))
    imgui.dummy(ImVec2(0, 4 * app.scale))
    imgui.separator_text("Values")
    if not imgui.begin_table("values", 2, int(imgui.TableFlags_.sizing_fixed_fit)):
        return
    imgui.table_setup_column("what", int(imgui.TableColumnFlags_.width_fixed), _LABEL_WIDTH * app.scale)
    imgui.table_setup_column("value", int(imgui.TableColumnFlags_.width_stretch))
    for label, found in rows:
        imgui.table_next_row()
        imgui.table_next_column()
        imgui.text_disabled(label)
        imgui.table_next_column()
        imgui.text_wrapped(run_text(found))
        app.mark(f"values {label}")
        odd = odd_text(found)
        if odd:
            imgui.text_colored(theme.BAD, f"and {odd}")
    imgui.end_table()


def run_text(found: Spread) -> str:
    """Returns the range from the least finite number to the greatest, in words."""
    if found.low > found.high:
        return "no finite number"
    if found.low == found.high:
        return f"all {short_number(found.low)}"
    return f"{short_number(found.low)} to {short_number(found.high)}"


def dispatch_rows(shader_pass: Pass, program: ProgramSource) -> Iterator[tuple[str, str]]:
    """Yields label and text: work groups and their size, buffers, images; nothing for a drawn pass."""
    if shader_pass.dispatch is None:
        return
    groups, size = shader_pass.dispatch.groups, local_size(program.fragment)
    yield "dispatch", f"{_times(groups)} work group{'s' * (groups != (1, 1, 1))}"
    yield "local size", _times(size) if size is not None else "not in plain numbers"
    if shader_pass.dispatch.buffers:
        yield "buffers", ", ".join(_bound(one.block, one.key, one.starts_as) for one in shader_pass.dispatch.buffers)
    if shader_pass.dispatch.images:
        images = (
            _bound(one.uniform, one.key, one.starts_as) + (f" {_times(one.size)}" if one.size else "")
            for one in shader_pass.dispatch.images
        )
        yield "images", ", ".join(images)


def _bound(name: str, key: str, start: str) -> str:
    return f"{name}: {key}" + (f" from {start}" if start else "")


def _times(numbers: tuple[int, ...]) -> str:
    return " × ".join(map(str, numbers))


def jump_line(report: Report, each: PassReport) -> str:
    """Returns the line for one pass; empty for a pass without a part in the error, or whose verdict says it already."""
    whole = report.end_to_end
    if whole is None or whole.jump is None or each.verdict != "match":
        return ""
    if each.name == whole.jump.name:
        found = whole.jump
        share = f" It accounts for {found.explained:.0%} of the outputs' error." if found.explained is not None else ""
        return f"The end-to-end error jumps here. {found.evidence}{share if found.cause != 'unexplained' else ''}"
    return whole.message if report.passes and each.name == report.passes[-1].name else ""
