"""Colours that do not lie: finite ranges by layer, pictures as pictures, maps with a legend, values as text."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from tests.gui.desktop import Desktop, Window, all_match
from texelscope.pipeline.export import colour_maps

# Rows and columns of the photo; in channel_tiles its three channels are tiles of 2 by 2.
HEIGHT, WIDTH = 24, 32
# The last element of the last channel, which is 1: away from labels, a small texture's cover much of it.
BRIGHT = (WIDTH - 1, 2 * HEIGHT - 1)
# Texels of `odd` that its shader spoils, in the order of their elements.
ODD = [[5, 3], [40, 7], [10, 30]]
SHADER = """#version 330 core
uniform sampler2D u_image;
out float y;
void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    float x = texelFetch(u_image, at, 0).r;
    y = BODY;
}
"""
# Of one channel, eight values above 1 in the lower row, and eight below 0 beside them.
SHARP = "at.y < 22 || at.y > 23 || at.x < 12 || at.x > 19 ? x : at.x < 16 ? -0.3 : 1.4"
SPOILT = """at == ivec2(5, 3) || at == ivec2(40, 7) ? uintBitsToFloat(0x7fc00000u)
      : at == ivec2(10, 30) ? uintBitsToFloat(0x7f800000u) : max(x - 0.5, 0.0)"""


def photo() -> np.ndarray:
    """Blocks of 8 by 8 pixels, uint8 [row, column, RGB], of which no two channels are alike."""
    blocks = np.random.default_rng(5).integers(0, 256, (HEIGHT // 8, WIDTH // 8, 3)).astype(np.uint8)
    blocks[0, 0], blocks[-1, -1] = (255, 128, 0), (0, 200, 255)
    return np.kron(blocks, np.ones((8, 8, 1), dtype=np.uint8))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("work")
    shape = f'{{ shape = [1, 3, {HEIGHT}, {WIDTH}], layout = "channel_tiles" }}'
    passes = "".join(
        f'[[pass]]\nname = "{name}"\nshader = "{name}.frag"\noutput = {shape}\ntextures.u_image = "photo"\n'
        for name in ("odd", "sharp", "signed")
    )
    (made / "pipeline.toml").write_text(
        '[pipeline]\noracle = "oracle.py"\n'
        f'[[input]]\nname = "photo"\nshape = [1, 3, {HEIGHT}, {WIDTH}]\nsource = "photo.png"\n'
        f'layout = "channel_tiles"\n{passes}',
        encoding="utf-8",
    )
    (made / "oracle.py").write_text(
        "def odd(photo):\n    return (photo > 0.5) * (photo - 0.5)\n\ndef signed(photo):\n    return 2 * photo - 1\n\n"
        "def sharp(photo):\n    photo = photo.copy()\n    photo[:, 0, 22:24, 12:16] = -0.3\n"
        "    photo[:, 0, 22:24, 16:20] = 1.4\n    return photo\n",
        encoding="utf-8",
    )
    (made / "odd.frag").write_text(SHADER.replace("BODY", SPOILT), encoding="utf-8")
    (made / "sharp.frag").write_text(SHADER.replace("BODY", SHARP), encoding="utf-8")
    (made / "signed.frag").write_text(SHADER.replace("BODY", "2.0 * x - 1.0"), encoding="utf-8")
    Image.fromarray(photo()).save(made / "photo.png")
    return made


@pytest.fixture(scope="module")
def window(desktop: Desktop, folder: Path) -> Iterator[Window]:
    """One window for all tests of the module, which go on in it one after the other: each stroke is drawn."""
    window = desktop.start(folder / "pipeline.toml", "--trust", folder=folder)
    desktop.wait_for(window, lambda seen: len(seen.get("verdicts", ())) == 3, "all passes are compared")
    desktop.resize(window, 1280, 760)  # few pixels, which a software driver draws for each stroke
    desktop.wait_for(window, lambda seen: seen["diagnosing"] is not None, "the odd pass is looked into")
    desktop.press("Escape", "f")  # nobody waits for it here
    yield window
    window.close()


def show(desktop: Desktop, window: Window, layer: str) -> None:
    seen = window.seen()
    steps = seen["layers"].index(layer) - seen["layers"].index(seen["selected"])
    desktop.press(*["ctrl+Right" if steps > 0 else "ctrl+Left"] * abs(steps))
    desktop.wait_for(window, lambda seen: seen["selected"] == layer and seen["settled"], f"{layer} is shown")


def is_coloured(desktop: Desktop, window: Window, texel: tuple[int, int], colour: Any) -> bool:
    """Whether a texel has a colour of 0 to 255, on the screen."""
    return bool(np.abs(np.array(desktop.colour_at(*window.place_of(*texel))) - np.array(colour)).max() <= 1)


def is_picked(texel: list[int]) -> Callable[[dict[str, Any]], bool]:
    return lambda seen: bool(seen["pick"] == texel)


def map_colour(name: str, share: float) -> Any:
    return np.rint(255 * colour_maps.table(name)[round(share * (colour_maps.STEPS - 1))])


def test_what_is_not_finite_is_counted_gone_to_and_no_range(desktop: Desktop, window: Window) -> None:
    show(desktop, window, "odd")
    assert window.seen()["odd"] == [2, 1]
    assert window.seen()["limits"] == [0, 0.5]
    for texel in (*ODD, ODD[0]):
        desktop.click_on(window, "not finite")
        desktop.wait_for(window, is_picked(texel), f"{texel} is picked")
    desktop.press("3", "f")
    desktop.wait_for(window, lambda seen: seen["mode"] == "difference" and seen["settled"], "differences are shown")
    assert window.seen()["odd"] == [2, 1]
    assert max(window.seen()["limits"]) < 1e-5, "the finite differences are none"
    assert is_coloured(desktop, window, (20, 12), map_colour("signed", 0.5)), "a right texel looks right"
    desktop.press("1")


def test_ranges_are_typed_kept_by_layer_and_follow_again(desktop: Desktop, window: Window) -> None:
    show(desktop, window, "odd")
    desktop.click_on(window, "range high", times=2)
    desktop.write("0.25")
    desktop.press("Return")
    desktop.wait_for(window, lambda seen: seen["range"] == [0, 0.25], "the typed value is the last colour's")
    assert is_coloured(desktop, window, BRIGHT, map_colour("unsigned", 1.0)), "0.5 is beyond it"
    show(desktop, window, "signed")
    assert window.seen()["range"] is None, "another layer follows its own data"
    show(desktop, window, "odd")
    assert window.seen()["range"] == [0, 0.25]
    desktop.click_on(window, "range low", times=2)
    desktop.write("nan")
    desktop.press("Return")
    desktop.wait_for(
        window, lambda seen: "expected a finite number" in "".join(seen["log"]), "no range begins with NaN"
    )
    assert window.seen()["range"] == [0, 0.25]
    desktop.click_on(window, "range auto")
    desktop.wait_for(window, lambda seen: seen["range"] is None and seen["limits"] == [0, 0.5], "it follows again")


def test_the_legend_offers_maps_and_gives_way(desktop: Desktop, window: Window) -> None:
    desktop.click_on(window, "legend")
    desktop.click_on(window, "map magma")
    desktop.wait_for(window, lambda seen: seen["map"] == "magma" and seen["settled"], "another map is chosen")
    assert is_coloured(desktop, window, BRIGHT, map_colour("magma", 1.0))
    wide = window.seen()["places"]["canvas"][2]
    desktop.press("y")
    desktop.wait_for(window, lambda seen: seen["places"]["canvas"][2] > wide, "the texture has its room")
    desktop.press("y", "m")
    desktop.wait_for(window, lambda seen: seen["map"] not in ("unsigned", "magma"), "a key takes the next map")


def test_an_input_is_seen_as_the_picture_that_it_is(desktop: Desktop, window: Window) -> None:
    pixels = photo()
    show(desktop, window, "photo")
    assert (window.seen()["shown_as"], window.seen()["limits"]) == ("picture", [0, 1])
    for x, y in ((3, 6), (28, 20), (12, 12)):
        assert is_coloured(desktop, window, (x, y), pixels[y, x])
    desktop.move(*window.place_of(28, 20))
    desktop.wait_for(window, lambda seen: seen["hover"] == [28, 20], "a texel is pointed at")
    lanes = window.seen()["readout"]["lanes"][:3]
    assert [lane["index"] for lane in lanes] == [[0, channel, 20, 28] for channel in range(3)]
    assert [lane["actual"] for lane in lanes] == pytest.approx(pixels[20, 28] / 255)
    desktop.click_on(window, "picture R", times=2)
    desktop.write("2")
    desktop.press("Return")
    desktop.move(*window.place_of(0, 0))
    desktop.wait_for(window, lambda seen: seen["settled"], "another channel is red")
    assert is_coloured(desktop, window, (3, 6), pixels[6, 3][[2, 1, 2]])
    desktop.click_on(window, "picture grey")
    desktop.wait_for(window, lambda seen: "picture B" not in seen["places"] and seen["settled"], "one is grey")
    assert is_coloured(desktop, window, (3, 6), pixels[6, 3][[2, 2, 2]])
    desktop.press("i")
    desktop.wait_for(window, lambda seen: seen["shown_as"] == "channel_tiles", "it is shown as stored")
    desktop.click_on(window, "shown as")
    desktop.click_on(window, "shown as picture")
    desktop.wait_for(window, lambda seen: seen["shown_as"] == "picture", "it is a picture again")
    desktop.click_on(window, "picture grey")
    desktop.wait_for(window, lambda seen: "picture B" in seen["places"] and seen["settled"], "in colours")
    desktop.click(*window.place_of(13, 9))
    desktop.press("ctrl+c")
    value = ", ".join(str(np.float32(each / np.float32(255))) for each in pixels[9, 13])
    desktop.wait_for(
        window, lambda seen: any(each.endswith(f"Copied the value: {value}") for each in seen["log"]), "it is copied"
    )


def test_an_output_from_minus_1_to_1_is_a_picture_on_both_sides(desktop: Desktop, window: Window) -> None:
    pixels = photo()
    show(desktop, window, "signed")
    assert (window.seen()["shown_as"], window.seen()["limits"]) == ("picture", [-1, 1])
    for keys, texel in (((), (3, 6)), (("2",), (28, 20)), (("5",), (28, 20))):
        desktop.press(*keys)
        assert is_coloured(desktop, window, texel, pixels[texel[1], texel[0]])
    desktop.press("3")
    assert is_coloured(desktop, window, (3, 6), (127, 127, 127)), "no difference is grey"
    desktop.press("1", "shift+i")
    linear = (pixels[20, 12] / 255.0).astype(np.float64)
    encoded = np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)
    desktop.wait_for(window, lambda seen: seen["settled"], "values are amounts of light")
    assert is_coloured(desktop, window, (12, 20), np.rint(encoded * 255))
    desktop.press("shift+i")


def test_a_picture_that_overshoots_is_shown_from_0_to_1_with_marks_on_what_is_outside(
    desktop: Desktop, window: Window
) -> None:
    above, below = (255, 115, 0), (51, 191, 255)
    show(desktop, window, "sharp")
    desktop.press("i")
    desktop.wait_for(window, lambda seen: seen["shown_as"] == "picture" and seen["settled"], "it is a picture")
    assert window.seen()["limits"] == [0, 1]
    assert window.seen()["outside"] == [8, 8]
    assert is_coloured(desktop, window, (3, 6), photo()[6, 3]), "what is inside keeps its colour"
    assert {above: has_mark(desktop, window, (16, 22), above), below: has_mark(desktop, window, (12, 22), below)} == {
        above: True, below: True
    }  # fmt: skip
    for texel in ([12, 22], [13, 22]):
        desktop.click_on(window, "outside")
        desktop.wait_for(window, is_picked(texel), f"{texel} is picked")
    desktop.press("f", "shift+n")
    desktop.wait_for(window, lambda seen: seen["settled"], "marks are off")
    assert not has_mark(desktop, window, (16, 22), above)
    desktop.press("shift+n", "i")


def has_mark(desktop: Desktop, window: Window, texel: tuple[int, int], colour: tuple[int, int, int]) -> bool:
    """Whether some pixels of a texel have a colour, but not all."""
    x, y = window.place_of(*texel)
    half = int(window.seen()["zoom"] / 2)
    square = np.array(desktop.screenshot().crop((x - half, y - half, x + half, y + half)))
    return bool(0.0 < (np.abs(square - np.array(colour)).max(axis=2) <= 1).mean() < 0.9)


def test_a_right_click_copies_sets_a_range_locks_and_exports(desktop: Desktop, window: Window, folder: Path) -> None:
    show(desktop, window, "odd")
    desktop.click(*window.place_of(45, 19), button=3)
    desktop.click_on(window, "texel copy_texel")
    desktop.press("Left", "ctrl+g", "ctrl+v", "Return")
    desktop.wait_for(window, lambda seen: seen["pick"] == [45, 19], "what was copied is gone to")
    desktop.press("f")
    desktop.click(*window.place_of(45, 19), button=3)
    desktop.click_on(window, "texel range_of_tile")
    tile = photo()[..., 1] / 255.0 - 0.5
    wanted = [0, pytest.approx(tile.max(), abs=1e-6)]
    desktop.wait_for(window, lambda seen: seen["range"] == wanted, "the range is that of channel 1")
    desktop.click(*window.place_of(45, 19), button=3)
    desktop.click_on(window, "texel lock")
    desktop.wait_for(window, lambda seen: seen["views"] == [None, "odd"] and seen["settled"], "it has a tab")
    show(desktop, window, "signed")  # in the tab that follows, behind this one
    desktop.click(*window.place_of(45, 19), button=3)
    desktop.click_on(window, "texel go_to_maker")
    desktop.wait_for(window, lambda seen: seen["selected"] == "odd" and seen["settled"], "its pass is selected")
    desktop.click(*window.place_of(45, 19), button=3)
    desktop.click_on(window, "texel export")
    saved = folder / "out" / folder.name / "odd_actual.png"
    desktop.wait_until(saved.exists, "the view is written", window=window)
    left, top, width, height = window.seen()["places"]["as seen"]
    x, y = window.place_of(50, 4)  # of channel 1 in the upper right corner
    with Image.open(saved) as picture:
        assert picture.size == (round(width), round(height)), "with its legend"
        pixel = picture.getpixel((x - round(left), y - round(top)))
    assert is_coloured(desktop, window, (50, 4), pixel), "what is written is what is seen"
    share = max(tile[4, 50 - WIDTH], 0.0) / tile.max()
    assert np.abs(np.array(pixel) - map_colour(window.seen()["map"], share)).max() <= 2


def test_nothing_went_wrong_meanwhile(window: Window) -> None:
    assert not all_match(window.seen()), "the odd pass is wrong"
    assert not [line for line in window.seen()["log"] if line.startswith("error") and "failed" in line]
