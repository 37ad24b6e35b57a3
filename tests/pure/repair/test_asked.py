"""Tests that edits that findings suggest are tried first; addresses where addresses are at fault."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from texelscope.pipeline.compare.report import Finding
from texelscope.pipeline.diagnose.locating import asked_by
from texelscope.pipeline.plan import Pass, Plan, ProgramSource, SourceFile
from texelscope.pipeline.repair.programs.mutant_schema import MutableProgram, Mutant
from texelscope.pipeline.repair.programs.ordering import NOTHING, LikelyEdits, functions_of, programs

TEXT = """\
#version 330
uniform sampler2D image;
uniform sampler2D u_bias;
out vec4 result;
vec2 place(int k) { return vec2(k, 0) / 8.0; }
void main() {
    int k = int(gl_FragCoord.x);
    float v = texture(image, place(k)).x;
    float w = v * 2.0;
    result = vec4(w);
}
"""


def edits() -> tuple[Mutant, ...]:
    return MutableProgram(ProgramSource(TEXT, (SourceFile(0, "a.frag", TEXT),))).edits(())


def finding(cause: str, explained: float = 1.0, **parameters: Any) -> Finding:
    return Finding(cause, parameters, explained, 0.0, "a.frag", 10, "It is so.", "Write it otherwise.")


def asked(*findings: Finding) -> LikelyEdits:
    stored = SimpleNamespace(textures={"b": SimpleNamespace(tensor="conv.b")}, graph=None)
    each = SimpleNamespace(bound_reads=(("u_bias", "b"),), reads=("b",))
    return asked_by(findings, cast(Plan, stored), cast(Pass, each))


@pytest.mark.parametrize(
    ("found", "word"),
    [
        (finding("activation_missing", activation="Tanh"), "tanh"),
        (finding("wrong_function", expected="MaxPool"), "max"),
        (finding("bias_missing", bias="conv.b"), "u_bias"),
        (finding("wrong_input", got="x"), "u_bias"),
        (finding("dropped_lane", lane=3), "w"),
        (finding("scale", factor=0.5), "2.0"),
    ],
)
def test_a_finding_asks_for_what_is_missing(found: Finding, word: str) -> None:
    assert word in asked(found).words


def test_what_explains_a_part_asks_for_nothing() -> None:
    assert asked(finding("activation_missing", 0.5, activation="Tanh")).words == NOTHING.words


@pytest.mark.parametrize(
    ("causes", "addresses"),
    [(("kernel_flip",), True), (("scale",), False), (("kernel_flip", "scale"), None), (("wrong_input",), None)],
)
def test_causes_are_of_addresses_or_of_values(causes: tuple[str, ...], addresses: bool | None) -> None:
    assert asked(*(finding(cause) for cause in causes)).addresses is addresses


def test_what_is_asked_for_is_tried_first() -> None:
    first = programs(edits(), (), asked=LikelyEdits(frozenset({"tanh"}), addresses=False))[0]
    assert first[0] == -1
    assert all("tanh" in each.proposal.new for each in first[1])


def test_functions_that_the_model_has_come_before_others_that_are_put_in() -> None:
    plans = programs(edits(), (), asked=LikelyEdits(functions_of(["Tanh", "Add"]), is_by_finding=False))
    functions = {name: {rank for rank, some in plans for each in some if f"{name}(w" in each.proposal.new}
                 for name in ("tanh", "sqrt")}  # fmt: skip
    assert functions == {"tanh": {2}, "sqrt": {3}}


def test_edits_of_values_come_last_where_addresses_are_at_fault() -> None:
    plans = programs(edits(), (), asked=LikelyEdits(addresses=True))
    natures = [each.is_address for rank, some in plans for each in some if rank < 3]
    assert True in natures
    assert False not in natures


def test_what_a_function_returns_that_makes_an_address_is_one() -> None:
    places = {each.proposal.old: each.is_address for each in edits()}
    assert places["vec2(k, 0)"] is True
    assert places["v * 2.0"] is False


WEIGHTS = """\
#version 330
uniform sampler2D image;
out vec4 result;
void main() {
    vec4 v = texture(image, gl_FragCoord.xy / 8.0);
    result = vec4(0.1, 0.2, 0.3, 0.7) * v.x;
}
"""


def test_weights_that_are_written_out_come_behind_what_is_done_with_them() -> None:
    text = MutableProgram(ProgramSource(WEIGHTS, (SourceFile(0, "a.frag", WEIGHTS),)))
    for named, rank in (((), 2), ((("a.frag", 6),), 0)):
        ranks = {r for r, some in programs(text.edits(()), (), named=named) for each in some
                 if each.proposal.old == "0.7"}  # fmt: skip
        assert min(ranks) == rank
    others = {r for r, some in programs(text.edits(()), ()) for each in some if each.proposal.old == "8.0"}
    assert min(others) == 0
