"""Keeps the sign of every box until a verdict changes: a large graph has no time to ask for all in each frame."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.debug_session import DebugSession
from texelscope.viewer import theme
from texelscope.viewer.app import App
from texelscope.viewer.graph.model.drawn_graph import DrawnGraph
from texelscope.viewer.graph.model.folding import WORST_FIRST, rank_of, worst
from texelscope.viewer.layers.panel import sign_of

INPUT = theme.Sign("disc", theme.QUIET, "input")
# The signs by rank: those of layers, then that of inputs.
SIGNS = (*(theme.SIGNS[sign] for sign in WORST_FIRST), INPUT)


class BoxSigns:
    """The signs of layers by name, and `ranks`, the index in `SIGNS` of each box of a graph."""

    def __init__(self) -> None:
        self._state: tuple[object, ...] = ()
        self._graph: DrawnGraph | None = None
        self._outputs: tuple[str, ...] = ()
        self.of_layers: Mapping[str, str] = {}
        self.ranks: NDArray[np.intp] = np.zeros(0, dtype=np.intp)

    def update(self, app: App, graph: DrawnGraph) -> None:
        """Asks for all signs anew if they may have changed."""
        session, names = app.document.session, graph.folded.holders
        if session is None:
            return
        if graph is not self._graph:
            found = map(session.plan.find, names)
            self._outputs = tuple(shader_pass.output for shader_pass in found if shader_pass is not None)
        state = _state(app, session, names, self._outputs)
        if state == self._state and graph is self._graph:
            return
        self._state, self._graph = state, graph
        self.of_layers = {name: sign_of(app, name) for name in names}
        given = session.plan.given
        self.ranks = np.array(
            [
                len(WORST_FIRST) if box.key in given else rank_of(worst(self.of_layers[name] for name in box.members))
                for box in graph.boxes
            ],
            dtype=np.intp,
        )

    def of_members(self, members: Sequence[str]) -> list[str]:
        """Returns the signs of a box's layers."""
        return [self.of_layers[name] for name in members]


def _state(app: App, session: DebugSession, names: Iterable[str], outputs: Iterable[str]) -> tuple[object, ...]:
    """Returns all that `sign_of` depends on; `outputs` are the keys of the layers' tensors."""
    document, run = app.document, app.document.run
    return (
        document.comparison.number if document.comparison is not None else 0,
        document.has_current_verdicts,
        (document.early.number, document.early.count) if document.early is not None else None,
        document.comparing.ended,
        run.is_live,
        bytes(map(run.is_inside, names)) if run.groups is not None else None,
        session.injected,
        frozenset(session.shader_errors),
        bytes(map(session.is_valid, outputs)),
    )
