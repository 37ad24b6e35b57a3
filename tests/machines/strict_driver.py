"""Imitates a driver that has nothing of OpenGL above one version, as macOS has nothing above 4.1.

Mesa can be told to offer an older version, but it still hands out every function that it has, and compiles every
version of GLSL ES. Here the functions of newer versions cannot be loaded, calls that need them fail, and a shader's
version must be one that the imitated driver knows. The version is the environment's TEXELSCOPE_TESTS_GL, as `4.1`.
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import importlib.util
import os
import re
import sys
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

VARIABLE = "TEXELSCOPE_TESTS_GL"
# The versions of GLSL in a core profile of each version of OpenGL, and GLSL ES 1.00, which 4.1 includes.
_GLSL = {(3, 3): frozenset({140, 150, 330}), (4, 1): frozenset({140, 150, 330, 400, 410})}
_ES = 100
# From here on a comment may hold any letter of UTF-8.
_ANY_LETTER = 420
_DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*version[ \t]+(\d+)[ \t]*(es)?", re.MULTILINE)
# What moderngl calls without asking whether the driver has it.
_NEWER: dict[str, tuple[str, ...]] = {
    "Context": ("memory_barrier",),
    "Buffer": ("bind_to_storage_buffer",),
    "Texture": ("bind_to_image",),
    "Texture3D": ("bind_to_image",),
    "TextureArray": ("bind_to_image",),
    "TextureCube": ("bind_to_image",),
}


def install() -> None:
    """Makes this process's OpenGL the imitated one; does nothing if the environment names no version."""
    if named := os.environ.get(VARIABLE):
        major, minor = named.split(".")
        sys.meta_path.insert(0, _Patching((int(major), int(minor))))


class _Patching(importlib.abc.MetaPathFinder):
    """Changes modules as they are imported, so that a process that needs no OpenGL imports none of them."""

    def __init__(self, version: tuple[int, int]) -> None:
        self._version = version
        self._patches: dict[str, Callable[[Any, tuple[int, int]], None]] = {
            "moderngl": _patch_moderngl,
            "_moderngl": _patch_loader,
            "glcontext": _patch_contexts,
            "OpenGL.GL": _patch_pyopengl,
        }

    def find_spec(
        self, name: str, _path: Sequence[str] | None, _target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Returns the module's own spec, with a patch after its execution."""
        if (patch := self._patches.pop(name, None)) is None:
            return None
        spec = importlib.util.find_spec(name)
        if spec is None or spec.loader is None:
            return None
        execute = spec.loader.exec_module

        def execute_and_patch(module: ModuleType) -> None:
            execute(module)
            patch(module, self._version)

        spec.loader.exec_module = execute_and_patch  # type: ignore[method-assign]
        return spec


@cache
def _names_above(version: tuple[int, int]) -> frozenset[str]:
    """Returns the functions of newer versions of OpenGL, from PyOpenGL's tables."""
    spec = importlib.util.find_spec("OpenGL")
    assert spec is not None
    assert spec.submodule_search_locations is not None
    found: set[str] = set()
    for path in (Path(spec.submodule_search_locations[0]) / "raw" / "GL" / "VERSION").glob("GL_?_?.py"):
        major, minor = path.stem.split("_")[1:]
        if (int(major), int(minor)) > version:
            found |= set(re.findall(r"^def (gl\w+)\(", path.read_text(encoding="utf-8"), re.MULTILINE))
    return frozenset(found)


def _fault_of(text: str, version: tuple[int, int]) -> str | None:
    """Returns what the imitated compiler says against a shader's text; None if it has no objection."""
    directive = _DIRECTIVE.search(text)
    number, is_es = (int(directive[1]), directive[2] is not None) if directive is not None else (110, False)
    if (number not in _GLSL[version] and number != _ES) or is_es:
        return f"ERROR: 0:1: '' :  version '{number}' is not supported"
    if number < _ANY_LETTER and not text.isascii():
        line = next(at for at, each in enumerate(text.split("\n"), 1) if not each.isascii())
        return f"ERROR: 0:{line}: '' :  syntax error: a letter that GLSL {number} does not have"
    return None


def _patch_moderngl(module: Any, version: tuple[int, int]) -> None:
    link = module.Context.program

    def program(self: Any, **texts: Any) -> Any:
        for stage in ("vertex_shader", "fragment_shader", "geometry_shader"):
            text = texts.get(stage)
            text = text.decode() if isinstance(text, bytes) else text
            if isinstance(text, str) and (fault := _fault_of(text, version)) is not None:
                raise module.Error(f"GLSL Compiler failed\n\n{stage}\n======\n{fault}\n")
        return link(self, **texts)

    def compute_shader(_self: Any, _source: Any) -> Any:
        raise module.Error("cannot create shader")

    module.Context.program, module.Context.compute_shader = program, compute_shader
    for kind, names in _NEWER.items():
        for name in names:
            setattr(getattr(module, kind), name, _refusing(f"{kind}.{name}", version))


def _refusing(name: str, version: tuple[int, int]) -> Callable[..., Any]:
    def refuse(*_arguments: Any, **_named: Any) -> Any:
        # On a real driver this is a call of address 0, which ends the process.
        raise AssertionError(f"moderngl: {name} was called on OpenGL {version[0]}.{version[1]}, which lacks it.")

    return refuse


def _patch_loader(module: Any, version: tuple[int, int]) -> None:
    begin = module.DefaultLoader.__init__

    def begin_without(self: Any) -> None:
        begin(self)
        load = self.load_opengl_function
        self.load_opengl_function = lambda name: 0 if name in _names_above(version) else load(name)

    module.DefaultLoader.__init__ = begin_without


class _Without:
    """Wraps a context of glcontext: newer functions have no address."""

    def __init__(self, context: Any, version: tuple[int, int]) -> None:
        self._context, self._version = context, version

    def load(self, name: str) -> int:
        return 0 if name in _names_above(self._version) else int(self._context.load(name))

    def __enter__(self) -> Any:
        return self._context.__enter__()

    def __exit__(self, *exception: object) -> Any:
        return self._context.__exit__(*exception)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._context, name)


def _patch_contexts(module: Any, version: tuple[int, int]) -> None:
    backend = module.get_backend_by_name

    def wrapped(name: str) -> Callable[..., Any]:
        make = backend(name)
        return lambda *arguments, **named: _Without(make(*arguments, **named), version)

    module.get_backend_by_name = wrapped


def _patch_pyopengl(module: Any, version: tuple[int, int]) -> None:
    for name in _names_above(version):
        if hasattr(module, name):
            setattr(module, name, _missing(name))
    give = module.glShaderSource
    compile_shader, status, log = module.glCompileShader, module.glGetShaderiv, module.glGetShaderInfoLog
    faults: dict[int, str] = {}

    def give_and_check(shader: int, text: Any, *rest: Any) -> None:
        faults.pop(int(shader), None)
        if isinstance(text, str) and (fault := _fault_of(text, version)) is not None:
            faults[int(shader)] = fault
        give(shader, text, *rest)

    def status_of(shader: int, name: Any) -> Any:
        return 0 if int(shader) in faults and name == module.GL_COMPILE_STATUS else status(shader, name)

    module.glShaderSource, module.glCompileShader, module.glGetShaderiv = give_and_check, compile_shader, status_of
    module.glGetShaderInfoLog = lambda shader: faults.get(int(shader)) or log(shader)


def _missing(name: str) -> Callable[..., Any]:
    def fail(*_arguments: Any, **_named: Any) -> Any:
        from OpenGL import error

        raise error.NullFunctionError(f"Attempt to call an undefined function {name}")

    return fail
