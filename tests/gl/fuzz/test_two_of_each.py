"""Two seeded files of each kind; `make hostile` tries a hundred and twenty, `make fuzz` thousands."""

from __future__ import annotations

import pytest

from tests.gl.fuzz.fuzzing import breaches

_KINDS = (
    *("archives", "command_lines", "dialects", "folders", "inputs", "pipeline_toml", "shaders"),
    *("model_bytes", "model_control", "model_external", "model_structure"),
)


@pytest.mark.timeout(300)
def test_a_file_of_a_stranger_gets_its_answer_or_its_line() -> None:
    assert breaches("--count", str(2 * len(_KINDS)), "--seed", "1", *(f"--kind={name}" for name in _KINDS)) == ""
