"""The seconds given to a diagnosis limit all of it: evidence, causes, and repairs, but for the last step."""

from __future__ import annotations

from pathlib import Path

import moderngl
import pytest

from tests.gl.diagnose.test_unset_uniforms import DRAWN, FILE
from tests.pure.pipeline_file.folders import write_folder
from tests.work_clock import WorkClock
from texelscope import pipeline
from texelscope.pipeline.compare.comparer import Comparer
from texelscope.pipeline.diagnose.naming import DiagnosisRequest, name_bugs

# No cause and no edit explains this.
SHADER = DRAWN.format(
    declared="float f(vec2 p, float k) { return sin(p.x * k) * cos(p.y / k) + texelFetch(t_x, ivec2(p), 0).r; }",
    body="float s = 0.0; vec2 p = gl_FragCoord.xy;\n"
    "    for (int i = 0; i < 5; i++) s += f(p + vec2(i, 2), float(i) + 1.5) - pow(abs(f(p, 2.0)), 1.3);\n    o = s;",
)
ORACLE = "import numpy as np\ndef y(t_x):\n    return np.cumsum(np.sin(t_x * 7) ** 3, axis=3) + np.tanh(t_x[:, ::-1])\n"
# The longest step, and the fewest seconds that repairs get.
STEP = 3.0


@pytest.mark.parametrize("seconds", [4.0, 8.0])
def test_a_diagnosis_ends_soon_after_its_seconds_and_says_that_it_was_cut(
    seconds: float, gl: moderngl.Context, tmp_path: Path, work: WorkClock
) -> None:
    file = FILE.format(layout="channel_tiles", shader="s.frag") + 'textures.t_x = "x"\n'
    path = write_folder(tmp_path, file, oracle_py=ORACLE, s_frag=SHADER)
    with pipeline.open(path, context=gl, trust=True) as session:
        session.run()
        comparer, capture = Comparer(session.plan), session.capture()
        report, start = comparer.compare(capture), work.seconds
        (said,) = name_bugs(session, comparer, capture, report, DiagnosisRequest(seconds=seconds)).passes
    assert work.seconds - start <= seconds + STEP
    assert said.was_cut
