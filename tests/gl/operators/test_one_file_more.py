"""An operator that nobody here has heard of: a module, a shader and a definition in a scratch folder, and all take it.

Nothing else is touched: the plan, a session, the oracle, recorded reads and the diagnosis ask the operator alone.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import moderngl
import pytest
from numpy.typing import NDArray

import texelscope.pipeline.operators.families
import texelscope.pipeline.oracle.own
from tests.gl.operators.single_node import normal
from tests.plugin_folders import added_to
from texelscope.pipeline.compare.comparer import Comparer
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.diagnose.naming import diagnose
from texelscope.pipeline.glsl.assemble import SHADER_FOLDER
from texelscope.pipeline.graph import OWN_DOMAIN, Graph, Node, TensorInfo
from texelscope.pipeline.operators.families.registry import all_operators
from texelscope.pipeline.oracle import versions
from texelscope.pipeline.planning.planner import plan_graph

Array = NDArray[Any]

# An entry of a table: all of it follows from the table.
BENT = """
import numpy as np
from texelscope.pipeline.operators.families.elementwise import Unary
OPERATORS = (Unary("Bent", "y = (√(x² + 1) − 1) / 2 + x", ulps=8.0, absolute=8.0, activation=True),)
"""
# A separate class, of two operands and a number.
LEAN = '''
import numpy as np
from texelscope.pipeline.operators.base import Kernel, Operator
from texelscope.pipeline.operators.facts import Facts
from texelscope.pipeline.operators.rounding import pointwise

class Lean(Operator):
    """y = a + slope · b."""
    op_types = ("Lean",)
    facts = Facts(pointwise=True, is_ordered=True, shaped_by=("slope",))

    def kernel(self, call, output=0):
        a, b = call.node.inputs
        return Kernel(("lean.glsl",), {"A": a, "B": b}, {"SLOPE": float(call.attribute("slope"))})

    def error(self, call, evaluation):
        a, b = (np.abs(x) for x in evaluation.inputs)
        return pointwise(evaluation, 2.0 * evaluation.unit * (a + abs(call.attribute("slope")) * b))

    def reads(self, call, element):
        return {0: np.array([element]), 1: np.array([element])}

OPERATORS = (Lean(),)
'''
# One that makes one element of many.
SPAN = '''
import dataclasses
import numpy as np
from texelscope.pipeline.operators.base import Kernel, Operator
from texelscope.pipeline.operators.facts import Rows

class Span(Operator):
    """The largest element of a row less the smallest."""
    op_types = ("Span",)

    def kernel(self, call, output=0):
        return Kernel(("span.glsl",), {"X": call.node.inputs[0]}, {"COUNT": call.shape(0)[-1]})

    def error(self, call, evaluation):
        return 2.0 * evaluation.unit * np.abs(evaluation.output)

    def reads(self, call, element):
        count = call.shape(0)[-1]
        return {0: element * count + np.arange(count)}

    def rows(self, call):
        return Rows(call.shape(0), (len(call.shape(0)) - 1,))

    def of_matrix(self, call, shape):
        return dataclasses.replace(call.node)

OPERATORS = (Span(),)
'''
DEFINITION = """
import numpy as np
def evaluate(invocation):
    x = invocation.required(0)
    return (np.asarray({y}, dtype=x.dtype),)
OPERATORS = {{"{name}": evaluate}}
"""
BENT_SHADER = "float unary(float x) { return 0.5 * (sqrt(x * x + 1.0) - 1.0) + x; }\n"
LEAN_SHADER = """float compute(ivec4 at) {
    float a = A(at);
    float b = B(at);
    return a + SLOPE * b;
}
"""
SPAN_SHADER = """float compute(ivec4 at) {
    float low = X(ivec4(at.yzw, 0));
    float high = low;
    for (int k = 1; k < COUNT; k++) {
        low = min(low, X(ivec4(at.yzw, k)));
        high = max(high, X(ivec4(at.yzw, k)));
    }
    return high - low;
}
"""


@dataclass(frozen=True)
class Invented:
    """Describes an operator: module, shader's file and text, definition, inputs, the output's shape, numbers."""

    module: str
    file: str
    shader: str
    y: str
    inputs: tuple[Array, ...]
    shape: tuple[int, ...]
    attributes: Mapping[str, Any]


NOTHING: Mapping[str, Any] = MappingProxyType({})
PICTURE = (1, 3, 6, 8)
INVENTED: Mapping[str, Invented] = {
    "Bent": Invented(
        BENT, "elementwise/bent.glsl", BENT_SHADER, "(np.sqrt(x * x + 1.0) - 1.0) / 2.0 + x",
        (normal(*PICTURE),), PICTURE, NOTHING,
    ),
    "Lean": Invented(
        LEAN, "lean.glsl", LEAN_SHADER, "x + invocation.attribute('slope') * invocation.required(1)",
        (normal(*PICTURE), normal(*PICTURE, seed=1)), PICTURE, MappingProxyType({"slope": 0.375}),
    ),
    "Span": Invented(
        SPAN, "span.glsl", SPAN_SHADER, "x.max(axis=-1) - x.min(axis=-1)", (normal(1, 5, 6, 9),), (1, 5, 6), NOTHING
    ),
}  # fmt: skip


@pytest.fixture
def shaders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of the operators' shaders; all the invented operators are in place."""
    folder = tmp_path / "shaders"
    shutil.copytree(SHADER_FOLDER, folder)
    monkeypatch.setattr("texelscope.pipeline.glsl.assemble.SHADER_FOLDER", folder)
    modules = {name.lower(): each.module for name, each in INVENTED.items()}
    definitions = {name.lower(): DEFINITION.format(name=name, y=each.y) for name, each in INVENTED.items()}
    for each in INVENTED.values():
        (folder / "operators" / each.file).write_text(each.shader, encoding="utf-8")
    with ExitStack() as stack:
        stack.enter_context(added_to(texelscope.pipeline.operators.families, tmp_path / "families", modules))
        stack.enter_context(added_to(texelscope.pipeline.oracle.own, tmp_path / "own", definitions))
        yield folder / "operators"


def opened(name: str, gl: moderngl.Context) -> DebugSession:
    """A session on one node of the operator, run; the caller releases it."""
    each = INVENTED[name]
    names = tuple(f"in{i}" for i in range(len(each.inputs)))
    tensors = {key: TensorInfo(key, value.shape) for key, value in zip(names, each.inputs, strict=True)}
    tensors["y"] = TensorInfo("y", each.shape)
    node = Node("node", name, names, ("y",), each.attributes, domain=OWN_DOMAIN)
    session = DebugSession(plan_graph(Graph("invented", (node,), tensors, names, ("y",), {})), gl)
    for key, value in zip(names, each.inputs, strict=True):
        session.set_input(key, value)
    session.run()
    return session


@pytest.mark.parametrize("name", INVENTED)
def test_it_runs_and_matches_its_definition(name: str, shaders: Path, gl: moderngl.Context) -> None:
    with opened(name, gl) as session:
        assert not session.plan.not_run
        (compared,) = session.compare().passes
        assert (compared.operator, compared.verdict, compared.findings) == (name, "match", ())


@pytest.mark.parametrize("name", INVENTED)
def test_its_recorded_reads_are_those_that_it_lists(name: str, shaders: Path, gl: moderngl.Context) -> None:
    with opened(name, gl) as session:
        for element in (0, 13, 29):
            taps = session.taps("node", element)
            assert taps.expected
            assert not taps.unexpected()
            assert not taps.missing()


BUGS: tuple[tuple[str, str, str, str, dict[str, Any]], ...] = (
    ("Bent", "+ x;", "+ x + 1.0;", "affine", {}),
    ("Bent", "0.5 * (sqrt(x * x + 1.0) - 1.0) + x", "x", "activation_missing", {"activation": "Bent"}),
    ("Bent", BENT_SHADER, BENT_SHADER.replace("0.5", "3.0 * (0.5").replace(";", ");"), "scale", {"factor": 3.0}),
    ("Lean", "SLOPE * b", "0.75 * b", "alpha", {"expected": 0.375, "got": 0.75}),
    ("Lean", "a + SLOPE * b", "b + SLOPE * a", "wrong_partner", {}),
    ("Lean", "B(at)", "B(at + ivec4(0, 0, 0, 1))", "shift", {"dx": 1, "dy": 0}),
    ("Span", "k < COUNT", "k < COUNT - 1", "missing_taps", {}),
)


@pytest.mark.parametrize(("name", "right", "wrong", "cause", "parameters"), BUGS, ids=[each[3] for each in BUGS])
def test_a_bug_in_its_shader_is_named(
    name: str, right: str, wrong: str, cause: str, parameters: Mapping[str, Any], shaders: Path, gl: moderngl.Context
) -> None:
    file, text = INVENTED[name].file, INVENTED[name].shader
    assert right in text
    (shaders / file).write_text(text.replace(right, wrong), encoding="utf-8")
    with opened(name, gl) as session:
        found = diagnose(session, Comparer(session.plan), session.capture(), "node").findings
    assert [each.cause for each in found[:1]] == [cause], found
    assert {key: found[0].parameters[key] for key in parameters} == pytest.approx(parameters)


def test_nothing_of_it_is_left_afterwards() -> None:
    assert not set(INVENTED) & set(all_operators())
    assert not set(INVENTED) & set(versions.discover(texelscope.pipeline.oracle.own))
