"""What the nodes of a pass read and the pass does not: what only says a shape, or was bound nowhere."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.compare.capture import Capture
from texelscope.pipeline.plan import Pass, Plan


class Unread:
    """Asks that of the passes of one plan."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._nodes = {node.name: node for node in plan.graph.nodes} if plan.graph is not None else {}
        # A key need not be the name that the graph has for the tensor.
        self._keys: dict[str, list[str]] = {}
        for key, stored in plan.textures.items():
            self._keys.setdefault(stored.tensor, []).append(key)

    def keys(self, each: Pass, capture: Capture) -> tuple[str, ...]:
        """Keys of what the nodes of a pass read, as far as they were read back."""
        nodes = [self._nodes[name] for name in each.nodes if name in self._nodes]
        made = {name for node in nodes for name in node.outputs}
        needed = dict.fromkeys(name for node in nodes for name in node.inputs if name not in made)
        return tuple(key for name in needed for key in self._keys.get(name, ()) if key in capture.tensors)

    def values(self, each: Pass, capture: Capture) -> dict[str, NDArray[np.float32]]:
        """Their values, by tensor name."""
        return {self._plan.textures[key].tensor: capture.tensors[key] for key in self.keys(each, capture)}
