"""Takes values from the oracle: evaluates the model from its inputs, and from earlier injected values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from numpy.typing import NDArray

from texelscope.pipeline.graph import Graph
from texelscope.pipeline.oracle.reference import Reference


class OracleValues:
    """Evaluates the nodes of a graph in numpy, from `known` tensors, each once."""

    title = "the oracle"

    def __init__(self, graph: Graph, known: Mapping[str, NDArray[Any]]) -> None:
        self._graph = graph
        self._known = dict(known)
        self._reference = Reference()

    def follow(self, graph: Graph, known: Mapping[str, NDArray[Any]]) -> None:
        """Switches to another version of the graph; `known` tensors are added to the earlier ones."""
        self._graph = graph
        self._known.update(known)

    def value(self, tensor: str) -> NDArray[Any]:
        """Implements `Source.value`."""
        given = {**self._graph.constants, **self._known}
        self._known.update(self._reference.run(self._graph.nodes, given, wanted=[tensor]))
        return self._known[tensor]
