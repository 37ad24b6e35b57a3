"""Asks SPIRV-Cross for the GLSL of a SPIR-V module.

It is a program of its own, which may fail on a module, run for long or need much memory: it runs below a process that
ends with this one and is limited as that is.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from texelscope.pipeline.errors import TexelscopeError, one_line
from texelscope.pipeline.glsl.old_words import Stage
from texelscope.pipeline.quotas import present
from texelscope.pipeline.workers.apart import in_a_process
from texelscope.pipeline.workers.ended_by import end_of
from texelscope.pipeline.workers.limits import hold
from texelscope.pipeline.workers.own_process import unseen

_PROGRAM = "spirv-cross"
_MOST_SECONDS = 20.0
_STAGES: Mapping[Stage, str] = {"vertex": "vert", "fragment": "frag", "compute": "comp"}
_THREW = "SPIRV-Cross threw an exception:"


@dataclass(frozen=True)
class CrossRequest:
    """Asks for the GLSL of one entry point of a module."""

    module: bytes
    entry: str
    stage: Stage


def converted(
    requests: Sequence[CrossRequest], who: str, most_bytes: int | None = None, most_seconds: float = _MOST_SECONDS
) -> tuple[str, ...]:
    """Returns Vulkan's GLSL for each request, in SPIRV-Cross's form.

    A text has at most `most_bytes`, by default the quota of a shader's text, and takes at most so many seconds.

    Raises TexelscopeError, naming `who`, for a module that it refuses or that takes too long; and where the program is
    missing.
    """
    path = shutil.which(_PROGRAM)
    if path is None:
        raise TexelscopeError(
            "SPIRV-Cross", f"the program '{_PROGRAM}', which translates SPIR-V", "none",
            "Install it: apt install spirv-cross, brew install spirv-cross or vcpkg install spirv-cross. "
            "The Vulkan SDK has it too.",
        )  # fmt: skip
    most_bytes = most_bytes or present().shader_bytes
    arguments = path, tuple(requests), who, most_bytes, most_seconds
    found: tuple[str, ...] = in_a_process("texelscope.pipeline.front_ends.spirv_cross:answered", arguments, who)
    return found


def answered(
    path: str, requests: Sequence[CrossRequest], who: str, most_bytes: int, most_seconds: float
) -> tuple[str, ...]:
    """Runs the program for each request: for the process that `converted` makes."""
    # The program has the limits of this process, and ends by itself if that is ended first.
    hold(most_seconds, present().memory_bytes)
    return tuple(_glsl(path, each, who, most_bytes, most_seconds) for each in requests)


def _glsl(path: str, request: CrossRequest, who: str, most_bytes: int, most_seconds: float) -> str:
    options = ["-V", "--no-es", "--version", "450", "--entry", request.entry, "--stage", _STAGES[request.stage]]
    expected = "a module that SPIRV-Cross translates"
    try:
        process = subprocess.run(
            [path, "-", *options], input=request.module, capture_output=True, check=False, timeout=most_seconds,
            cwd=os.path.sep, creationflags=unseen(),
        )  # fmt: skip
    except subprocess.TimeoutExpired as error:
        got = f"one that takes longer than {most_seconds:g} seconds"
        raise TexelscopeError(who, expected, got, "Check it with spirv-val, or split it.") from error
    if process.returncode != 0:
        said = process.stderr.decode(errors="replace").partition(_THREW)[2].strip()
        got = (
            f"one that it refuses: {one_line(said)}"
            if said
            else f"one on which it ends by {end_of(process.returncode) or process.returncode}"
        )
        raise TexelscopeError(who, expected, got.rstrip("."), "Check it with spirv-val, and compile it again.")
    if len(process.stdout) > most_bytes:
        got = f"{len(process.stdout)} bytes"
        raise TexelscopeError(who, f"at most {most_bytes} bytes of GLSL", got, "Split the shader.")
    return process.stdout.decode(errors="replace").replace("\r\n", "\n")
