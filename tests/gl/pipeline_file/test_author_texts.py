"""Shader text as people have it runs unchanged in a pass, and computes what it says."""

from __future__ import annotations

from pathlib import Path

import moderngl
import pytest

from texelscope import pipeline
from texelscope.pipeline.gl.context import limits_of

TEXTS = Path(__file__).parents[2] / "data" / "author_texts"
FILES = sorted(TEXTS.glob("*.toml"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_text_as_it_is_computes_what_its_oracle_says(path: Path, gl: moderngl.Context) -> None:
    if limits_of(gl).work_groups is None and "dispatch" in path.read_text(encoding="utf-8"):
        pytest.skip("the driver has no compute shaders")
    with pipeline.open(path, context=gl, trust=True) as session:
        session.run()
        assert session.shader_errors == {}
        report = session.compare()
    assert {each.name: each.verdict for each in report.passes} == {path.stem: "match"}


def test_a_text_with_a_byte_order_mark_and_line_ends_of_windows_runs(gl: moderngl.Context, tmp_path: Path) -> None:
    for name in ("exported.toml", "oracle.py"):
        (tmp_path / name).write_bytes((TEXTS / name).read_bytes())
    text = (TEXTS / "exported.frag").read_bytes().replace(b"\n", b"\r\n")
    (tmp_path / "exported.frag").write_bytes(b"\xef\xbb\xbf" + text)
    with pipeline.open(tmp_path / "exported.toml", context=gl, trust=True) as session:
        session.run()
        assert session.compare().verdict == "match"
