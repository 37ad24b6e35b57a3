"""Tests that a thread computes the sum of a fragment that is stepped through, once a run, or says why there is none."""

from __future__ import annotations

import gc
import time
from pathlib import Path

import moderngl
import onnx
import pytest

from tests.gl.viewer.conftest import model
from tests.gl.viewer.document.test_document import finish, opened_on
from texelscope.pipeline.errors import TexelscopeError
from texelscope.viewer.debugger.model import taking
from texelscope.viewer.debugger.model.stepping import Stepping
from texelscope.viewer.debugger.model.summing import AsRun, StepSums
from texelscope.viewer.document.document import Document
from texelscope.viewer.document.log import MessageLog


def told(summing: StepSums, stepping: Stepping, document: Document) -> None:
    """Waits as frames would."""
    end = time.monotonic() + 20
    while stepping.sums is None:
        summing.advance(stepping, document, lambda: None)
        assert time.monotonic() < end
        time.sleep(0.001)


def test_each_run_has_its_sum_and_a_watch_more_keeps_it(gl: moderngl.Context, tmp_path: Path) -> None:
    onnx.save(model(), tmp_path / "model.onnx")
    document = opened_on(gl, tmp_path / "model.onnx", MessageLog())
    stepping, summing = Stepping(), StepSums()
    try:
        finish(document)
        name = document.passes[0].name
        taking.begin(stepping, document, name, 7)
        told(summing, stepping, document)
        sums = stepping.sums
        assert (len([term for term in sums.terms if term.product]), sums.first_wrong) == (18, None)
        assert document.session is not None
        assert sums.terms[-1].running == pytest.approx(document.session.tensor("Y").reshape(-1)[7], rel=1e-5)
        stepping.watches.append("1.0 + 1.0")
        while taking.keep_up(stepping, document):
            pass
        assert stepping.sums is None, "the trace is another"
        assert summing.advance(stepping, document, lambda: None)
        assert stepping.sums is sums, "the run is not"
        taking.begin(stepping, document, name, 8)
        told(summing, stepping, document)
        assert stepping.sums is not sums
        stepping.end()
        summing.advance(stepping, document, lambda: None)
        assert stepping.sums is None
        assert any(isinstance(each, AsRun) for each in gc.get_objects())
        closed, document.session = document.session, None
        summing.advance(stepping, document, lambda: None)
        gc.collect()
        assert not any(isinstance(each, AsRun) for each in gc.get_objects()), "what was closed is let go"
        document.session = closed
    finally:
        summing.close()
        document.close()


def test_a_tensor_that_the_pass_could_not_read_is_named() -> None:
    with pytest.raises(TexelscopeError, match="k1: expected a tensor that the pass read, got a missing one"):
        AsRun(None, {}).tensor("k1")  # type: ignore[arg-type]
