"""Puts the data of a page together: textures, elements, executions and shader text, as JSON within a budget of bytes.

What a person debugs with comes first: executions and reads of wrong passes, then the values of wrong passes and of
their inputs, then all others. Where the room gets small values are rounded, and the page says so; where there is none
they are left out.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.layouts.base import Layout
from texelscope.layouts.outside_text import in_json, printable, printable_lines
from texelscope.layouts.shapes import as_nchw
from texelscope.pipeline.compare.capture import Capture
from texelscope.pipeline.compare.report import UNBLAMED, PassReport, Report
from texelscope.pipeline.compare.words import cause_words
from texelscope.pipeline.export.live_page.packed import COARSE_BITS, EXACT_BITS, FINE_BITS, packed
from texelscope.pipeline.export.live_page.read_rules import read_rules, written_rule
from texelscope.pipeline.export.live_page.recordings import (
    MOST_STEPS,
    NO_RECORDINGS,
    RecordedElement,
    Recordings,
    viewed_pass,
)
from texelscope.pipeline.export.live_page.texel_values import (
    VALUES,
    TexelValues,
    described,
    element_map,
    texel_values,
    written,
)
from texelscope.pipeline.export.live_page.written_trace import written_trace
from texelscope.pipeline.graph import Shape
from texelscope.pipeline.oracle.expected import Expected
from texelscope.pipeline.plan import Pass, Plan, ProgramSource, Tolerance

# What the data of a page may take in all, with its thumbnails; the rest of ten megabytes is for tables and findings.
MOST_BYTES = 9_600_000
# The part of them that executions and reads may take.
_OF_RECORDINGS = 0.4
# All rules of what should be read are looked for so long, and those of one pass.
_RULE_SECONDS, _PASS_SECONDS = 8.0, 2.0
# The share of the work that they are.
_OF_RULES = 0.6
# More values than these deflate to a byte only where most are equal: they are not tried.
_MOST_VALUES_A_BYTE = 4


@dataclass(frozen=True)
class PageSubject:
    """Holds what a page is about. `expected` has by key what each pass should have computed from its actual inputs.

    `tolerances` replace the bounds of passes, by name; `recordings` are elements by pass, and `programs` what passes
    ran in place of the plan's.
    """

    report: Report
    plan: Plan
    capture: Capture
    expected: Mapping[str, Expected]
    recordings: Recordings = field(default_factory=lambda: NO_RECORDINGS)
    tolerances: Mapping[str, Tolerance] = field(default_factory=dict)
    programs: Mapping[str, ProgramSource] = field(default_factory=dict)


# Gets the share of the work that is done; may raise to cancel it.
Progress = Callable[[float], None]


def no_progress(_share: float) -> None:
    """Tells nobody."""


def contents(subject: PageSubject, most_bytes: int = MOST_BYTES, progress: Progress = no_progress) -> dict[str, Any]:
    """Returns the data of a page; its texts are printable, and its JSON takes about `most_bytes` at most."""
    return _Contents(subject, most_bytes, progress).data()


def in_script(data: Mapping[str, Any]) -> str:
    """Returns data as JSON that no text in it can end: safe inside a script element."""
    return in_json(data, separators=(",", ":")).replace("<", "\\u003c")


class _Contents:
    def __init__(self, subject: PageSubject, most_bytes: int, progress: Progress) -> None:
        self._subject = subject
        self._progress = progress
        self._plan = subject.plan
        self._left = most_bytes
        self._for_recordings = _OF_RECORDINGS * most_bytes
        self._textures: dict[str, dict[str, Any]] = {}
        self._numbers: dict[str, int] = {}
        self._maps_of: dict[tuple[Layout, Shape], int] = {}
        self._maps: list[str] = []
        self._files: dict[tuple[str, str], int] = {}
        self._texts: list[dict[str, str]] = []

    def data(self) -> dict[str, Any]:
        reports = self._subject.report.passes
        planned = [self._planned(each) for each in reports]
        for found in self._in_order(planned):
            self._texture(found)
        passes = [self._pass(each, found) for each, found in zip(reports, planned, strict=True)]
        self._add_rules(passes, planned)
        wrong = [each for each in planned if each is not None and self._is_wrong(each.name)]
        first = {key for each in wrong for key in (each.output, *each.reads)}
        for is_first in (True, False):
            self._values([key for key in self._textures if (key in first) == is_first])
            self._progress(_OF_RULES + (1.0 - _OF_RULES) * (0.5 if is_first else 1.0))
        return {
            "version": 1,
            "passes": passes,
            "textures": list(self._textures.values()),
            "maps": self._maps,
            "files": self._texts,
        }

    # -- which, in which order -----------------------------------------------------------------------------------

    def _planned(self, report: PassReport) -> Pass | None:
        found = self._plan.find(report.name)
        return None if found is None else viewed_pass(found, report)

    def _is_wrong(self, name: str) -> bool:
        report = self._subject.report.find(name)
        return report is not None and report.verdict not in UNBLAMED

    def _in_order(self, planned: Sequence[Pass | None]) -> list[str]:
        """Returns the keys of all textures, the most telling first.

        Wrong passes stand before their inputs, the model's outputs and inputs, all other passes, and constants.
        """
        found = [each for each in planned if each is not None]
        wrong = [each for each in found if self._is_wrong(each.name)]
        keys = [each.output for each in wrong]
        keys += [key for each in wrong for key in each.reads]
        keys += [*self._plan.outputs, *self._plan.inputs]
        keys += [each.output for each in found]
        keys += [key for each in found for key in each.reads]
        return [key for key in dict.fromkeys(keys) if key in self._plan.textures]

    # -- textures ------------------------------------------------------------------------------------------------

    def _texture(self, key: str) -> None:
        self._numbers[key] = len(self._textures)
        self._textures[key] = described(self._plan.textures[key])

    def _map(self, key: str) -> int:
        """Returns the number of the map from lanes to elements, which textures of one layout and shape share."""
        stored = self._plan.textures[key]
        place = (stored.layout, tuple(stored.shape))
        if place not in self._maps_of:
            self._maps_of[place] = len(self._maps)
            self._maps.append(element_map(stored))
            self._left -= len(self._maps[-1])
        return self._maps_of[place]

    def _number(self, key: str) -> int:
        return self._numbers.get(key, -1)

    def _values(self, keys: Sequence[str]) -> None:
        """Adds the values of some textures: coarse ones of as many as there is room for, then finer ones in turns."""
        known: dict[str, TexelValues] = {}
        for key in keys:
            values = self._texels(key)
            if values is None:
                self._textures[key]["missing"] = "Its values were not read back."
            elif values.actual.size > _MOST_VALUES_A_BYTE * self._left or not self._refine(key, values, COARSE_BITS):
                self._textures[key]["missing"] = "Its values are left out: the page would be too large."
            else:
                known[key] = values
                self._textures[key]["map"] = self._map(key)
        for bits in (FINE_BITS, EXACT_BITS):
            for key, values in known.items():
                self._refine(key, values, bits)

    def _refine(self, key: str, values: TexelValues, bits: int) -> bool:
        """Replaces the values of a texture by finer ones if there is room."""
        data, texture = written(values, bits), self._textures[key]
        more = _size(data) - _size({name: texture[name] for name in VALUES if name in texture})
        if more > self._left:
            return False
        self._left -= more
        self._textures[key] = {**{name: each for name, each in texture.items() if name not in VALUES}, **data}
        return True

    def _texels(self, key: str) -> TexelValues | None:
        stored, subject = self._plan.textures[key], self._subject
        values: NDArray[np.float32] | None = subject.capture.tensors.get(key)
        if values is None and stored.role == "constant":
            constant = self._plan.constant(stored.tensor)
            values = None if constant is None else np.asarray(constant, dtype=np.float32)
        if values is None or values.size != int(np.prod(stored.shape)):
            return None
        maker = self._plan.find(key)
        own = {**self._plan.tolerances, **subject.tolerances}
        tolerance = own.get(maker.name) if maker is not None else None
        return texel_values(stored, values, subject.expected.get(key), tolerance, self._recorded(key, maker))

    def _recorded(self, key: str, maker: Pass | None) -> NDArray[np.float32] | None:
        """Returns what a recorded pass gave on its page, if that is another value than here or than it means."""
        report = self._subject.report.find(maker.name) if maker is not None else None
        if self._plan.recorded is None or report is None or report.page is None or report.page.agrees_with == "both":
            return None
        return self._plan.recorded.values.get(key)

    # -- passes --------------------------------------------------------------------------------------------------

    def _pass(self, report: PassReport, planned: Pass | None) -> dict[str, Any]:
        if planned is None:
            return {"name": printable(report.name), "output": -1, "inputs": [], "elements": [], "files": [],
                    "worst": None, "isWrong": False, "lines": [], "rules": []}  # fmt: skip
        stored = self._plan.textures[planned.output]
        has_worst = report.isolated is not None and report.isolated.mismatched > 0
        worst = stored.layout.texel_of(stored.shape, report.isolated.worst) if report.isolated and has_worst else None
        recorded = self._subject.recordings.get(planned.name, ())
        numbers = [self._file(planned, path) for path in self._paths(report, recorded)]
        return {
            "name": printable(report.name),
            "output": self._number(planned.output),
            "inputs": [self._number(key) for key in planned.reads],
            "worst": None if worst is None else list(worst),
            "isWrong": report.verdict not in UNBLAMED,
            "files": [number for number in dict.fromkeys(numbers) if number >= 0],
            "lines": self._lines(report, planned),
            "elements": [self._element(each, planned) for each in recorded],
        }

    def _add_rules(self, passes: Sequence[dict[str, Any]], planned: Sequence[Pass | None]) -> None:
        """Adds rules of what should be read, of wrong passes first, for a few seconds."""
        end = time.monotonic() + _RULE_SECONDS
        pairs = [(data, each) for data, each in zip(passes, planned, strict=True) if each is not None]
        for done, (data, each) in enumerate(sorted(pairs, key=lambda pair: not pair[0]["isWrong"])):
            self._progress(_OF_RULES * done / len(pairs))
            rules = read_rules(self._plan, each, min(_PASS_SECONDS, end - time.monotonic()))
            dims = {rule.key: as_nchw(self._plan.textures[rule.key].shape) for rule in rules}
            data["rules"] = [written_rule(rule, dims[rule.key], self._number(rule.key)) for rule in rules]
            self._left -= len(in_json(data["rules"]))

    def _paths(self, report: PassReport, recorded: Sequence[RecordedElement]) -> list[str]:
        """Returns the files that a pass speaks of, the most telling first."""
        paths = [path for finding in report.findings for path in (finding.to_change[0], finding.shader)]
        paths += [edit.file for repair in report.repairs for edit in repair.in_file]
        for each in recorded:
            paths += [step.line[0] for step in each.trace.steps] if each.trace is not None else []
            paths += [site.site.file for site in each.sites]
        return list(dict.fromkeys(paths))

    def _lines(self, report: PassReport, planned: Pass) -> list[list[Any]]:
        """Returns the lines that findings, or else repairs, change: file, line, and what stands beside it."""
        places = [(*finding.to_change, cause_words(finding)) for finding in report.findings]
        places += [(edit.file, edit.line, "repaired") for repair in report.repairs for edit in repair.in_file]
        found: dict[tuple[int, int], str] = {}
        for path, line, words in places:
            number = self._file(planned, path)
            if line is not None and number >= 0:
                found.setdefault((number, line), printable(words))
        return [[number, line, words] for (number, line), words in found.items()]

    def _file(self, planned: Pass, path: str) -> int:
        """Returns the number of a file of a pass's program, adding it; -1 for text that is in none."""
        program = self._subject.programs.get(planned.name, planned.program)
        text = next((file.text for file in program.files if file.path == path), None)
        if text is None:
            return -1
        if (path, text) not in self._files:
            self._files[path, text] = len(self._texts)
            self._texts.append({"path": printable(path), "text": printable_lines(text.expandtabs(4))})
            self._left -= len(text)
        return self._files[path, text]

    def _element(self, recorded: RecordedElement, planned: Pass) -> dict[str, Any]:
        data: dict[str, Any] = {
            "texel": list(recorded.texel),
            "why": recorded.chosen.why,
            "judged": recorded.judged,
            "problem": printable(recorded.problem),
            "traceProblem": printable(recorded.trace_problem),
            "inputs": [
                {
                    "texture": self._number(each.key),
                    "right": _places(each.right),
                    "unexpected": _places(each.unexpected),
                    "missing": _places(each.missing),
                }
                for each in recorded.inputs
            ],
            "sites": [
                [self._file(planned, each.site.file), each.site.line, each.reads, each.wrong] for each in recorded.sites
            ],
        }
        if recorded.trace is not None:
            trace = written_trace(
                recorded.trace, recorded.sum, MOST_STEPS, lambda path: self._file(planned, path), self._number
            )
            if len(trace) <= self._for_recordings:
                data["trace"] = trace
            else:
                data["traceProblem"] = "Its execution is left out: the page would be too large."
        size = len(in_json(data))
        self._left -= size
        self._for_recordings -= size
        return data


def _size(data: Mapping[str, Any]) -> int:
    return sum(len(each) for each in data.values() if isinstance(each, str))


def _places(texels: frozenset[tuple[int, int]]) -> str:
    """Returns texels (tx, ty), row by row, packed; empty for none."""
    if not texels:
        return ""
    rows = sorted((ty, tx) for tx, ty in texels)
    return packed(np.array([(tx, ty) for ty, tx in rows], dtype=np.uint16))
