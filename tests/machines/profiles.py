"""The table of imitated machines: each is an environment in which a process finds another driver."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.machines.strict_driver import VARIABLE

ROOT = Path(__file__).parents[2]
_START = Path(__file__).parent / "start"
# What OpenGL has since 4.2, and GLSL ES 3; a driver of 4.1 may have some of them, macOS has none.
_SINCE_4_2 = (
    "shader_storage_buffer_object", "compute_shader", "shader_image_load_store", "buffer_storage",
    "shading_language_420pack", "explicit_uniform_location", "ES3_compatibility", "ES3_1_compatibility",
    "ES3_2_compatibility", "arrays_of_arrays", "shader_image_size", "clear_texture", "copy_image", "texture_view",
    "clip_control", "conservative_depth", "shader_atomic_counters", "robust_buffer_access_behavior",
)  # fmt: skip
_SINCE_4_0 = ("gpu_shader5", "gpu_shader_fp64", "tessellation_shader", "shading_language_packing")


# What passes, comparing, reads, steps and forms promise.
_DRAWING = (
    "tests/gl/read_trace/test_exact.py", "tests/gl/read_trace/test_scan.py", "tests/gl/read_trace/test_expected.py",
    "tests/gl/step_trace/test_dialects.py", "tests/gl/step_trace/test_trace.py",
    "tests/gl/step_trace/test_in_colours.py", "tests/gl/diagnose/test_naming.py",
    "tests/gl/lowerings/test_in_colours.py", "tests/gl/commands/test_app.py", "tests/gl/commands/test_step.py",
)  # fmt: skip
# What networks, diagnosis and repairs promise beside that.
_DIAGNOSING = (
    "tests/gl/test_models.py", "tests/gl/read_trace/test_effective_reads.py", "tests/gl/step_trace/test_windows.py",
    "tests/gl/step_trace/test_watches.py", "tests/gl/diagnose/test_not_finite.py",
    "tests/gl/repair/test_repairing.py", "tests/gl/commands/test_first_bug.py",
)  # fmt: skip
# The window, worked by mouse and keys.
_WINDOW = ("tests/gui/test_window.py", "tests/gui/test_debugging.py", "tests/gui/test_stepping.py")


@dataclass(frozen=True)
class Machine:
    """An imitated machine. `environment` is added to a process's own; `says` is for people.

    `tests` are run there; if it `has_planted_bugs`, those of every family are planted and diagnosed too.
    """

    name: str
    says: str
    environment: Mapping[str, str]
    tests: tuple[str, ...]
    has_planted_bugs: bool = False

    def process_environment(self) -> dict[str, str]:
        """Returns the whole environment of a process on this machine."""
        before = os.environ.get("PYTHONPATH", "")
        path = os.pathsep.join([str(_START), str(ROOT), *([before] if before else [])])
        return {**os.environ, **self.environment, "PYTHONPATH": path}


def _older(version: str, without: tuple[str, ...]) -> dict[str, str]:
    major, minor = version.split(".")
    return {
        VARIABLE: version,
        "MESA_GL_VERSION_OVERRIDE": version,
        "MESA_GLSL_VERSION_OVERRIDE": f"{major}{minor}0",
        "MESA_EXTENSION_OVERRIDE": " ".join(f"-GL_ARB_{name}" for name in without),
        # Else shaders of newer versions, which were compiled before, still run.
        "MESA_SHADER_CACHE_DISABLE": "true",
    }


# Its desktop OpenGL is too old.
_ES_3_1 = {
    "MESA_GL_VERSION_OVERRIDE": "3.1",
    "MESA_GLSL_VERSION_OVERRIDE": "140",
    "MESA_GLES_VERSION_OVERRIDE": "3.1",
    "MESA_SHADER_CACHE_DISABLE": "true",
}

MACHINES: Mapping[str, Machine] = {
    each.name: each
    for each in (
        Machine(
            "strict-4.1",
            "OpenGL 4.1 core as macOS has it",
            _older("4.1", _SINCE_4_2),
            (*_DRAWING, *_DIAGNOSING, *_WINDOW),
            True,
        ),
        Machine("strict-3.3", "OpenGL 3.3 core, of 2010", _older("3.3", (*_SINCE_4_2, *_SINCE_4_0)), _DRAWING),
        Machine("es-3.1", "OpenGL 3.1 and OpenGL ES 3.1, as on a Raspberry Pi", _ES_3_1, _DRAWING),
    )
}
