"""What mends a wrong pass, behind its diagnosis: repairs that were tried, and the one line that they all change.

A finding says what is wrong and which line uses it; where every repair is of one line, the wrong number was made there.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pipeline.compare.repairs import LineEdit, Repair
from pipeline.compare.report import Finding
from pipeline.diagnose.asking import asked_by
from pipeline.diagnose.by_repair import AT_ODDS, AT_ODDS_BY_READING, BY_MEANING, BY_READING, LESS
from pipeline.diagnose.explain import MOST, Diagnosis
from pipeline.diagnose.trial.scoring import WHOLE
from pipeline.plan import Plan
from pipeline.repair.clues import Clues
from pipeline.repair.repairing import SECONDS, Repairing
from pipeline.repair.said.meaning import Meaning, is_of_values, meaning, meanings, takes_a_function_away
from pipeline.repair.said.reading import Reading
from pipeline.repair.words.proposal import Kind

if TYPE_CHECKING:
    from pipeline.gl.session import Session

# What the plan may have done as well as the text: what is bound, how it is sampled and drawn.
_OF_THE_PLAN = frozenset(
    {
        "wrong_input", "linear_filtering", "stale_tensor", "feedback_loop", "viewport_mismatch",
        "blend_enabled", "unwritten_texels",
    }
)  # fmt: skip
# By cause the edits that it asks for: what was left out is put in, what is off by something is moved.
_FIRST: Mapping[str, tuple[Kind, ...]] = {
    **dict.fromkeys((*LESS, "scale", "affine", "average_count"), ("put in",)),
    **dict.fromkeys(("shift", "half_texel", "bias_offset", "filter_offset"), ("added",)),
    **dict.fromkeys(("padding_mode", "tile_bleed"), ("put in", "statement")),
}
# Causes that only what takes a function away mends.
_TOO_MUCH = frozenset({"activation_extra", "clamped_nonnegative", "clamped_0_1"})
_ROUNDED = frozenset({"half_precision", "precision", "float_index_precision"})
_OF_TURNS: tuple[Meaning | None, ...] = ("more turns", "fewer turns")
# Numbers of a finding that are looked for in the text.
_MOST_NUMBERS = 8


class Locating:
    """Looks for repairs behind a diagnosis, a little at a time: call `step` until it answers False. GL thread."""

    def __init__(self, session: Session, name: str, diagnosis: Diagnosis, seconds: float = SECONDS) -> None:
        self._diagnosis = diagnosis
        findings = diagnosis.findings
        of_the_plan = any(_is_of_the_plan(each) and each.explained >= WHOLE for each in findings)
        lines = tuple((each.shader, each.line) for each in findings if each.line is not None)
        numbers = _numbers({str(i): each.parameters for i, each in enumerate(findings)})
        first = frozenset(kind for each in findings for kind in _FIRST.get(each.cause, ()))
        causes = {each.cause for each in findings}
        clues = Clues(
            lines,
            numbers,
            diagnosis.halves,
            _bindings(findings),
            of_the_plan,
            first,
            diagnosis.partners,
            is_rounded=bool(causes & _ROUNDED),
            of_other_inputs="wrong_input" in causes,
            asked=asked_by(findings, session.plan, session.plan.pass_called(name)),
        )
        self._program, self._operators = session.program_source(name), _operators(session.plan, name)
        # Repairs come one by one, and a window asks for the diagnosis with every frame: it parses no text for that.
        self._by_repair: tuple[Any, tuple[Meaning | None, tuple[Finding, ...]]] = (None, (None, ()))
        self._by_pair: tuple[Any, tuple[Finding, ...]] = (None, ())
        self._repairing = Repairing(session, name, clues, seconds) if diagnosis.judge is not None else None

    @property
    def progress(self) -> float:
        """Share of the search that is done, about."""
        return self._repairing.progress if self._repairing is not None else 1.0

    def step(self) -> bool:
        """Does a little; False when there is nothing left."""
        return self._repairing is not None and self._repairing.step()

    def run(self) -> Diagnosis:
        """All steps at once."""
        while self.step():
            pass
        return self.diagnosis

    def close(self) -> None:
        """Gives up; what was found by now stays."""
        if self._repairing is not None:
            self._repairing.close()

    @property
    def diagnosis(self) -> Diagnosis:
        """The diagnosis with what was found by now, in the findings that explain everything; without its judge."""
        if self._repairing is None or not self._repairing.repairs:
            both = self._both()
            found, unexplained = self._diagnosis.findings, self._diagnosis.unexplained
            return dataclasses.replace(
                self._diagnosis,
                findings=_first(both, found),
                unexplained="" if len(both) > 1 else unexplained,
                judge=None,
                halves=(),
                partners=None,
            )
        repairs, made = self._repairing.repairs, self._repairing.made
        said, by_repairs = self._said_by(repairs)
        at_odds = self._at_odds(repairs[0], said)
        named, unexplained = _in_order(self._diagnosis.findings, repairs, at_odds), ""
        # Of two faults that are named a repair has a line each, and says less of them.
        are_named = bool(named) and not self._diagnosis.unexplained and len(repairs[0].edits) > 1
        if not by_repairs or are_named or any(each.explained >= WHOLE and each.cause not in at_odds for each in named):
            unexplained = self._diagnosis.unexplained
        else:
            both = self._both()
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
            halves=(),
            partners=None,
        )

    def _both(self) -> tuple[Finding, ...]:
        """Of two faults what an edit that mends one says, if it says anything, and the cause that it leaves."""
        pair = self._repairing.partnered if self._repairing is not None else None
        partners = self._diagnosis.partners
        if pair is None or partners is None:
            return ()
        key = pair, self._repairing.repairs if self._repairing is not None else ()
        if self._by_pair[0] != key:
            edits, number, factor, adds = pair
            said = meaning(self._program, [Repair(edits, "", 0, 0)], self._operators)
            line = edits[0].line
            left = partners.finding(number, line) if factor is None else partners.scaled(factor, line)
            # Without a word for the edit, or where both leave something out, what is left may be alike by chance.
            is_doubted = said is None or (left.cause in LESS and not adds and not self._is_mended_with(edits))
            both = () if is_doubted or said is None else (_finding(BY_MEANING[said], edits[0], None), left)
            self._by_pair = key, both
        return self._by_pair[1]

    def _is_mended_with(self, edits: tuple[LineEdit, ...]) -> bool:
        """Whether some edits are among those of a repair."""
        repairs = self._repairing.repairs if self._repairing is not None else ()
        return any({*edits} < {*repair.edits} for repair in repairs)

    def _said_by(self, repairs: tuple[Repair, ...]) -> tuple[Meaning | None, tuple[Finding, ...]]:
        """What is wrong as the shortest repair says it, or each of its edits; and that as findings."""
        read = self._repairing.reading if self._repairing is not None else None
        if self._by_repair[0] != (repairs, read):
            said = meaning(self._program, repairs, self._operators)
            each = (
                ((said, repairs[0].edits[0]),)
                if said is not None
                else meanings(self._program, repairs[0], self._operators)
            )
            found = tuple(_finding(BY_MEANING[what], edit, repairs[0]) for what, edit in each)
            by_reading = self._by_reading(repairs[0], read)
            # How often a loop turns says less than what it reads there.
            is_read = said in _OF_TURNS and bool(by_reading) and by_reading[0].cause != BY_READING["alike"][0]
            self._by_repair = (repairs, read), (said, by_reading if is_read else found or by_reading)
        return self._by_repair[1]

    def _at_odds(self, repair: Repair, said: Meaning | None) -> frozenset[str]:
        """Causes that what mends the pass is at odds with, by its text or by what is read."""
        read = self._repairing.reading if self._repairing is not None else None
        by_text = AT_ODDS[said] if said is not None else frozenset()
        known = read[1] if read is not None and read[0] == repair else None
        by_what_goes = frozenset() if takes_a_function_away(repair) else _TOO_MUCH
        return by_text | by_what_goes | (AT_ODDS_BY_READING[known] if known is not None else frozenset())

    def _by_reading(self, repair: Repair, read: tuple[Repair, Reading | None] | None) -> tuple[Finding, ...]:
        """What the pass reads otherwise than with the repair, or does with the same reads, as a finding."""
        if read is None or read[0] != repair or read[1] is None:
            return ()
        if read[1] == "alike" and not is_of_values(self._program, repair):
            return ()
        return (_finding(BY_READING[read[1]], repair.edits[0], repair),)


def _in_order(findings: Sequence[Finding], repairs: Sequence[Repair], at_odds: frozenset[str]) -> tuple[Finding, ...]:
    """The findings, those that no repair is at odds with first; only these may be sure.

    Of two causes each explains a part, and one edit that mends both parts is of one fault, which is neither.
    """
    is_of_one = len(repairs[0].edits) == 1
    doubted = [each.cause in at_odds or (is_of_one and each.explained < WHOLE) for each in findings]
    told = [
        dataclasses.replace(each, sure=each.sure and not is_doubted)
        for each, is_doubted in zip(findings, doubted, strict=True)
    ]
    return tuple(sorted(told, key=lambda each: 2 if each.explained < WHOLE else int(each.cause in at_odds)))


def _first(found: Sequence[Finding], others: Sequence[Finding]) -> tuple[Finding, ...]:
    """Findings before others, of each cause one."""
    causes = {each.cause for each in found}
    return (*found, *(each for each in others if each.cause not in causes))[:MOST]


def _finding(said: tuple[str, str, str], edit: LineEdit, repair: Repair | None) -> Finding:
    """What an edit says; without `repair` it mends one of two faults."""
    cause, says, remedy = said
    return Finding(
        cause=cause,
        parameters={"before": (edit.before or "").strip(), "after": (edit.after or "").strip()},
        explained=1.0,
        residual=0.0,
        shader=edit.file,
        line=edit.line,
        evidence=f"{says}: {_mended(repair)}.",
        remedy=remedy,
    )


def _mended(repair: Repair | None) -> str:
    if repair is None:
        return "written otherwise, one cause alone explains all that is left"
    together = "" if len(repair.edits) == 1 else ", with the repair's other lines"
    return f"written otherwise{together}, all {repair.elements:,} elements match, on {repair.inputs_tried} inputs"


def _is_of_the_plan(finding: Finding) -> bool:
    """Whether the text need not be wrong; another tensor may be read by a sampler, or where the text says so."""
    by_a_sampler = finding.cause != "wrong_input" or "sampler" in finding.parameters
    return finding.cause in _OF_THE_PLAN and by_a_sampler


def _operators(plan: Plan, name: str) -> frozenset[str]:
    """Types of the nodes that a pass covers."""
    nodes = plan.pass_called(name).nodes
    return frozenset(
        node.op_type for node in (plan.graph.nodes if plan.graph is not None else ()) if node.name in nodes
    )


def _bindings(findings: Sequence[Finding]) -> tuple[tuple[str, str], ...]:
    """What the first finding that explains everything says is to be bound where."""
    whole = [each.parameters for each in findings if each.cause == "wrong_input" and each.explained >= WHOLE]
    if not whole or "sampler" not in whole[0]:
        return ()
    return tuple(whole[0].get("bindings", {whole[0]["sampler"]: whole[0]["expected"]}).items())


def _numbers(parameters: Mapping[str, Any]) -> tuple[float, ...]:
    """The numbers that findings name, in their order."""
    found = dict.fromkeys(_flat(parameters.values()))
    for each in parameters.values():
        expected, got = ([*_flat([each.get(name)])] for name in ("expected", "got"))
        if len(expected) == len(got) == 1 and expected[0] * got[0] != 0.0:  # a factor of what is there
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
