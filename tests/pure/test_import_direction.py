"""Imports point one way, app → texelscope → viewer → pipeline → layouts, and heavy libraries stay in few modules."""

from __future__ import annotations

import ast
import subprocess
import sys
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from tests.checkout import ROOT
from tests.pure.imports import Import, imports_of
from tests.pure.source_tree import LIBRARY, files, syntax_of

# A package imports from itself and from those after it.
DIRECTION = ("app", "texelscope", "viewer", "pipeline", "layouts")
# What the package itself is, below all of its folders: the redirection of their former names.
GROUND = "texelscope.former_names"
# Parts of the tree that the product runs without.
NOT_PRODUCT = ("benchmarks", "examples", "tests", "tools")

# Where a library may be imported when the program runs. Imports for type checkers alone are free.
ALLOWED = {
    "onnx": (
        "pipeline/importers/*.py",  # files to models, and which targets are models
        "pipeline/dialects/ncnn/layers/base.py",  # what a layer means
        "pipeline/model_file/*.py",  # files to graphs
        "pipeline/injection/runtime_values.py",  # a part of a model for another program
        "pipeline/oracle/node_evaluator.py",  # the definition of what operators compute
        "pipeline/oracle/node_message.py",
        "pipeline/training/layers.py",  # what layers make
        "pipeline/training/weights.py",  # a model with other weights
    ),
    "moderngl": (
        "pipeline/gl/*.py",
        "pipeline/gl/dispatching/*.py",
        "pipeline/diagnose/evidence/gather.py",  # evidence is drawn: reruns, redraws with one thing changed
        "pipeline/diagnose/evidence/interventions.py",
        "pipeline/diagnose/evidence/interventions.py",
        "pipeline/repair/harness/harness.py",
        "pipeline/repair/harness/rehearsal.py",
        "pipeline/incremental_compare/in_textures.py",
        "pipeline/incremental_compare/held.py",  # textures as they were, asked whether others still are the same
        "viewer/*",
    ),
    "OpenGL": ("pipeline/gl/*.py", "pipeline/gl/dispatching/*.py", "viewer/*"),
    "pyglet": ("viewer/*",),
    "imgui_bundle": ("viewer/*",),
}
LAYOUTS_MAY_IMPORT = sys.stdlib_module_names | {"numpy", "layouts"}
# What a plan can do without: everything that needs a driver or a window.
NEEDS_A_DRIVER = ("moderngl", "glcontext", "OpenGL", "pyglet", "imgui_bundle")
WITHOUT_A_DRIVER = ("layouts.registry", "pipeline", "pipeline.graph", "pipeline.plan", "pipeline.planning.planner")

MODULES = files((".py",), below=("app.py", *LIBRARY))


def breaches(path: Path, imports: list[Import]) -> list[str]:
    """One text for each import that the module at `path` (relative to the root) must not have."""
    return [
        f"{path}:{found.line}: {reason}"
        for found in imports
        for reason in (_against_direction(path, found), _outside_allowed(path, found))
        if reason
    ]


def _against_direction(path: Path, found: Import) -> str | None:
    own = path.parts[0].removesuffix(".py")
    if found.package in NOT_PRODUCT:
        return f"{own} imports {found.module}, which is not part of the product"
    if found.module.startswith(GROUND):
        return None
    if found.package in DIRECTION and DIRECTION.index(found.package) < DIRECTION.index(own):
        return f"{own} imports {found.module}; imports point {' → '.join(DIRECTION)}"
    if own == "layouts" and found.package not in LAYOUTS_MAY_IMPORT:
        return f"layouts imports {found.module}; only numpy and the standard library are allowed there"
    return None


def _outside_allowed(path: Path, found: Import) -> str | None:
    allowed = ALLOWED.get(found.package, ("*",))
    if found.for_types or any(fnmatchcase(path.as_posix(), pattern) for pattern in allowed):
        return None
    return f"{found.package} may be imported in {', '.join(allowed)} only"


def test_a_module_imports_only_what_its_place_allows() -> None:
    assert [told for path in MODULES for told in breaches(path, imports_of(syntax_of(path)))] == []


@pytest.mark.parametrize(
    ("path", "source", "reason"),
    [
        ("layouts/a.py", "import pipeline.graph", "imports point app → texelscope → viewer → pipeline → layouts"),
        ("layouts/a.py", "from PIL import Image", "only numpy and the standard library"),
        ("layouts/a.py", "if TYPE_CHECKING:\n    import pipeline", "imports point"),
        ("pipeline/a.py", "def f():\n    from texelscope.viewer import window", "imports point"),
        ("pipeline/a.py", "import app", "imports point"),
        ("viewer/a.py", "from tests.gui import desktop", "not part of the product"),
        ("pipeline/plan.py", "import moderngl", "moderngl may be imported in"),
        ("pipeline/plan.py", "from onnx import helper", "onnx may be imported in"),
        ("pipeline/gl/session.py", "import pyglet.window", "pyglet may be imported in"),
        ("viewer/a.py", "import texelscope.command_line", "imports point"),
        ("texelscope/a.py", "from imgui_bundle import imgui", "imgui_bundle may be imported in"),
    ],
)
def test_a_breach_is_found(path: str, source: str, reason: str) -> None:
    found = breaches(Path(path), imports_of(ast.parse(source)))
    assert found
    assert all(reason in text for text in found)


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("app.py", "import texelscope"),
        ("texelscope/a.py", "import viewer, pipeline, layouts"),
        ("viewer/a.py", "import moderngl, pyglet\nfrom texelscope.pipeline import graph"),
        ("pipeline/plan.py", "if TYPE_CHECKING:\n    import moderngl"),
        ("layouts/a.py", "import math\nimport numpy as np\nfrom texelscope.layouts import base"),
    ],
)
def test_what_is_allowed_is_no_breach(path: str, source: str) -> None:
    assert breaches(Path(path), imports_of(ast.parse(source))) == []


@pytest.mark.parametrize("library", ALLOWED)
def test_no_place_is_kept_for_modules_that_are_gone(library: str) -> None:
    paths = [path.as_posix() for path in MODULES]
    assert [pattern for pattern in ALLOWED[library] if not any(fnmatchcase(path, pattern) for path in paths)] == []


@pytest.mark.parametrize("module", WITHOUT_A_DRIVER)
def test_everything_up_to_the_plan_imports_without_gl(module: str) -> None:
    question = f"import sys, {module}; print(*sorted(sys.modules.keys() & {set(NEEDS_A_DRIVER)}))"
    answer = subprocess.run([sys.executable, "-c", question], cwd=ROOT, capture_output=True, text=True, check=True)
    assert answer.stdout.split() == []


def test_pyopengl_is_imported_without_its_slow_wrappers() -> None:
    found = ((path, each) for path in MODULES for each in imports_of(syntax_of(path)))
    assert [f"{path}:{each.line}" for path, each in found if f"{each.module}.".startswith("OpenGL.GL.")] == []


def test_shaders_are_text() -> None:
    assert files((".py",), below=("shaders",)) == []
