"""Values from the oracle: the model evaluated from its inputs, and from what was put in before."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from numpy.typing import NDArray

from texelscope.pipeline.graph import Graph
from texelscope.pipeline.oracle.reference import Reference


class OracleValues:
    """Evaluates the nodes of a graph on numpy, from `known` tensors, each once."""

    title = "the oracle"

    def __init__(self, graph: Graph, known: Mapping[str, NDArray[Any]]) -> None:
        self._graph = graph
        self._known = dict(known)
        self._reference = Reference()

    def follow(self, graph: Graph, known: Mapping[str, NDArray[Any]]) -> None:
        """Goes over to another version of the graph; `known` tensors come on top of those before."""
        self._graph = graph
        self._known.update(known)

    def value(self, tensor: str) -> NDArray[Any]:
        """See `Source`."""
        given = {**self._graph.constants, **self._known}
        self._known.update(self._reference.run(self._graph.nodes, given, wanted=[tensor]))
        return self._known[tensor]
