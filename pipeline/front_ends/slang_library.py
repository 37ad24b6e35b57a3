"""Asks Slang's compiler for the GLSL of an HLSL or Slang text, by the C interface of its library.

The library comes with the package slangpy (or slangtorch), of which nothing else is imported. A compiler may crash on a
text, so that it runs in a process of its own.
"""

from __future__ import annotations

import ctypes
import os
import re
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.glsl.old_words import Stage
from texelscope.pipeline.workers.apart import WorkerEndedError, in_a_process

_PACKAGES = (("slangpy", ""), ("slangtorch", "bin"))
_LIBRARY = re.compile(r"(?:lib)?slang(?:-compiler)?(?:\.so(?:\.[0-9.]+)?|\.dylib|\.dll|(?:\.[0-9.]+)?\.dylib)")
# So many requests are worth a process of their own before the first is asked for.
_TOGETHER = 2
# The interface's numbers (slang.h: SlangSourceLanguage, SlangStage).
_LANGUAGES = {"slang": 1, "hlsl": 2}
_STAGES = {"vertex": 1, "fragment": 5, "compute": 6}
# Direct3D's registers mean nothing to GLSL: bindings are found by name. And a parameter needs no `uniform`.
_IGNORED = ("39029", "39001", "39013", "39019", "15601")
_OPTIONS = (
    "-target", "glsl", "-profile", "glsl_450", "-line-directive-mode", "glsl", "-matrix-layout-column-major",
    "-g2",  # each of the author's variables and statements stays, with its line
    "-preserve-params", *(f"-Wno-{number}" for number in _IGNORED),
)  # fmt: skip
# HLSL up to 2018 evaluates both sides of && and ||, so that they need no branch; later ones differ from that by side
# effects alone.
_OWN_OPTIONS: Mapping[str, tuple[str, ...]] = {"hlsl": ("-disable-short-circuit",), "slang": ()}


@dataclass(frozen=True)
class SlangRequest:
    """Asks for one entry point of a text; `language` is "hlsl" or "slang", and `defines` are macros with their text."""

    text: str
    language: str
    entry: str
    stage: Stage
    defines: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class SlangAnswer:
    """Holds the GLSL text, empty where the compiler refused, and what it says."""

    text: str
    said: str


def library_path() -> Path | None:
    """Returns the file of Slang's library in an installed package, newest name first; None without one."""
    for package, folder in _PACKAGES:
        spec = find_spec(package)
        for place in spec.submodule_search_locations or () if spec is not None else ():
            inside = Path(place) / folder
            names = sorted(each.name for each in inside.iterdir()) if inside.is_dir() else []
            found = [name for name in names if _LIBRARY.fullmatch(name)]
            if found:
                # `slang.dll` may stand beside the compiler as a forwarder of older names.
                return inside / next((name for name in found if "compiler" in name), found[-1])
    return None


def compiled(text: str, language: str, entry: str, stage: Stage, defines: Mapping[str, str]) -> SlangAnswer:
    """Returns the compiler's answer. Raises TexelscopeError where there is none: not installed, or it crashed."""
    path = library_path()
    if path is None:
        raise TexelscopeError(
            "Slang's compiler",
            "an installed one, which translates HLSL and Slang",
            "none",
            "Install it: pip install slangpy.",
        )
    request = SlangRequest(text, language, entry, stage, tuple(sorted(defines.items())))
    kept = _kept(str(path), request)
    if not kept:
        kept += _asked(str(path), (request,), f"Slang's compiler for '{entry}'")
    return kept[0]


def compile_ahead(requests: Sequence[SlangRequest]) -> None:
    """Compiles several texts in one process, so that `compiled` knows their answers; nothing where one ends that."""
    path = library_path()
    unknown = [each for each in dict.fromkeys(requests) if path is not None and not _kept(str(path), each)]
    if path is None or len(unknown) < _TOGETHER:
        return
    try:
        answers = _asked(str(path), tuple(unknown), "Slang's compiler")
    except WorkerEndedError:  # whoever asks for each alone learns which one it is
        return
    for request, answer in zip(unknown, answers, strict=True):
        _kept(str(path), request).append(answer)


@lru_cache(maxsize=256)
def _kept(_path: str, _request: SlangRequest) -> list[SlangAnswer]:
    """Returns where the answer to a request is kept: an empty list as long as there is none."""
    return []


def _asked(path: str, requests: tuple[SlangRequest, ...], who: str) -> list[SlangAnswer]:
    answers: list[SlangAnswer] = in_a_process(
        "texelscope.pipeline.front_ends.slang_library:answered", (path, requests), who
    )
    return answers


def answered(path: str, requests: Sequence[SlangRequest]) -> list[SlangAnswer]:
    """Compiles in this process: for the process that `compiled` makes."""
    library = _library(path)
    session = library.spCreateSession(None)
    return [_answered(library, session, each) for each in requests]


def _answered(library: ctypes.CDLL, session: int, request: SlangRequest) -> SlangAnswer:
    call = library.spCreateCompileRequest(session)
    options = _encoded((*_OPTIONS, *_OWN_OPTIONS[request.language]))
    library.spProcessCommandLineArguments(call, options, len(options))
    for name, value in request.defines:
        library.spAddPreprocessorDefine(call, name.encode(), value.encode())
    unit = library.spAddTranslationUnit(call, _LANGUAGES[request.language], b"shader")
    library.spAddTranslationUnitSourceString(call, unit, b"shader", request.text.encode())
    number = library.spAddEntryPoint(call, unit, request.entry.encode(), _STAGES[request.stage])
    with tempfile.TemporaryDirectory() as empty:  # so that `import` finds no file of anybody's
        os.chdir(empty)
        failed = library.spCompile(call) != 0
        os.chdir(os.path.sep)
    said = (library.spGetDiagnosticOutput(call) or b"").decode(errors="replace")
    made = None if failed else library.spGetEntryPointSource(call, number)
    return SlangAnswer((made or b"").decode(errors="replace"), said)


def _library(path: str) -> ctypes.CDLL:
    library = ctypes.CDLL(path)
    pointer, text, number = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int
    kinds = {
        "spCreateSession": (pointer, [text]),
        "spCreateCompileRequest": (pointer, [pointer]),
        "spProcessCommandLineArguments": (number, [pointer, ctypes.POINTER(text), number]),
        "spAddPreprocessorDefine": (None, [pointer, text, text]),
        "spAddTranslationUnit": (number, [pointer, number, text]),
        "spAddTranslationUnitSourceString": (None, [pointer, number, text, text]),
        "spAddEntryPoint": (number, [pointer, number, text, number]),
        "spCompile": (number, [pointer]),
        "spGetDiagnosticOutput": (text, [pointer]),
        "spGetEntryPointSource": (text, [pointer, number]),
    }
    for name, (result, parameters) in kinds.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, parameters
    return library


def _encoded(words: Sequence[str]) -> ctypes.Array[ctypes.c_char_p]:
    return (ctypes.c_char_p * len(words))(*(word.encode() for word in words))
