"""A person asks why a texel is wrong: variables, a step's reads and why there, the sum beside the oracle, watches."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.checkout import ROOT
from tests.gui.desktop import Desktop, Window

EXAMPLE = ROOT / "examples" / "webgl_cnn"
# Of down1, whose texture is 4 by 4 tiles of 32 by 32: channel 3, y 5, x 6.
TEXEL = (3 * 32 + 6, 5)
PLANTED = "at = position + (offset + 1.0) * input_texel :36"


@pytest.fixture(scope="module")
def stepping(desktop: Desktop, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Window]:
    """The first pass of the example with a bug in every pass; a wrong texel of it is stepped through."""
    target = Path(shutil.copytree(EXAMPLE, tmp_path_factory.mktemp("work") / "cnn")) / "broken.toml"
    head, first, *_ = target.read_text(encoding="utf-8").split("[[pass]]")
    target.write_text(f"{head}[[pass]]{first}", encoding="utf-8")
    window = desktop.start(target)
    desktop.wait_for(window, lambda seen: bool(seen.get("verdicts")) and not seen["busy"], "it is compared")
    if window.seen()["selected"] != "down1":
        desktop.click_on(window, "layer down1")
    desktop.wait_for(window, lambda seen: seen["selected"] == "down1" and seen["settled"], "down1 is shown")
    desktop.click(*window.place_of(*TEXEL))
    desktop.press("F10")
    desktop.wait_for(window, lambda seen: bool(seen["stepping"]), "the trace is there")
    yield window
    window.close()


def rows(window: Window) -> dict[str, str]:
    return dict(window.seen()["tables"]["rows"])


def state(window: Window) -> dict[str, Any]:
    return dict(window.seen()["stepping"])


def test_the_sum_says_where_it_parts_from_the_oracle_and_leads_there(desktop: Desktop, stepping: Window) -> None:
    desktop.wait_for(stepping, lambda seen: seen["tables"]["sum"] is not None, "the sum is told")
    told = stepping.seen()["tables"]["sum"]
    assert told["first_wrong"] == 1, "the bias is right, the first product is not"
    desktop.click_on(stepping, "first wrong term")
    desktop.wait_for(stepping, lambda seen: seen["stepping"]["at"] > 0, "one stands there")
    assert state(stepping)["turns"][:2] == ["q 1 of 4", "p 1 of 4"]
    place = next(
        number
        for number in range(told["first_wrong"], told["terms"])
        if f"term {number + 2}" in stepping.seen()["places"]
    )
    desktop.move(*desktop.point_at(stepping, f"term {place + 5}", across=0.2))
    desktop.wait_for(stepping, lambda seen: seen["tables"]["lit"] is not None, "what it read lights up")


def test_variables_have_their_values_and_what_changed_is_said(desktop: Desktop, stepping: Window) -> None:
    desktop.press("alt+Home", "F10")
    assert rows(stepping)["st"] == "vec2(3.203125, 0.171875) changed"
    desktop.press("F10")
    assert rows(stepping)["st"] == "vec2(3.203125, 0.171875)"
    assert rows(stepping)["position"].startswith("vec2(0.203125, 0.171875)")
    desktop.click_on(stepping, "variable position", button=3)
    desktop.click_on(stepping, "explain value")
    desktop.wait_for(stepping, lambda seen: seen["tables"]["origin"] == "position", "it is told where it came from")
    assert rows(stepping)["link 0"] == "position = fract(st) :23"
    desktop.click_on(stepping, "close origin")
    desktop.click_on(stepping, "assigned st")
    desktop.wait_for(stepping, lambda seen: seen["stepping"]["at"] == 0, "its line is where one stands")
    desktop.press("F10")
    desktop.click_on(stepping, "given")
    desktop.wait_for(stepping, lambda seen: "given u_output_size" in seen["places"], "uniforms are shown")
    desktop.click_on(stepping, "given")


def test_a_read_leads_back_to_the_line_that_made_its_address(desktop: Desktop, stepping: Window) -> None:
    desktop.press("alt+Home", "ctrl+F12", "ctrl+F12")  # the bias, the first value
    assert rows(stepping)["read 0"] == "image[0, 0, 10, 12]"
    desktop.move(*desktop.point_at(stepping, "step read 0"))
    seen_there = "image (12, 10)"
    desktop.wait_for(
        stepping,
        lambda seen: seen["tables"]["rows"].get("read in a picture") == seen_there,
        "the texel is seen among its neighbours",
    )
    desktop.click_on(stepping, "step read 0")
    desktop.wait_for(
        stepping, lambda seen: PLANTED in seen["tables"]["rows"].values(), "the planted line is in the chain"
    )
    assert stepping.seen()["tables"]["lit"][0] == "image", "the mouse is over it"
    link = next(name for name, text in rows(stepping).items() if text == PLANTED)
    desktop.click_on(stepping, link)
    desktop.wait_for(stepping, lambda seen: seen["stepping"]["line"][1] == 36, "one stands there")
    desktop.click_on(stepping, "close origin")
    desktop.wait_for(stepping, lambda seen: seen["tables"]["origin"] is None, "it is put away")


def test_watches_have_a_value_each_step_or_say_why_not(desktop: Desktop, stepping: Window) -> None:
    desktop.press("alt+Home")
    field = stepping.seen()["places"]["new watch"]
    desktop.press("F10")
    assert "st" in rows(stepping)
    assert stepping.seen()["places"]["new watch"] == field, "it stays where it is while variables appear"
    desktop.click_on(stepping, "variable st", button=3)
    desktop.click_on(stepping, "copy value")
    desktop.click_on(stepping, "new watch")
    desktop.press("ctrl+v")
    desktop.write("*2.")
    desktop.press_at_once("Return", *"nope", "Return", within_frame=stepping)  # the next one can be typed at once
    desktop.wait_for(stepping, lambda seen: "nope" in seen["tables"]["rows"].get("watch nope", ""), "one is refused")
    desktop.press("F10")
    assert rows(stepping)["watch vec2(3.203125, 0.171875)*2."] == "vec2(6.40625, 0.34375)", "what was copied, twice"
    desktop.click_on(stepping, "remove watch nope")
    desktop.wait_for(stepping, lambda seen: "watch nope" not in seen["tables"]["rows"], "it is removed")


def test_taps_tell_value_weight_and_share(desktop: Desktop, stepping: Window) -> None:
    desktop.click_on(stepping, "panel Taps")
    desktop.move(*desktop.point_at(stepping, "product 0"))
    desktop.wait_for(stepping, lambda seen: (seen["tables"]["lit"] or [""])[0] == "image", "it lights up")
