"""Holds what a session computed in a run, read back: all that a comparison needs, without GL."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.device import DeviceInfo
from texelscope.pipeline.lowerings.lowering import InputRounding
from texelscope.pipeline.plan import Pass, Plan


@dataclass(frozen=True)
class Capture:
    """Holds what a session computed in a run, on the CPU: tensors by key, errors and times by pass.

    `unwritten` lists by key, in logical shape, the elements that no fragment wrote; keys without any are left out.
    `inside` says by pass why its result was not stored, though computed: a fused run stored only a later one.
    `runs_as` names by pass the form that computed it; passes that ran by their own shader are not in it. `rounding`
    says by pass what its form rounded more than its own shader would.
    """

    target: str
    device: DeviceInfo
    tensors: Mapping[str, NDArray[np.float32]]
    errors: Mapping[str, str]
    gpu_ms: Mapping[str, float | None]
    injected: frozenset[str] = frozenset()
    unwritten: Mapping[str, NDArray[np.bool_]] = field(default_factory=lambda: MappingProxyType({}))
    inside: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    runs_as: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    rounding: Mapping[str, InputRounding] = field(default_factory=lambda: MappingProxyType({}))


class Unread:
    """Finds such tensors for the passes of one plan."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._nodes = {node.name: node for node in plan.graph.nodes} if plan.graph is not None else {}
        # A key may differ from the tensor's name in the graph.
        self._keys: dict[str, list[str]] = {}
        for key, stored in plan.textures.items():
            self._keys.setdefault(stored.tensor, []).append(key)

    def keys(self, shader_pass: Pass, capture: Capture) -> tuple[str, ...]:
        """Returns the keys of tensors that nodes of a pass read, if they were read back."""
        nodes = [self._nodes[name] for name in shader_pass.nodes if name in self._nodes]
        made = {name for node in nodes for name in node.outputs}
        needed = dict.fromkeys(name for node in nodes for name in node.inputs if name not in made)
        return tuple(key for name in needed for key in self._keys.get(name, ()) if key in capture.tensors)

    def values(self, shader_pass: Pass, capture: Capture) -> dict[str, NDArray[np.float32]]:
        """Returns their values by tensor name."""
        return {self._plan.textures[key].tensor: capture.tensors[key] for key in self.keys(shader_pass, capture)}
