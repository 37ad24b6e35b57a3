"""Every bundled example that the File menu lists opens and runs as it is."""

from __future__ import annotations

import moderngl
import pytest

from tests.checkout import ROOT
from texelscope import pipeline
from texelscope.viewer.shell.example_commands import COMMANDS, EXAMPLES, ShippedExample


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_an_example_opens_and_runs(example: ShippedExample, gl: moderngl.Context) -> None:
    with pipeline.open(ROOT / "examples" / example.file, context=gl) as session:
        session.run()
        assert session.plan.passes
        assert not any(session.shader_error(each.name) for each in session.plan.passes)


def test_each_has_a_line_in_the_palette() -> None:
    assert [each.title for each in COMMANDS][-1] == "Open an example: a layer of ncnn"
    assert len({each.file.partition("/")[0] for each in EXAMPLES}) == len(EXAMPLES)
