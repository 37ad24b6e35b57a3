"""Implements doctor: checks the GL driver and this machine, with advice for what does not work."""

from __future__ import annotations

import importlib.metadata
import platform
import sys
from typing import TYPE_CHECKING

from texelscope.layouts.outside_text import MOST_LETTERS, in_cell
from texelscope.pipeline.commands.driver_features import Check, DriverFacts, features
from texelscope.pipeline.display import display
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.gl.context import device_of, float_target, headless_context, limits_of, timer

if TYPE_CHECKING:
    import moderngl

_PACKAGES = (
    "numpy",
    "onnx",
    "moderngl",
    "pyglet",
    "imgui-bundle",
    "PyOpenGL",
    "Pillow",
    "tree-sitter",
    "watchfiles",
)


def examine() -> tuple[Check, ...]:
    """Runs all checks. Never raises for what is missing: the check reports it."""
    checks = [
        Check(
            "Python",
            sys.version_info >= (3, 11),
            platform.python_version(),
            "Python 3.11 or newer is needed.",
        ),
        *_package_checks(),
    ]
    try:
        context = headless_context()
    except TexelscopeError as error:
        checks.append(Check("OpenGL without a window", False, error.got, error.do_next))
    else:
        try:
            checks.extend(_driver_checks(context))
        finally:
            context.release()
    shows = display()
    do_next = f"{shows.do_next} Commands without a window work."
    checks.append(Check("window", bool(shows.name), shows.name or shows.missing, do_next, needed=False))
    return tuple(checks)


def render(checks: tuple[Check, ...]) -> str:
    """Formats the checks for a terminal."""
    width = max(len(check.name) for check in checks)
    lines = []
    for check in checks:
        mark = "●" if check.well else "✗" if check.needed else "○"
        lines.append(f"{mark} {check.name.ljust(width)}  {in_cell(check.seen, MOST_LETTERS // 2)}")
        if not check.well and check.do_next:
            lines.append(f"  {' ' * width}  → {check.do_next}")
    return "\n".join(lines)


def _package_checks() -> list[Check]:
    checks = []
    for name in _PACKAGES:
        try:
            checks.append(Check(name, True, importlib.metadata.version(name)))
        except importlib.metadata.PackageNotFoundError:
            checks.append(Check(name, False, "not installed", "Run 'make setup'."))
    return checks


def _driver_checks(context: moderngl.Context) -> list[Check]:
    device, limits = device_of(context), limits_of(context)
    facts = DriverFacts(limits, float_target(context), timer(context), bool(context.supports_labels))
    return [
        Check("OpenGL without a window", True, f"{device.renderer}, {device.version}"),
        Check(
            "texture size",
            limits.max_texture_texels >= 8192,
            f"{limits.max_texture_texels} texels a side",
            "The largest layers will not fit, whatever their layout; use a smaller --shape.",
        ),
        Check(
            "samplers in a fragment shader",
            limits.max_samplers >= 16,
            str(context.info["GL_MAX_TEXTURE_IMAGE_UNITS"]),
            "Wide nodes are split into more passes.",
        ),
        *features(facts),
    ]
