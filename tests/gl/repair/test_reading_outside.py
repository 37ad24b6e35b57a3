"""A repair that is right because a driver gives 0 outside of a texture comes behind one that stays inside."""

from __future__ import annotations

from pathlib import Path

from texelscope.pipeline.commands.diff import ComparisonExtras, diff
from texelscope.pipeline.diagnose.naming import DiagnosisRequest
from texelscope.pipeline.target import OpenOptions, Target

SHADER = """#version 300 es
precision highp float;
precision highp sampler2D;
uniform sampler2D u_image;
uniform ivec2 u_size;
out vec4 result;

float value(ivec2 p) {
    if (p.x < 0 || p.y < 0 || p.x >= u_size.x || p.y >= u_size.y) return 0.0;
    return texelFetch(u_image, p, 0).r;
}

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    float sum = 0.0;
    for (int dy = -1; dy <= 1; dy++) {
        for (int dx = -1; dx <= 1; dx++) {
            sum += value(at + ivec2(dx, dy));
        }
    }
    result = vec4(sum / 9.0);
}
"""
# Width and height are exchanged: the check lets columns through that there are not, and keeps rows out.
PIPELINE = """[pipeline]
oracle = "oracle.py"

[[input]]
name = "image"
shape = [1, 1, 12, 10]
layout = "channel_tiles"
source = "random:7"

[[pass]]
name = "blur"
shader = "blur.frag"
output = { shape = [1, 1, 12, 10], layout = "channel_tiles" }
textures.u_image = "image"
uniforms.u_size = [12, 10]
"""
ORACLE = """import numpy as np

def blur(u_image):
    padded = np.pad(u_image, ((0, 0), (0, 0), (1, 1), (1, 1)))
    h, w = u_image.shape[2:]
    return sum(padded[:, :, y:y + h, x:x + w] for y in range(3) for x in range(3)) / 9
"""


def test_a_check_is_not_taken_away_where_its_number_is_wrong(tmp_path: Path) -> None:
    for name, text in {"blur.frag": SHADER, "pipeline.toml": PIPELINE, "oracle.py": ORACLE}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    asked = DiagnosisRequest(names=("blur",), repairs=True)
    target = Target(str(tmp_path / "pipeline.toml"), OpenOptions(trust=True))
    outcome = diff(target, extras=ComparisonExtras(asked))
    (found,) = outcome.report.passes
    first, *others = found.repairs
    ((edit,),) = (first.in_file,)
    assert (edit.file, edit.line, edit.after) == ("pipeline.toml", 15, "uniforms.u_size = [10, 12]")
    assert {each.file for other in others for each in other.in_file} <= {"blur.frag", "pipeline.toml"}
    assert outcome.patch is not None
    assert "+uniforms.u_size = [10, 12]" in outcome.patch.text
