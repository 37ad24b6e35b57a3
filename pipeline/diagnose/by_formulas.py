"""Holds the findings of a pass against its formulas, which name what no finding explains."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Sequence

from texelscope.layouts.outside_text import said_by
from texelscope.pipeline.compare.judge import WHOLE
from texelscope.pipeline.compare.report import Finding
from texelscope.pipeline.diagnose import causes
from texelscope.pipeline.diagnose.causes import CAUSES, Cause
from texelscope.pipeline.diagnose.divergences.names import NamedDivergence, contradicted, named
from texelscope.pipeline.diagnose.divergences.seen import Seen
from texelscope.pipeline.diagnose.index_maps.classify import told_closer
from texelscope.pipeline.diagnose.index_maps.solving import maps_of
from texelscope.pipeline.diagnose.trial import lines
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.lines import behind_supplied
from texelscope.pipeline.symbolic.kinds import Missed, Moved
from texelscope.pipeline.symbolic.pass_divergences import PassDivergences

# The most findings that a report keeps.
MOST = 5


def with_formulas(
    case: FailingPass, findings: tuple[Finding, ...], unexplained: str
) -> tuple[tuple[Finding, ...], str]:
    """Holds the findings against the formulas of wrong elements, which name what no finding explains.

    A cause that explains everything comes first, as its values were checked on every element; it is not sure if the
    formulas have another name. One that shows otherwise than they do comes last.
    """
    found = case.evidence.divergences
    if found is None or not found.elements or _shows_itself(findings) or _is_of_state(findings):
        return findings, unexplained
    seen = _named(case, found)
    if not findings and not seen:
        of_maps = _of_maps(case, found)
        return of_maps, "" if of_maps else unexplained
    if not findings and all(each.cause is causes.WRONG_FUNCTION for each in seen):
        return (), _told_of_functions(seen, unexplained, len(found.elements))
    told = {each.cause for each in seen}
    known_causes = [CAUSES[each.cause] for each in findings if each.cause in CAUSES]
    odd = {each.name for each in contradicted(found, known_causes) if each not in told}
    kept = [
        dataclasses.replace(each, sure=each.sure and each.cause not in odd and (not seen or _agrees(each, told)))
        for each in findings
    ]
    # What held on other inputs too is true of the values, whatever its formula looks like; and parts that make up the
    # whole are two causes.
    held = {each.cause for each in findings if each.sure or (not unexplained and each.explained < WHOLE)}
    is_whole = {each.cause for each in kept if each.explained >= WHOLE and each.cause not in odd}
    specific = {each.cause for each in kept if each.cause not in odd and _agrees(each, told)}
    whole = [each for each in kept if each.cause in held | is_whole | specific]
    # What is explained needs no further name; and another function alone is none.
    is_explained = bool(whole) and (not unexplained or any(each.explained >= WHOLE for each in whole))
    known = {each.cause for each in whole}
    new = [
        _seen_in_formulas(case, each, len(found.elements))
        for each in seen
        if not is_explained and each.cause is not causes.WRONG_FUNCTION and each.cause.name not in known
        # What says where reads go says more than that they go elsewhere.
        if not (each.cause is causes.INDEX_MAP and known)
    ]
    named_already = known | {each.cause for each in new}
    rest = sorted((each for each in kept if each.cause not in named_already), key=lambda each: each.cause in odd)
    return (*whole, *new, *rest)[:MOST], "" if is_explained or new else unexplained


def is_of_one_fault(case: FailingPass) -> bool:
    """Whether formulas show one fault of the text: reads by a rule with a name, or one difference in each element.

    What a target's precision or a state does to values is in no formula.
    """
    found = case.evidence.divergences
    if found is None or found.unclear or len(seen := _named(case, found)) != 1:
        return False
    every = [each for of in found.elements for each in of.divergences]
    if all(isinstance(each, Moved | Missed) for each in every):
        return seen[0].cause not in (causes.INDEX_MAP, causes.WRONG_INPUT)
    return len(every) == len(found.elements)


def _named(case: FailingPass, found: PassDivergences) -> tuple[NamedDivergence, ...]:
    if "named by formulas" not in case.kept:
        try:
            case.kept["named by formulas"] = named(found, case.expected)
        except Exception as error:  # noqa: BLE001 - a bug in what names formulas must not hide what others find
            case.kept["named by formulas"] = ()
            case.kept["failed"] = (f"formulas: {said_by(error, with_type=True)}",)
    return tuple(case.kept["named by formulas"])


def _of_maps(case: FailingPass, found: PassDivergences) -> tuple[Finding, ...]:
    """Names reads by a rule where nothing else has a name, as inside functions of many elements."""
    every = [each for of in found.elements for each in of.divergences]
    maps = [each for each in maps_of(case) if not each.may_be_chance]
    if not maps or not all(isinstance(each, Moved) for each in every):
        return ()
    line = next((found.lines[each.row] for each in every if each.row >= 0), None)
    seen = Seen(causes.INDEX_MAP, f"reads '{maps[0].read.tensor}' at {maps[0]}")
    return (_seen_in_formulas(case, NamedDivergence(seen, line, len(found.elements)), len(found.elements)),)


def _told_of_functions(seen: Sequence[NamedDivergence], unexplained: str, compared: int) -> str:
    """Returns what is unexplained with what formulas show of it: another function alone is no cause."""
    line = seen[0].line
    where = f" ({line[0]}:{line[1]})" if line is not None else ""
    said = f"By the formulas of {seen[0].elements} of {compared} wrong elements, the shader {seen[0].seen.says}{where}."
    return f"{unexplained} {said}"


def _agrees(finding: Finding, told: Collection[Cause]) -> bool:
    """Whether a finding is of a cause that formulas show, or of one that is a kind of reading elsewhere."""
    cause = CAUSES.get(finding.cause)
    is_of_reading = cause is not None and cause.family == "reading" and causes.INDEX_MAP in told
    return cause in told or is_of_reading


def _is_of_state(findings: Sequence[Finding]) -> bool:
    """Whether the first finding explains everything by what no text says: a binding, a storage, an unset uniform.

    The formula has what follows from that. A cause of a plug-in is its author's to explain.
    """
    first = findings[0] if findings and findings[0].explained >= WHOLE else None
    cause = CAUSES.get(first.cause) if first is not None else None
    return first is not None and (
        cause is None or cause.may_be_the_plan or cause.is_set_in_the_file or cause.family in ("storing", "numbers")
    )


def _shows_itself(findings: Sequence[Finding]) -> bool:
    """Whether a finding is seen in the values themselves, such as NaN: no formula names what it leaves."""
    return any(CAUSES[each.cause].is_seen for each in findings if each.cause in CAUSES)


def _seen_in_formulas(case: FailingPass, seen: NamedDivergence, compared: int) -> Finding:
    files, (cause, parameters) = case.evidence.program.files, told_closer(case, seen.cause)
    tensor = parameters.get("tensor")
    # What is read elsewhere is read where its address goes, which is seldom where it is added.
    addressed = lines.addressed(tensor, weights=cause is causes.WRONG_PARTNER)(case) if tensor is not None else None
    line = behind_supplied(case, addressed or seen.line)
    return Finding(
        cause=cause.name,
        parameters={**parameters, **seen.seen.parameters},
        explained=1.0,
        residual=0.0,
        shader=line[0] if line is not None else files[0].path if files else case.evidence.shader_pass.name,
        line=line[1] if line is not None else None,
        evidence=f"the shader's formula {seen.seen.says}: so in {seen.elements} of {compared} wrong elements that were "
        "run symbolically, beside the model's formulas.",
        remedy=cause.remedy or "Compute what the model's formula has.",
    )
