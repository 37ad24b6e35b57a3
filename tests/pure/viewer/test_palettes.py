"""Both looks can be read: words stand out from what they are written on by 4.5 to 1."""

from __future__ import annotations

import pytest

from texelscope.viewer.palettes import CHOSEN_GROUNDS, DARK, GROUNDS, LIGHT, LOOKS, WRITTEN, Look, contrast

READABLE, SEEN = 4.5, 3.0


def test_contrast_is_that_of_the_standard() -> None:
    black, white, grey = (0.0, 0.0, 0.0, 1.0), (1.0, 1.0, 1.0, 1.0), (119 / 255, 119 / 255, 119 / 255, 1.0)
    assert contrast(black, white) == pytest.approx(21.0)
    assert contrast(grey, white) == pytest.approx(4.48, abs=0.01)


def test_both_looks_have_every_colour() -> None:
    assert DARK.keys() == LIGHT.keys()


@pytest.mark.parametrize("look", LOOKS)
def test_words_can_be_read_on_whatever_they_stand(look: Look) -> None:
    colours = LOOKS[look]
    pairs = [(ink, ground) for ink in WRITTEN for ground in GROUNDS]
    pairs += [("text", ground) for ground in CHOSEN_GROUNDS] + [("faint", "panel")]
    poor = {pair: found for pair in pairs if (found := contrast(*(colours[each] for each in pair))) < READABLE}
    assert poor == {}


@pytest.mark.parametrize("look", LOOKS)
def test_lines_of_a_plot_are_seen(look: Look) -> None:
    colours = LOOKS[look]
    for ink in ("orange", "cyan", "violet", "warning", "good", "current"):
        assert contrast(colours[ink], colours["background"]) >= SEEN
