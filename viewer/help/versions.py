"""What runs here, as lines that somebody can paste into a report: program, Python, packages, GL driver."""

from __future__ import annotations

import importlib.metadata
import platform
import sys
from collections.abc import Mapping

_PACKAGES = ("numpy", "onnx", "onnxruntime", "moderngl", "pyglet", "imgui-bundle", "PyOpenGL", "Pillow", "tree-sitter",
             "watchfiles")  # fmt: skip


def version_lines(info: Mapping[str, object]) -> tuple[tuple[str, str], ...]:
    """Name and version of each, or that it is not installed; `info` is what the GL context says of itself."""
    return (
        ("Texelscope", _version("texelscope")),
        ("Python", f"{platform.python_version()} ({sys.platform}, {platform.machine()})"),
        ("GL driver", str(info["GL_RENDERER"])),
        ("GL version", str(info["GL_VERSION"])),
        ("GL vendor", str(info["GL_VENDOR"])),
        *((name, _version(name)) for name in _PACKAGES),
    )


def as_text(lines: tuple[tuple[str, str], ...]) -> str:
    """One line each."""
    return "".join(f"{name}: {version}\n" for name, version in lines)


def _version(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return "not installed"
