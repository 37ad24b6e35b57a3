"""The reader of an mpv shader takes the branches that the driver takes, by mpv's macros and the file's parameters."""

from __future__ import annotations

from pathlib import Path

import moderngl
import numpy as np
import pytest

from texelscope import pipeline

SHADER = """//!PARAM level
//!TYPE DEFINE
//!MINIMUM 0
//!MAXIMUM 3
2

//!HOOK LUMA
//!BIND HOOKED
//!DESC one of two
vec4 hook() {
#%s
    return 2.0 * HOOKED_tex(HOOKED_pos) - HOOKED_texOff(vec2(1.0, 0.0));
#else
    return 3.0 * HOOKED_tex(HOOKED_pos);
#endif
}
"""
# A condition, and whether it holds.
CONDITIONS = {
    "ifdef HOOKED_raw": True,
    "ifdef LUMA_raw": True,
    "if defined(LUMA_raw)": True,
    "ifdef HOOKED_gather": True,
    "ifndef HOOKED_pos": False,
    "if defined(CHROMA_raw)": False,
    "ifdef HOOKED_nothing": False,
    "if level == 2": True,
    "if level > 2": False,
    "if (level)": True,
}


@pytest.mark.parametrize(("condition", "holds"), CONDITIONS.items(), ids=CONDITIONS)
def test_reader_and_driver_take_the_same_branch(
    condition: str, holds: bool, gl: moderngl.Context, tmp_path: Path
) -> None:
    shader = tmp_path / "s.glsl"
    shader.write_text(SHADER % condition, encoding="utf-8")
    with pipeline.open(shader, context=gl) as session:
        session.run()
        report = session.compare(findings=False)
        assert [each.verdict for each in report.passes] == ["match"], report.passes[0].message
        before, after = session.tensor(session.plan.inputs[0]), session.tensor(session.plan.outputs[-1])
    shifted = np.concatenate([before[..., 1:], before[..., -1:]], axis=-1)
    np.testing.assert_allclose(after, 2.0 * before - shifted if holds else 3.0 * before, atol=1e-5)
