"""Tests operators of an unknown domain: one module and its shaders, in a folder or installed.

Shapes, the oracle, passes, recorded reads, diagnosis, gradients and `list` need nothing but the module.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import moderngl
import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

import texelscope.pipeline.operators.families
from tests.gl.operators.single_node import normal
from tests.plugin_folders import added_to, distribution
from texelscope import pipeline
from texelscope.pipeline.commands.listing import sections
from texelscope.pipeline.compare.comparer import Comparer
from texelscope.pipeline.diagnose.naming import diagnose
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.operators.families.registry import all_operators

MODULE = '''
"""Lists the operators of Acme."""

import numpy as np

from texelscope.pipeline.operators.base import Kernel, Operator, beside
from texelscope.pipeline.operators.families.elementwise import Unary
from texelscope.pipeline.operators.rounding import pointwise

DOMAIN = "com.acme"


class PairSum(Operator):
    """y[i] = x[2i] + x[2i + 1] along the last axis."""

    op_types = ("PairSum",)

    def kernel(self, call, output=0):
        return Kernel((beside(__file__, "pair_sum.glsl"),), {"X": call.node.inputs[0]})

    def error(self, call, evaluation):
        pairs = (*evaluation.output.shape, 2)
        own = evaluation.unit * np.abs(np.asarray(evaluation.inputs[0])).reshape(pairs).sum(axis=-1)
        carried = evaluation.errors[0]
        return own if carried is None else own + carried.reshape(pairs).sum(axis=-1)

    def reads(self, call, element):
        return {0: np.array([2 * element, 2 * element + 1])}


def swoosh(invocation):
    x = invocation.required(0)
    return (np.asarray(x + invocation.attribute("slope") * np.tanh(x), dtype=x.dtype),)


def pair_sum(invocation):
    x = invocation.required(0)
    return (x.reshape(*x.shape[:-1], x.shape[-1] // 2, 2).sum(axis=-1),)


def halved(inputs, attributes):
    (x,) = inputs
    if x.shape[-1] % 2:
        raise ValueError("an odd row")
    return [((*x.shape[:-1], x.shape[-1] // 2), x.dtype)]


def swoosh_backward(node):
    """dx = dy · (1 + slope · (1 − tanh² x))."""
    tanh = node.add("Tanh", node.x(0))
    rest = node.add("Sub", node.constant(1.0), node.add("Mul", tanh, tanh))
    slope = node.add("Add", node.constant(1.0), node.scaled(rest, node.attribute("slope", 0.5)))
    node.result(0, node.add("Mul", node.dy(), slope))


OPERATORS = (
    Unary("Swoosh", "y = x + slope · tanh(x)", ulps=16.0, absolute=16.0, attributes=("slope",), activation=True,
          shader=beside(__file__, "swoosh.glsl")),
    PairSum(),
)
DEFINITIONS = {"Swoosh": swoosh, "PairSum": pair_sum}
DEFAULTS = {"Swoosh": {"slope": 0.5}}
SHAPES = {"PairSum": halved}
DERIVATIVES = {"Swoosh": swoosh_backward}
'''
SWOOSH = "float unary(float x) { return x + SLOPE * tanh(x); }\n"
PAIR_SUM = "float compute(ivec4 at) {\n    return X(ivec4(at.xyz, 2 * at.w)) + X(ivec4(at.xyz, 2 * at.w + 1));\n}\n"
FILES = {"swoosh.glsl": SWOOSH, "pair_sum.glsl": PAIR_SUM}
SHAPE = (1, 3, 4, 6)


@pytest.fixture(params=["in the folder", "installed"])
def acme(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path]:
    """Yields the folder of the module and its shaders, in the package's path or installed."""
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    if request.param == "installed":
        points = {"texelscope.operators": ["acme = acme_operators"]}
        with distribution(tmp_path, points, {"acme_operators.py": MODULE}):
            yield tmp_path
    else:
        with added_to(texelscope.pipeline.operators.families, tmp_path, {"acme": MODULE}):
            yield tmp_path


def model(width: int = SHAPE[-1], **attributes: float) -> onnx.ModelProto:
    """Returns a model of Swoosh, then PairSum, without the shapes of their outputs."""
    nodes = [
        helper.make_node("Swoosh", ["x"], ["s"], "swoosh", None, "com.acme", None, **attributes),
        helper.make_node("PairSum", ["s"], ["y"], "pairs", domain="com.acme"),
    ]
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, (*SHAPE[:-1], width))
    graph = helper.make_graph(nodes, "acme", [x], [onnx.ValueInfoProto(name="y")])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21), helper.make_opsetid("com.acme", 1)])


@pytest.mark.parametrize("layout", ["channel_tiles", "row_major_rgba"])
def test_a_model_of_the_domain_runs_and_matches(acme: Path, gl: moderngl.Context, layout: str) -> None:
    with pipeline.open(model(slope=0.25), layout=layout, context=gl) as session:
        session.set_input("x", normal(*SHAPE))
        session.run()
        report = session.compare()
        assert [(each.operator, each.verdict) for each in report.passes] == [("Swoosh", "match"), ("PairSum", "match")]
        assert session.plan.graph is not None
        assert session.plan.graph.tensors["y"].shape == (1, 3, 4, 3)


def test_an_attribute_that_a_node_leaves_out_has_the_default_of_the_module(acme: Path, gl: moderngl.Context) -> None:
    with pipeline.open(model(), context=gl) as session:
        session.set_input("x", x := normal(*SHAPE))
        session.run()
        np.testing.assert_allclose(session.tensor("s"), x + 0.5 * np.tanh(x), rtol=1e-5)
        assert session.compare().verdict == "match"


def test_reads_are_recorded_as_the_operator_lists_them(acme: Path, gl: moderngl.Context) -> None:
    with pipeline.open(model(), context=gl) as session:
        session.set_input("x", normal(*SHAPE))
        session.run()
        taps = session.taps("pairs", 7)
        assert taps.expected
        assert taps.read_elements() == taps.expected


def test_a_bug_in_a_shader_beside_the_module_is_named(acme: Path, gl: moderngl.Context) -> None:
    (acme / "swoosh.glsl").write_text(SWOOSH.replace("+ SLOPE", "+ 2.0 * SLOPE"), encoding="utf-8")
    with pipeline.open(model(slope=0.25), context=gl) as session:
        session.set_input("x", normal(*SHAPE))
        session.run()
        found = diagnose(session, Comparer(session.plan), session.capture(), "swoosh").findings
    assert [(each.cause, each.parameters["got"]) for each in found[:1]] == [("alpha", 0.5)], found


def test_a_derivative_applies_to_a_node_of_the_domain(acme: Path, gl: moderngl.Context) -> None:
    swoosh_alone = model(slope=0.25)
    del swoosh_alone.graph.node[1:]
    swoosh_alone.graph.output[0].name = "s"
    with pipeline.open(swoosh_alone, context=gl, gradients="s") as session:
        session.set_input("x", x := normal(*SHAPE))
        session.run()
        assert {each.verdict for each in session.compare().passes} == {"match"}
        np.testing.assert_allclose(session.tensor("x.grad"), 1.0 + 0.25 * (1.0 - np.tanh(x) ** 2), rtol=1e-4)


def test_a_node_without_a_derivative_is_named_where_one_is_needed(acme: Path) -> None:
    with pytest.raises(TexelscopeError, match=r"^PairSum 'pairs' .*: expected an operator with a derivative here"):
        pipeline.plan_of(model(), gradients="y")


def test_inputs_that_the_module_refuses_are_named_with_its_reason(acme: Path) -> None:
    with pytest.raises(TexelscopeError, match=r"^PairSum 'pairs': expected .* got float32\[1, 3, 4, 5\]: .*an odd row"):
        pipeline.plan_of(model(width=5))


def test_it_is_listed_with_its_domain(acme: Path) -> None:
    assert "com.acme.Swoosh " in sections()
    assert "y = x + slope · tanh(x)" in sections()


def test_nothing_of_it_is_left_afterwards() -> None:
    assert not [name for name in all_operators() if "acme" in name]
