"""Findings: what is wrong with the selected pass, where, and which line to change."""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui

from pipeline.compare.report import Finding, PassReport
from pipeline.compare.words import cause_words, detail_words
from pipeline.diagnose.naming import WRONG
from viewer import theme
from viewer.app import App
from viewer.document.diagnoses import Inquiry
from viewer.panels.registry import Panel


class FindingsPanel(Panel):
    """Named causes of what is wrong, with evidence, the line, and what to do."""

    title = "Findings"
    place = "bottom"
    order = 1

    def draw(self, app: App) -> None:
        """Findings on the selected pass, or what there is to know before there are any."""
        name = app.selected
        report = app.document.report_of(name) if name is not None else None
        if name is None or report is None:
            self._nothing(app, name)
            return
        if report.verdict not in WRONG:
            self._well(app, report)
            return
        inquiry = app.diagnoses.inquiry(app.document, report.name)
        if inquiry is None:
            imgui.text_unformatted(f"'{report.name}' is wrong on its own account.")
            if imgui.button("Name the cause"):
                app.send("diagnose", name=report.name)
            return
        if not inquiry.is_done:
            _progress(app, inquiry)
        elif inquiry.problem:
            imgui.text_wrapped(inquiry.problem)
            if imgui.button("Try again"):
                app.send("diagnose", name=report.name)
            app.mark("try again")
        else:
            _findings(app, inquiry)

    def _nothing(self, app: App, name: str | None) -> None:
        session = app.document.session
        if session is None or name is None:
            imgui.text_disabled("Nothing is open.")
        elif name in session.plan.inputs:
            imgui.text_disabled("Inputs are taken as they are. Select a pass.")
        elif app.document.run.is_inside(name):
            imgui.text_wrapped(f"Computed {app.document.run.together(name)}, and not stored: nothing to compare.")
            if imgui.button("Open it up"):
                app.send("open_up", name=name)
            app.mark("open up")
        else:
            imgui.text_disabled("This pass is not compared yet.")

    def _well(self, app: App, report: PassReport) -> None:
        comparison = app.document.comparison
        if report.inherited:
            imgui.text_wrapped("This pass does what it should with what it gets; its input is wrong already.")
        elif report.verdict == "match":
            imgui.text_disabled("This pass matches the oracle within rounding: nothing to find.")
        elif report.verdict in ("error", "not_compared"):
            _refused(app, report)
        else:
            session = app.document.session
            is_missing = session is not None and session.plan.missing(report.name) is not None
            hint = "No shader runs this node" if is_missing else "This pass has not run: F6 runs up to it"
            imgui.text_disabled(f"{hint}.")
        culprit = comparison.report.culprit if comparison is not None else None
        if culprit not in (None, report.name) and imgui.button(f"Go to {culprit}, the first wrong"):
            app.send("first_wrong")


def _refused(app: App, report: PassReport) -> None:
    """A shader that does not compile: its message, and a way to the line. Or why a pass could not be compared."""
    session = app.document.session
    error = session.shader_error(report.name) if session is not None else None
    if error is None:
        imgui.text_wrapped(report.message)
        return
    imgui.text_wrapped("Its shader does not compile. What is shown was made by the last good program.")
    imgui.push_style_color(int(imgui.Col_.text), theme.packed(theme.BAD))
    imgui.text_wrapped(error.message)
    imgui.pop_style_color()
    if error.line > 0 and imgui.button(f"{error.file.rpartition('/')[2]}:{error.line}"):
        app.send("show_line", file=error.file, line=error.line)
        app.state.wanted_panels.append("Shader")


def _progress(app: App, inquiry: Inquiry) -> None:
    imgui.text_disabled(
        "Gathering evidence: drawing the pass again in other ways …" if inquiry.job is None else "Explaining …"
    )
    imgui.progress_bar(inquiry.progress, ImVec2(260 * app.scale, 0))
    imgui.same_line()
    if imgui.button("Cancel"):
        app.send("cancel_diagnosis")


def _findings(app: App, inquiry: Inquiry) -> None:
    assert inquiry.diagnosis is not None
    if not inquiry.diagnosis.findings and not inquiry.diagnosis.unexplained:
        imgui.text_wrapped("Wrong in the comparison, right when looked at again: run once more (F5).")
    for number, finding in enumerate(inquiry.diagnosis.findings):
        _finding(app, inquiry.name, finding, number)
    if inquiry.diagnosis.unexplained:
        imgui.text_disabled("Not explained as a whole. What is known:")
        imgui.text_wrapped(inquiry.diagnosis.unexplained)


def _finding(app: App, name: str, finding: Finding, number: int) -> None:
    """One cause; a click on its first line, which lights up under the mouse, shows the place."""
    imgui.push_id(number)
    top, width = imgui.get_cursor_screen_pos(), imgui.get_content_region_avail().x
    overlap = int(imgui.SelectableFlags_.allow_overlap)
    if imgui.selectable("##place", False, overlap, ImVec2(width, imgui.get_text_line_height()))[0]:
        app.send("show_finding", name=name, file=finding.shader, line=finding.line)
    app.mark(f"finding {finding.cause}")
    imgui.set_item_tooltip("Goes to the texel where it shows most, to its tile, and to the line")
    imgui.set_cursor_screen_pos(top)
    imgui.push_font(app.fonts.bold, 0.0)
    imgui.text_colored(theme.BAD if finding.explained >= 1.0 else theme.WARNING, cause_words(finding))
    imgui.pop_font()
    imgui.same_line()
    imgui.text_disabled(detail_words(finding))
    imgui.same_line()
    imgui.text_unformatted(f"explains {_share(finding.explained)}")
    if finding.line is not None:
        imgui.same_line()
        imgui.text_colored(theme.ACCENT, f"{finding.shader.rpartition('/')[2]}:{finding.line}")
    imgui.text_wrapped(finding.evidence)
    imgui.push_style_color(int(imgui.Col_.text), theme.packed(theme.ACCENT))
    imgui.text_wrapped(f"→ {finding.remedy}")
    imgui.pop_style_color()
    imgui.spacing()
    imgui.pop_id()


def _share(explained: float) -> str:
    """Never rounded up to all."""
    return "all of it" if explained >= 1.0 else f"{min(explained, 0.999):.1%}"


PANEL = FindingsPanel()
