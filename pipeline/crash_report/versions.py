"""The versions of this program and of what it stands on, for whoever reads a report."""

from __future__ import annotations

import importlib.metadata
import platform
import sys

_PACKAGES = ("numpy", "onnx", "onnxruntime", "moderngl", "pyglet", "imgui-bundle", "PyOpenGL", "Pillow", "tree-sitter",
             "watchfiles")  # fmt: skip


def program_lines() -> tuple[tuple[str, str], ...]:
    """The program and its Python, by name."""
    python = f"{platform.python_version()} ({sys.platform}, {platform.machine()})"
    return ("Texelscope", _version("texelscope")), ("Python", python)


def package_lines() -> tuple[tuple[str, str], ...]:
    """The packages, by name."""
    return tuple((name, _version(name)) for name in _PACKAGES)


def _version(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return "not installed"
