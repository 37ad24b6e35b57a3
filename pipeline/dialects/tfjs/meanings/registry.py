"""Finds the possible readings of a program in the modules of this folder.

A module has `readings(program, text)`: functions that add nodes to a `NodeBuilder`, the likeliest first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache

import texelscope.pipeline.dialects.tfjs.meanings
from texelscope.pipeline.dialects.tfjs.meanings.step import NodeBuilder
from texelscope.pipeline.dialects.tfjs.recording.manifest import Program
from texelscope.pipeline.discovery import plugins

Reading = Callable[[NodeBuilder], None]
Readings = Callable[[Program, str], Sequence[Reading]]


@cache
def all_readings() -> tuple[Readings, ...]:
    """Returns `readings` of every module. Raises TexelscopeError naming the file of one without."""
    found = plugins(texelscope.pipeline.dialects.tfjs.meanings, without=("registry", "step", "classes"))
    return tuple(
        plugin.take("readings", "a function of a program and its text", "Define it.", callable) for plugin in found
    )


def readings_of(program: Program, text: str) -> Iterator[Reading]:
    """Yields every reading of a program, given its fragment shader."""
    for of_module in all_readings():
        yield from of_module(program, text)
