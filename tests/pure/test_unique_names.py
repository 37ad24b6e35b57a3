"""Names that nothing else has."""

from __future__ import annotations

from pipeline.unique_names import UniqueNames


def test_a_name_is_given_once_and_numbered_after_that() -> None:
    names = UniqueNames()
    assert [names.give(name) for name in ("conv", "relu", "conv", "conv#2", "conv")] == [
        "conv",
        "relu",
        "conv#2",
        "conv#2#2",
        "conv#3",
    ]


def test_a_name_that_was_taken_back_is_free() -> None:
    names = UniqueNames()
    names.give("conv")
    names.take_back("conv")
    assert names.give("conv") == "conv"
