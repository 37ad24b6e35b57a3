"""Holds the report of a comparison, as data and as the JSON of `diff --json`.

Stable: fields are added, never renamed.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any, Literal, get_args

from texelscope.layouts.outside_text import in_json, one_line
from texelscope.pipeline.compare.repairs import Repair
from texelscope.pipeline.device import DeviceInfo
from texelscope.pipeline.recorded_run import OracleKind

# `not_its_meaning`: a recorded program gives here what it gave on the page, and that is not what its kernel means.
Verdict = Literal[
    "match", "precision", "not_compared", "not_run", "unwritten", "nan", "not_its_meaning", "mismatch", "error"
]
# Whether an untranslated run gives the values of the run here.
Agrees = Literal["equal", "within", "differs", "not_run"]
# Which of the other two values the page's agree with: this device's and the meaning's.
Agreement = Literal["both", "device", "meaning", "neither"]
VERSION = 1

# Larger ratios are only reported as large.
LARGEST_RATIO = 1e6

# From best to worst; a report's verdict is that of its worst pass.
SEVERITY: tuple[Verdict, ...] = get_args(Verdict)

# Verdicts of passes that are not known to be wrong.
UNBLAMED: frozenset[Verdict] = frozenset({"match", "precision", "not_compared", "not_run"})

# Verdicts have a sign and a word, so that they can be read without colour.
SIGNS: Mapping[Verdict, str] = MappingProxyType(
    {
        "match": "●",
        "precision": "◐",
        "mismatch": "✗",
        "not_its_meaning": "✗",
        "nan": "✗",
        "unwritten": "✗",
        "error": "!",
        "not_compared": "?",
        "not_run": "○",
    }
)


@dataclass(frozen=True)
class Figures:
    """Describes how far one tensor is from another.

    `max_abs` and `max_rel` are the largest |error| and |error| / |expected|; `bound_ratio` the largest |error|
    over its rounding bound; `mismatched` counts elements beyond it, of `count`. `worst` is the linear index of
    the element with the largest ratio.
    """

    max_abs: float
    max_rel: float
    bound_ratio: float
    mismatched: int
    count: int
    worst: int = 0


@dataclass(frozen=True)
class Finding:
    """Describes a diagnosis: a named cause, its parameters, the place, evidence and remedy in a sentence each.

    `explained` is the share of wrong elements that the cause reproduces, `residual` the largest error left in them.
    `line` is where the wrong number is used: a read, a sum, the result. `made` is (file, line) where it arose: the
    only line whose edit makes every value right; None where several lines may, or none was found.
    `sure`: it was tested on other inputs, chosen to separate it from all other explanations. `one_of` are the
    causes that no evidence separates from this one, likeliest first. `repair` fixes it, if one was found.
    """

    cause: str
    parameters: Mapping[str, Any]
    explained: float
    residual: float
    shader: str
    line: int | None
    evidence: str
    remedy: str
    made: tuple[str, int] | None = None
    sure: bool = False
    one_of: tuple[str, ...] = ()
    repair: Repair | None = None

    def __post_init__(self) -> None:
        _on_one_line(self, "evidence", "remedy")

    @property
    def used(self) -> str:
        """Formats the shader and the line that used the wrong number."""
        return f"{self.shader}:{self.line}" if self.line is not None else self.shader

    @property
    def place(self) -> str:
        """Formats the line to change, and the line that used its value if that is another."""
        if self.made is None or self.made == (self.shader, self.line):
            return self.used
        file, line = self.made
        used = f"line {self.line}" if file == self.shader and self.line is not None else self.used
        return f"{file}:{line}, used in {used}"

    @property
    def to_change(self) -> tuple[str, int | None]:
        """Returns the file and line to open: where the wrong number arose, if that is known."""
        return self.made if self.made is not None else (self.shader, self.line)


@dataclass(frozen=True)
class Jump:
    """Describes the pass at which the end-to-end error jumps, and why.

    `before` and `after` are the largest |error| over the largest |value|, of the tensors that it read (the worst) and
    of the one it made. `cause` is one of `rounding_decision`, `comparison`, `choice` (decisions that
    tipped), `overflow`, `cancellation`, `small_values`, `amplified`, `storage`, `wrong_pass`, or `unexplained`;
    `evidence` is the sentence with its figures, `elements` the number affected. `explained` is the share of the
    outputs' error that vanishes once this pass's own values are given to the oracle; None where that was not tried.
    """

    name: str
    operator: str
    before: float
    after: float
    cause: str
    evidence: str
    elements: int = 0
    explained: float | None = None


@dataclass(frozen=True)
class OutputError:
    """Describes how far one output of the model is from the oracle's, end to end.

    `of_largest` is the largest |error| over the largest |value|. Where there are no figures `message` says why.
    """

    name: str
    chained: Figures | None = None
    of_largest: float | None = None
    message: str = ""

    def __post_init__(self) -> None:
        _on_one_line(self, "message")


@dataclass(frozen=True)
class EndToEnd:
    """Describes the whole run: the outputs, the source of their error, and a sentence about it."""

    outputs: tuple[OutputError, ...]
    jump: Jump | None
    message: str

    def __post_init__(self) -> None:
        _on_one_line(self, "message")


@dataclass(frozen=True)
class Repeated:
    """Describes a pass whose result changed from run to run on the same inputs of the model.

    `reason`: `nondeterministic`, `earlier_run` (data of that run show in the result), or `inherited` from
    its inputs. `elements` of `count` differed in any of the `runs`, by `max_abs` at most.
    """

    name: str
    reason: str
    runs: int
    elements: int
    count: int
    max_abs: float


@dataclass(frozen=True)
class PageColumn:
    """Describes what a recorded pass gave on the page, beside what it gives on this device and what it means.

    `isolated` are the page's values against the meaning of the inputs that the pass had there. `same_inputs`: it has
    those inputs here too; only then the page's values can agree with this device's.
    """

    agrees_with: Agreement
    isolated: Figures
    same_inputs: bool


@dataclass(frozen=True)
class NativeColumn:
    """Describes what a pass gave that ran untranslated on `device`, on the same inputs as here.

    `agrees` says whether that is `equal` to the values here, bit for bit, `within` a bound of rounding, or `differs`;
    `not_run` is why it did not run, where it is not empty. `max_abs` is the largest |difference| of the `unequal`
    elements, `isolated` the figures of the native values against what they should be.
    """

    device: str
    agrees: Agrees
    max_abs: float = 0.0
    unequal: int = 0
    isolated: Figures | None = None
    not_run: str = ""


@dataclass(frozen=True)
class PassReport:
    """Describes one compared pass: `isolated` on its actual inputs, `chained` end to end, or `not_chained`: why not.

    `layout_reason` says briefly why the output has its layout; empty where a file sets it. `runs_as` is the
    form that replaced the pass's own shader; empty if that ran. `notes`, by label, and `recorded_ms` are remarks and
    the time of the engine that recorded the program. `repairs` are all that were found,
    equally good, whether or not a finding names the bug. `was_cut` says that the search for a cause ran out of time.
    `compared_with` says of a recorded pass whether `meaning` or `recording` was the oracle, and `page` is what it gave
    there; None where the recording is the oracle. `native` is what it gave untranslated, where that was asked for.
    """

    name: str
    operator: str
    shape: tuple[int, ...]
    layout: str
    verdict: Verdict
    chained: Figures | None = None
    isolated: Figures | None = None
    inherited: bool = False
    gpu_ms: float | None = None
    message: str = ""
    findings: tuple[Finding, ...] = ()
    not_chained: str = ""
    layout_reason: str = ""
    runs_as: str = ""
    recorded_ms: float | None = None
    notes: Mapping[str, str] = field(default_factory=dict)
    repairs: tuple[Repair, ...] = ()
    was_cut: bool = False
    compared_with: OracleKind = ""
    page: PageColumn | None = None
    native: NativeColumn | None = None

    def __post_init__(self) -> None:
        _on_one_line(self, "message", "not_chained")


@dataclass(frozen=True)
class FrameMismatch:
    """Names the first frame in which a pass is wrong on its own inputs, and the first such pass in it."""

    frame: int
    name: str


@dataclass(frozen=True)
class FramesCompared:
    """Says how many frames were compared, which one a report shows, and where the first mismatch is.

    It shows that of the first mismatch, or the last one without any. `planned` is the number of frames asked for: a
    frame that did not compute what the next one reads was the last.
    """

    count: int
    planned: int
    shown: int
    first_mismatch: FrameMismatch | None = None


@dataclass(frozen=True, repr=False)
class Report:
    """Holds all passes in order; `culprit` is the first that is wrong on its own inputs, if there is one.

    A pass that is off by its storage's rounding (`precision`) is named only where none is worse. `undiagnosed` are
    the wrong passes without a diagnosis, for lack of time or because others were requested. `repeated`
    says what changed from run to run; None for a single run. `frames` is about a run of several frames, of which this
    is one; None for a single frame.
    """

    target: str
    device: DeviceInfo
    verdict: Verdict
    culprit: str | None
    passes: tuple[PassReport, ...]
    version: int = field(default=VERSION)
    end_to_end: EndToEnd | None = None
    undiagnosed: tuple[str, ...] = ()
    repeated: tuple[Repeated, ...] | None = None
    frames: FramesCompared | None = None

    def __repr__(self) -> str:
        """Names the culprit, its cause and its place, in few letters: a failed assertion shows this."""
        culprit = self.find(self.culprit) if self.culprit is not None else None
        wrong = f", culprit {culprit.name!r}" if culprit is not None else ""
        findings = culprit.findings if culprit is not None else ()
        cause = f", {findings[0].cause} at {findings[0].place}" if findings else ""
        return f"<Report of {self.target!r}: {self.verdict}{wrong}{cause}>"

    def find(self, name: str) -> PassReport | None:
        """Finds the report of the pass called `name`."""
        return self._by_name.get(name)

    @cached_property
    def _by_name(self) -> Mapping[str, PassReport]:
        return {each.name: each for each in reversed(self.passes)}

    def as_json(self) -> str:
        """Returns strict JSON text: infinities and NaN become null."""
        return in_json(plain(dataclasses.asdict(self, dict_factory=_ordered)), indent=2)


def ratio_text(ratio: float) -> str:
    """Formats an error over its rounding bound; beyond a million only that (a bound of 0 has no scale)."""
    return f"{ratio:.3g}" if ratio <= LARGEST_RATIO else f">{LARGEST_RATIO:.0e}".replace("e+0", "e")


def summarise(target: str, device: DeviceInfo, passes: tuple[PassReport, ...]) -> Report:
    """Summarises `passes` in a report, with overall verdict and culprit."""
    verdicts: list[Verdict] = [each.verdict for each in passes]
    worst: Verdict = max(verdicts, key=SEVERITY.index, default="match")
    blamed = [each.name for each in passes if each.verdict not in UNBLAMED]
    blamed += [each.name for each in passes if each.verdict == "precision"]
    culprit = next(iter(blamed), None)
    return Report(target=target, device=device, verdict=worst, culprit=culprit, passes=passes)


def _on_one_line(said: Finding | OutputError | EndToEnd | PassReport, *fields: str) -> None:
    """Puts sentences for a person, which quote names, on one line each; names stay as the files have them."""
    for name in fields:
        object.__setattr__(said, name, one_line(getattr(said, name)))


def _ordered(items: list[tuple[str, Any]]) -> dict[str, Any]:
    """Puts `version` first, as a reader expects it; a repair has the edits of its author's file."""
    values = dict(items)
    if in_translated := values.pop("in_translated", ()):
        values["edits"] = in_translated
    return {"version": values.pop("version"), **values} if "target" in values else values


def plain(value: Any) -> Any:
    """Returns a value as strict JSON has it: mappings, lists, and null for infinities and NaN."""
    if isinstance(value, Mapping | MappingProxyType):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value.item() if hasattr(value, "item") else value
