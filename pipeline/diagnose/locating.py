"""Locates the faults behind a diagnosis: finds repairs, and the one line that all of them change.

A finding says what is wrong and which line uses it; if every repair changes the same line, the wrong number was made
there. Findings also say what a repair needs: a missing function, tensor or lane, or other indices.
"""

from __future__ import annotations

import dataclasses
import math
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, get_args

from texelscope.pipeline.compare.judge import WHOLE
from texelscope.pipeline.compare.repairs import LineEdit, Repair
from texelscope.pipeline.compare.report import Finding
from texelscope.pipeline.diagnose import causes
from texelscope.pipeline.diagnose.by_formulas import MOST
from texelscope.pipeline.diagnose.evidence.likely_values import expressions_of, written
from texelscope.pipeline.diagnose.explain import Diagnosis
from texelscope.pipeline.diagnose.findings_of_repairs import SaidByRepair, findings_of
from texelscope.pipeline.diagnose.hypotheses.registry import cause_called, causes_where
from texelscope.pipeline.diagnose.one_by_one import Mended, OneByOne, together
from texelscope.pipeline.plan import Pass, Plan
from texelscope.pipeline.repair.classify.edit_words import are_exchanged
from texelscope.pipeline.repair.model_numbers import nodes_of
from texelscope.pipeline.repair.programs.ordering import SPELLED, LikelyEdits, SearchHints, functions_of
from texelscope.pipeline.repair.read_diff import MORE
from texelscope.pipeline.repair.repairing import SECONDS, Repairing
from texelscope.pipeline.repair.text.mutation import Kind

if TYPE_CHECKING:
    from texelscope.pipeline.gl.session import Session

# Words for what happens beyond a border.
_BEYOND: Mapping[str, tuple[str, ...]] = {
    "zero": ("return", "lessthan", "greaterthan", "||", "?"), "reflect": ("abs",), "edge": ("clamp", "min", "max"),
    "wrap": ("%", "mod"),
}  # fmt: skip
# Lanes of a vector in other orders, as shaders select them from texels of two rows and two columns.
_LANES = (
    "rgrg", "baba", "rrbb", "ggaa", "xyxy", "zwzw", "xxzz", "yyww", "xyzw", "rgba", "xxyy", "zzww", "rrgg", "bbaa",
)  # fmt: skip
_OF_LANES = re.compile(r"\blanes?\b")
_LETTERS = (("x", "r"), ("y", "g"), ("z", "b"), ("w", "a"))
# Words in the names of uniforms that hold sizes.
_OF_SIZES = re.compile(
    r"size|width|height|shape|grid|dim|texel|tile|row|col|count|channels|stride|(?:^|[._])(?:in|out)?_?[whcn](?:\b|_)",
    re.IGNORECASE,
)
# Causes whose repair calls the function that a finding names.
_OF_FUNCTIONS = frozenset(
    each.name for each in (causes.ACTIVATION_MISSING, causes.ACTIVATION_BEFORE_BIAS, causes.WRONG_FUNCTION)
)
# Of so many faults in one pass each is diagnosed alone.
_TWO = 2
# Seconds for that, at the least, where all of a diagnosis is limited.
_FEWEST_SECONDS = 1.0
# The share of a repair search that may go into diagnosing the errors that edits leave.
_LEFT = 0.5
# Numbers of a finding that are searched in the text.
_MOST_NUMBERS = 8


def asked_by(findings: Sequence[Finding], plan: Plan, shader_pass: Pass) -> LikelyEdits:
    """Returns the words that findings which explain everything ask for; else the functions of the pass's nodes.

    A function that the model has may be missing, or be applied at another place.
    """
    whole = [finding for finding in findings if finding.explained >= WHOLE]
    if not whole:
        return LikelyEdits(functions_of(node.op_type for node in nodes_of(plan, shader_pass)), is_by_finding=False)
    words = frozenset(word.lower() for finding in whole for word in _words(finding, plan, shader_pass))
    natures = {_is_of_addresses(finding.cause) for finding in whole}
    return LikelyEdits(words, natures.pop() if len(natures) == 1 else None)


def _is_of_addresses(cause: str) -> bool | None:
    where = cause_called(cause).repaired_in
    return None if where is None else where == "addresses"


def _words(finding: Finding, plan: Plan, shader_pass: Pass) -> Iterator[str]:
    given, cause = finding.parameters, finding.cause
    if cause in _OF_FUNCTIONS:
        yield from SPELLED.get(str(given.get("activation") or given.get("expected")), ())
    yield from cause_called(cause).words
    if cause_called(cause).leaves_out:
        yield "+="
    if cause == causes.BIAS_MISSING.name:
        yield from _names_of(str(given.get("bias", "")), plan, shader_pass)
    if cause == causes.WRONG_INPUT.name and "sampler" not in given:
        yield from _others(given, plan, shader_pass)
    if cause == causes.SCALE.name and isinstance(factor := given.get("factor"), int | float) and factor:
        yield from (repr(float(f"{number:.6g}")) for number in (factor, 1.0 / factor))
        yield from ("-",) if factor == -1.0 else ()
    if cause in (causes.ALPHA.name, causes.ACTIVATION_MISSING.name) and given.get("activation", "PRelu") == "PRelu":
        yield from ("alpha", "slope", "min")
    if cause == causes.PADDING_MODE.name:
        yield from _BEYOND.get(str(given.get("expected")), ())
    if cause == causes.DROPPED_LANE.name:
        yield from (letter for lane in _lanes(given) for letter in _LETTERS[lane])
    if _OF_LANES.search(str(given.get("part", ""))):
        yield from _LANES


def _others(given: Mapping[str, Any], plan: Plan, shader_pass: Pass) -> Iterator[str]:
    """Yields names of the expected tensor, or of all that are bound except the one that is read."""
    others = {plan.textures[key].tensor for key in shader_pass.reads} - {given.get("got")}
    for tensor in [str(given["expected"])] if "expected" in given else sorted(others):
        yield from _names_of(tensor, plan, shader_pass)


def _lanes(given: Mapping[str, Any]) -> list[int]:
    found = given.get("lanes", [given["lane"]] if "lane" in given else [])
    return [lane for lane in found if isinstance(lane, int) and 0 <= lane < len(_LETTERS)]


def _names_of(tensor: str, plan: Plan, shader_pass: Pass) -> Iterator[str]:
    """Yields the last part of a tensor's name, and the samplers that it is bound to."""
    if tensor:
        yield from re.findall(r"\w+", tensor)[-1:]
    for sampler, key in shader_pass.bound_reads:
        if plan.textures[key].tensor == tensor:
            yield sampler


@dataclass(frozen=True)
class _Said:
    """The cause that the shortest repairs imply, and the causes that it contradicts.

    `are_alone`: each of two faults was explained with the other one fixed. `are_exchanged`: two lines swap places or
    parts, and what they swap may as well have been swapped where it is used.
    """

    findings: tuple[Finding, ...] = ()
    at_odds: frozenset[str] = frozenset()
    are_alone: bool = False
    are_exchanged: bool = False


class Locating:
    """Searches for repairs behind a diagnosis, step by step: call `step` until it returns False. GL thread."""

    def __init__(
        self,
        session: Session,
        name: str,
        diagnosis: Diagnosis,
        seconds: float = SECONDS,
        *,
        is_limited: bool = False,
    ) -> None:
        """`seconds` are for repairs; what these leave is diagnosed beside them, unless all `is_limited` by them."""
        self._session, self._name, self._diagnosis = session, name, diagnosis
        self._one_by_one: OneByOne | None = None
        self._seconds = _LEFT * seconds
        self._end = time.monotonic() + seconds if is_limited else math.inf
        findings = diagnosis.findings
        is_dispatch = session.plan.pass_called(name).dispatch is not None
        whole = [each for each in findings if each.explained >= WHOLE]
        of_the_plan = any(
            _is_of_the_plan(each) and not (is_dispatch and each.cause == causes.UNWRITTEN_TEXELS.name) for each in whole
        )
        lines = tuple((each.shader, each.line) for each in findings if each.line is not None)
        numbers = _numbers({str(i): each.parameters for i, each in enumerate(findings)})
        wanted = {kind for each in findings for kind in cause_called(each.cause).edits}
        first: frozenset[Kind] = frozenset(kind for kind in get_args(Kind) if kind in wanted)
        told = {each.cause for each in findings}
        blamed = ((each.shader, each.line) for each in whole if each.line is not None and "tensor" in each.parameters)
        clues = SearchHints(
            lines,
            numbers,
            diagnosis.single_fault_outputs,
            _bindings(findings),
            of_the_plan,
            first,
            diagnosis.partners,
            is_rounded=any(cause_called(name).is_rounding for name in told),
            of_other_inputs=causes.WRONG_INPUT.name in told,
            asked=asked_by(findings, session.plan, session.plan.pass_called(name)),
            settings=_settings(findings, session.plan, session.plan.pass_called(name)),
            blamed=frozenset(blamed),
        )
        self._says = SaidByRepair(session.program_source(name), session.plan, session.plan.pass_called(name))
        # Repairs come one by one, and a window asks for the diagnosis every frame: the text is parsed only once.
        self._by_repair: tuple[Any, _Said] = (None, _Said())
        self._by_pair: tuple[Any, tuple[Finding, ...]] = (None, ())
        self._by_half: tuple[Any, tuple[Finding, ...]] = (None, ())
        self._repairing = Repairing(session, name, clues, seconds) if diagnosis.judge is not None else None

    @property
    def progress(self) -> float:
        """Returns roughly the share of the search that is done."""
        return self._repairing.progress if self._repairing is not None else 1.0

    def step(self) -> bool:
        """Does a little work; False if nothing is left."""
        if self._repairing is None:
            return False
        if self._repairing.step():
            return True
        if self._one_by_one is None:
            seconds = math.inf if self._repairing.repairs else self._seconds
            seconds = min(seconds, max(self._end - time.monotonic(), _FEWEST_SECONDS))
            self._one_by_one = OneByOne(self._session, self._name, self._mended(self._repairing), seconds)
        return not self._half_and_left() and self._one_by_one.step()

    def _mended(self, repairing: Repairing) -> tuple[Mended, ...]:
        """Returns edits that leave one of two faults to diagnose: all others of a repair, or the most helpful one."""
        repairs = repairing.repairs
        if not repairs:
            is_open = self._diagnosis.partners is not None and not self._both()
            return tuple(half.each[0].edits for half in repairing.single_fault_outputs) if is_open else ()
        places = together(repairs[0].edits)
        said = self._said_by(repairs)
        is_told = len(said.findings) < _TWO or any(each.sure for each in self._diagnosis.findings)
        if len(places) != _TWO or (is_told and self._are_named(repairs, said.at_odds)):
            return ()
        return places

    def run(self) -> Diagnosis:
        """Runs all steps at once, and frees what they needed."""
        try:
            while self.step():
                pass
        finally:
            self.close()
        return self.diagnosis

    def close(self) -> None:
        """Stops early; the diagnosis found so far stays."""
        for each in (self._repairing, self._one_by_one):
            if each is not None:
                each.close()

    @property
    def diagnosis(self) -> Diagnosis:
        """Returns the diagnosis found so far, from the findings that explain everything; without its judge."""
        if self._repairing is None or not self._repairing.repairs:
            both = self._both() or self._half_and_left()
            found, unexplained = self._diagnosis.findings, self._diagnosis.unexplained
            was_cut = self._diagnosis.was_cut or (not found and time.monotonic() > self._end)
            if self._repairing is not None and self._repairing.is_without:
                found = tuple(each if _is_of_the_plan(each) else _doubted(each) for each in found)
            if self._repairing is not None and len(self._repairing.only_translated) == 1:
                found = tuple(_with_translated(each, self._repairing.only_translated[0]) for each in found)
            return dataclasses.replace(
                self._diagnosis,
                findings=_first(both, found),
                unexplained="" if len(both) > 1 else unexplained,
                was_cut=was_cut,
                judge=None,
                single_fault_outputs=(),
                partners=None,
            )
        repairs, made = self._repairing.repairs, self._repairing.made
        said = self._said_by(repairs)
        by_repairs, at_odds = said.findings, said.at_odds
        named, unexplained = _in_order(self._diagnosis.findings, repairs, said), ""
        is_explained = any(_is_whole(each, by_repairs) and each.cause not in at_odds for each in named)
        is_explained = is_explained or _are_seen(self._diagnosis.findings)
        if not by_repairs or self._are_named(repairs, at_odds) or is_explained:
            unexplained = self._diagnosis.unexplained
            # Both lines name causes. If each was diagnosed alone, that is surer than causes behind one another.
            told = {each.cause for each in by_repairs}
            named = tuple(each for each in named if each.sure or not said.are_alone or each.cause in told)
            named = _first(named, by_repairs if len(by_repairs) > 1 else ())
        else:
            # One edit that fixes everything belongs to one fault.
            both = self._both() if len(by_repairs) < 2 and len(repairs[0].edits) > 1 else ()
            named = _first(both if len(both) > 1 else by_repairs, named)
        findings = tuple(
            dataclasses.replace(each, made=made, repair=repairs[0]) if each.explained >= WHOLE else each
            for each in named
        )
        return dataclasses.replace(
            self._diagnosis,
            findings=findings,
            unexplained=unexplained,
            repairs=repairs,
            judge=None,
            single_fault_outputs=(),
            partners=None,
        )

    def _are_named(self, repairs: Sequence[Repair], at_odds: frozenset[str]) -> bool:
        """Whether causes behind one another explain everything, and none contradicts all lines of a repair.

        If two faults are named, a repair has a line for each and says less about them.
        """
        found = self._diagnosis.findings
        is_explained = bool(found) and not self._diagnosis.unexplained
        return is_explained and len(repairs[0].edits) > 1 and at_odds.isdisjoint(each.cause for each in found)

    def _both(self) -> tuple[Finding, ...]:
        """Returns for two faults the cause that one edit implies, if any, and the cause that it leaves."""
        pair = self._repairing.partnered if self._repairing is not None else None
        partners = self._diagnosis.partners
        if pair is None or partners is None:
            return ()
        key = pair, self._repairing.repairs if self._repairing is not None else ()
        if self._by_pair[0] != key:
            edits, number, factor, adds = pair
            said, line = self._says.of_half((Repair(edits, "", 0, 0),), ()), edits[0].line
            left = partners.finding(number, line) if factor is None else partners.scaled(factor, line)
            # Without a class for the edit, or if both omit something, the remainder may match by chance.
            is_doubted = said is None or (
                cause_called(left.cause).leaves_out and not adds and not self._is_mended_with(edits)
            )
            self._by_pair = key, (() if is_doubted or said is None else (said, left))
        return self._by_pair[1]

    def _half_and_left(self) -> tuple[Finding, ...]:
        """Returns for two faults the cause that a helpful edit implies, and the one that explains what it leaves."""
        found = self._one_by_one.found if self._one_by_one is not None else ()
        if self._by_half[0] != found:
            self._by_half = found, next(self._halves_and_left(dict(found)), ())
        return self._by_half[1]

    def _halves_and_left(self, left: Mapping[Mended, Sequence[Finding]]) -> Iterator[tuple[Finding, ...]]:
        for half in self._repairing.single_fault_outputs if self._repairing is not None else ():
            whole = [each for each in left.get(half.each[0].edits, ()) if _explains(each)]
            said = self._says.of_half(half.each, half.readings) if whole else None
            # If less is read and the rest omits something too, the rest may match by chance.
            is_less = any(reading in MORE for _, reading in half.readings)
            is_doubted = bool(whole) and is_less and cause_called(whole[0].cause).leaves_out
            if said is not None and not (is_doubted and not self._is_mended_with(half.each[0].edits)):
                yield said, whole[0]

    def _is_mended_with(self, edits: tuple[LineEdit, ...]) -> bool:
        """Whether some edits are part of a repair."""
        repairs = self._repairing.repairs if self._repairing is not None else ()
        return any({*edits} < {*repair.edits} for repair in repairs)

    def _said_by(self, repairs: tuple[Repair, ...]) -> _Said:
        """Returns the causes that the repairs found so far imply; updated when there are more repairs or readings."""
        readings = self._repairing.readings if self._repairing is not None else ()
        alone = self._one_by_one.found if self._one_by_one is not None else ()
        if self._by_repair[0] != (repairs, readings, alone):
            each = self._says.by_edit(repairs, readings)
            left = {of.edit: findings for of in each for mended, findings in alone if of.edit not in mended}
            found = findings_of(each, left if len(alone) == _TWO else {})
            are_alone = len(alone) == _TWO and all(any(map(_explains, findings)) for findings in left.values())
            at_odds = frozenset.intersection(*(of.at_odds for of in each))
            if causes.WRONG_LAYOUT.name in at_odds & {one.cause for one in self._diagnosis.findings}:
                at_odds |= {causes.CHANNEL_PERMUTATION.name}  # reads of other tiles look like a permutation of channels
            said = _Said(found, at_odds, are_alone, are_exchanged(repairs[0]))
            self._by_repair = (repairs, readings, alone), said
        return self._by_repair[1]


def _with_translated(finding: Finding, edit: LineEdit) -> Finding:
    """Returns a finding that explains everything with the line to change, and what changes in its translation."""
    if finding.explained < WHOLE or edit.before is None or edit.after is None:
        return finding
    words = f"Change line {edit.line}, which in GLSL is `{edit.before.strip()}`, to what is `{edit.after.strip()}`."
    return dataclasses.replace(finding, made=(edit.file, edit.line), remedy=f"{finding.remedy} {words}".strip())


def _in_order(findings: Sequence[Finding], repairs: Sequence[Repair], said: _Said) -> tuple[Finding, ...]:
    """Returns the findings, uncontradicted ones first; only those that repairs imply too may be sure.

    If two causes explain a part each, and one edit fixes both parts, it is one fault, which is neither of them.
    """
    is_of_one = len(repairs[0].edits) == 1
    doubted = [each.cause in said.at_odds or (is_of_one and each.explained < WHOLE) for each in findings]
    confirmed = frozenset[str]().union(*({each.cause} | _same_as(each.cause) for each in said.findings))
    told = [
        dataclasses.replace(each, sure=each.sure and not (is_doubted or said.are_exchanged) and each.cause in confirmed)
        for each, is_doubted in zip(findings, doubted, strict=True)
    ]
    return tuple(sorted(told, key=lambda each: 2 if each.explained < WHOLE else int(each.cause in said.at_odds)))


def _same_as(cause: str) -> frozenset[str]:
    """Returns the causes of the same kind as one from a repair that are more specific."""
    return causes_where(lambda each: cause in each.confirmed_by)


def _explains(finding: Finding) -> bool:
    """Whether a cause reproduces everything; for rounding it only bounds the errors."""
    return finding.explained == 1.0 and not cause_called(finding.cause).is_rounding


def _is_whole(finding: Finding, said: Sequence[Finding]) -> bool:
    """Whether a cause explains everything, as a repair does; most of it is enough if a repair implies it too."""
    is_said = any(each.cause == finding.cause for each in said)
    return finding.explained >= (WHOLE if is_said else 1.0)


def _are_seen(findings: Sequence[Finding]) -> bool:
    """Whether causes that are seen in the values themselves explain everything together, such as NaN and infinities.

    What an edit does says nothing against them: any function that is taken away may have made the NaN.
    """
    return sum(each.explained for each in findings if cause_called(each.cause).is_seen) >= WHOLE


def _first(found: Sequence[Finding], others: Sequence[Finding]) -> tuple[Finding, ...]:
    """Puts findings before others, one for each cause."""
    told = {each.cause for each in found}
    return (*found, *(each for each in others if each.cause not in told))[:MOST]


def _doubted(finding: Finding) -> Finding:
    """Returns a finding that is not sure, and so claims no line to change."""
    return dataclasses.replace(finding, sure=False, made=finding.made if not finding.sure else None)


def _is_of_the_plan(finding: Finding) -> bool:
    """Whether the fault may lie in the plan; another tensor counts only if its sampler is known."""
    by_a_sampler = finding.cause != causes.WRONG_INPUT.name or "sampler" in finding.parameters
    return cause_called(finding.cause).may_be_the_plan and by_a_sampler


def _bindings(findings: Sequence[Finding]) -> tuple[tuple[str, str], ...]:
    """Returns the bindings that the first finding that explains everything asks for."""
    whole = [each.parameters for each in findings if each.cause == causes.WRONG_INPUT.name and each.explained >= WHOLE]
    if not whole or "sampler" not in whole[0]:
        return ()
    return tuple(whole[0].get("bindings", {whole[0]["sampler"]: whole[0]["expected"]}).items())


def _settings(findings: Sequence[Finding], plan: Plan, shader_pass: Pass) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Returns the unset uniforms that a finding names, with the texts of their values in a pipeline file.

    A number may be a size by chance: an expression comes first only if the uniform's name says that it is one.
    """
    given: Mapping[str, Any] = next(
        (each.parameters["settings"] for each in findings if cause_called(each.cause).is_set_in_the_file), {}
    )
    found = []
    for uniform in shader_pass.unset:
        if uniform.key in given:
            number = written(uniform, given[uniform.key])
            sizes = expressions_of(plan, shader_pass, uniform, given[uniform.key])
            texts = (*sizes, number) if _OF_SIZES.search(uniform.key) else (number, *sizes)
            found.append((uniform.key, texts))
    return tuple(found)


def _numbers(parameters: Mapping[str, Any]) -> tuple[float, ...]:
    """Returns the numbers in findings, in their order."""
    found = dict.fromkeys(_flat(parameters.values()))
    for each in parameters.values():
        expected, got = ([*_flat([each.get(name)])] for name in ("expected", "got"))
        if len(expected) == len(got) == 1 and expected[0] * got[0] != 0.0:  # the factor between them
            found.setdefault(float(f"{expected[0] / got[0]:.6g}"))
    return tuple(found)[:_MOST_NUMBERS]


def _flat(values: Any) -> Iterator[float]:
    for value in values:
        if isinstance(value, Mapping):
            yield from _flat(value.values())
        elif isinstance(value, list | tuple):
            yield from _flat(value)
        elif isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e6:
            yield float(value)
