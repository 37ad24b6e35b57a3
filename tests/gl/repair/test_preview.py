"""What a repair gives is computed by the repaired shader itself, and the session stays as it is."""

from __future__ import annotations

from pathlib import Path

import moderngl
import numpy as np
import pytest

from tests.pure.models import array, model, node, value
from texelscope import pipeline
from texelscope.pipeline.compare.repairs import LineEdit, Repair
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.export.eject import eject
from texelscope.pipeline.repair.preview import run_repaired


@pytest.fixture
def session(gl: moderngl.Context, tmp_path: Path) -> DebugSession:
    """A pipeline of one convolution."""
    weights = {"w": array(4, 3, 3, 3)}
    proto = model([node("Conv", "x w", "y")], [value("x")], [value("y", None)], weights=weights)
    (tmp_path / "m.onnx").write_bytes(proto.SerializeToString())
    eject(tmp_path / "m.onnx", tmp_path / "out")
    opened = pipeline.open(tmp_path / "out" / "pipeline.toml", context=gl)
    opened.run()
    return opened


def repair_of(session: DebugSession, after: str) -> Repair:
    """Returns the edit of the line that computes the result."""
    (file,) = session.program_source("y").files[:1]
    lines = file.text.split("\n")
    number = next(i for i, line in enumerate(lines) if line.strip() == "return sum;")
    edit = LineEdit(file.path, number + 1, lines[number], lines[number].replace("sum", after))
    return Repair((edit,), "", 1, 1)


def test_the_repaired_shader_really_runs_and_the_session_stays_as_it_is(session: DebugSession) -> None:
    with session:
        before, program = session.tensor("y").copy(), session.program_source("y")
        made = run_repaired(session, "y", repair_of(session, "sum * 4.0"))
        (values,) = made.tensors.values()
        np.testing.assert_array_equal(values, before * np.float32(4.0))
        assert "sum * 4.0" in made.program.fragment
        assert session.program_source("y") is program
        np.testing.assert_array_equal(session.tensor("y"), before)
        session.replace_program("y", made.program)
        session.run()
        np.testing.assert_array_equal(session.tensor("y"), values)


def test_a_repair_of_the_pipeline_file_is_refused_with_what_to_do(session: DebugSession) -> None:
    edit = LineEdit("pipeline.toml", 3, "a = 1", "a = 2")
    with session, pytest.raises(TexelscopeError) as refused:
        run_repaired(session, "y", Repair((edit,), "", 1, 1))
    assert str(refused.value) == (
        "pass 'y': expected a repair of its shader's text, got one of pipeline.toml. "
        "Change that line and save the file to see what it gives."
    )


def test_a_repair_that_does_not_compile_is_refused(session: DebugSession) -> None:
    broken = repair_of(session, "nothing_of_that_name")
    with session, pytest.raises(TexelscopeError):
        run_repaired(session, "y", broken)
