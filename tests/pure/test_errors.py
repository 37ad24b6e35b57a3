"""What the pipeline adds to the one shape of an error."""

from __future__ import annotations

import texelscope.layouts.errors
import texelscope.pipeline.errors
from texelscope.layouts.outside_text import MOST_LETTERS
from texelscope.pipeline.errors import ShaderError


def test_a_shader_error_keeps_its_place() -> None:
    error = ShaderError("conv.glsl", 12, "syntax error")
    assert (error.file, error.line, error.message) == ("conv.glsl", 12, "syntax error")
    assert str(error).startswith("conv.glsl:12: expected a shader that compiles, got syntax error")


def test_an_error_stays_one_line_of_a_window_whatever_a_file_has() -> None:
    text = str(
        texelscope.pipeline.errors.TexelscopeError("a.toml 'x'", "a name", "'" + "A\n" * 5000 + "end'", "Correct it.")
    )
    assert len(text) <= MOST_LETTERS
    assert text.startswith("a.toml 'x': expected a name, got 'A A")
    assert text.endswith("A end'. Correct it.")
    assert len(str(ShaderError("A" * 5000, 1, "B" * 5000))) <= MOST_LETTERS


def test_there_is_one_base_of_all_errors() -> None:
    assert texelscope.pipeline.errors.TexelscopeError is texelscope.layouts.errors.TexelscopeError
