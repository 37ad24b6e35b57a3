"""Sixty seeded models of every kind; `make fuzz` tries thousands."""

from __future__ import annotations

import pytest

from tests.gl.fuzz.fuzzing import breaches

_KINDS = [f"--kind={name}" for name in ("model_bytes", "model_control", "model_external", "model_structure")]


@pytest.mark.timeout(300)
def test_a_model_of_a_stranger_gets_its_answer_or_its_line() -> None:
    assert breaches("--count", "60", "--seed", "1", *_KINDS) == ""
