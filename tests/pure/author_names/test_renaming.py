"""A name is renamed in every file that has it, or it is said why not."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from texelscope.pipeline.author_names.programs import ShaderTexts, included_at, with_included
from texelscope.pipeline.author_names.renaming import check_new_name, renaming_at, replaced
from texelscope.pipeline.errors import TexelscopeError

ROOT = Path("/shaders")
# Two shaders that share a file, and a third one that has nothing to do with them.
SHARED = {
    "a.frag": 'uniform float u_gain;\n#include "common.glsl"\nvoid main() { f(u_gain); }\n',
    "b.frag": 'uniform float u_gain;\n#include "common.glsl"\nvoid main() { float u_other = u_gain; }\n',
    "common.glsl": "float scaled(float v) { return v * u_gain; }\n",
    "c.frag": "uniform float u_gain;\nvoid main() { f(u_gain); }\n",
}


def files_of(texts: Mapping[str, str]) -> ShaderTexts:
    paths = {ROOT / name: text for name, text in texts.items()}
    programs = [with_included(path, paths.get) for path in paths if path.suffix != ".glsl"]
    return ShaderTexts(paths, programs)


def renamed(texts: Mapping[str, str], where: str, name: str, new: str) -> dict[str, str]:
    files = files_of(texts)
    path = ROOT / where
    found = renaming_at(files, path, texts[where].index(name))
    check_new_name(files, found, new)
    changed = dict(texts)
    for each in texts:
        places = [(place.start, place.stop) for place in found.places if place.path == ROOT / each]
        changed[each] = replaced(texts[each], places, new)
    return changed


def test_an_outer_name_changes_in_every_shader_that_shares_a_file_with_it_alone() -> None:
    found = renamed(SHARED, "a.frag", "u_gain", "u_scale")
    assert {name: text.count("u_scale") for name, text in found.items()} == {
        "a.frag": 2,
        "b.frag": 2,
        "common.glsl": 1,
        "c.frag": 0,
    }


def test_from_an_included_file_the_same_changes() -> None:
    assert renamed(SHARED, "common.glsl", "u_gain", "u_scale") == renamed(SHARED, "a.frag", "u_gain", "u_scale")


def test_a_local_name_changes_in_its_block_alone() -> None:
    text = "void main() { { float a = 1.0; f(a); } float a = 2.0; f(a); }"
    assert renamed({"a.frag": text}, "a.frag", "a = 1", "b") == {
        "a.frag": "void main() { { float b = 1.0; f(b); } float a = 2.0; f(a); }"
    }


@pytest.mark.parametrize(
    ("text", "name", "new", "said"),
    [
        ("uniform float a;", "a;", "2b", r"rename: expected a name of letters, digits and _, got '2b'\."),
        ("uniform float a;", "a;", "vec4", r"rename: expected a name without a meaning in GLSL, got 'vec4'\."),
        ("uniform float a;\n\nfloat b;", "a;", "b", r"got 'b', which is in a.frag:3\. Choose another one\."),
        ("struct S { float a; };", "a;", "b", r"'a': expected a variable, function, structure or macro, got a member"),
        ("void main() { }", "main", "b", r"'main': expected a name that these files declare, got another\."),
        ("void main() { texelFetch(); }", "texelF", "b", r"'texelFetch': expected a name that these files declare"),
        ("#define m(x) (x + a)\nvoid main() { float a = m(1.); }", "a = ", "b", r"one that a macro uses too"),
        ("#define m(x) x##_pos\nuniform float a_pos;", "a_pos", "b", r"a macro of a.frag that puts names together"),
        ("void main() { }", "{", "b", r"rename: expected a name of the shader, got none here\."),
    ],
)  # fmt: skip
def test_what_would_not_be_safe_is_refused(text: str, name: str, new: str, said: str) -> None:
    with pytest.raises(TexelscopeError, match=said):
        renamed({"a.frag": text}, "a.frag", name, new)


def test_a_macro_that_a_pipeline_file_defines_is_renamed_where_it_is_used() -> None:
    text = "void main() { for (int i = 0; i < RADIUS; i++) f(i * RADIUS); }"
    files = files_of({"a.frag": text})
    found = renaming_at(files, ROOT / "a.frag", text.index("RADIUS"), {"RADIUS"})
    assert (found.kind, found.is_outer, len(found.places)) == ("macro", True, 2)


def test_a_declaration_is_found_in_the_file_that_is_included() -> None:
    files = files_of(
        {"a.frag": '#include "lib/b.glsl"\nvoid main() { f(); }', "lib/b.glsl": "float f() { return 1.0; }"}
    )
    (found,) = files.declarations(ROOT / "a.frag", files.texts[ROOT / "a.frag"].index("f()"))
    assert (found.path.name, found.start) == ("b.glsl", 6)


def test_a_member_is_found_in_every_structure_that_has_it() -> None:
    text = "struct A { float w; };\nstruct B { float w; };\nvoid main() { A a; a.w = 1.0; }"
    files = files_of({"a.frag": text})
    found = files.declarations(ROOT / "a.frag", text.index("w = 1.0"))
    assert [each.start for each in found] == [17, 40]


def test_a_line_names_the_file_that_it_includes() -> None:
    text = '#version 300 es\n #  include "lib/b.glsl" // more\nvoid main() {}'
    assert included_at(text, text.index("lib")) == "lib/b.glsl"
    assert included_at(text, 3) == ""
