"""Lists the languages that are translated, by the endings of their files: one row a language.

A translator is imported when the first text needs it: most targets are in GLSL.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

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


def _slang_translated(request: TranslationRequest, language: str) -> str:
    from texelscope.pipeline.front_ends import hlsl

    return hlsl.translated(request, language)


def _slang_entry_points(text: str, stage: Stage) -> list[str]:
    from texelscope.pipeline.front_ends import hlsl

    return hlsl.entry_points(text, stage)


def _wgsl_translated(request: TranslationRequest) -> str:
    from texelscope.pipeline.front_ends import wgsl

    return wgsl.translated(request)


def _wgsl_entry_points(text: str, stage: Stage) -> list[str]:
    from texelscope.pipeline.front_ends import wgsl

    return wgsl.entry_points(text, stage)


def _spirv_translated(request: TranslationRequest) -> str:
    from texelscope.pipeline.front_ends import spirv

    return spirv.translated(request)


def _spirv_entry_points(text: str, stage: Stage) -> list[str]:
    from texelscope.pipeline.front_ends import spirv

    return spirv.entry_points(text, stage)


def _spirv_decoded(data: bytes, who: str) -> str:
    from texelscope.pipeline.front_ends import spirv

    return spirv.decoded(data, who)


LANGUAGES = (
    Language("HLSL", (".hlsl", ".compute"), partial(_slang_translated, language="hlsl"), _slang_entry_points),
    Language("Slang", (".slang",), partial(_slang_translated, language="slang"), _slang_entry_points),
    Language("WGSL", (".wgsl",), _wgsl_translated, _wgsl_entry_points),
    Language("SPIR-V", (".spv",), _spirv_translated, _spirv_entry_points, _spirv_decoded),
)
SUFFIXES = tuple(suffix for language in LANGUAGES for suffix in language.suffixes)


def is_compiled(path: str) -> bool:
    """Whether a file is of a compiled language, by its ending: it holds no text that a person may change."""
    language = language_of(path)
    return language is not None and language.decoded is not None


def language_of(path: str) -> Language | None:
    """Returns the language of a file by its ending; None for GLSL and anything else."""
    return next((each for each in LANGUAGES if path.lower().endswith(each.suffixes)), None)
