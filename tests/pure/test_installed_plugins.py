"""Tests plug-ins of installed distributions: each kind is found, and a bad one is reported and left out."""

from __future__ import annotations

import logging
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import MappingProxyType

import numpy as np
import pytest

from tests.checkout import ROOT
from tests.plugin_folders import distribution
from texelscope import layouts, pipeline
from texelscope.layouts.installed import left_out
from texelscope.pipeline.commands.listing import sections
from texelscope.pipeline.crash_report.fault_log import told
from texelscope.pipeline.diagnose.hypotheses.registry import by_cause, by_family
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.gradients.derivatives.registry import all_derivatives
from texelscope.pipeline.graph import Node
from texelscope.pipeline.importers.registry import importer_for, suffixes
from texelscope.pipeline.operators.families.registry import all_operators
from texelscope.pipeline.oracle.reference import Reference

LAYOUT = (ROOT / "tests" / "gl" / "layouts" / "upright_tiles.py").read_text(encoding="utf-8")
OPERATOR = """
from texelscope.pipeline.operators.families.elementwise import Unary
DOMAIN = "com.acme"
OPERATORS = (Unary("Swoosh", "y = x"),)
DEFINITIONS = {"Swoosh": lambda invocation: (invocation.required(0),)}
DERIVATIVES = {"Swoosh": lambda node: node.result(0, node.dy())}
"""
DERIVATIVE = """
DOMAIN = "com.other"
DERIVATIVES = {"Swish": lambda node: node.result(0, node.dy())}
"""
CAUSE = """
from texelscope.pipeline.diagnose.causes import Cause
from texelscope.pipeline.diagnose.trial.hypothesis import Generator, Stage
MIRRORED = Cause("mirrored", "reading", "The picture is mirrored.", repaired_in="addresses")
def propose(case):
    return ()
GENERATORS = (Generator(MIRRORED, Stage.PLACES, propose),)
"""
IMPORTER = '''
from pathlib import Path
from texelscope.pipeline.importers.registry import Importer
class LiteImporter(Importer):
    """Lite models."""
    suffixes = (".lite",)
    takes_layout = True
    def plan(self, target, options):
        import onnx
        from onnx import helper
        from texelscope.pipeline.importers.onnx_model import IMPORTER
        op_type = Path(target).read_text().strip()
        x, y = (helper.make_tensor_value_info(name, 1, [1, 2, 3, 4]) for name in "xy")
        graph = helper.make_graph([helper.make_node(op_type, ["x"], ["y"], "only")], "lite", [x], [y])
        return IMPORTER.plan(helper.make_model(graph), options)
IMPORTER = LiteImporter()
'''

KINDS: dict[str, tuple[str, str, Callable[[], bool]]] = {
    "layouts": ("upright_tiles", LAYOUT, lambda: layouts.layout("upright_tiles").lanes == 4),
    "operators": ("acme", OPERATOR, lambda: "com.acme.Swoosh" in all_operators()),
    "derivatives": ("other", DERIVATIVE, lambda: "com.other.Swish" in all_derivatives()),
    "causes": ("mirrored", CAUSE, lambda: "mirrored" in by_family()["reading"]),
    "importers": (".lite", IMPORTER, lambda: ".lite" in suffixes() and importer_for("a.lite").takes_layout),
}
SOUND: dict[str, Callable[[], object]] = {
    "layouts": layouts.all_layouts,
    "operators": all_operators,
    "derivatives": all_derivatives,
    "causes": by_cause,
    "importers": lambda: importer_for("a.onnx").takes_layout and _taken("a.lite"),
}


def _taken(name: str) -> object:
    with pytest.raises(TexelscopeError, match="a file ending in"):
        importer_for(name)
    return True


@pytest.mark.parametrize("kind", KINDS)
def test_an_installed_module_is_a_plugin_more(kind: str, tmp_path: Path) -> None:
    name, text, is_there = KINDS[kind]
    with distribution(tmp_path, {f"texelscope.{kind}": [f"{name} = scratch_{kind}"]}, {f"scratch_{kind}.py": text}):
        assert is_there()
        assert left_out() == ()
    with pytest.raises((KeyError, TexelscopeError, AssertionError)):
        assert is_there()


def test_the_derivative_of_an_operator_stands_in_its_module(tmp_path: Path) -> None:
    with distribution(tmp_path, {"texelscope.operators": ["acme = scratch"]}, {"scratch.py": OPERATOR}):
        assert "com.acme.Swoosh" in all_derivatives()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("text", "got"),
    [
        ("import nothing_like_this", "ModuleNotFoundError: No module named 'nothing_like_this'"),
        ("raise SystemExit(3)", "SystemExit: 3"),
        ("def broken(:", "SyntaxError: invalid syntax"),
    ],
)
def test_one_that_cannot_be_imported_is_reported_once_and_left_out(
    kind: str, text: str, got: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    name = KINDS[kind][0]
    with distribution(tmp_path, {f"texelscope.{kind}": [f"{name} = scratch_{kind}"]}, {f"scratch_{kind}.py": text}):
        for _ in range(2):
            assert SOUND[kind]()
        (record,) = [each for each in caplog.records if each.name == "texelscope.plugins"]
    assert record.levelno == logging.WARNING
    message = record.getMessage()
    assert message.startswith(
        f"texelscope-scratch 1.0: entry point '{name}' of texelscope.{kind}: "
        f"expected a module 'scratch_{kind}' that imports, got {got}"
    )
    assert message.endswith("Fix the distribution, or uninstall it. The plug-in is left out.")


@pytest.mark.parametrize(
    ("kind", "old", "new", "message"),
    [
        ("layouts", '"upright_tiles"', '"other"', "name = 'upright_tiles', like its entry point, got 'other'"),
        ("layouts", "lanes: ClassVar[int] = 4", "lanes: ClassVar[int] = 3", "lanes of 1 or 4, got 3"),
        ("operators", "OPERATORS", "OTHERS", "OPERATORS, a tuple of Operator instances, got none"),
        ("operators", "DEFINITIONS =", "OTHERS =", "a definition of each operator of 'com.acme', got none of "),
        ("operators", 'DOMAIN = "com.acme"', "", "DEFINITIONS beside a DOMAIN, got no DOMAIN"),
        ("operators", 'DOMAIN = "com.acme"', "DOMAIN = 3", "DOMAIN, the name of a domain, got 3"),
        ("operators", '{"Swoosh": lambda inv', '{"Swish": lambda inv', "DEFINITIONS of operators in OPERATORS, got "),
        ("derivatives", "DERIVATIVES =", "OTHERS =", "DERIVATIVES, a mapping from operators to functions"),
        ("causes", '"mirrored"', '"flipped"', "a cause called 'mirrored', like its entry point, got 'flipped'"),
        ("causes", '"reading"', '"seeing"', "a family, reading or computing or storing or numbers, got 'seeing'"),
        ("importers", "LiteImporter()", "None", "IMPORTER, an instance of Importer, got none"),
        ("importers", '(".lite",)', '(".light",)', "'.lite' among the suffixes, like its entry point"),
    ],
)  # fmt: skip
def test_one_that_lacks_something_is_reported_and_left_out(
    kind: str, old: str, new: str, message: str, tmp_path: Path
) -> None:
    name, text, _ = KINDS[kind]
    assert old in text
    files = {f"scratch_{kind}.py": text.replace(old, new)}
    with distribution(tmp_path, {f"texelscope.{kind}": [f"{name} = scratch_{kind}"]}, files):
        assert SOUND[kind]()
        (error,) = left_out()
        assert str(error).startswith(f"texelscope-scratch 1.0: entry point '{name}' of texelscope.{kind}: expected ")
        assert message in str(error)
        assert "Plug-ins that are left out (1)" in sections()


@pytest.mark.parametrize(
    ("kind", "name", "text", "message"),
    [
        ("layouts", "linear", LAYOUT.replace("upright_tiles", "linear"), "a layout not defined elsewhere"),
        ("operators", "relu", OPERATOR.partition("DEFIN")[0].replace("DOMAIN =", "_ =").replace("Swoosh", "Relu"),
         "an operator not defined elsewhere, got 'Relu', also in pipeline/operators/families/elementwise.py"),
        ("causes", "shift", CAUSE.replace("mirrored", "shift"), "a cause not defined elsewhere, got 'shift'"),
    ],
)  # fmt: skip
def test_one_that_claims_a_name_of_the_program_is_left_out(
    kind: str, name: str, text: str, message: str, tmp_path: Path
) -> None:
    with distribution(tmp_path, {f"texelscope.{kind}": [f"{name} = scratch_{kind}"]}, {f"scratch_{kind}.py": text}):
        assert SOUND[kind]()
        (error,) = left_out()
        assert message in str(error)


def test_an_importer_that_is_called_after_its_ending_is_imported_for_such_a_file_alone(tmp_path: Path) -> None:
    (tmp_path / "model.lite").write_text("Relu", encoding="utf-8")
    points = {"texelscope.importers": [".lite = scratch_lite"]}
    with distribution(tmp_path, points, {"scratch_lite.py": IMPORTER}):
        assert importer_for("model.onnx").suffixes == (".onnx",)
        assert ".lite" in suffixes()
        assert "scratch_lite" not in sys.modules
        plan = pipeline.plan_of(tmp_path / "model.lite", layout="channel_tiles")
        assert "scratch_lite" in sys.modules
        assert [each.operator for each in plan.passes] == ["Relu"]


_LOADED = """
import sys
from texelscope.pipeline.graph import Node
from texelscope.pipeline.importers.registry import importer_for
{}
print('LOADED', *sys.modules)
"""


@pytest.mark.parametrize("path", ["a.onnx", "a.glsl", "a.comp", "pipeline.toml"])
def test_finding_the_importer_of_a_file_imports_no_other_format(path: str) -> None:
    script = _LOADED.format(f"importer_for({path!r})")
    answer = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = set(answer.stdout.rpartition("LOADED")[2].split())
    assert "texelscope.pipeline.importers.onnx_model" in loaded
    formats = (
        "onnx",
        "texelscope.pipeline.planning.planner",
        "texelscope.pipeline.dialects.mpv.build",
        "texelscope.pipeline.dialects.ncnn.layers.opening",
        "texelscope.pipeline.pipeline_file.build",
    )
    assert loaded.isdisjoint(formats)


def test_every_kind_of_plugin_is_listed(tmp_path: Path) -> None:
    groups = {f"texelscope.{kind}": [f"{name} = scratch_{kind}"] for kind, (name, _, _) in KINDS.items()}
    files = {f"scratch_{kind}.py": text for kind, (_, text, _) in KINDS.items()}
    with distribution(tmp_path, groups, files):
        listed = sections()
    for line in ("com.acme.Swoosh", "upright_tiles", ".lite", "mirrored"):
        assert f"\n  {line} " in listed
    assert "that are left out" not in listed


def test_gradients_that_an_importer_offers_and_does_not_plan_are_an_error_and_the_backend_is_set(
    tmp_path: Path,
) -> None:
    text = IMPORTER.replace("takes_layout = True", "has_gradients = takes_backend = True").replace(
        "options)\n", "own)\n"
    )
    text = text.replace("import onnx\n", "own = type(options)()\n")
    (tmp_path / "model.lite").write_text("Relu", encoding="utf-8")
    with distribution(tmp_path, {"texelscope.importers": [".lite = scratch_lite"]}, {"scratch_lite.py": text}):
        assert pipeline.plan_of(tmp_path / "model.lite", backend="compute").backend == "compute"
        message = r"LiteImporter\.plan: expected a plan with the gradients of 'y', got one without\. Plan the graph "
        with pytest.raises(TexelscopeError, match=message):
            pipeline.plan_of(tmp_path / "model.lite", gradients="y")


FAILING = OPERATOR.replace("(invocation.required(0),)", "sgn(invocation)")


def test_an_error_in_a_plugins_code_names_the_plugin_and_the_line(tmp_path: Path) -> None:
    assert FAILING != OPERATOR
    node = Node("s", "Swoosh", ("x",), ("y",), MappingProxyType({}), "com.acme", 1)
    with distribution(tmp_path, {"texelscope.operators": ["acme = scratch_acme"]}, {"scratch_acme.py": FAILING}):
        message = r"com\.acme\.Swoosh that returns a tuple of arrays, got NameError: name 'sgn' is not defined "
        with pytest.raises(TexelscopeError, match=message + r"\(scratch_acme\.py:\d+ of texelscope-scratch 1\.0\)"):
            Reference().run_node(node, [np.ones(3, dtype=np.float32)])
        try:
            sys.modules["scratch_acme"].DEFINITIONS["Swoosh"](None)
        except NameError as error:
            line = told("a pass", error)
    assert line.startswith("a pass: expected no fault of the plug-in texelscope-scratch 1.0, got NameError: ")
    assert "(scratch_acme.py:" in line
