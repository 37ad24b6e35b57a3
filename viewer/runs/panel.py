"""The Runs panel lists kept runs to compare with, and what has changed since the chosen one."""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui

from texelscope.layouts.outside_text import in_cell
from texelscope.viewer import theme
from texelscope.viewer.app import App
from texelscope.viewer.panel import Panel
from texelscope.viewer.runs.model.change_words import summary_words
from texelscope.viewer.runs.model.changes import FindingChange, TextChange, finding_changes, text_changes
from texelscope.viewer.runs.model.kept import KeptRun
from texelscope.viewer.widgets.controls import as_label, shortened

_STATES = {"gone": theme.GOOD, "new": theme.BAD, "same": theme.QUIET}
_KINDS = {
    "edit": "kept automatically",
    "pin": "pinned",
    "target": "another target",
    "device": "another device",
    "repair": "run with a repair",
}


class RunsPanel(Panel):
    """Lists the kept runs; a click compares the present run with one, in every view."""

    title = "Runs"
    place = "bottom"
    order = 10
    key = "="

    def __init__(self) -> None:
        self._path = ""
        self._renamed: tuple[int, str] | None = None
        self._texts: tuple[tuple[int, int], tuple[TextChange, ...]] | None = None

    def draw(self, app: App) -> None:
        """Draws the runs at the left, and the changes since the chosen one at the right."""
        if app.document.session is None:
            imgui.text_disabled("Nothing is open.")
            return
        imgui.begin_child("kept", ImVec2(imgui.get_content_region_avail().x * 0.5, 0))
        self._ask(app)
        self._table(app)
        imgui.end_child()
        imgui.same_line()
        imgui.begin_child("changed")
        self._changes(app)
        imgui.end_child()

    def _ask(self, app: App) -> None:
        """Draws the controls that pin a run and open another target."""
        imgui.begin_disabled(not app.document.is_compared)
        if imgui.button("Pin this result …"):
            app.send("pin")
        app.mark("runs pin")
        imgui.set_item_tooltip("Keeps what is there now under a name (P)")
        imgui.end_disabled()
        imgui.same_line()
        button = imgui.calc_text_size("Run beside").x + 3 * imgui.get_style().frame_padding.x
        imgui.set_next_item_width(-button)
        flags = int(imgui.InputTextFlags_.enter_returns_true)
        other = app.analyses.runs.other
        is_busy = other is not None and other.is_busy
        hint = f"running {other.name} …" if other is not None and is_busy else "another target, on the same inputs"
        entered, path = imgui.input_text_with_hint("##path", hint, "" if is_busy else self._path, flags)
        self._path = self._path if is_busy else path
        app.mark("runs path")
        imgui.same_line()
        if (imgui.button("Run beside") or entered) and self._path.strip():
            app.send("open_beside", target=self._path)
        app.mark("runs beside")
        if other is not None and other.problem:
            imgui.text_wrapped(other.problem)

    def _table(self, app: App) -> None:
        """Draws a row for each run: which is shown, and which it is compared with."""
        runs = app.analyses.runs.shelf.runs
        flags = imgui.TableFlags_.row_bg | imgui.TableFlags_.scroll_y | imgui.TableFlags_.sizing_fixed_fit
        if not imgui.begin_table("runs", 5, int(flags)):
            return
        for title in ("show", "with"):
            imgui.table_setup_column(title)
        imgui.table_setup_column("run", int(imgui.TableColumnFlags_.width_stretch))
        for title in ("against the oracle", ""):
            imgui.table_setup_column(title)
        imgui.table_headers_row()
        _choice(app, "show", "show_run", None, is_on=app.analyses.runs.left is None)
        imgui.table_next_column()
        imgui.table_next_column()
        imgui.text_unformatted("present run")
        _choice(app, "with", "compare_with", None, is_on=app.analyses.runs.chosen is None, column=1)
        imgui.table_next_column()
        imgui.text_unformatted("the oracle")
        for run in runs:
            self._row(app, run)
        imgui.end_table()
        if not runs:
            imgui.text_disabled("Each edit keeps the state before it here.")

    def _row(self, app: App, run: KeptRun) -> None:
        imgui.push_id(run.number)
        _choice(app, f"show {run.title}", "show_run", run.number, is_on=app.analyses.runs.left == run.number)
        imgui.table_next_column()
        _radio(app, f"with {run.title}", "compare_with", run.number, is_on=app.analyses.runs.chosen == run.number)
        imgui.table_next_column()
        if self._renamed is not None and self._renamed[0] == run.number:
            self._rename(app, run)
        else:
            imgui.selectable(as_label(shortened(run.title, imgui.get_content_region_avail().x)), p_selected=False)
            app.mark(f"run {run.title}")
            if run.kind == "pin" and imgui.is_item_hovered() and imgui.is_mouse_double_clicked(0):
                self._renamed = run.number, run.word
            again = "\nDouble-click to rename" if run.kind == "pin" else ""
            imgui.set_item_tooltip(f"{in_cell(run.title)}: {run.summary}\n{run.at}, {_KINDS[run.kind]}{again}")
        imgui.table_next_column()
        imgui.text_unformatted(run.summary.partition(",")[0])
        imgui.set_item_tooltip(run.summary)
        imgui.table_next_column()
        if imgui.small_button("Beside"):
            app.send("see_beside", number=run.number)
        app.mark(f"beside {run.title}")
        imgui.set_item_tooltip("Shows this run beside the present one, and the difference; linked (Shift+K)")
        imgui.same_line()
        if imgui.small_button("Drop"):
            app.send("drop_run", number=run.number)
        app.mark(f"drop {run.title}")
        imgui.pop_id()

    def _rename(self, app: App, run: KeptRun) -> None:
        assert self._renamed is not None
        imgui.set_keyboard_focus_here()
        flags = int(imgui.InputTextFlags_.enter_returns_true | imgui.InputTextFlags_.auto_select_all)
        entered, text = imgui.input_text("##name", self._renamed[1], flags)
        self._renamed = run.number, text
        if entered:
            app.send("rename_run", number=run.number, name=text)
        if entered or imgui.is_key_pressed(imgui.Key.escape):
            self._renamed = None

    def _changes(self, app: App) -> None:
        """Draws layers, findings and shader lines that changed from the chosen run to the present one."""
        run, found, left = app.analyses.runs.run, app.analyses.runs.changes(app.document), app.analyses.runs.left_run
        comparison, report = app.document.comparison, app.analyses.runs.left_report(app.document)
        if run is None or comparison is None or report is None:
            imgui.text_wrapped(
                "Compared with the oracle. Choose a run at the left, or press B after an edit: textures, the list of "
                "layers and the inspector then show the differences from that run, until you go back (Shift+O)."
            )
            return
        if imgui.button("Back to the oracle"):
            app.send("back_to_oracle")
        app.mark("runs back")
        imgui.same_line()
        imgui.text_wrapped(
            f"From {run.title} to {left.title if left is not None else 'now'}: "
            f"{summary_words(app.analyses.runs, app.document)}."
        )
        if run.report.culprit != report.culprit:
            before, now = run.report.culprit or "none", report.culprit or "none"
            imgui.text_unformatted(f"First wrong: {before}  →  {now}")
        if found is not None:
            _findings(app, run)
        asked = run.number, comparison.number if left is None else -left.number
        if self._texts is None or self._texts[0] != asked:
            programs = left.programs if left is not None else comparison.programs
            self._texts = asked, text_changes(run.programs, programs)
        for text in self._texts[1]:
            _text(app, text)


def _choice(app: App, name: str, command: str, number: int | None, *, is_on: bool, column: int = 0) -> None:
    """Starts a row with a radio button in that column."""
    imgui.table_next_row()
    for _ in range(column + 1):
        imgui.table_next_column()
    _radio(app, name, command, number, is_on=is_on)


def _radio(app: App, name: str, command: str, number: int | None, *, is_on: bool) -> None:
    if imgui.radio_button(f"##{name}", is_on):
        app.send(command, number=number)
    app.mark(name)


def _findings(app: App, run: KeptRun) -> None:
    """Draws which causes are gone, new, or unchanged."""
    report = app.analyses.runs.left_report(app.document)
    assert report is not None
    if app.analyses.runs.left_run is None:
        report = app.analyses.diagnoses.named(app.document, report)
    for each in finding_changes(report, run.report):
        _finding(app, each)
    if run.report.culprit is not None and run.report.culprit not in run.diagnosed and run.kind != "target":
        imgui.text_disabled(f"'{run.report.culprit}' had not been diagnosed then.")


def _finding(app: App, change: FindingChange) -> None:
    imgui.text_colored(_STATES[change.state], f"{change.state:<4}")
    app.mark(f"{change.state} {change.finding.cause}")
    imgui.same_line()
    place = f", {change.finding.shader.rpartition('/')[2]}:{change.finding.line}" if change.finding.line else ""
    imgui.text_unformatted(f"{change.finding.cause} in {in_cell(change.name)}{place}")


def _text(app: App, change: TextChange) -> None:
    imgui.spacing()
    imgui.text_disabled(change.name)
    imgui.same_line()
    if imgui.small_button(f"Copy the old text##{change.name}"):
        imgui.set_clipboard_text(change.text)
    app.mark(f"copy {change.name}")
    imgui.push_font(app.display.fonts.mono, 0.0)
    for line in change.lines:
        imgui.text_colored(theme.BAD if line[5:6] == "-" else theme.GOOD, line)
    imgui.pop_font()


PANEL = RunsPanel()
