"""Runs passes symbolically: the formula of an output element over what the pass reads."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.errors import UnsupportedError
from texelscope.pipeline.glsl.lines import Line
from texelscope.pipeline.plan import BufferBinding, ImageBinding, Pass, Plan, ProgramSource, UniformValue
from texelscope.pipeline.planning.sampler_views import texels_in_view, view_size
from texelscope.pipeline.symbolic.bound import BoundTexels, texels_of
from texelscope.pipeline.symbolic.machine import Machine
from texelscope.pipeline.symbolic.statements import TooLongError
from texelscope.pipeline.symbolic.terms import single
from texelscope.pipeline.symbolic.values import UnknownTextError
from texelscope.pipeline.symbolic.vertices import VertexRun

# BoundTexels of a tensor by its key, float32 [height, width, lanes].
TexelsOf = Callable[[str], NDArray[np.float32]]
# The invocation, along x, y and z, that writes a lane of a texel of the output: tx, ty, lane.
WriterOf = Callable[[int, int, int], tuple[int, int, int]]


def name_of(binding: BufferBinding | ImageBinding) -> str:
    """Returns the name by which a text has what is bound."""
    return binding.block if isinstance(binding, BufferBinding) else binding.uniform


def _vertices_of(program: ProgramSource, uniforms: Mapping[str, UniformValue]) -> VertexRun | None:
    """Returns the run of an author's vertex shader; without one, or of one that is not known, None."""
    if not program.vertex:
        return None
    try:
        return VertexRun(program, uniforms)
    except (UnknownTextError, TooLongError, TypeError, ValueError):
        return None  # most hand over the place in the target


class SymbolicPass:
    """A pass whose program can be run for single elements. Raises UnknownTextError for text that is not known."""

    known_functions: ClassVar[Mapping[str, str]] = MappingProxyType({})

    def __init__(
        self, plan: Plan, shader_pass: Pass, program: ProgramSource, texels: TexelsOf, writer: WriterOf | None = None
    ) -> None:
        """`writer` is needed for a dispatch."""
        self._plan, self._pass, self._writer = plan, shader_pass, writer
        bound = dict(self._bound(texels))
        self._vertices = _vertices_of(program, shader_pass.uniforms)
        handed = self._vertices.names if self._vertices is not None else frozenset[str]()
        self._machine = Machine(program, shader_pass.uniforms, bound, self.known_functions, handed)
        self._local = self._machine.local_size

    @property
    def lines(self) -> list[Line]:
        """The author's line of each row."""
        return self._machine.lines

    def _bound(self, texels: TexelsOf) -> Mapping[str, BoundTexels]:
        found: dict[str, BoundTexels] = {}
        for sampler in self._pass.samplers:
            stored = self._plan.textures[sampler.key]
            how: dict[str, Any] = {"filter": sampler.filter, "wrap": sampler.wrap, "size": sampler.size}
            if not sampler.kind.is_plain:
                how |= {"size": view_size(stored, sampler), "form": sampler.kind.form}
            if sampler.kind.has_slices:
                how["order"] = texels_in_view(stored, sampler)
            read = texels_of(stored, texels(sampler.key), **how)
            if (first := found.setdefault(sampler.uniform, read)) is not read:
                first.beside.append(read)  # tensors that share a texture
        for binding in self._pass.dispatch.bound if self._pass.dispatch is not None else ():
            name, size = name_of(binding), () if isinstance(binding, BufferBinding) else binding.size
            stored = self._plan.textures[binding.key]
            key = binding.starts_as or binding.key
            if binding.key in self._pass.outputs and not binding.starts_as:
                values = np.zeros((*stored.texture_shape, stored.layout.lanes), np.float32)
            else:
                values = texels(key)
            found[name] = texels_of(self._plan.textures[key], values, size=size)
        return found

    def element(self, element: int) -> Any:
        """Returns the formula of an element of the output in view, by its linear index.

        Raises UnknownTextError, TooLongError, DiscardedError.
        """
        stored = self._plan.textures[self._pass.output]
        tx, ty, lane = stored.layout.texel_of(stored.shape, element)
        if self._pass.dispatch is not None:
            return self._dispatched(tx, ty, lane)
        height, width = stored.texture_shape
        given = {"gl_FragCoord": (tx + 0.5, ty + 0.5, 0.5, 1.0)}
        place = single((tx + 0.5) / width), single((ty + 0.5) / height)
        inputs = dict.fromkeys(self._machine.inputs, place)
        self._machine.run(given, {**inputs, **self._vertices.at(*place)} if self._vertices is not None else inputs)
        return self._drawn(lane)

    def _drawn(self, lane: int) -> Any:
        names = self._machine.outputs
        name = names[min(self._pass.looked_at, len(names) - 1)]
        value = self._machine.output(name)
        if isinstance(value, list):
            value = value[self._pass.looked_at]
        return value[lane] if isinstance(value, tuple) else value

    def _dispatched(self, tx: int, ty: int, lane: int) -> Any:
        assert self._pass.dispatch is not None
        if self._writer is None:
            raise UnknownTextError("which invocation writes an element")
        try:
            at = self._writer(tx, ty, lane)
        except UnsupportedError:
            return self._kept(tx, ty, lane)
        group = tuple(place // size for place, size in zip(at, self._local, strict=True))
        local = tuple(place % size for place, size in zip(at, self._local, strict=True))
        if self._machine.has_phases:
            x, y, z = map(range, self._local)
            invocations = [self._given(group, (i, j, k)) for k in z for j in y for i in x]
            self._machine.run_group(invocations, local[0] + self._local[0] * (local[1] + self._local[1] * local[2]))
        else:
            self._machine.run(self._given(group, local))
        return self._written(tx, ty, lane)

    def _kept(self, tx: int, ty: int, lane: int) -> Any:
        """Returns an element that no invocation writes: what an output that is changed in place holds before."""
        for texels, binding in self._outputs():
            if binding.starts_as:
                texels.begin()
                return texels.texel(ty * texels.values.shape[1] + tx, 0)[lane]
        raise UnknownTextError("which invocation writes an element")

    def _outputs(self) -> Iterator[tuple[BoundTexels, BufferBinding | ImageBinding]]:
        """Yields what the output in view is bound as."""
        assert self._pass.dispatch is not None
        for binding in self._pass.dispatch.bound:
            if binding.key == self._pass.output:
                yield self._machine.bound[name_of(binding)], binding

    def _given(self, group: tuple[int, ...], local: tuple[int, ...]) -> dict[str, Any]:
        """Returns the built-in variables of an invocation."""
        assert self._pass.dispatch is not None
        return {
            "gl_GlobalInvocationID": tuple(
                number * size + at for number, size, at in zip(group, self._local, local, strict=True)
            ),
            "gl_LocalInvocationID": local,
            "gl_WorkGroupID": group,
            "gl_WorkGroupSize": self._local,
            "gl_NumWorkGroups": self._pass.dispatch.groups,
            "gl_LocalInvocationIndex": local[0] + self._local[0] * (local[1] + self._local[1] * local[2]),
        }

    def _written(self, tx: int, ty: int, lane: int) -> Any:
        stored = self._plan.textures[self._pass.output]
        number = ty * stored.texture_shape[1] + tx
        for texels, _ in self._outputs():
            lanes = texels.written.get(number)
            if lanes is not None and lanes[lane] is not None:
                return lanes[lane]
        raise UnknownTextError("an element that is not written")
