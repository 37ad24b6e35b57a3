"""The report of a comparison, as data and as the JSON of `diff --json`.

Stable: fields are added, never renamed.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal, get_args

from texelscope.layouts.outside_text import in_json, one_line
from texelscope.pipeline.compare.repairs import Repair
from texelscope.pipeline.device import Device

Verdict = Literal["match", "precision", "not_compared", "not_run", "unwritten", "nan", "mismatch", "error"]
VERSION = 1

# Above this a ratio is only said to be large.
LARGEST_RATIO = 1e6

# From best to worst; a report's verdict is that of its worst pass.
SEVERITY: tuple[Verdict, ...] = get_args(Verdict)

# Verdicts of passes that nothing is known against.
UNBLAMED: frozenset[Verdict] = frozenset({"match", "precision", "not_compared", "not_run"})

# Verdicts read without colour: a sign and a word.
SIGNS: Mapping[Verdict, str] = MappingProxyType(
    {
        "match": "●",
        "precision": "◐",
        "mismatch": "✗",
        "nan": "✗",
        "unwritten": "✗",
        "error": "!",
        "not_compared": "?",
        "not_run": "○",
    }
)


@dataclass(frozen=True)
class Figures:
    """How far one tensor is from another.

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
    """A diagnosis: a named cause, its parameters, the place, evidence and remedy in a sentence each.

    `explained` is the share of wrong elements that the cause reproduces, `residual` the largest error left in them.
    `line` is where the wrong number is used: a read, a sum, the result. `made` is (file, line) where it was made: the
    one line that makes every value right if it is written otherwise; None where several might, or none was found.
    `sure`: it was held against other inputs, chosen to tell it from whatever else explains these. `one_of` are the
    causes that nothing told apart from this one, likeliest first. `repair` is what mends it, if that was found.
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
        """The shader and the line that used the wrong number, as one writes them."""
        return f"{self.shader}:{self.line}" if self.line is not None else self.shader

    @property
    def place(self) -> str:
        """The line to change, as one writes it, and the one that used what it made where that is another."""
        if self.made is None or self.made == (self.shader, self.line):
            return self.used
        file, line = self.made
        used = f"line {self.line}" if file == self.shader and self.line is not None else self.used
        return f"{file}:{line}, used in {used}"

    @property
    def to_change(self) -> tuple[str, int | None]:
        """File and line to go to: where the wrong number was made, if that is known."""
        return self.made if self.made is not None else (self.shader, self.line)


@dataclass(frozen=True)
class Jump:
    """The pass at which the end-to-end error jumps, and why.

    `before` and `after` are the largest |error| over the largest |value|, of the tensors that it read (the worst of
    them) and of the one it made. `cause` is one of `rounding_decision`, `comparison`, `choice` (decisions that
    tipped), `overflow`, `cancellation`, `small_values`, `amplified`, `storage`, `wrong_pass`, or `unexplained`;
    `evidence` is the sentence with its figures, `elements` how many it is about. `explained` is the share of the
    outputs' error that is gone once this pass's own values are given to the oracle; None where that was not tried.
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
    """How far one output of the model is from the oracle's, end to end.

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
    """What a report says of the whole: the outputs, where their error comes from, and that in a sentence."""

    outputs: tuple[OutputError, ...]
    jump: Jump | None
    message: str

    def __post_init__(self) -> None:
        _on_one_line(self, "message")


@dataclass(frozen=True)
class Repeated:
    """A pass whose result changed from run to run on the same inputs of the model.

    `reason`: `nondeterministic`, `earlier_run` (what that left shows in it), or `inherited` from
    what it read. `elements` of `count` were otherwise in any of the `runs`, by `max_abs` at most.
    """

    name: str
    reason: str
    runs: int
    elements: int
    count: int
    max_abs: float


@dataclass(frozen=True)
class PassReport:
    """One pass compared: `isolated` on the inputs it really had, `chained` end to end, or `not_chained`: why not.

    `layout_reason` says in a few words why the output has its layout; empty where a file says which. `runs_as` is the
    form that ran in place of the pass's own shader; empty where that ran. `notes`, by label, and `recorded_ms` are what
    the engine that the program is from said of it, and how long it took there. `repairs` are all that were found,
    equally good, whether or not a finding names the bug.
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

    def __post_init__(self) -> None:
        _on_one_line(self, "message", "not_chained")


@dataclass(frozen=True)
class Report:
    """All passes in order; `culprit` is the first that is wrong on its own inputs, if there is one.

    A pass that differs by what its storage rounds (`precision`) is named only where none is worse. `undiagnosed` are
    the wrong passes that nobody looked into, for lack of time or because others were asked for. `repeated`
    says what changed from run to run; None where there was one run.
    """

    target: str
    device: Device
    verdict: Verdict
    culprit: str | None
    passes: tuple[PassReport, ...]
    version: int = field(default=VERSION)
    end_to_end: EndToEnd | None = None
    undiagnosed: tuple[str, ...] = ()
    repeated: tuple[Repeated, ...] | None = None

    def find(self, name: str) -> PassReport | None:
        """The report of the pass called `name`."""
        return next((each for each in self.passes if each.name == name), None)

    def as_json(self) -> str:
        """Strict JSON text: infinities and NaN become null."""
        return in_json(_plain(dataclasses.asdict(self, dict_factory=_ordered)), indent=2)


def ratio_text(ratio: float) -> str:
    """An error over its rounding bound; beyond a million only that (a bound of 0, as behind a Relu, has no scale)."""
    return f"{ratio:.3g}" if ratio <= LARGEST_RATIO else f">{LARGEST_RATIO:.0e}".replace("e+0", "e")


def summarise(target: str, device: Device, passes: tuple[PassReport, ...]) -> Report:
    """The report over `passes`, with overall verdict and culprit."""
    verdicts: list[Verdict] = [each.verdict for each in passes]
    worst: Verdict = max(verdicts, key=SEVERITY.index, default="match")
    blamed = [each.name for each in passes if each.verdict not in UNBLAMED]
    blamed += [each.name for each in passes if each.verdict == "precision"]
    culprit = next(iter(blamed), None)
    return Report(target=target, device=device, verdict=worst, culprit=culprit, passes=passes)


def _on_one_line(said: Finding | OutputError | EndToEnd | PassReport, *fields: str) -> None:
    """Sentences for a person, which quote names, as one line each; names stay as the files have them."""
    for name in fields:
        object.__setattr__(said, name, one_line(getattr(said, name)))


def _ordered(items: list[tuple[str, Any]]) -> dict[str, Any]:
    """`version` first, as a reader expects it."""
    values = dict(items)
    return {"version": values.pop("version"), **values} if "target" in values else values


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping | MappingProxyType):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value.item() if hasattr(value, "item") else value
