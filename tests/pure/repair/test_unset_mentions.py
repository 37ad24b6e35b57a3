"""An edit that puts a number beside an unset uniform, or something in its place, makes up for it; others do not."""

from __future__ import annotations

import pytest

from texelscope.pipeline.compare.repairs import LineEdit
from texelscope.pipeline.plan import UnsetUniform
from texelscope.pipeline.repair.text.unset_mentions import makes_up_for

UNSET = (
    UnsetUniform("Params.bias", "uniforms.params.bias", "float", 1),
    UnsetUniform("u_lights[1].power", 'uniforms."u_lights[1].power"', "float", 1),
    UnsetUniform("p.shift", "push.shift", "float", 1),
    UnsetUniform("a", "uniforms.a", "float", 1),
)
MADE_UP = {
    "v + params.bias": ("v + params.bias + 0.5", "v + (1.0 / (1.0 + exp(-params.bias)))", "v + 0.5", "v"),
    "v * u_lights[1].power": ("v * (u_lights[1].power + 2.0)", "v * 2.0"),
    "v + p.shift": ("v + max(p.shift, 0.5)", "v + cos(p.shift)"),
    "b * a": ("b * (a + 1.0)",),
}
OTHERS = {
    "v + params.bias": ("v * 2.0 + params.bias", "v + params.bias + w"),
    "f(at) * u_lights[1].power": ("f(at + 1) * u_lights[1].power",),
    "b.a * c": ("b.r * c", "(b.a + 1.0) * c"),
    "other.bias * 2.0": ("3.0",),
}


@pytest.mark.parametrize(("before", "after"), [(one, two) for one, some in MADE_UP.items() for two in some])
def test_a_number_beside_it_or_in_its_place_makes_up_for_it(before: str, after: str) -> None:
    assert makes_up_for((LineEdit("s.frag", 1, f"y = {before};", f"y = {after};"),), UNSET)


@pytest.mark.parametrize(("before", "after"), [(one, two) for one, some in OTHERS.items() for two in some])
def test_an_edit_elsewhere_does_not(before: str, after: str) -> None:
    assert not makes_up_for((LineEdit("s.frag", 1, f"y = {before};", f"y = {after};"),), UNSET)
    assert not makes_up_for((LineEdit("s.frag", 1, f"y = {before};", f"y = {after};"),), ())
