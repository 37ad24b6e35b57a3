"""Finds the possible readings of a program in the modules of this folder.

A module has `readings(program, text)`: readings that add nodes to a `NodeBuilder`, the likeliest first. Kernel and
attributes may state a meaning; then it holds whatever was recorded. A guess needs recorded values that confirm it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import texelscope.pipeline.dialects.tfjs.meanings
from texelscope.pipeline.dialects.tfjs.meanings.step import NodeBuilder
from texelscope.pipeline.dialects.tfjs.recording.manifest import Program
from texelscope.pipeline.discovery import plugins

AddNodes = Callable[[NodeBuilder], None]


@dataclass(frozen=True)
class Reading:
    """Adds a program's meaning to a `NodeBuilder`; it raises NoMeaningError if it does not fit the program.

    `is_stated` says that the kernel and its attributes, or the class of a program that only moves numbers, leave no
    other meaning, and that no text of the program took part: a text may be wrong, or edited.
    """

    add: AddNodes
    is_stated: bool = False


def guesses(*found: AddNodes) -> tuple[Reading, ...]:
    """Returns readings that count only if they reproduce the recorded output."""
    return tuple(Reading(add) for add in found)


def stated(add: AddNodes) -> tuple[Reading, ...]:
    """Returns the one reading that kernel and attributes state."""
    return (Reading(add, is_stated=True),)


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
