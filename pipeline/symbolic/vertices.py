"""Runs an author's vertex shader for the three vertices of a pass, and interpolates what it hands to fragments."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from texelscope.pipeline.glsl.other_stages import TRIANGLE, is_coordinate
from texelscope.pipeline.plan import ProgramSource, UniformValue
from texelscope.pipeline.symbolic.machine import Machine
from texelscope.pipeline.symbolic.terms import MatrixValue, SymbolicTerm, single
from texelscope.pipeline.symbolic.values import UnknownTextError, scalar_type


class VertexRun:
    """Has what a vertex shader hands over, at any place of the target. Raises UnknownTextError."""

    def __init__(self, program: ProgramSource, uniforms: Mapping[str, UniformValue]) -> None:
        vertex = dataclasses.replace(program, fragment=program.vertex or "", vertex=None)
        machine = Machine(vertex, uniforms, {}, is_vertex=True)
        places, self._values = [], list[dict[str, Any]]()
        for number, (x, y, u, v) in enumerate(TRIANGLE):
            given = {name: _attribute(name, kind, (x, y), (u, v)) for name, kind in machine.inputs.items()}
            machine.run({"gl_VertexID": number}, given)
            places.append(machine.output("gl_Position"))
            self._values.append({name: machine.output(name) for name in machine.outputs})
        if any(place[3] != 1.0 for place in places):
            raise UnknownTextError("vertices that are not flat")
        self._places = np.array([[*place[:2], 1.0] for place in places], dtype=np.float64).T
        if abs(np.linalg.det(self._places)) < 1e-9:
            raise UnknownTextError("vertices in a line")
        self.names = frozenset(machine.outputs)

    def at(self, u: float, v: float) -> Mapping[str, Any]:
        """Returns what reaches the fragment at a place of the target, from 0 to 1, by name."""
        shares = np.linalg.solve(self._places, np.array([2.0 * u - 1.0, 2.0 * v - 1.0, 1.0])).tolist()
        return {name: _mixed([each[name] for each in self._values], shares) for name in self.names}


def _attribute(name: str, kind: str, place: tuple[float, float], coordinate: tuple[float, float]) -> Any:
    """Returns an attribute at a vertex: what is left of it is 0, and 1 in the fourth lane, as OpenGL fills it."""
    scalar, lanes = scalar_type(kind)
    if scalar != "float":
        raise UnknownTextError(f"the attribute {name}")
    numbers = (*(coordinate if is_coordinate(name) else place), 0.0, 1.0)
    return numbers[:lanes] if lanes > 1 else numbers[0]


def _mixed(values: list[Any], shares: list[float]) -> Any:
    first = values[0]
    if isinstance(first, list):
        return [_mixed(list(each), shares) for each in zip(*values, strict=True)]
    if isinstance(first, dict):
        return {name: _mixed([each[name] for each in values], shares) for name in first}
    if isinstance(first, tuple):
        found = (_mixed(list(each), shares) for each in zip(*values, strict=True))
        return MatrixValue(found) if type(first) is MatrixValue else tuple(found)
    if any(type(each) is SymbolicTerm for each in values):
        raise UnknownTextError("a vertex that depends on what is read")
    if not isinstance(first, float):
        return values[-1]  # what is flat is the last vertex's
    return single(math.fsum(value * share for value, share in zip(values, shares, strict=True)))
