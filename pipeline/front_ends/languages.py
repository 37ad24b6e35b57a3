"""Lists the languages that are translated, by the endings of their files: one row a language."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from texelscope.pipeline.front_ends import hlsl, spirv, wgsl
from texelscope.pipeline.front_ends.request import TranslationRequest
from texelscope.pipeline.glsl.old_words import Stage


@dataclass(frozen=True)
class Language:
    """Says how files with some endings are translated.

    `translated` returns GLSL whose `#line`s are those of the text, and raises AuthorTextError with a row of it.
    `entry_points` returns the functions of a text that a stage may begin at. The files of a compiled language are no
    text: `decoded` returns one from their bytes, and names its second argument in errors; None where they are text.
    """

    name: str
    suffixes: tuple[str, ...]
    translated: Callable[[TranslationRequest], str]
    entry_points: Callable[[str, Stage], list[str]]
    decoded: Callable[[bytes, str], str] | None = None


LANGUAGES = (
    Language("HLSL", (".hlsl", ".compute"), partial(hlsl.translated, language="hlsl"), hlsl.entry_points),
    Language("Slang", (".slang",), partial(hlsl.translated, language="slang"), hlsl.entry_points),
    Language("WGSL", (".wgsl",), wgsl.translated, wgsl.entry_points),
    Language("SPIR-V", (".spv",), spirv.translated, spirv.entry_points, spirv.decoded),
)
SUFFIXES = tuple(suffix for language in LANGUAGES for suffix in language.suffixes)


def is_compiled(path: str) -> bool:
    """Whether a file is of a compiled language, by its ending: it holds no text that a person may change."""
    language = language_of(path)
    return language is not None and language.decoded is not None


def language_of(path: str) -> Language | None:
    """Returns the language of a file by its ending; None for GLSL and anything else."""
    return next((each for each in LANGUAGES if path.lower().endswith(each.suffixes)), None)
