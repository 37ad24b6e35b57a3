"""Runs passes symbolically: the formula of an output element over what the pass reads."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.glsl.lines import Line
from texelscope.pipeline.glsl.resources import local_size
from texelscope.pipeline.plan import BufferBinding, Pass, Plan, ProgramSource
from texelscope.pipeline.symbolic.bound import BoundTexels, texels_of
from texelscope.pipeline.symbolic.machine import Machine
from texelscope.pipeline.symbolic.terms import single
from texelscope.pipeline.symbolic.values import UnknownTextError

# BoundTexels of a tensor by its key, float32 [height, width, lanes].
TexelsOf = Callable[[str], NDArray[np.float32]]
# The invocation, along x, y and z, that writes a lane of a texel of the output: tx, ty, lane.
WriterOf = Callable[[int, int, int], tuple[int, int, int]]


class SymbolicPass:
    """A pass whose program can be run for single elements. Raises UnknownTextError for text that is not known."""

    known_functions: ClassVar[Mapping[str, str]] = MappingProxyType({})

    def __init__(
        self, plan: Plan, shader_pass: Pass, program: ProgramSource, texels: TexelsOf, writer: WriterOf | None = None
    ) -> None:
        """`writer` is needed for a dispatch."""
        self._plan, self._pass, self._writer = plan, shader_pass, writer
        bound = dict(self._bound(texels))
        self._machine = Machine(program, shader_pass.uniforms, bound, self.known_functions)
        self._local = local_size(program.fragment) or (1, 1, 1)

    @property
    def lines(self) -> list[Line]:
        """The author's line of each row."""
        return self._machine.lines

    def _bound(self, texels: TexelsOf) -> Mapping[str, BoundTexels]:
        found: dict[str, BoundTexels] = {}
        for sampler in self._pass.samplers:
            if not sampler.kind.is_plain and sampler.kind.has_slices:
                raise UnknownTextError(f"the sampler {sampler.uniform}")
            stored = self._plan.textures[sampler.key]
            how = {"filter": sampler.filter, "wrap": sampler.wrap, "size": sampler.size}
            found[sampler.uniform] = texels_of(stored, texels(sampler.key), **how)
        for binding in self._pass.dispatch.bound if self._pass.dispatch is not None else ():
            if isinstance(binding, BufferBinding):
                name, size = binding.block, tuple[int, ...]()
            else:
                name, size = binding.uniform, binding.size
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
        self._machine.run(given, (single((tx + 0.5) / width), single((ty + 0.5) / height)))
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
        at = self._writer(tx, ty, lane)
        local = tuple(place % size for place, size in zip(at, self._local, strict=True))
        given = {
            "gl_GlobalInvocationID": at,
            "gl_LocalInvocationID": local,
            "gl_WorkGroupID": tuple(place // size for place, size in zip(at, self._local, strict=True)),
            "gl_WorkGroupSize": self._local,
            "gl_NumWorkGroups": self._pass.dispatch.groups,
            "gl_LocalInvocationIndex": local[0] + self._local[0] * (local[1] + self._local[1] * local[2]),
        }
        self._machine.run(given)
        stored = self._plan.textures[self._pass.output]
        number = ty * stored.texture_shape[1] + tx
        keys = [texels for texels in self._machine.bound.values() if number in texels.written]
        for texels in keys:
            if texels.stored.shape == stored.shape and texels.written[number][lane] is not None:
                return texels.written[number][lane]
        raise UnknownTextError("an element that is not written")
