"""Derives from findings what a repair needs: a missing function, tensor or lane, or other indices."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from texelscope.pipeline.compare.judge import WHOLE
from texelscope.pipeline.compare.report import Finding
from texelscope.pipeline.diagnose.rules.registry import traits_of
from texelscope.pipeline.plan import Pass, Plan
from texelscope.pipeline.repair.model_numbers import nodes_of
from texelscope.pipeline.repair.programs.ordering import LikelyEdits
from texelscope.pipeline.repair.words.operators import SPELLED, functions_of

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
    where = traits_of(cause).repaired_in
    return None if where is None else where == "addresses"


def _words(finding: Finding, plan: Plan, shader_pass: Pass) -> Iterator[str]:
    given, cause = finding.parameters, finding.cause
    if cause in ("activation_missing", "activation_before_bias", "wrong_function"):
        yield from SPELLED.get(str(given.get("activation") or given.get("expected")), ())
    yield from traits_of(cause).words
    if traits_of(cause).leaves_out:
        yield "+="
    if cause == "bias_missing":
        yield from _names_of(str(given.get("bias", "")), plan, shader_pass)
    if cause == "wrong_input" and "sampler" not in given:
        yield from _others(given, plan, shader_pass)
    if cause == "scale" and isinstance(factor := given.get("factor"), int | float) and factor:
        yield from (repr(float(f"{number:.6g}")) for number in (factor, 1.0 / factor))
        yield from ("-",) if factor == -1.0 else ()
    if cause in ("alpha", "activation_missing") and given.get("activation", "PRelu") == "PRelu":
        yield from ("alpha", "slope", "min")
    if cause == "padding_mode":
        yield from _BEYOND.get(str(given.get("expected")), ())
    if cause == "dropped_lane":
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
