"""Tests that an oracle's code runs only if its very content is trusted, and no other foreign code ever does."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest

from tests.checkout import ROOT
from tests.pure.pipeline_file.folders import COPY, INPUT, PASS, write_folder
from texelscope import pipeline
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.export.bundle import unpack
from texelscope.pipeline.importers.registry import plan_of
from texelscope.pipeline.oracle.choice import oracle_of
from texelscope.pipeline.oracle.function_oracle import FunctionOracle
from texelscope.pipeline.pipeline_file.table import PipelineFileError
from texelscope.pipeline.plan import OracleFile, Plan

TOML = '[pipeline]\noracle = "oracle.py"\n' + INPUT + PASS
IDENTITY = "def copy(t_X):\n    return t_X\n"
IMAGE = np.zeros((1, 3, 8, 8))


def folder_with(folder: Path, code: str, toml: str = TOML) -> Path:
    return write_folder(folder, toml, oracle_py=code)


def oracle_file(path: Path, trust: bool | frozenset[str] = False) -> OracleFile:
    found = pipeline.plan_of(path, trust=trust).oracle_file
    assert found is not None
    return found


def marking(place: Path) -> str:
    """Code that leaves a mark where it runs."""
    return f"open({str(place)!r}, 'w').close()\n"


def test_trust_is_of_one_content(tmp_path: Path) -> None:
    path = folder_with(tmp_path, IDENTITY)
    trusted = frozenset({oracle_file(path).digest})
    assert oracle_file(path, trusted).trusted
    (tmp_path / "oracle.py").write_text(IDENTITY + " ")
    assert not oracle_file(path, trusted).trusted
    (tmp_path / "oracle.py").write_bytes(b"\xef\xbb\xbf" + IDENTITY.replace("\n", "\r\n").encode())
    assert oracle_file(path, trusted).trusted  # the same text runs
    elsewhere = folder_with(tmp_path / "elsewhere", IDENTITY.replace("return", "return 2 *"))
    assert not oracle_file(elsewhere, trusted).trusted


def test_without_trust_nothing_of_it_runs(tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    plan = pipeline.plan_of(folder_with(tmp_path, marking(mark) + IDENTITY))
    assert oracle_of(plan) is None
    assert not mark.exists()


def test_what_was_hashed_is_what_runs_whatever_lies_there_then(tmp_path: Path) -> None:
    path, mark = folder_with(tmp_path, IDENTITY), tmp_path / "ran"
    digest = oracle_file(path).digest
    plan = pipeline.plan_of(path, trust={digest})
    (tmp_path / "oracle.py").write_text(marking(mark) + IDENTITY)  # between the question and the run
    assert plan.oracle_file is not None
    assert hashlib.sha256(plan.oracle_file.text.encode()).hexdigest() == digest
    oracle = oracle_of(plan)
    assert oracle is not None
    assert "copy" in oracle.chained({"image": IMAGE})
    assert not mark.exists()
    assert oracle_of(pipeline.plan_of(path, trust={digest})) is None  # opened again it is asked about again


def test_a_link_is_its_content_and_never_leads_out(tmp_path: Path) -> None:
    folder, mark = tmp_path / "folder", tmp_path / "ran"
    path = folder_with(folder, IDENTITY)
    trusted = frozenset({oracle_file(path).digest})
    (folder / "other.py").write_text(marking(mark) + IDENTITY)
    (tmp_path / "outside.py").write_text(IDENTITY)
    (folder / "oracle.py").unlink()
    (folder / "oracle.py").symlink_to("other.py")
    assert not oracle_file(path, trusted).trusted
    (folder / "oracle.py").unlink()
    (folder / "oracle.py").symlink_to(tmp_path / "outside.py")
    with pytest.raises(PipelineFileError, match="expected a path inside the pipeline's folder, got one that leads out"):
        pipeline.plan_of(path, trust=True)


@pytest.mark.parametrize(
    "name", ["../outside.py", "{}/outside.py", "below/../../outside.py", "c:/outside.py", "..\\outside.py"]
)
def test_an_oracle_lies_in_the_folder(tmp_path: Path, name: str) -> None:
    (tmp_path / "outside.py").write_text(IDENTITY)
    (tmp_path / "folder" / "below").mkdir(parents=True)
    toml = TOML.replace('"oracle.py"', f"'{name.format(tmp_path)}'")
    with pytest.raises(PipelineFileError, match=r"\[pipeline\] oracle: expected .*, got (one that leads|another kind)"):
        pipeline.plan_of(write_folder(tmp_path / "folder", toml), trust=True)


def test_a_bundle_brings_no_trust(tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    code = marking(mark) + IDENTITY
    digest = hashlib.sha256(code.encode()).hexdigest()
    manifest = {
        "version": 1, "target": "files/pipeline.toml", "trust": True, "trusted": [digest],
        "options": {"trust": True}, "state": {"trusted": [digest]},
    }  # fmt: skip
    with zipfile.ZipFile(tmp_path / "a.texelscope", "w") as archive:
        archive.writestr("bundle.json", json.dumps(manifest))
        for name, text in (("pipeline.toml", TOML), ("oracle.py", code), ("copy.frag", COPY)):
            archive.writestr(f"files/{name}", text)
    (tmp_path / "unpacked").mkdir()
    target = unpack(tmp_path / "a.texelscope", tmp_path / "unpacked").target
    assert target.options.trust is False
    plan = plan_of(target.path, target.options)
    assert plan.oracle_file is not None
    assert oracle_of(plan) is None
    assert not mark.exists()


class _Silent:
    """Raises exceptions without a text."""

    RAISES = "class Bad(BaseException):\n    def __str__(self): raise self\n    __repr__ = __str__\n"
    NAMELESS = (
        "class Meta(type):\n    @property\n    def __name__(cls): raise KeyError\n"
        "class Bad(Exception, metaclass=Meta):\n    pass\n"
    )


@pytest.mark.parametrize(
    ("code", "says"),
    [
        ("raise SystemExit(0)\n" + IDENTITY, "oracle.py:1: expected Python that runs, got SystemExit: 0. Correct it."),
        ("import sys\nsys.exit('bye')\n" + IDENTITY, "oracle.py:2: expected Python that runs, got SystemExit: bye."),
        (
            _Silent.RAISES + "raise Bad\n" + IDENTITY,
            "oracle.py:4: expected Python that runs, got Bad: an exception without a text.",
        ),
        (_Silent.NAMELESS + "raise Bad('x')\n" + IDENTITY, "oracle.py:6: expected Python that runs, got Bad: x. "),
        ("def f(): f()\nf()\n" + IDENTITY, "oracle.py:1: expected Python that runs, got RecursionError: "),
        ("raise ValueError('a\\x1b[31m\\nb')\n" + IDENTITY, "got ValueError: a\\x1b[31m b. Correct it."),
    ],
)
def test_code_that_leaves_is_a_line(tmp_path: Path, code: str, says: str) -> None:
    plan = pipeline.plan_of(folder_with(tmp_path, code), trust=True)
    with pytest.raises(TexelscopeError) as caught:
        FunctionOracle(plan)
    assert says in str(caught.value)


@pytest.mark.parametrize(
    ("code", "says"),
    [
        (
            "def copy(t_X): raise SystemExit\n",
            "oracle.py:1: copy(): expected a function that returns an array, got Sys",
        ),
        (_Silent.RAISES + "def copy(t_X): raise Bad\n", "oracle.py:4: copy(): expected a function that returns an arr"),
        (
            "class C:\n    def __call__(self): pass\n    @property\n"
            "    def __signature__(self): raise SystemExit\ncopy = C()\n",
            "copy(): expected a function that returns an array, got SystemExit",
        ),
        (
            "class A:\n    def __array__(self, *a, **k): raise SystemExit\ndef copy(t_X): return A()\n",
            "copy(): expected a function that returns an array, got SystemExit",
        ),
    ],
)
def test_a_function_that_leaves_is_a_line(tmp_path: Path, code: str, says: str) -> None:
    plan = pipeline.plan_of(folder_with(tmp_path, code), trust=True)
    with pytest.raises(TexelscopeError) as caught:
        FunctionOracle(plan).isolated({"image": IMAGE}, "copy")
    assert says in str(caught.value)


@pytest.mark.parametrize("code", ["-" * 1_000_000 + "1", "(" * 10_000, "not " * 100_000 + "1", "x = 1" + "\0"])
def test_a_text_too_deep_is_a_line_without_trust(tmp_path: Path, code: str) -> None:
    with pytest.raises(PipelineFileError, match=r"oracle: .*expected Python, got "):
        pipeline.plan_of(folder_with(tmp_path, code))


def test_no_code_beside_the_oracle_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even code that Python takes from the working folder may run: a program's modules, start-up files."""
    mark = tmp_path / "ran"
    names = (
        "numpy",
        "onnx",
        "moderngl",
        "helper",
        "json",
        "pathlib",
        "tomllib",
        "sitecustomize",
        "usercustomize",
        "conftest",
    )
    path = folder_with(tmp_path / "folder", "import helper\n" + IDENTITY)
    for name in names:
        (path.parent / f"{name}.py").write_text(marking(mark))
    (path.parent / "a.pth").write_text(f"import os; {marking(mark)}")
    (path.parent / "pipeline").mkdir()
    (path.parent / "pipeline" / "__init__.py").write_text(marking(mark))
    monkeypatch.chdir(path.parent)
    done = subprocess.run(
        [sys.executable, "-m", "texelscope", "-h"],
        env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    with pytest.raises(TexelscopeError, match=r"oracle\.py:1: .*, got ModuleNotFoundError: No module named 'helper'"):
        FunctionOracle(pipeline.plan_of("pipeline.toml", trust=True))
    assert not mark.exists()


def test_trusted_code_never_makes_a_plan(tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    plan: Plan = pipeline.plan_of(folder_with(tmp_path, marking(mark) + IDENTITY), trust=True)
    assert plan.oracle_file is not None
    assert not mark.exists()
