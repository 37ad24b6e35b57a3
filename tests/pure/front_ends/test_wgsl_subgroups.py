"""Engines enable subgroups in every text: they are refused where a program uses them."""

from __future__ import annotations

import pytest

from texelscope.pipeline.front_ends.request import TranslationRequest
from texelscope.pipeline.front_ends.wgsl import translated
from texelscope.pipeline.glsl.authored.refused import AuthorTextError

SUBGROUPS = """enable subgroups;
@group(0) @binding(0) var<storage, read_write> x: array<f32>;
@compute @workgroup_size(4) fn main(
    @builtin(global_invocation_id) id: vec3<u32>, @builtin(subgroup_size) size: u32
) {
    x[id.x] = 1.0;
}
"""


def test_subgroups_are_refused_where_they_are_used_and_not_where_they_are_enabled() -> None:
    assert "x_elements[id.x] = 1.0" in translated(TranslationRequest(SUBGROUPS, "compute"))
    for use, got in (("subgroupAdd(1.0)", "enable subgroups"), ("f32(size)", r"@builtin\(subgroup_size\)")):
        with pytest.raises(AuthorTextError, match=f"got {got}"):
            translated(TranslationRequest(SUBGROUPS.replace("1.0;", f"{use};"), "compute"))
