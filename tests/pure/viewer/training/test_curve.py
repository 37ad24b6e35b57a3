"""Tests the curve of losses: where it goes back, how it is drawn, and ticks of an axis without two powers of ten."""

from __future__ import annotations

import pytest

from texelscope.viewer.training.model.training import MOST_DRAWN, LossBranch, LossCurve, few_ticks


def test_what_training_went_back_from_stays_as_a_branch() -> None:
    curve = LossCurve()
    for loss in (3.0, 2.0, 1.0):
        curve.add(loss)
    curve.go_back(1, 3.0)
    assert curve.newest == 3.0
    curve.go_back(0, None)
    curve.add(2.5)
    assert [(branch.first, branch.last) for branch in curve.branches] == [(1, 3), (1, 1)]
    assert curve.newest == 2.5
    assert curve.steps == 4


def test_a_long_curve_is_drawn_in_few_points_to_its_end() -> None:
    branch = LossBranch(11)
    for number in range(10 * MOST_DRAWN + 3):
        branch.losses.append(float(number))
    steps, losses = branch.drawn()
    assert len(steps) <= MOST_DRAWN + 1
    assert (steps[0], losses[0]) == (11, 0)
    assert (steps[-1], losses[-1]) == (branch.last, 10 * MOST_DRAWN + 2)
    assert ((steps - losses) == 11).all()


def test_limits_hold_every_loss_and_leave_out_zero_of_a_logarithmic_curve() -> None:
    curve = LossCurve()
    for loss in (0.5, 0.0, 0.05):
        curve.add(loss)
    low, high = curve.limits(logarithmic=True)
    assert 0.0 < low < 0.05
    assert high > 0.5
    assert curve.limits(logarithmic=False)[0] < 0.0


@pytest.mark.parametrize(
    ("low", "high", "texts"),
    [
        (0.47, 0.59, ["0.48", "0.50", "0.52", "0.54", "0.56", "0.58"]),
        (90.0, 310.0, ["100", "200", "300"]),
        (1.0e-9, 3.4e-9, ["1e-09", "2e-09", "3e-09"]),
    ],
)
def test_an_axis_of_less_than_a_decade_has_a_few_round_ticks(low: float, high: float, texts: list[str]) -> None:
    ticks, told = few_ticks(low, high)
    assert told == texts
    assert [float(text) for text in told] == pytest.approx(ticks)
