"""The graph behind a recording: a program's meaning in nodes of ONNX, or, where nobody knows, what it was seen to make.

A reading counts only if it makes the recorded output of the recorded inputs; the recording is what the oracle follows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from texelscope.layouts.outside_text import logger
from texelscope.pipeline.dialects.tfjs.meanings.registry import readings_of
from texelscope.pipeline.dialects.tfjs.meanings.step import NodeBuilder, NoMeaningError
from texelscope.pipeline.dialects.tfjs.recording.manifest import Program, TfjsRecording
from texelscope.pipeline.dialects.tfjs.recording.tensors import RecordedTensor
from texelscope.pipeline.graph import OWN_DOMAIN, Graph, Node, TensorInfo
from texelscope.pipeline.operators.families.recorded import difference
from texelscope.pipeline.oracle.graph_oracle import GraphOracle
from texelscope.pipeline.oracle.reference import Reference
from texelscope.pipeline.plan import Tolerance

_LOG = logger(__name__)

# Largest |difference| over the largest |value| between what a program made and what it is taken to mean: a wrong
# reading is off by much more, another driver's rounding by much less; textures of half precision round by themselves.
_MEANT = {"float32": 1e-3, "float16": 2e-2, "uint8": 2e-2}


_SUMS = frozenset({"Conv", "ConvTranspose", "MatMul"})
# Another driver's formula may be off by more than the recorded one, but not by much more.
_AS_MUCH = 4.0


@dataclass
class GraphBuilder:
    """Collects the nodes of all programs. `tensors` and `values` are those of the recording, by number and by name."""

    tensors: Mapping[int, tuple[str, RecordedTensor]]
    values: Mapping[str, NDArray[np.float32]]
    nodes: list[Node] = field(default_factory=list)
    constants: dict[str, NDArray[np.generic]] = field(default_factory=dict)
    infos: dict[str, TensorInfo] = field(default_factory=dict)
    tolerances: dict[str, Tolerance] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    _reference: Reference = field(default_factory=Reference)

    def add(self, name: str, program: Program, text: str) -> Sequence[Node]:
        """The nodes of one program, the last of which is called `name` and makes its output."""
        tried = False
        for reading in readings_of(program, text):
            step = NodeBuilder(name, program, text, self.tensors, self.values, self._reference)
            try:
                reading(step)
                result = step.result
            except NoMeaningError:
                continue
            except Exception:  # noqa: BLE001  what it was asked for comes from outside; another reading may fit
                _LOG.debug("reading '%s'", name, exc_info=True)
                continue
            tried = True
            recorded = self.values[name]
            most = _MEANT[self.tensors[program.output][1].texture.storage]
            if result.shape == recorded.shape and difference(result, recorded) <= most:
                self._keep(step)
                try:
                    self._allow(name, step)
                except Exception:  # noqa: BLE001  without a tolerance it is judged by its meaning's rounding alone
                    _LOG.debug("bounding '%s'", name, exc_info=True)
                return step.nodes
        if tried:
            self.warnings.append(
                f"{name}: what was recorded is not what {program.kernel or program.name} makes of its inputs; "
                "the pass is compared with the recording."
            )
        return self._recorded(name, program)

    def _keep(self, step: NodeBuilder) -> None:
        self.nodes.extend(step.nodes)
        self.constants.update(step.constants)
        for tensor, value in step.values.items():
            self._describe(tensor, value)

    def _allow(self, name: str, step: NodeBuilder) -> None:
        """A tolerance for a formula that is coarser than its meaning's rounding, by what it was off by where recorded.

        A quotient of polynomials, say, is tanh to fewer digits than tanh itself is known to. Sums, whose bounds take
        long, have no such formulas; what half precision rounds is judged as that.
        """
        if self.tensors[step.program.output][1].texture.storage != "float32" or any(
            node.op_type in _SUMS for node in step.nodes
        ):
            return
        infos = {
            tensor: TensorInfo(tensor, tuple(value.shape), value.dtype.name) for tensor, value in step.values.items()
        }
        part = Graph(name, tuple(step.nodes), infos, (), (name,), step.constants)
        given = {tensor: self.values[tensor] for tensor in step.values if tensor in self.values and tensor != name}
        expected = GraphOracle(part).isolated(given, name)
        assert expected is not None
        apart = np.abs(np.asarray(expected.value, dtype=np.float64) - self.values[name])
        largest = float(np.max(apart, initial=0.0, where=np.isfinite(apart)))
        if expected.bound is not None and bool((apart > expected.bound).any()):
            self.tolerances[name] = Tolerance(atol=_AS_MUCH * largest)

    def _recorded(self, name: str, program: Program) -> Sequence[Node]:
        """A node that knows the recorded result of the recorded inputs."""
        live = list(dict.fromkeys(self.tensors[each.texture][0] for each in program.reads if each.texture is not None))
        known = [f"{name}/input{position}" for position in range(len(live))]
        self.constants.update({other: self.values[each] for each, other in zip(live, known, strict=True)})
        self.constants[f"{name}/made"] = self.values[name]
        for tensor in (*live, name):
            self._describe(tensor, self.values[tensor])
        for tensor in (*known, f"{name}/made"):
            self._describe(tensor, self.constants[tensor])
        inputs = (*live, *known, f"{name}/made")
        attributes = MappingProxyType({"program": program.name})
        node = Node(name, "Recorded", inputs, (name,), attributes, OWN_DOMAIN)
        self.nodes.append(node)
        return (node,)

    def _describe(self, tensor: str, value: NDArray[np.generic]) -> None:
        self.infos[tensor] = TensorInfo(tensor, tuple(value.shape), value.dtype.name)

    def graph(self, name: str, inputs: Sequence[str], outputs: Sequence[str], weights: Sequence[str]) -> Graph:
        """What was collected; `weights` are tensors whose recorded values are constants."""
        for tensor in (*inputs, *weights):
            self._describe(tensor, self.values[tensor])
        constants = {**self.constants, **{tensor: self.values[tensor] for tensor in weights}}
        return Graph(
            name,
            tuple(self.nodes),
            MappingProxyType(self.infos),
            tuple(inputs),
            tuple(outputs),
            MappingProxyType(constants),
        )


def names_of(recording: TfjsRecording) -> dict[int, str]:
    """A name for each texture: that of the program that wrote it, or of the first that read it and its variable."""
    found: dict[int, str] = {}
    digits = len(str(len(recording.programs)))
    for position, program in enumerate(recording.programs):
        title = program.name.removesuffix("Program") if len(program.name) > 3 else program.kernel
        name = f"{position:0{digits}d}_{title or 'program'}"
        for read in program.reads:
            if read.texture is not None and read.texture not in found:
                found[read.texture] = f"{name}.{read.uniform}"
        found[program.output] = name
    return found
