"""Evaluates uniforms that change from frame to frame: expressions with `frame`, `time` or `mouse`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.frames import Moment
from texelscope.pipeline.pipeline_file.declarations import Uniform
from texelscope.pipeline.pipeline_file.expressions import changes_by_frame
from texelscope.pipeline.pipeline_file.uniform_values import uniform_value
from texelscope.pipeline.plan import FrameUniform, StoredTensor, UniformValue


@dataclass(frozen=True)
class ExpressionUniform:
    """Holds what the file says of a uniform, its declaration and the tensors that it may name."""

    raw: Any
    declared: Uniform | None
    tensors: Mapping[str, StoredTensor]

    def at(self, moment: Moment) -> UniformValue:
        """See `FrameUniform`."""
        return uniform_value(self.raw, self.declared, self.tensors, moment)


class FrameUniforms:
    """Evaluates the uniforms of one pass in frame 0; `found` are those that change from frame to frame, by name."""

    def __init__(self, frames: int, per_second: float) -> None:
        """`frames` are those of a whole run."""
        self._moments = [Moment(frame, per_second) for frame in sorted({0, 1, frames - 1})]
        self.found: dict[str, FrameUniform] = {}

    def value(self, name: str, raw: Any, declared: Uniform | None, tensors: Mapping[str, StoredTensor]) -> UniformValue:
        """Returns the value of the uniform `name` in frame 0.

        Raises TexelscopeError, with the number of the frame, if it has none in the first, second or last one.
        """
        texts = list(_texts(raw))
        if not any(changes_by_frame(text, tensors) for text in texts):
            return uniform_value(raw, declared, tensors, self._moments[0])
        named = {name: tensors[name] for name in tensors if any(name in text for text in texts)}
        uniform = ExpressionUniform(raw, declared, named)
        for moment in self._moments:
            try:
                uniform.at(moment)
            except TexelscopeError as error:
                got = f"{error.got} in frame {moment.frame}"
                raise TexelscopeError(error.who, error.expected, got, error.do_next) from error
        self.found[name] = uniform
        return uniform.at(self._moments[0])


def _texts(raw: Any) -> Iterator[str]:
    """Yields the expressions of a value."""
    if isinstance(raw, str):
        yield raw
    for item in raw if isinstance(raw, list) else ():
        yield from _texts(item)
