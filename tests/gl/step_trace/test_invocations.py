"""Invocations of compute shaders are traced as fragments are, and the pass is left as it was."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import moderngl
import numpy as np
import pytest

from tests.checkout import ROOT
from texelscope import pipeline
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.errors import TexelscopeError, UnsupportedError
from texelscope.pipeline.step_trace.recorder import TraceRecorder
from texelscope.pipeline.step_trace.sums import FragmentSum
from texelscope.pipeline.step_trace.sums import sums as summed

TWICE = ROOT / "examples" / "convolution_twice" / "pipeline.toml"
# Shaders of other engines: the file, the pass, and the last variable that its invocation assigns.
OTHERS = {
    "ncnn": (ROOT / "examples" / "ncnn" / "relu.comp", "relu", "blob_data"),
    "ncnn in fours": (ROOT / "examples" / "ncnn" / "convolution_pack4_1x1s1d1.comp", "convolution_pack4_1x1s1d1", ""),
    "SPIR-V": (ROOT / "tests" / "faults" / "spirv" / "tiled_matmul" / "pipeline.toml", "y", "C_elements"),
}


@pytest.fixture
def twice(gl: moderngl.Context) -> Iterator[DebugSession]:
    with pipeline.open(TWICE, context=gl) as session:
        session.run()
        yield session


@pytest.mark.parametrize("element", [0, 65, 4095, 4096 * 7 + 130])
def test_the_last_assignment_is_what_the_pass_wrote(element: int, twice: DebugSession) -> None:
    before = twice.texels("dispatched").tobytes()
    trace = twice.trace("dispatched", element)
    assert len(trace.steps) == trace.total == trace.steps[-1].number + 1
    (made,) = trace.steps[-1].assigned
    assert (made.name, made.value) == (f"y[{element}]", (float(twice.tensor("dispatched").reshape(-1)[element]),))
    z, y, x = (int(place) for place in np.unravel_index(element, (8, 64, 64)))
    assert trace.invocation == (x, y, z) == trace.constants["gl_GlobalInvocationID"]
    assert trace.constants["gl_LocalInvocationID"] == (x % 8, y % 8, 0)
    assert twice.texels("dispatched").tobytes() == before


def test_what_others_put_into_shared_memory_is_in_the_sum(twice: DebugSession) -> None:
    trace = twice.trace("dispatched", 65)
    sums = [made.value[0] for step in trace.steps for made in step.assigned if made.name == "sum"]
    drawn = twice.trace("drawn", 65)
    also = [made.value[0] for step in drawn.steps for made in step.assigned if made.name == "sum"]
    assert len(sums) == 1 + 27
    assert sums[-1] == pytest.approx(also[-1], rel=1e-5)
    assert [step.text for step in trace.steps].count("barrier()") == 6
    unknown = "Reads from buffers are not recorded, so the sum of an invocation is unknown."
    assert summed(twice, trace) == FragmentSum((), None, unknown)


def test_watches_and_windows_are_those_of_fragments(twice: DebugSession) -> None:
    whole = twice.trace("dispatched", 65, watches=("sum * 2.0", "nothing"))
    assert whole.watches == ("sum * 2.0",)
    assert "nothing" in whole.refused
    seen = [step.watched["sum * 2.0"][0] for step in whole.steps if "sum * 2.0" in step.watched]
    sums = [made.value[0] for step in whole.steps for made in step.assigned if made.name == "sum"]
    assert seen[-1] == 2 * np.float32(sums[-1])
    part = twice.trace("dispatched", 65, window=(100, 120))
    assert part.steps == tuple(twice.trace("dispatched", 65).steps[100:120])
    assert part.total == whole.total


def test_an_invocation_that_writes_nothing_is_named_by_its_numbers(twice: DebugSession) -> None:
    recorder = TraceRecorder(twice)
    trace = recorder.trace_invocation("dispatched", (3, 2, 1))
    assert (trace.invocation, trace.element, trace.constants["gl_WorkGroupID"]) == ((3, 2, 1), None, (0, 0, 1))
    with pytest.raises(TexelscopeError, match=r"expected an invocation of 64, 64, 8, got 64, 0, 0\. Choose another\."):
        recorder.trace_invocation("dispatched", (64, 0, 0))
    with pytest.raises(TexelscopeError, match="expected a compute shader for an invocation, got a pass that is drawn"):
        recorder.trace_invocation("drawn", (0, 0, 0))
    recorder.release()


def test_a_driver_without_storage_buffers_traces_no_invocation(twice: DebugSession) -> None:
    recorder = TraceRecorder(twice, in_colours=True)
    with pytest.raises(UnsupportedError, match=r"expected storage buffers \(OpenGL 4\.3\) for a compute shader"):
        recorder.trace("dispatched", (1, 1), 0)
    recorder.release()


@pytest.mark.parametrize(("file", "name", "written"), OTHERS.values(), ids=OTHERS.keys())
def test_shaders_of_other_engines_are_traced_in_their_authors_words(
    file: Path, name: str, written: str, gl: moderngl.Context
) -> None:
    with pipeline.open(file, context=gl) as session:
        session.run()
        output = session.plan.pass_called(name).output
        before = session.texels(output).tobytes()
        trace = session.trace(name, 9)
        assert session.texels(output).tobytes() == before
        value = float(session.tensor(output).reshape(-1)[9])
    assigned = [made for step in trace.steps for made in step.assigned]
    assert any(value in made.value for made in assigned)
    assert {step.line[0] for step in trace.steps} == {Path(trace.steps[0].line[0]).name}
    if written:
        assert assigned[-1].name.startswith(f"{written}[")
