"""Forms of a first run: sooner compiled, the same to the bit, and given up for better ones when a plan runs often."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import moderngl
import numpy as np
import onnx
import pytest
from numpy.typing import NDArray

import pipeline
from pipeline.debug_session import DebugSession
from pipeline.gl.session_forms import HURRIED_RUNS
from tests.checkout import ROOT
from tests.gl.forms.test_window_sums import CASES
from tests.gl.operators.single_node import NodeCase, opened
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


@pytest.fixture
def session(gl: moderngl.Context) -> Iterator[DebugSession]:
    with pipeline.open(network(), layout=LAYOUT, context=gl) as opened:
        opened.set_input("x", array(*SHAPE))
        yield opened


def texts(session: DebugSession) -> list[int]:
    """How long the shaders of the forms are."""
    forms = [session.form(name) for name in ("conv", "up")]
    return [len(each.steps[0].program.fragment) for each in forms if each is not None]


def bits(session: DebugSession, keys: Sequence[str]) -> list[NDArray[np.uint32]]:
    return [session.tensor(key).view(np.uint32) for key in keys]


def test_forms_change_when_the_plan_has_run_a_few_times(session: DebugSession) -> None:
    hurried = texts(session)
    assert len(hurried) == 2
    for _ in range(HURRIED_RUNS):
        session.run()
        assert texts(session) == hurried
    session.run()
    assert all(longer > short for longer, short in zip(texts(session), hurried, strict=True))


def test_a_pass_that_is_run_again_by_itself_is_no_run_of_the_plan(session: DebugSession) -> None:
    session.run()
    hurried = texts(session)
    for _ in range(HURRIED_RUNS + 1):
        session.run_pass("conv")
        session.run(from_="up")
    assert texts(session) == hurried


@pytest.mark.parametrize("fused", [False, True])
def test_the_values_of_a_network_stay_the_same_to_the_bit(session: DebugSession, *, fused: bool) -> None:
    run = session.run_fused if fused else session.run
    run()
    before, hurried = bits(session, ("a", "y")), texts(session)
    session.forms.settle()
    run()
    assert texts(session) != hurried
    for was, now in zip(before, bits(session, ("a", "y")), strict=True):
        np.testing.assert_array_equal(was, now)


# Steps, a large kernel, slices of the channels, parities, kernels that are not square.
@pytest.mark.parametrize("case", [CASES[number] for number in (0, 3, 4, 6, 9)], ids=str)
def test_the_values_of_a_window_stay_the_same_to_the_bit(case: NodeCase, gl: moderngl.Context) -> None:
    with opened(case, LAYOUT, gl) as session:
        found = []
        for _ in range(2):
            session.run()
            found += bits(session, session.plan.outputs)
            session.forms.settle()
    before, after = found
    np.testing.assert_array_equal(before, after)


_RUNS = """
import sys, time
from pathlib import Path
import pipeline
from tests.gl.forms.test_hurried import LAYOUT, SHAPE, network
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
