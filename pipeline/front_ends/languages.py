"""Lists the languages that are translated, by the endings of their files: one row a language."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from texelscope.pipeline.front_ends import hlsl, wgsl
from texelscope.pipeline.front_ends.request import TranslationRequest
from texelscope.pipeline.glsl.old_words import Stage


@dataclass(frozen=True)
class Language:
    """Says how files with some endings are translated.

    `translated` returns GLSL whose `#line`s are those of the text, and raises AuthorTextError with a row of it.
    `entry_points` returns the functions of a text that a stage may begin at.
    """

    name: str
    suffixes: tuple[str, ...]
    translated: Callable[[TranslationRequest], str]
    entry_points: Callable[[str, Stage], list[str]]


LANGUAGES = (
    Language("HLSL", (".hlsl", ".compute"), partial(hlsl.translated, language="hlsl"), hlsl.entry_points),
    Language("Slang", (".slang",), partial(hlsl.translated, language="slang"), hlsl.entry_points),
    Language("WGSL", (".wgsl",), wgsl.translated, wgsl.entry_points),
)
SUFFIXES = tuple(suffix for language in LANGUAGES for suffix in language.suffixes)


def language_of(path: str) -> Language | None:
    """Returns the language of a file by its ending; None for GLSL and anything else."""
    return next((each for each in LANGUAGES if path.lower().endswith(each.suffixes)), None)
