"""One tensor in several textures: its parts are drawn into several targets, read by several samplers, and compared."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import pytest

from tests.brought.models import ModelText
from tests.pure.pipeline_file.folders import write_folder
from texelscope import pipeline
from texelscope.pipeline.errors import TexelscopeError

WEIGHT = np.random.default_rng(3).normal(0.0, 0.3, (8, 8, 3, 3))
FILE = """
[pipeline]
model = "m.onnx"
frames = 3

[[input]]
name = "x0"
oracle = "x[0:4]"
shape = [1, 4, 7, 9]
layout = "channel_tiles_rgba"
source = "normal:1"

[[input]]
name = "x1"
oracle = "x[4:8]"
shape = [1, 4, 7, 9]
layout = "channel_tiles_rgba"
source = "normal:2"

[[pass]]
name = "h0"
shader = "conv.frag"
output = [
    { shape = [1, 4, 7, 9], layout = "channel_tiles_rgba", oracle = "h[0:4]" },
    { name = "h1", shape = [1, 4, 7, 9], layout = "channel_tiles_rgba", oracle = "h[4:8]" },
]
textures.s0 = { previous = "y0", first = "x0" }
textures.s1 = { previous = "y1", first = "x1" }
textures.w = { tensor = "w", layout = { name = "ordered_rgba", order = "o/4, ky, kx, i, o%4", width = 72 } }

[[pass]]
name = "y0"
shader = "act.frag"
output = [
    { shape = [1, 4, 7, 9], layout = "channel_tiles_rgba", oracle = "y[0:4]" },
    { name = "y1", shape = [1, 4, 7, 9], layout = "channel_tiles_rgba", oracle = "y[4:8]" },
]
textures.h0 = "h0"
textures.h1 = "h1"
"""
CONV = """\
#version 330
uniform sampler2D s0, s1, w;
layout(location = 0) out vec4 first;
layout(location = 1) out vec4 second;
void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    first = second = vec4(0.0);
    for (int k = 0; k < 9; k++) {
        ivec2 p = at + ivec2(k % 3 - 1, k / 3 - 1);
        if (any(lessThan(p, ivec2(0))) || any(greaterThanEqual(p, textureSize(s0, 0)))) continue;
        for (int i = 0; i < 8; i++) {
            float v = i < 4 ? texelFetch(s0, p, 0)[i] : texelFetch(s1, p, 0)[i - 4];
            first += v * texelFetch(w, ivec2(k * 8 + i, 0), 0);
            second += v * texelFetch(w, ivec2(k * 8 + i, 1), 0);
        }
    }
}
"""
ACT = """\
#version 330
uniform sampler2D h0, h1;
layout(location = 0) out vec4 first;
layout(location = 1) out vec4 second;
void main() {
    first = tanh(texelFetch(h0, ivec2(gl_FragCoord.xy), 0));
    second = tanh(texelFetch(h1, ivec2(gl_FragCoord.xy), 0));
}
"""


def step() -> onnx.ModelProto:
    """Returns x [1, 8, 7, 9] → Conv h → Tanh y, one step of a state of eight channels."""
    text = ModelText("x", (1, 8, 7, 9))
    summed = text.node("Conv", "x", text.constant(WEIGHT, "w"), pads=[1, 1, 1, 1], name="h")
    return text.model(text.node("Tanh", summed, name="y"))


def folder(tmp_path: Path, file: str = FILE, conv: str = CONV) -> Path:
    path = write_folder(tmp_path, file, conv_frag=conv, act_frag=ACT)
    onnx.save(step(), tmp_path / "m.onnx")
    return path


def test_a_state_in_two_textures_matches_frame_by_frame(tmp_path: Path) -> None:
    with pipeline.open(folder(tmp_path)) as session:
        compared = session.compare_frames()
    assert len(compared.reports) == 3
    assert compared.first_mismatch is None
    assert [each.operator for each in compared.reports[0].passes] == ["Concat+Conv+Slice", "Concat+Tanh+Slice"]


def test_a_bug_in_the_second_target_is_a_mismatch_of_that_output(tmp_path: Path) -> None:
    wrong = CONV.replace(
        "second += v * texelFetch(w, ivec2(k * 8 + i, 1), 0)", "second += v * texelFetch(w, ivec2(k, 1), 0)"
    )
    with pipeline.open(folder(tmp_path, conv=wrong)) as session:
        session.run()
        report = session.compare()
    assert report.verdict == "mismatch"
    assert report.passes[0].verdict == "mismatch"
    assert report.passes[1].verdict == "match"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('oracle = "h[4:8]"', 'oracle = "h[4:9]"', r"\[\[pass\]\] 'h0' oracle: expected channels between 0 and 8"),
        ('oracle = "h[4:8]"', 'oracle = "g[4:8]"', r"expected channels of an input or a result of the model"),
        ('oracle = "x[4:8]"', 'oracle = "x[5:8]"', r"expected parts with all of its 8 channels, got x\[0:4\]"),
    ],
)  # fmt: skip
def test_parts_that_cannot_be_are_refused_by_name(tmp_path: Path, old: str, new: str, message: str) -> None:
    with pytest.raises(TexelscopeError, match=message):
        pipeline.open(folder(tmp_path, FILE.replace(old, new)))
