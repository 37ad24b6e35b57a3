"""What a reader may rely on everywhere in the tree: shaders in files, living links, no traces of one machine."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tests.checkout import ROOT
from tests.pure.source_tree import LIBRARY, files, syntax_of, text_of

# GLSL lives in shaders/. Python that writes programs by need, and why.
WRITES_GLSL = {
    "pipeline/glsl/assemble.py": "puts accessors and the walk over lanes around an operator's shader",
    "pipeline/glsl/authored/shadertoy.py": "writes the main around an author's mainImage()",
    "pipeline/glsl/other_stages.py": "writes a main that dispatches what another main drew",
    "pipeline/lowerings/text.py": "puts bindings, constants and the finish in front of a step's main",
    "pipeline/lowerings/fusion/elements.py": "writes the main that passes of one element each are put into",
    "pipeline/lowerings/row_forms.py": "writes the mains that passes along rows are put into",
    "pipeline/lowerings/moves.py": "writes the main that moves elements by the digits of their numbers",
    "pipeline/wgsl/program.py": "writes the main that an entry point in WGSL is",
    "pipeline/front_ends/slang_text.py": "knows the head of the main that Slang writes",
    "pipeline/dialects/mpv/prelude.py": "writes the main around an author's hook()",
    "pipeline/dialects/webgl/geometry.py": "writes the main that gives a recorded one its vertices",
    "pipeline/repair/validation/observed_text.py": "writes the main that shows which flags an author's sets",
    "pipeline/repair/text/mutable_text.py": "writes the main that gives out what an author's kept in all bits",
}
WHOLE_PROGRAM = re.compile(r"void\s+main\s*\(")

TEXT = files((".py", ".glsl", ".frag", ".vert", ".md", ".toml", ".sh", ".txt", ".yml", ""))
PAGES = files((".md",))

MACHINE_PATH = re.compile(r"(?<![\w.~$}])/(home|root|work|Users|mnt|tmp)/\w")
LINK = re.compile(r"\]\((?!https?:|mailto:|#)([^)#\s]+)")


def strings_of(path: Path) -> list[str]:
    """Every string that stands in a module."""
    constants = [node.value for node in ast.walk(syntax_of(path)) if isinstance(node, ast.Constant)]
    return [value for value in constants if isinstance(value, str)]


def test_no_shader_program_hides_in_python_but_where_it_is_written_by_need() -> None:
    paths = files((".py",), below=("app.py", *LIBRARY))
    writing = {path.as_posix() for path in paths if any(map(WHOLE_PROGRAM.search, strings_of(path)))}
    assert writing == set(WRITES_GLSL)


def test_no_file_names_a_place_on_one_machine() -> None:
    assert {".py", ".glsl", ".frag", ".vert", ".md", ".toml", ".sh", ".txt"} <= {path.suffix for path in TEXT}
    found = [
        f"{path}:{number}: {line.strip()}"
        for path in TEXT
        for number, line in enumerate(text_of(path).splitlines(), 1)
        if MACHINE_PATH.search(line)
    ]
    assert found == []


@pytest.mark.parametrize("top", ["home", "root", "Users", "tmp"])
def test_a_place_on_one_machine_is_recognised(top: str) -> None:
    assert MACHINE_PATH.search(f"open('/{top}/anna/model.onnx')")
    assert not MACHINE_PATH.search(f"open('models/{top}/model.onnx')")


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_every_link_between_pages_leads_somewhere(page: Path) -> None:
    targets = LINK.findall(text_of(page))
    assert [target for target in targets if not (ROOT / page.parent / target).exists()] == []
