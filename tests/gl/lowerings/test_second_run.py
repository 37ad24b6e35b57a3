"""A second run compiles nothing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import onnx
import pytest

from tests.checkout import ROOT
from tests.pure.models import array, model, node, value

LAYOUT = "channel_tiles_rgba"
SHAPE = (1, 8, 20, 20)


def network() -> onnx.ModelProto:
    """A convolution, a sum of two tensors, and a transposed convolution."""
    nodes = [
        node("Conv", "x w b", "a", "conv", pads=[1, 1, 1, 1]),
        node("Max", "a x", "m", "larger"),
        node("ConvTranspose", "m v", "y", "up", strides=[2, 2], pads=[1, 1, 1, 1]),
    ]
    weights = {"w": array(8, 8, 3, 3), "b": array(8), "v": array(8, 12, 4, 4)}
    return model(nodes, [value("x", SHAPE)], [value("y", None)], weights=weights)


_RUNS = """
import sys, time
from pathlib import Path
from texelscope import pipeline
from tests.gl.lowerings.test_second_run import LAYOUT, SHAPE, network
from tests.pure.models import array
folder = Path(sys.argv[1])
def kept():
    count = -1
    while count != (count := sum(1 for each in folder.rglob("*") if each.is_file())) or not count:
        time.sleep(0.3)
    return count
with pipeline.open(network(), layout=LAYOUT) as session:
    session.set_input("x", array(*SHAPE))
    print(session.context.info["GL_RENDERER"])
    for _ in range(2):
        session.run()
        session.finish()
        print(kept())
"""


def test_a_second_run_has_nothing_compiled(tmp_path: Path) -> None:
    """Mesa keeps on disk whatever machine code it makes: nothing is added to that."""
    ask = [sys.executable, "-c", _RUNS, str(tmp_path)]
    env = {"MESA_SHADER_CACHE_DIR": str(tmp_path), "PYTHONPATH": str(ROOT), "PATH": ""}
    answer = subprocess.run(ask, cwd=ROOT, env=env, capture_output=True, text=True, check=True)
    renderer, first, second = answer.stdout.splitlines()
    if "llvmpipe" not in renderer:
        pytest.skip(f"{renderer} keeps nothing that can be counted")
    assert int(second) == int(first)
