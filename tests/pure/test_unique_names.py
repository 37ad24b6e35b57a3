"""Names that nothing else has, and files that every file system takes."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from texelscope.pipeline.unique_names import MOST_STEM, UniqueNames, file_stem, file_stems


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


@settings(max_examples=25)
@given(st.lists(st.text(st.characters(exclude_categories=()), max_size=30), max_size=4))
def test_a_stem_stays_in_its_folder_on_every_system(names: list[str]) -> None:
    stems = file_stems(names, "pass")
    assert len({stem.casefold() for stem in stems.values()}) == len(set(names))
    for stem in stems.values():
        assert re.fullmatch(r"_?[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9_-])?", stem)
        assert len(stem) <= MOST_STEM + len("_99")


def test_stems_of_devices_of_long_names_and_of_no_letters() -> None:
    assert [file_stem(name, "pass") for name in ("../../etc/passwd", "con", "NUL.txt", "com1.", "...", "大")] == [
        "etc_passwd",
        "_con",
        "_NUL.txt",
        "_com1",
        "pass",
        "pass",
    ]
    assert file_stem("block/" * 40 + "conv1", "pass").endswith("block_conv1")
    assert file_stems(["a/b", "A:B", "a_b"], "pass") == {"a/b": "a_b", "A:B": "A_B_2", "a_b": "a_b_3"}
