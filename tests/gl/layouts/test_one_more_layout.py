"""A layout is one file: with one more, operators, reads, diagnosis and pipeline files go on as with those bundled."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from pathlib import Path

import moderngl
import pytest

from tests.faults import models
from tests.faults.changes import Change, Edit, StoredAs
from tests.faults.fault import Fault
from tests.faults.outcome import outcome
from tests.faults.subjects import generated
from tests.gl.layouts import test_addresses as addresses
from tests.gl.operators.single_node import NodeCase, assert_matches, floats, ints, normal, opened
from tests.plugin_folders import added_to
from tests.pure.layouts.test_grid import test_a_grid_says_where_each_tile_lies as the_grid_says_where_each_tile_lies
from tests.small_models import one_convolution
from texelscope import layouts, pipeline
from texelscope.pipeline.commands.listing import sections
from texelscope.pipeline.compare.report import Finding
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.export.eject import eject
from texelscope.pipeline.target import OpenOptions

ONE_MORE = "upright_tiles"
DRAWS = 6

CASES = (
    NodeCase("Conv", (normal(2, 5, 7, 6), normal(3, 5, 3, 2), normal(3)), {"pads": [1, 0, 2, 1], "strides": [2, 1]}),
    NodeCase("Conv", (normal(1, 6, 5, 5), normal(9, 2, 3, 3)), {"group": 3}, (1,)),
    NodeCase("ConvTranspose", (normal(1, 4, 5, 3), normal(4, 2, 3, 2)), {"strides": [3, 2]}, (1,)),
    NodeCase("Add", (normal(2, 1, 3, 1, 4), normal(2, 2, 1, 2, 1))),
    NodeCase("AveragePool", (normal(1, 3, 9, 10),), {"kernel_shape": [3, 2], "strides": [2, 2]}),
    NodeCase("Concat", (normal(1, 3, 5, 2), normal(1, 4, 5, 2)), {"axis": 1}),
    NodeCase("Gemm", (normal(3, 10), normal(10, 9), normal(9)), {}, (1, 2)),
    NodeCase("ReduceMean", (normal(2, 3, 5, 9), ints(1, 3)), {}, (1,)),
    NodeCase("Resize", (normal(1, 2, 5, 4), None, floats(1, 1, 2, 1.5)), {"mode": "linear"}, (2,)),
    NodeCase("Softmax", (normal(2, 3, 11),), {"axis": 1}),
    NodeCase("Transpose", (normal(3, 4, 5, 6),), {"perm": [3, 0, 2, 1]}),
)  # fmt: skip


@pytest.fixture(scope="module", autouse=True)
def one_more(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The layout, in a folder of its own that the package is told of."""
    text = Path(__file__).with_name(f"{ONE_MORE}.py").read_text(encoding="utf-8")
    with added_to(layouts, tmp_path_factory.mktemp("layouts"), {ONE_MORE: text}):
        yield


def test_it_is_there_beside_the_bundled_ones_by_its_file_alone() -> None:
    assert ONE_MORE in layouts.all_layouts()
    assert layouts.layout(ONE_MORE).block == (4, 1)
    assert f"{ONE_MORE} " in sections()


@pytest.mark.parametrize("shape", [(2, 5, 3, 7), (9,), (1, 13, 5, 9)], ids=str)
def test_its_grid_is_that_of_its_addresses(shape: tuple[int, ...]) -> None:
    the_grid_says_where_each_tile_lies(layouts.layout(ONE_MORE), shape)


def test_its_glsl_says_the_same_as_its_numpy(gl: moderngl.Context) -> None:
    addresses.test_glsl_and_numpy_agree_on_every_lane_and_every_element(gl, layouts.layout(ONE_MORE), "330")


@pytest.mark.parametrize("case", CASES, ids=str)
def test_operators_run_in_it(case: NodeCase, gl: moderngl.Context) -> None:
    assert_matches(case, ONE_MORE, gl)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_what_is_read_from_it_is_what_should_be(case: NodeCase, gl: moderngl.Context) -> None:
    with opened(case, ONE_MORE, gl) as session:
        for name, element in _drawn(session):
            taps = session.taps(name, element)
            assert taps.expected is not None
            assert taps.read_elements() == taps.expected, f"{name}[{element}]"


def _drawn(session: DebugSession) -> Iterator[tuple[str, int]]:
    for each in session.plan.passes:
        count = math.prod(session.plan.textures[each.output].shape)
        for element in random.Random(each.name).sample(range(count), min(count, DRAWS)):
            yield each.name, element


def test_a_bug_of_a_shader_is_named_in_it(gl: moderngl.Context) -> None:
    first = _first_finding(gl, Edit("W(ivec4(at.y, i, p, q))", "W(ivec4(at.y, i, q, p))"))
    assert (first.cause, first.shader) == ("kernel_transpose", "shaders/operators/conv.glsl")


def test_a_texture_that_is_read_by_it_and_bound_as_another_is_told(gl: moderngl.Context) -> None:
    first = _first_finding(gl, StoredAs("x", layout="tfjs_packed"))
    assert (first.cause, first.parameters["layout"]) == ("wrong_layout", ONE_MORE)
    assert first.remedy.endswith(f"or make 'x' with layout = \"{ONE_MORE}\".")


def test_an_index_that_misses_a_row_of_its_grid_is_told(gl: moderngl.Context) -> None:
    place = "ivec3 X_texel(ivec4 at) {\n    int k = at.x * 7 + at.y;\n    int column = k % 3, row = "
    found = _findings(gl, Edit(f"{place}k / 3", f"{place}int(float(k) / 3.0 - 0.001)"))
    # Which rounding it is, and the map of channels that designed inputs show of it: both are true, neither is sure.
    assert [(each.cause, each.sure) for each in found[:2]] == [("float_index_precision", False), ("index_map", False)]
    assert "reads 'x' where the row, k / g, falls short of the whole number" in found[0].evidence


def _first_finding(gl: moderngl.Context, change: Change) -> Finding:
    return _findings(gl, change)[0]


def _findings(gl: moderngl.Context, change: Change) -> tuple[Finding, ...]:
    subject = generated(models.conv((1, 7, 6, 9), 4), ONE_MORE)
    return outcome(Fault(f"{change} in {ONE_MORE}", "", lambda: subject, (change,)), gl).findings


def test_a_model_is_ejected_into_a_pipeline_file_that_says_it(gl: moderngl.Context, tmp_path: Path) -> None:
    eject(one_convolution(), tmp_path, OpenOptions(ONE_MORE))
    assert f'layout = "{ONE_MORE}"' in (tmp_path / "pipeline.toml").read_text(encoding="utf-8")
    with pipeline.open(tmp_path / "pipeline.toml", context=gl) as session:
        session.run()
        assert session.compare().verdict == "match"
