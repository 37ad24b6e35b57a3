"""Every pass computes what its function in shaders/oracle.py says, and the same numbers as when the golden was made."""

import numpy as np
import pytest

PIPELINE = "shaders/pipeline.toml"


def test_every_pass_is_right(texelscope_check):
    """Compares each pass with its function; `trust` lets oracle.py of this repository run."""
    texelscope_check(PIPELINE, trust=True)


@pytest.mark.parametrize("image", ["ramp", "checker:4", "zeros", "normal:7"])
def test_every_pass_is_right_for_other_images(texelscope_check, image):
    """Compares on patterns that show borders, steps, nothing, and numbers below zero."""
    texelscope_check(PIPELINE, trust=True, inputs={"image": image})


def test_the_numbers_are_those_of_the_golden(texelscope_check):
    """Compares with a saved run: `pytest --texelscope-update-goldens` saves another one."""
    texelscope_check(PIPELINE, trust=True, golden="tests/goldens/unsharp_mask.npz")


@pytest.fixture(scope="module")
def flat(module_texelscope_session):
    """Runs the passes on an image that is 0.5 everywhere, once for all tests of this file."""
    image = np.full((1, 4, 16, 16), 0.5, dtype=np.float32)
    return module_texelscope_session(PIPELINE, inputs={"image": image})


class TestFlatImage:
    """What holds for an image of one colour."""

    def test_it_stays_flat(self, flat):
        """A mean of equal values is that value, and nothing is taken away from it."""
        assert np.allclose(flat.tensor("sharp"), 0.5, atol=1e-6)

    def test_every_tensor_is_there(self, flat):
        """A session holds what each pass wrote, in its logical shape."""
        assert [flat.tensor(name).shape for name in ("across", "down", "sharp")] == 3 * [(1, 4, 16, 16)]
