"""The documentation is listed by the titles of its pages, and is missed without harm."""

from __future__ import annotations

from pathlib import Path

from texelscope.viewer.help.windows import as_text, pages, version_lines


def test_pages_have_their_titles_and_begin_where_a_reader_does(tmp_path: Path) -> None:
    for name, text in (("causes.md", "# Causes\n"), ("first-bug.md", "\n# Your first bug\n"), ("z.md", "no title\n")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert [page.title for page in pages(tmp_path)] == ["Your first bug", "Causes", "z"]
    assert pages(tmp_path / "nowhere") == ()


def test_versions_can_be_pasted() -> None:
    info = {"GL_RENDERER": "llvmpipe", "GL_VERSION": "4.5", "GL_VENDOR": "Mesa"}
    text = as_text(version_lines(info))
    assert "GL driver: llvmpipe\n" in text
    assert "numpy: " in text
