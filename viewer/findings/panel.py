"""The Findings panel lists what is wrong with every wrong pass, where, and which line to change."""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui

from texelscope.layouts.outside_text import in_cell
from texelscope.pipeline.compare.repairs import Repair
from texelscope.pipeline.compare.report import Finding, PassReport
from texelscope.pipeline.compare.words import cause_words, detail_words, repairs_of, surety_words
from texelscope.pipeline.diagnose.naming import WRONG
from texelscope.viewer import theme
from texelscope.viewer.app import App
from texelscope.viewer.findings import repair_card
from texelscope.viewer.findings.lines import (
    LOOKING,
    finding_text,
    made_at,
    place_words,
    share_words,
    used_at,
    words_beside_line,
)
from texelscope.viewer.findings.model.inquiry import Inquiry
from texelscope.viewer.layers import menu as layer_menu
from texelscope.viewer.panel import Panel
from texelscope.viewer.widgets import controls
from texelscope.viewer.widgets.controls import as_label

_NAME_WIDTH = 120.0


class FindingsPanel(Panel):
    """Shows named causes pass by pass, with evidence, the line, and a remedy."""

    title = "Findings"
    place = "bottom"
    order = 1
    key = "6"
    in_front = True

    def __init__(self) -> None:
        self._scrolled_to: str | None = None

    def draw(self, app: App) -> None:
        """Draws all wrong passes in order, the selected one in full."""
        comparison = app.document.comparison
        reports = comparison.report.passes if comparison is not None and app.document.is_compared else ()
        wrong = [each for each in reports if each.verdict in WRONG or each.verdict == "error"]
        name = app.selected
        report = app.document.report_of(name) if name is not None else None
        if report is None:
            self._nothing(app, name)
        elif report.verdict not in WRONG:
            self._well(app, report)
        if not wrong or (len(wrong) == 1 and report is not None and wrong[0].name == report.name):
            self._scrolled_to = name
            if report is not None and report.verdict in WRONG:
                _opened(app, report)
            return
        if report is None or report.verdict not in WRONG:
            imgui.separator()
        _summary(app, len(wrong))
        for each in wrong:
            is_open = report is not None and each.name == report.name
            _row(app, each, is_open=is_open)
            if is_open and self._scrolled_to != name:
                imgui.set_scroll_here_y(0.0)
            if is_open and each.verdict in WRONG:
                imgui.indent(20 * app.scale)
                _opened(app, each)
                imgui.unindent(20 * app.scale)
        self._scrolled_to = name

    def _nothing(self, app: App, name: str | None) -> None:
        session = app.document.session
        if session is None or name is None:
            imgui.text_disabled("Nothing is open.")
        elif name in session.plan.given:
            imgui.text_disabled("Inputs are not checked. Select a pass.")
        elif app.document.run.is_inside(name):
            imgui.text_wrapped(f"Computed {app.document.run.together(name)}but not stored: nothing to compare.")
            if imgui.button("Open it up"):
                app.send("open_up", name=name)
            app.mark("open up")
        else:
            imgui.text_disabled("This pass has not been compared yet.")

    def _well(self, app: App, report: PassReport) -> None:
        comparison = app.document.comparison
        if report.inherited:
            imgui.text_wrapped("This pass computes the right result for its input, but its input is already wrong.")
        elif report.verdict == "match":
            known = "its recording" if report.compared_with == "recording" else "the oracle"
            imgui.text_disabled(f"This pass matches {known} within rounding.")
        elif report.verdict in ("error", "not_compared"):
            _refused(app, report)
        else:
            session = app.document.session
            is_missing = session is not None and session.plan.missing(report.name) is not None
            hint = "No shader runs this node" if is_missing else "This pass has not run: F6 runs up to it"
            imgui.text_disabled(f"{hint}.")
        is_current = comparison is not None and app.document.has_current_verdicts
        culprit = comparison.report.culprit if comparison is not None and is_current else None
        if culprit not in (None, report.name) and imgui.button(f"Go to {as_label(culprit)}, the first wrong"):
            app.send("first_wrong")


def _refused(app: App, report: PassReport) -> None:
    """Draws why a pass has no result: a compiler message with a link to its line, or why it was not compared."""
    session = app.document.session
    error = session.shader_error(report.name) if session is not None else None
    if error is None:
        imgui.text_wrapped(report.message)
        return
    imgui.text_wrapped("Its shader does not compile. The values shown are from the last good program.")
    imgui.push_style_color(int(imgui.Col_.text), theme.packed(theme.BAD))
    imgui.text_wrapped(error.message)
    imgui.pop_style_color()
    if error.line > 0 and imgui.button(f"{as_label(error.file.rpartition('/')[2])}:{error.line}"):
        app.send("show_line", file=error.file, line=error.line)
        app.state.wanted_panels.append("Shader")


def _summary(app: App, count: int) -> None:
    """Draws how many passes are wrong and how many are named, and offers to continue."""
    names = app.analyses.diagnoses.wrong(app.document)
    known = [each for name in names if (each := app.analyses.diagnoses.diagnosis(app.document, name)) is not None]
    named = sum(bool(each.findings) for each in known)
    left = len(names) - sum(app.analyses.diagnoses.inquiry(app.document, name) is not None for name in names)
    words = [f"{count} passes compute wrong results", f"{named} named"]
    words += [f"{len(known) - named} unexplained"] if len(known) > named else []
    imgui.align_text_to_frame_padding()
    imgui.text_disabled(" · ".join(words))
    if left and app.analyses.diagnoses.holds(app.document):
        imgui.same_line()
        if imgui.button("Name the others"):
            app.send("diagnose_all")
        app.mark("name the others")


def _row(app: App, report: PassReport, *, is_open: bool) -> None:
    """Draws a pass of the list with its state in a line; a click selects the pass."""
    imgui.push_id(report.name)
    top, width = imgui.get_cursor_screen_pos(), imgui.get_content_region_avail().x
    height, scale = imgui.get_text_line_height(), app.scale
    overlap = int(imgui.SelectableFlags_.allow_overlap)
    if imgui.selectable("##pass", is_open, overlap, ImVec2(width, height))[0]:
        app.send("select", name=report.name)
    app.mark(f"findings of {report.name}")
    layer_menu.draw(app, report.name)
    sign = theme.SIGNS[report.verdict]
    theme.draw_sign(imgui.get_window_draw_list(), top.x + 7 * scale, top.y + height / 2, 5.5 * scale, sign)
    imgui.set_cursor_screen_pos(ImVec2(top.x + 20 * scale, top.y))
    imgui.push_font(app.display.fonts.bold, 0.0)
    imgui.text_unformatted(in_cell(report.name))
    imgui.pop_font()
    imgui.same_line()
    imgui.set_cursor_screen_pos(ImVec2(max(imgui.get_cursor_screen_pos().x, top.x + _NAME_WIDTH * scale), top.y))
    if is_open:
        imgui.new_line()
    else:
        _in_short(app, report)
    imgui.pop_id()


def _in_short(app: App, report: PassReport) -> None:
    """Draws the state of an unselected pass in the rest of its line."""
    inquiry = app.analyses.diagnoses.inquiry(app.document, report.name)
    if report.verdict == "error":
        imgui.text_colored(theme.BAD, report.message.partition("\n")[0])
    elif inquiry is None:
        imgui.text_disabled(
            "waiting for its diagnosis" if not app.analyses.diagnoses.holds(app.document) else "not diagnosed"
        )
    elif not inquiry.is_done:
        imgui.text_disabled("being diagnosed")
        imgui.same_line()
        imgui.progress_bar(inquiry.progress, ImVec2(160 * app.scale, imgui.get_text_line_height()))
    elif inquiry.problem:
        imgui.text_disabled(inquiry.problem.partition("\n")[0])
    elif inquiry.diagnosis is not None and inquiry.diagnosis.findings:
        findings = inquiry.diagnosis.findings
        _head(app, report.name, findings[0], is_short=True)
        if len(findings) > 1:
            imgui.same_line()
            imgui.text_disabled(f"and {len(findings) - 1} more")
    elif inquiry.diagnosis is not None:
        imgui.text_colored(theme.WARNING, "unexplained")
        imgui.same_line()
        imgui.text_disabled(inquiry.diagnosis.unexplained.partition("\n")[0])


def _opened(app: App, report: PassReport) -> None:
    """Draws all that is known about a wrong pass."""
    inquiry = app.analyses.diagnoses.inquiry(app.document, report.name)
    if inquiry is None:
        imgui.text_unformatted(f"'{report.name}' computes a wrong result from its inputs.")
        if app.document.early is not None:
            imgui.text_disabled("Its cause can be named when all passes are compared.")
        elif imgui.button("Name the cause"):
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


def _progress(app: App, inquiry: Inquiry) -> None:
    words = "Explaining …"
    if inquiry.locating is not None:
        words = "Searching for a repair: running the pass with changed lines …"
    elif inquiry.beginning is not None:
        words = "Gathering evidence: running the pass under other conditions …"
    imgui.text_disabled(words)
    imgui.progress_bar(inquiry.progress, ImVec2(260 * app.scale, 0))
    imgui.same_line()
    if imgui.button("Cancel"):
        app.send("cancel_diagnosis")
    app.mark("cancel diagnosis")


def _findings(app: App, inquiry: Inquiry) -> None:
    assert inquiry.diagnosis is not None
    if not inquiry.diagnosis.findings and not inquiry.diagnosis.unexplained:
        imgui.text_wrapped("Wrong in the comparison, but right when run again: run everything once more (F5).")
    left = inquiry.repairs
    for number, finding in enumerate(inquiry.diagnosis.findings):
        _finding(app, inquiry.name, finding, number, repairs_of(finding, left))
        left = () if finding.repair is not None else left  # shown once
    if inquiry.diagnosis.unexplained:
        imgui.text_disabled("Only partly explained. Known so far:")
        imgui.text_wrapped(inquiry.diagnosis.unexplained)
    repair_card.draw(app, inquiry.name, left)
    _search(app, inquiry)


def _search(app: App, inquiry: Inquiry) -> None:
    """Draws the state of the search for repairs, if there is one."""
    if inquiry.is_under_way:
        _progress(app, inquiry)
    elif inquiry.repairs or (inquiry.named is None and not inquiry.is_kept):
        return
    elif inquiry.is_over or not app.analyses.diagnoses.repair_seconds or app.analyses.diagnoses.holds(app.document):
        words = "No repair was found." if inquiry.looked and not inquiry.given_up else "No repair was searched for."
        imgui.align_text_to_frame_padding()
        imgui.text_disabled("The search for a repair was cancelled." if inquiry.given_up else words)
        imgui.same_line()
        if imgui.button("Search again" if inquiry.is_over else "Search for a repair"):
            app.send("diagnose", name=inquiry.name)
        app.mark("look for repair")
    else:
        imgui.text_disabled("The search for a repair is next.")


def _finding(app: App, name: str, finding: Finding, number: int, repairs: tuple[Repair, ...]) -> None:
    """Draws one cause; its first line lights up under the mouse, and a click shows the place."""
    imgui.push_id(number)
    top, width = imgui.get_cursor_screen_pos(), imgui.get_content_region_avail().x
    overlap = int(imgui.SelectableFlags_.allow_overlap)
    made, used = made_at(finding), used_at(finding)
    file, line = made or (finding.shader, None)
    if imgui.selectable("##place", False, overlap, ImVec2(width, imgui.get_text_line_height()))[0]:
        app.send("show_finding", name=name, file=file, line=line)
    app.mark(f"finding {finding.cause}")
    imgui.set_item_tooltip("Goes to the worst texel, its tile, and the shader line")
    _menu(app, name, finding)
    imgui.set_cursor_screen_pos(top)
    _head(app, name, finding)
    if made is not None:
        app.mark("finding line")
    if used is not None and used != made:
        imgui.same_line()
        imgui.text_disabled("used at")
        imgui.same_line()
        if imgui.text_link(place_words(used)):
            app.send("show_line", file=used[0], line=used[1])
        app.mark("finding used line")
    imgui.text_wrapped(finding.evidence)
    imgui.push_style_color(int(imgui.Col_.text), theme.packed(theme.ACCENT))
    imgui.text_wrapped(f"→ {finding.remedy}")
    imgui.pop_style_color()
    repair_card.draw(app, name, repairs)
    imgui.spacing()
    imgui.pop_id()


def _head(app: App, name: str, finding: Finding, *, is_short: bool = False) -> None:
    """Draws cause, parameters, share and place in a line, and what is said where that is not the line to change.

    Where the rest of the line is too narrow for that it goes below, or is left out if it `is_short`.
    """
    imgui.push_font(app.display.fonts.bold, 0.0)
    imgui.text_colored(theme.BAD if finding.explained >= 1.0 else theme.WARNING, cause_words(finding))
    imgui.pop_font()
    details = detail_words(finding)
    if details:
        imgui.same_line()
        imgui.text_disabled(details)
    imgui.same_line()
    imgui.text_unformatted(f"explains {share_words(finding)}")
    surety = surety_words(finding)
    if surety:
        imgui.same_line()
        imgui.text_colored(theme.QUIET if finding.one_of else theme.GOOD, surety)
        imgui.set_item_tooltip(
            "No experiment could distinguish these causes; the likeliest is first"
            if finding.one_of
            else "Confirmed on other inputs, chosen to rule out every other explanation"
        )
    place = made_at(finding)
    if place is not None:
        imgui.same_line()
        imgui.text_colored(theme.ACCENT, place_words(place))
    words = words_beside_line(app, name, finding)
    if not words:
        return
    imgui.same_line()
    is_narrow = imgui.get_content_region_avail().x < imgui.calc_text_size(words).x
    if is_narrow:
        imgui.new_line()
    if not (is_narrow and is_short):
        imgui.text_colored(theme.WARNING if words == LOOKING else theme.QUIET, words)


def _menu(app: App, name: str, finding: Finding) -> None:
    """Draws the menu of a right-click on a finding."""
    if not imgui.begin_popup_context_item("of a finding"):
        return
    controls.copy_entries(app, {"Copy the text": finding_text(name, finding)})
    made, used = made_at(finding), used_at(finding)
    for words, place in (("Go to", made), ("Go to where it is used,", used if used != made else None)):
        if place is not None and imgui.menu_item(f"{words} {place_words(place)}", "", False)[0]:
            app.send("show_line", file=place[0], line=place[1])
        app.mark(f"menu line {place_words(place)}")
    imgui.separator()
    layer_menu.offers(app, name)
    imgui.end_popup()


PANEL = FindingsPanel()
