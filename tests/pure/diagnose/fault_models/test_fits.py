"""Numbers fitted to the errors: found to rounding, and not found where rounding is all there is."""

from __future__ import annotations

import numpy as np
import pytest

from tests.pure.diagnose.synthetic import evidence, graph, right
from texelscope.pipeline.diagnose.fault_models.fits import fitted_number, is_meant, shortened, shortest_between
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.model_edits import output_through, times


def _case(factor: float) -> FailingPass:
    made = graph()
    return FailingPass(evidence(made, right(made) * np.float32(factor)))


@pytest.mark.parametrize("factor", [0.37, 2.5, -1.25, 1.01])
def test_a_factor_is_found_with_few_digits(factor: float) -> None:
    assert fitted_number(_case(factor), lambda value: output_through(times(value)), 1.0)[0] == factor


def test_what_no_number_explains_has_none() -> None:
    made = graph()
    case = FailingPass(evidence(made, np.sin(3.0 * right(made)).astype(np.float32)))
    assert fitted_number(case, lambda value: output_through(times(value)), 1.0) == []


def test_a_number_that_rounding_makes_is_not_meant() -> None:
    assert not is_meant(1.0003517, 1.0)
    assert is_meant(0.95, 1.0)
    assert is_meant(255.0 / 256.0, 1.0)
    assert is_meant(0.40824829, 1.0)


def test_numbers_are_shortened_as_far_as_they_stay_near() -> None:
    assert shortened(0.3000001) == [0.3, 0.3000001]
    assert shortened(0.40824829, 1e-7)[0] == 0.40824829


def test_between_two_numbers_the_shortest_is_chosen() -> None:
    assert shortest_between(0.351, 0.412) == 0.4
    assert shortest_between(0.351, 0.3514) == 0.351
    assert shortest_between(-0.263, -0.21) == -0.26
