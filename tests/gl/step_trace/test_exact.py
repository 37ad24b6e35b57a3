"""A trace's final value is the texel's, bit for bit: a few of the draws that `make traces` makes by hundreds."""

from __future__ import annotations

import random
from functools import partial
from pathlib import Path

import moderngl
import pytest

from tests.faults.seen.subjects import convolutions, elements, rows
from tests.gl.shipped_shaders import MORE, subject_of
from tests.tfjs_recordings import four_programs
from tests.traces.draws import drawn
from tests.traces.sources import Source, made, opened
from texelscope.pipeline.gl.context import limits_of
from texelscope.pipeline.importers.onnx_model import load

WRITTEN = (convolutions.conv_macros, convolutions.depthwise_es, elements.leaky_uv_rgba, rows.attention_getx)


@pytest.mark.parametrize("number", [0, 5, 19])
def test_shipped_shaders(number: int, gl: moderngl.Context) -> None:
    node, layout = MORE[number]
    subject = subject_of(node, load(node.model()), layout, limits_of(gl))
    draw = drawn(Source("shipped", subject.title, subject.opened), gl, random.Random(number))
    assert (draw.problem, draw.refusal) == ("", "")


@pytest.mark.parametrize("make", WRITTEN, ids=lambda make: make.__name__)
def test_shaders_written_by_hand(make: object, gl: moderngl.Context) -> None:
    source = Source("written", "", partial(made, make))  # type: ignore[arg-type]
    draw = drawn(source, gl, random.Random(1))
    assert (draw.problem, draw.refusal) == ("", "")


@pytest.mark.parametrize("seed", [1, 2])
def test_programs_of_older_versions(seed: int, gl: moderngl.Context, tmp_path: Path) -> None:
    source = Source("tfjs", "", partial(opened, four_programs().write(tmp_path / "page")))
    draw = drawn(source, gl, random.Random(seed))
    assert (draw.problem, draw.refusal) == ("", "")
