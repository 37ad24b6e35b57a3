"""Builds the graph of a recording: a program's meaning as ONNX nodes, or, if it is unknown, its recorded output.

A meaning that kernel and attributes state holds whatever was recorded: a program may be wrong in its release. Any
other reading counts only if it reproduces the recorded output from the recorded inputs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from texelscope.layouts.outside_text import logger
from texelscope.pipeline.dialects.tfjs.meanings.registry import Reading, readings_of
from texelscope.pipeline.dialects.tfjs.meanings.step import NodeBuilder, NoMeaningError
from texelscope.pipeline.dialects.tfjs.recording.manifest import Program, TfjsRecording
from texelscope.pipeline.dialects.tfjs.recording.tensors import RecordedTensor
from texelscope.pipeline.dialects.tfjs.tolerances import MOVES, tolerance_of
from texelscope.pipeline.graph import OWN_DOMAIN, Graph, Node, TensorInfo
from texelscope.pipeline.operators.families.recorded import difference
from texelscope.pipeline.oracle.reference import Reference
from texelscope.pipeline.plan import Tolerance
from texelscope.pipeline.recorded_run import OracleKind

_LOG = logger(__name__)

# The largest |difference| over the largest |value| between a program's output and its assumed meaning: a wrong
# reading is off by much more, another driver's rounding by much less; textures of half precision round by themselves.
_MEANT = {"float32": 1e-3, "float16": 2e-2, "uint8": 2e-2}


@dataclass(frozen=True)
class Addition:
    """Holds the nodes of one program, and what decided on them: `meaning` if kernel and attributes state it."""

    nodes: Sequence[Node]
    oracle: OracleKind


# Operators whose results are whole numbers, and how large these may be for float32 to hold each.
_ROUNDS, _WHOLE_IN_FLOATS = frozenset({"Floor", "Ceil", "Round"}), 1 << 24


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
    _makers: dict[int, Program] = field(default_factory=dict)

    def add(self, name: str, program: Program, text: str) -> Addition:
        """Adds the nodes of one program, the last of which is called `name` and computes its output."""
        self._makers[program.output] = program
        tried = False
        for reading in readings_of(program, text):
            step = self._read(name, program, text, reading)
            if step is None:
                continue
            tried = True
            is_stated = reading.is_stated and not step.is_guess and self._is_exact(program, step)
            recorded = self.values[name]
            most = _MEANT[self.tensors[program.output][1].texture.storage]
            reproduces = difference(step.result, recorded) <= most
            if is_stated or reproduces:
                self._keep(step)
                self._allow(name, step, reproduces=reproduces)
                return Addition(step.nodes, "meaning" if is_stated else "recording")
        if tried:
            self.warnings.append(
                f"{name}: no known meaning of {program.kernel or program.name} makes what was recorded; "
                "the pass is compared with the recording."
            )
        return Addition(self._recorded(name, program), "recording")

    def _read(self, name: str, program: Program, text: str, reading: Reading) -> NodeBuilder | None:
        """Returns the nodes of one reading with an output of the recorded shape; None if it does not fit."""
        step = NodeBuilder(name, program, text, self.tensors, self.values, self._reference, self._makers)
        try:
            reading.add(step)
            return step if step.result.shape == self.values[name].shape else None
        except NoMeaningError:
            return None
        except Exception:  # noqa: BLE001  attributes come from outside; another reading may fit
            _LOG.debug("reading '%s'", name, exc_info=True)
            return None

    def _is_exact(self, program: Program, step: NodeBuilder) -> bool:
        """Reports whether the nodes are exact in the output's type: integers overflow and round in their own way."""
        dtype, computing = (
            self.tensors[program.output][1].texture.dtype,
            [n for n in step.nodes if n.op_type not in MOVES],
        )
        if dtype in ("float32", "bool") or not computing:
            return True
        return computing[-1].op_type in _ROUNDS and bool(np.max(np.abs(step.result), initial=0.0) < _WHOLE_IN_FLOATS)

    def _keep(self, step: NodeBuilder) -> None:
        self.nodes.extend(step.nodes)
        self.constants.update(step.constants)
        for tensor, value in step.values.items():
            self._describe(tensor, value)

    def _allow(self, name: str, step: NodeBuilder, *, reproduces: bool) -> None:
        """Adds the program's tolerance, if it has one."""
        storage = self.tensors[step.program.output][1].texture.storage
        try:
            found = tolerance_of(name, step, self.values, storage, reproduces=reproduces)
        except Exception:  # noqa: BLE001  without a tolerance its meaning's rounding alone is the bound
            _LOG.debug("bounding '%s'", name, exc_info=True)
            return
        if found is not None:
            self.tolerances[name] = found

    def _recorded(self, name: str, program: Program) -> Sequence[Node]:
        """Returns a node that stores the recorded result of the recorded inputs."""
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
        """Returns the collected graph; `weights` are tensors whose recorded values are constants."""
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
    """Names each texture after the program that wrote it, or the first that read it and its variable."""
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
