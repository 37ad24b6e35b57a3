"""Layouts are found by their files, and a bad file is named."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.checkout import ROOT
from texelscope.layouts import Layout, LayoutError, all_layouts, fitting, layout
from texelscope.layouts.registry import discover

GOOD = """
from dataclasses import dataclass
from typing import ClassVar
from texelscope.layouts.tfjs_unpacked import TfjsUnpacked

@dataclass(frozen=True)
class Mine(TfjsUnpacked):
    name: ClassVar[str] = "mine"
"""

Discover = Callable[[dict[str, str]], dict[str, type[Layout]]]
package_names = (f"plugged_layouts_{number}" for number in itertools.count())


@pytest.fixture
def discover_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Discover:
    """Write modules (name to text) into a package of their own and discover it."""

    def write_and_discover(modules: dict[str, str]) -> dict[str, type[Layout]]:
        package = next(package_names)
        folder = tmp_path / package
        folder.mkdir()
        for name, text in {"__init__": "", **modules}.items():
            (folder / f"{name}.py").write_text(text)
        monkeypatch.syspath_prepend(tmp_path)
        return discover(folder, package)

    return write_and_discover


def test_the_bundled_layouts_are_there() -> None:
    bundled = {
        "channel_tiles",
        "channel_tiles_rgba",
        "filter_tiles",
        "linear",
        "ncnn_pack1",
        "ncnn_pack4",
        "ncnn_pack8",
        "ncnn_weights",
        "ordered",
        "ordered_rgba",
        "row_major_rgba",
        "tfjs_packed",
        "tfjs_unpacked",
    }
    assert bundled <= set(all_layouts())
    assert list(all_layouts()) == sorted(all_layouts())


def test_the_layouts_of_the_page_are_there() -> None:
    page = (ROOT / "docs" / "layouts.md").read_text(encoding="utf-8")
    named = re.findall(r"\n\n`(\w+)`[:,]", page)
    assert len(named) > 7
    assert set(named) <= set(all_layouts())


def test_changing_the_returned_table_changes_nothing_for_others() -> None:
    all_layouts().clear()
    assert "channel_tiles" in all_layouts()


def test_a_layout_is_made_by_name_with_its_parameters() -> None:
    assert layout("row_major_rgba", width=256).texture_shape((1, 64, 32, 32)) == (64, 256)
    assert layout("channel_tiles") == layout("channel_tiles")


def test_an_unknown_name_gets_the_nearest_one() -> None:
    with pytest.raises(
        LayoutError,
        match=r"^layout: expected the name of a layout, got 'chanel_tiles'\. Did you mean 'channel_tiles'\?$",
    ):
        layout("chanel_tiles")


def test_a_name_like_no_other_gets_the_whole_list() -> None:
    with pytest.raises(LayoutError, match=r"got 'xyzzy'\. Valid: .*channel_tiles, "):
        layout("xyzzy")


def test_an_unknown_parameter_gets_the_nearest_one() -> None:
    with pytest.raises(
        LayoutError,
        match=r"^layout 'row_major_rgba': expected one of its parameters, got 'widht'\. "
        r"Did you mean 'width'\?$",
    ):
        layout("row_major_rgba", widht=3)


def test_a_parameter_of_a_layout_without_any_is_refused() -> None:
    with pytest.raises(LayoutError, match=r"^layout 'linear': .* got 'width'\. It takes none\.$"):
        layout("linear", width=3)


def test_a_matrix_wider_than_a_texture_fits_the_layouts_that_fold_it() -> None:
    fit = set(fitting((4096, 25088), 16384))
    assert {"linear", "row_major_rgba", "tfjs_packed"} <= fit
    assert not fit & {"channel_tiles", "channel_tiles_rgba", "filter_tiles", "tfjs_unpacked"}
    assert fitting((1, 3, 8, 8), 16384) == list(all_layouts())
    assert fitting((10**6, 10**6), 16384) == []


def test_fitting_counts_a_side_of_exactly_the_limit_as_fitting() -> None:
    assert "tfjs_unpacked" in fitting((16, 16), 16)
    assert "tfjs_unpacked" not in fitting((16, 16), 15)


def test_a_new_file_is_a_new_layout(discover_files: Discover) -> None:
    found = discover_files({"mine": GOOD})
    assert list(found) == ["mine"]
    assert found["mine"]().texture_shape((2, 3)) == (2, 3)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "import nowhere_to_be_found",
            r"expected a layout module that imports, got ModuleNotFoundError: No module",
        ),
        ("def broken(:", r"expected a layout module that imports, got SyntaxError"),
        ("x = 1", r"expected exactly one subclass of Layout, got none\. One layout, one module\."),
        (GOOD + GOOD.replace("Mine", "Other"), r"expected exactly one subclass of Layout, got Mine, Other\."),
        (GOOD.replace('"mine"', '"yours"'), r"expected name = 'mine', like the file, got 'yours'\."),
        (GOOD.replace("@dataclass(frozen=True)", ""), r"expected a frozen dataclass, got plain class Mine\."),
        (GOOD + "    lanes: ClassVar[int] = 3\n", r"expected lanes of 1 or 4, got 3\."),
        (
            GOOD.replace("(frozen=True)", "(frozen=True, kw_only=True)") + "    depth: int\n",
            r"expected a default for every parameter, got none for 'depth'\.",
        ),
        (
            "from texelscope.layouts.base import Layout\nclass Mine(Layout):\n    name = 'mine'\n    lanes = 1\n",
            r"expected every abstract method of Layout defined, got element_at, .*texture_shape missing\.",
        ),
    ],
)
def test_a_bad_layout_file_is_an_error_that_names_the_file(discover_files: Discover, text: str, message: str) -> None:
    with pytest.raises(LayoutError, match=rf"mine\.py: {message}"):
        discover_files({"mine": text})
