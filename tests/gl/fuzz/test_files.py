"""Sixty seeded files of every kind that is no model; `make fuzz` tries thousands."""

from __future__ import annotations

import pytest

from tests.gl.fuzz.fuzzing import breaches

_KINDS = [
    f"--kind={name}"
    for name in ("archives", "command_lines", "dialects", "folders", "inputs", "pipeline_toml", "shaders")
]


@pytest.mark.timeout(300)
def test_a_file_of_a_stranger_gets_its_answer_or_its_line() -> None:
    assert breaches("--count", "60", "--seed", "1", *_KINDS) == ""
