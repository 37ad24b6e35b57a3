"""Writes the report as one self-contained page: table, findings, and data and script to debug each pass with.

Without the script a browser shows the table, findings and repairs. Names come from untrusted models and shaders:
everything that is put into the page is escaped.
"""

from __future__ import annotations

import base64
import hashlib
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache, partial
from pathlib import Path
from string import Template

import numpy as np

from texelscope.layouts.outside_text import in_html, printable
from texelscope.pipeline.compare.repairs import Repair
from texelscope.pipeline.compare.report import SEVERITY, SIGNS, Figures, Finding, PassReport, Report, ratio_text
from texelscope.pipeline.compare.words import (
    beside_verdict,
    cause_words,
    detail_words,
    other_repairs,
    relative_words,
    repairs_of,
    surety_words,
    tried_words,
    whole_words,
)
from texelscope.pipeline.export import colour_maps
from texelscope.pipeline.export.html_pictures import thumbnail
from texelscope.pipeline.export.live_page.contents import (
    MOST_BYTES,
    PageSubject,
    Progress,
    contents,
    in_script,
    no_progress,
)
from texelscope.pipeline.export.live_page.recordings import viewed_pass
from texelscope.pipeline.export.live_page.script import script_text
from texelscope.pipeline.export.roofline_svg import svg
from texelscope.pipeline.plan import StoredTensor
from texelscope.pipeline.roofline.chart import Chart

# The kind of a diff's line by its beginning; headers first, since they begin as lines do.
_KINDS = (("---", "head"), ("+++", "head"), ("@@", "head"), ("-", "gone"), ("+", "new"))


# Returns a button that leads to a line of a file, by path and number from 1; empty where nothing can be shown.
LineButton = Callable[[str, int | None], str]


def no_button(_file: str, _line: int | None) -> str:
    """Leads nowhere: on a page without the texts."""
    return ""


def findings_of(each: PassReport, button: LineButton = no_button) -> str:
    """Returns all findings of a pass with their repairs, then the repairs without a finding."""
    parts = [_finding(found, repairs_of(found, each.repairs), button) for found in each.findings]
    others = other_repairs(each.findings, each.repairs)
    if others:
        parts.append(f'<div class="finding"><p>{button(others[0].file, others[0].line)}</p>{_repairs(others)}</div>')
    return "\n".join(parts)


def _finding(found: Finding, repairs: Sequence[Repair], button: LineButton) -> str:
    share = max(0.0, min(found.explained, 1.0))
    surety = surety_words(found)
    return (
        f'<div class="finding"><p><strong>{in_html(cause_words(found))}</strong> '
        f'<span class="soft">{in_html(detail_words(found))}</span> '
        f'<span class="share" aria-hidden="true"><span style="width:{share:.1%}"></span></span> '
        f"explains {share:.1%} of the wrong elements{f'; {in_html(surety)}' if surety else ''}</p>"
        f"<p><code>{in_html(found.place)}</code> {button(*found.to_change)}</p>"
        f"<p>{in_html(found.evidence)}</p><p>→ {in_html(found.remedy)}</p>{_repairs(repairs)}</div>"
    )


def _repairs(repairs: Sequence[Repair]) -> str:
    return "".join(
        f"<p>{'Or' if number else 'Written otherwise'}: {in_html(tried_words(repair))}</p>{_diff(repair.diff)}"
        for number, repair in enumerate(repairs)
    )


def _diff(text: str) -> str:
    lines = "".join(f'<span class="{_kind(line)}">{in_html(line)}</span>\n' for line in text.splitlines())
    return f'<pre class="diff">{lines}</pre>'


def _kind(line: str) -> str:
    return next((kind for beginning, kind in _KINDS if line.startswith(beginning)), "kept")


_TEMPLATES = Path(__file__).parent / "templates"
_RIGHT = frozenset({"match", "not_compared", "not_run"})


def render(subject: PageSubject, roofline: Chart | None = None, progress: Progress = no_progress) -> str:
    """Returns the page; `progress` gets the share that is done, and may raise to cancel it."""
    return _Page(subject, roofline, progress).text()


@cache
def _template(name: str) -> Template:
    return Template((_TEMPLATES / name).read_text(encoding="utf-8"))


class _Page:
    def __init__(self, subject: PageSubject, roofline: Chart | None, progress: Progress) -> None:
        self._subject = subject
        self._report = subject.report
        self._plan = subject.plan
        self._roofline = roofline
        self._thumbnails = [self._thumbnail(each) for each in subject.report.passes]
        self._contents = contents(subject, MOST_BYTES - sum(map(len, self._thumbnails)), progress)

    def text(self) -> str:
        report = self._report
        passes = list(enumerate(report.passes))
        script = script_text()
        return _template("report.html").substitute(
            style=(_TEMPLATES / "report.css").read_text(encoding="utf-8"),
            script=script,
            script_hash=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode("ascii"),
            contents=in_script({**self._contents, "colours": _colours()}),
            title=in_html(f"{report.verdict}: {report.target}"),
            target=in_html(report.target),
            device=in_html(f"{report.device.renderer}, {report.device.version}"),
            headline=self._headline(),
            counts=_counts(report),
            whole=in_html(whole_words(report)),
            undiagnosed=in_html(f"Not diagnosed: {', '.join(report.undiagnosed)}.") if report.undiagnosed else "",
            rows="\n".join(self._row(i, each) for i, each in passes),
            passes="\n".join(self._section(i, each) for i, each in passes),
            roofline=_roofline(self._roofline),
        )

    def _headline(self) -> str:
        culprit = next(
            ((i, each) for i, each in enumerate(self._report.passes) if each.name == self._report.culprit), None
        )
        if culprit is None:
            return "No pass is wrong."
        position, each = culprit
        words = "Only off by storage rounding, first" if each.verdict == "precision" else "First wrong pass"
        cause = f": {in_html(cause_words(each.findings[0]))}" if each.findings else ""
        return f'{words}: <a class="{each.verdict}" href="#pass-{position}">{in_html(each.name)}</a>{cause}'

    def _row(self, position: int, each: PassReport) -> str:
        isolated, chained = each.isolated, each.chained
        words = in_html(each.verdict.replace("_", " ")) + beside_verdict(each)
        numbers = (
            f"{isolated.max_abs:.1e}" if isolated else "",
            _ratio(isolated),
            _ratio(chained),
            f"{each.gpu_ms:.2f}" if each.gpu_ms is not None else "",
        )
        cells = [
            f'<td class="{each.verdict}">{SIGNS[each.verdict]}</td>',
            f'<td><a href="#pass-{position}">{in_html(each.name)}</a></td>',
            f"<td>{in_html(each.operator)}</td>",
            f'<td class="number" style="text-align:left">{_shape(each)}</td>',
            f'<td title="{in_html(each.layout_reason)}">{in_html(each.layout)}</td>',
            f'<td class="{each.verdict}">{words}</td>',
            *(f'<td class="number">{number}</td>' for number in numbers[:-1]),
            f'<td class="number" title="{in_html(each.runs_as)}">{numbers[-1]}</td>',
        ]
        marked = ' class="culprit"' if each.name == self._report.culprit else ""
        return f"<tr{marked}>{''.join(cells)}</tr>"

    def _section(self, position: int, each: PassReport) -> str:
        wrong = each.verdict not in _RIGHT
        return _template("report_pass.html").substitute(
            open=" open" if wrong else "",
            verdict=each.verdict,
            verdict_text=in_html(each.verdict.replace("_", " ")) + beside_verdict(each),
            sign=SIGNS[each.verdict],
            name=in_html(each.name),
            operator=in_html(each.operator),
            shape=_shape(each),
            anchor=f"pass-{position}",
            message=f"<p>{in_html(each.message)}</p>" if each.message else "",
            findings=findings_of(each, partial(self._button, position)),
            thumbnail=self._thumbnails[position],
            position=str(position),
            figures=self._figures(each),
        )

    def _button(self, position: int, file: str, line: int | None) -> str:
        """Returns a button to a texel, its execution and a line; it is hidden until the script shows it."""
        texts, own = self._contents["files"], self._contents["passes"][position]["files"]
        number = next((number for number in own if texts[number]["path"] == printable(file)), -1)
        return (
            f'<button type="button" class="to-finding" hidden data-pass="{position}" data-file="{number}" '
            f'data-line="{line or 0}">Show texel, line and execution</button>'
        )

    def _thumbnail(self, each: PassReport) -> str:
        stored = self._stored(each)
        if stored is None or stored.key not in self._subject.capture.tensors:
            return ""
        source = thumbnail(stored.layout.encode(self._subject.capture.tensors[stored.key]))
        return f'<img class="thumbnail" alt="" src="{source}">'

    def _stored(self, each: PassReport) -> StoredTensor | None:
        found = self._plan.find(each.name)
        return None if found is None else self._plan.textures[viewed_pass(found, each).output]

    def _figures(self, each: PassReport) -> str:
        if each.isolated is None:
            return ""
        rows = [_figures_row("on its own inputs", each.isolated)]
        if each.chained is not None:
            rows.append(_figures_row("from the model's inputs on", each.chained))
        if each.page is not None:
            rows.append(_figures_row("on the page, on the inputs there", each.page.isolated))
        gap = f"<p>From the model's inputs on nothing is known: {in_html(each.not_chained)}</p>" * bool(
            each.not_chained
        )
        head = "".join(
            f'<th class="number">{word}</th>'
            for word in ("Max |error|", "Max relative", "Error / bound", "Beyond", "Of")
        )
        return f'<table class="figures"><tr><th></th>{head}</tr>{"".join(rows)}</table>{gap}{self._worst(each)}'

    def _worst(self, each: PassReport) -> str:
        stored, figures = self._stored(each), each.isolated
        expected = self._subject.expected.get(stored.key) if stored is not None else None
        if stored is None or figures is None or expected is None or not figures.mismatched:
            return ""
        index = tuple(int(i) for i in np.unravel_index(figures.worst, stored.shape or (1,)))
        tx, ty, lane = stored.layout.texel_of(stored.shape, figures.worst)
        have = float(self._subject.capture.tensors[stored.key].flat[figures.worst])
        want = float(np.asarray(expected.value, dtype=np.float64).flat[figures.worst])
        return (
            f"<p>Farthest beyond its bound: element <code>{list(index)}</code>, texel <code>({tx}, {ty})</code> "
            f"lane {lane}: <code>{have:.9g}</code> in place of <code>{want:.9g}</code>.</p>"
        )


def _roofline(chart: Chart | None) -> str:
    if chart is None:
        return ""
    return _template("report_roofline.html").substitute(picture=svg(chart))


def _colours() -> dict[str, str]:
    """Returns the colour maps of signed and unsigned numbers: 256 times red, green and blue in 8 bits, in base64."""
    tables = {name: np.rint(255.0 * colour_maps.table(name)).astype(np.uint8) for name in ("signed", "unsigned")}
    return {name: base64.b64encode(table.tobytes()).decode("ascii") for name, table in tables.items()}


def _figures_row(name: str, figures: Figures) -> str:
    numbers = (
        f"{figures.max_abs:.3g}".replace("inf", "∞"),
        relative_words(figures),
        _ratio(figures),
        f"{figures.mismatched:,}",
        f"{figures.count:,}",
    )
    cells = "".join(f'<td class="number">{number}</td>' for number in numbers)
    return f"<tr><td>{name}</td>{cells}</tr>"


def _ratio(figures: Figures | None) -> str:
    return "" if figures is None else ratio_text(figures.bound_ratio)


def _shape(each: PassReport) -> str:
    return in_html("x".join(map(str, each.shape)) or "scalar")


def _counts(report: Report) -> str:
    counts = Counter(each.verdict for each in report.passes)
    parts = [
        f'<span class="{verdict}">{SIGNS[verdict]} {counts[verdict]} {in_html(verdict.replace("_", " "))}</span>'
        for verdict in SEVERITY
        if counts[verdict]
    ]
    return f"{len(report.passes)} passes: {' · '.join(parts)}" if parts else "No passes."
