"""NaN that a result shows is named, whatever else shows on other inputs."""

from __future__ import annotations

from pathlib import Path

import moderngl
import numpy as np
import pytest

from tests.gl.diagnose.test_unset_uniforms import DRAWN, FILE, X
from tests.pure.pipeline_file.folders import write_folder
from texelscope import pipeline


def causes(folder: Path, gl: moderngl.Context, body: str, oracle: str, values: np.ndarray | None = None) -> list[str]:
    """Runs and diagnoses the pass, and returns the causes found."""
    file = FILE.format(layout="channel_tiles", shader="s.frag") + 'textures.t_x = "x"\n'
    if values is not None:
        file = file.replace("random:3", "x.npy")
    text = f"import numpy as np\ndef y(t_x):\n    return {oracle}\n"
    path = write_folder(folder, file, oracle_py=text, s_frag=DRAWN.format(declared="", body=body))
    if values is not None:
        np.save(folder / "x.npy", values)
    with pipeline.open(path, context=gl, trust=True) as session:
        session.run()
        return [each.cause for each in session.compare().passes[0].findings]


@pytest.mark.parametrize("function", ["sqrt", "log", "inversesqrt"])
def test_a_fault_that_shows_on_other_inputs_hides_no_nan(function: str, gl: moderngl.Context, tmp_path: Path) -> None:
    values = np.random.default_rng(4).uniform(0.5, 1.5, (1, 3, 6, 8)).astype(np.float32)
    values[0, 0, 0] *= -1.0
    # The second fault shows in the first row, which is all NaN here.
    body = f"float v = {X}; o = {function}(v); if (gl_FragCoord.y < 1.0 && gl_FragCoord.x < 8.0 && v > 0.0) o += 1.0;"
    oracle = {"sqrt": "np.sqrt(np.abs(t_x))", "log": "np.log(np.abs(t_x))", "inversesqrt": "1 / np.sqrt(np.abs(t_x))"}
    assert "nan_source" in causes(tmp_path, gl, body, oracle[function], values)
