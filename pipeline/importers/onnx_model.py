"""Imports ONNX models, with one pass per node."""

from __future__ import annotations

import sys
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from texelscope.pipeline.graph import Graph, Shape
from texelscope.pipeline.importers.registry import Importer
from texelscope.pipeline.plan import Plan
from texelscope.pipeline.start_marks import mark
from texelscope.pipeline.target import OpenOptions

if TYPE_CHECKING:
    import onnx


def load(
    source: Path | onnx.ModelProto,
    shapes: Mapping[str, Shape] | None = None,
    values: Mapping[str, NDArray[Any]] | None = None,
) -> Graph:
    """Reads an ONNX model with static shapes, and with its control flow resolved for the `values` of inputs.

    `shapes` gives the shape of each graph input that has free dimensions. Raises TexelscopeError for a file that
    is not a well-formed model.
    """
    from texelscope.pipeline.model_file.graph_builder import graph_of  # imports onnx, which no other kind of file needs
    from texelscope.pipeline.model_file.message import read_apart

    model, name, weights = read_apart(source)
    return graph_of(model, name, shapes or {}, values, weights)


def load_beside(source: Path, shapes: Mapping[str, Shape], values: Mapping[str, NDArray[Any]]) -> Graph:
    """Loads a model to compare with, as `load`; shapes of tensors other than its inputs are ignored."""
    from texelscope.pipeline.model_file.graph_builder import graph_of
    from texelscope.pipeline.model_file.message import read

    model, name = read(source)
    inputs = {value.name for value in model.graph.input}
    known = {input_: value for input_, value in values.items() if input_ in inputs}
    return graph_of(model, name, {input_: shape for input_, shape in shapes.items() if input_ in inputs}, known)


def asked_for(graph: Graph, conventions: Mapping[str, str], gradients: str, wrt: Sequence[str]) -> Graph:
    """Applies conventions to the graph, and adds the backward nodes of a tensor `gradients` if it has none.

    Raises TexelscopeError and UnsupportedError as `pipeline.gradients.reverse.differentiated`.
    """
    from texelscope.pipeline.operators.conventions import with_only

    graph = with_only(graph, conventions)
    if not gradients or graph.backward:
        return graph
    from texelscope.pipeline.gradients.reverse import differentiated  # most models are opened without

    return differentiated(graph, gradients, wrt).graph


class OnnxImporter(Importer):
    """Plans ONNX models, one pass per node."""

    suffixes = (".onnx",)
    takes_layout = True
    takes_precision = True
    takes_backend = True
    has_gradients = True

    def takes(self, target: Any) -> bool:
        """Accepts an .onnx file or a model in memory."""
        return _is_message(target) or super().takes(target)

    def prepare(self) -> None:
        """Imports the operators, the layouts and the planner."""
        from texelscope.layouts import all_layouts
        from texelscope.pipeline.model_file import graph_builder  # noqa: F401 - imported ahead
        from texelscope.pipeline.operators.families.registry import all_operators
        from texelscope.pipeline.planning import planner  # noqa: F401 - imported ahead

        all_operators()
        all_layouts()

    def plan(self, target: Any, options: OpenOptions) -> Plan:
        """Loads the model and plans its graph."""
        source = target if _is_message(target) else Path(target)
        return self._planned(load(source, options.shapes, options.values), options)

    def replan(self, target: Any, options: OpenOptions, plan: Plan, changed: Collection[Path]) -> Plan:
        """Plans as `plan`; the model is read again only if it changed."""
        if plan.graph is None or set(super().watched(target, plan)) & set(changed):
            return self.plan(target, options)
        if plan.graph.backward and asked_for(plan.graph, options.conventions, "", ()) is not plan.graph:
            return self.plan(target, options)  # another function has another derivative
        return self._planned(plan.graph, options)

    def watched(self, target: Any, plan: Plan) -> Collection[Path]:
        """Returns the model, this program's shaders in its plan, and those of forms."""
        from texelscope.pipeline.glsl.assemble import SHADER_FOLDER

        files = {SHADER_FOLDER.parent / file.path for each in plan.passes for file in each.program.files}
        forms = (SHADER_FOLDER / "lowerings").glob("*.glsl")
        return (*super().watched(target, plan), *sorted(files), *sorted(forms))

    def _planned(self, graph: Graph, options: OpenOptions) -> Plan:
        from texelscope.pipeline.planning.planner import plan_graph

        mark("read")
        graph = asked_for(graph, options.conventions, options.gradients, options.wrt)
        plan = plan_graph(graph, layout=options.layout, precision=options.precision, limits=options.limits)
        mark("planned")
        return plan


def _is_message(target: Any) -> bool:
    """Reports whether the target is a model in memory; if onnx was never imported, nothing is."""
    onnx = sys.modules.get("onnx")
    return onnx is not None and isinstance(target, onnx.ModelProto)


IMPORTER = OnnxImporter()
