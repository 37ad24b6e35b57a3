"""Inputs: pictures, arrays and patterns, and what is said of those that are none."""

from __future__ import annotations

import contextlib
import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from PIL import Image

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.inputs.sources import PATTERNS, WHOLE_PATTERNS, load_source, read_npy, read_picture

SHAPE = (1, 3, 4, 6)


def save(path: Path, pixels: NDArray[Any]) -> str:
    Image.fromarray(pixels).save(path)
    return str(path)


def rgb(height: int = 4, width: int = 6) -> NDArray[np.uint8]:
    return np.arange(height * width * 3, dtype=np.uint8).reshape(height, width, 3)


class TestPictures:
    """Row 0 at the top, [0, 1], never resized."""

    def test_rgb(self, tmp_path: Path) -> None:
        values = load_source(save(tmp_path / "p.png", rgb()), SHAPE)
        np.testing.assert_array_equal(values[0, :, 2, 5], rgb()[2, 5] / np.float32(255))
        assert values.shape == SHAPE
        assert values.dtype == np.float32

    def test_grey_where_the_tensor_has_one_channel(self, tmp_path: Path) -> None:
        values = load_source(save(tmp_path / "p.png", rgb()[..., 0]), (4, 6))
        np.testing.assert_array_equal(values, rgb()[..., 0] / np.float32(255))

    def test_opaque_where_it_has_four(self, tmp_path: Path) -> None:
        assert (load_source(save(tmp_path / "p.png", rgb()), (1, 4, 4, 6))[0, 3] == 1).all()

    @pytest.mark.parametrize("channels", [1, 3, 4])
    def test_sixteen_bits_are_not_clipped_to_eight(self, tmp_path: Path, channels: int) -> None:
        deep = np.array([[0, 256, 65535]], np.uint16)
        values = load_source(save(tmp_path / "p.png", deep), (1, channels, 1, 3))
        np.testing.assert_array_equal(values[0, 0, 0], deep[0] / np.float32(65535))
        assert channels != 4 or (values[0, 3] == 1).all()

    def test_an_integer_tensor_gets_the_bytes(self, tmp_path: Path) -> None:
        values = load_source(save(tmp_path / "p.png", rgb()), SHAPE, dtype="uint8")
        np.testing.assert_array_equal(values[0], np.moveaxis(rgb(), 2, 0))

    def test_another_size_is_refused_with_both(self, tmp_path: Path) -> None:
        message = (
            r"input 'image' \(p\.png\): expected a picture of 6x4 \(width x height\), got 7x5\. "
            r"Ask for fit:p\.png, which scales it to cover that, or for its own size: --shape image=1,3,5,7\."
        )
        with pytest.raises(TexelscopeError, match=message):
            load_source(save(tmp_path / "p.png", rgb(5, 7)), SHAPE, name="image")

    def test_to_fit_it_is_scaled_as_it_is_until_it_covers_and_cut_evenly(self, tmp_path: Path) -> None:
        wide = np.repeat(np.arange(12, dtype=np.uint8)[None, :, None] * 20, 4, axis=0).repeat(3, axis=2)  # 4 high
        values = load_source(f"fit:{save(tmp_path / 'p.png', wide)}", SHAPE)
        np.testing.assert_allclose(values[0, 0, 0] * 255, wide[0, 3:9, 0], atol=0.01)  # three columns off each side
        deep = np.full((2, 2), 65535, np.uint16)
        assert load_source(f"fit:{save(tmp_path / 'd.png', deep)}", (1, 1, 4, 6)).min() == pytest.approx(1.0)
        with pytest.raises(TexelscopeError, match=r"got 'fit:a\.npy'"):
            load_source("fit:a.npy", SHAPE)

    @pytest.mark.parametrize("shape", [(2, 3, 4, 6), (1, 5, 4, 6), (6,)])
    def test_a_tensor_that_is_no_picture_cannot_be_one(self, tmp_path: Path, shape: tuple[int, ...]) -> None:
        with pytest.raises(TexelscopeError, match="got a picture, which has 1, 3 or 4 channels"):
            load_source(save(tmp_path / "p.png", rgb()), shape)

    def test_a_missing_one_is_told(self) -> None:
        with pytest.raises(TexelscopeError, match=r"input 'input' \(no\.png\): expected a picture, got no such file"):
            load_source("no.png", SHAPE)

    @pytest.mark.parametrize("content", [b"", b"no picture", b"\x89PNG\r\n\x1a\n" + bytes(30)])
    def test_one_that_is_broken_is_told(self, tmp_path: Path, content: bytes) -> None:
        (tmp_path / "p.png").write_bytes(content)
        with pytest.raises(
            TexelscopeError, match=r"\(p\.png\): expected a readable picture, got .*Save it again as PNG"
        ):
            load_source(str(tmp_path / "p.png"), SHAPE)


class TestArrays:
    """The .npy format, as data."""

    def saved(self, path: Path, array: NDArray[Any]) -> str:
        np.save(path / "a.npy", array, allow_pickle=True)
        return str(path / "a.npy")

    @pytest.mark.parametrize("dtype", [np.float32, np.float64, np.float16, np.int16, np.uint8, np.bool_])
    def test_any_real_type(self, tmp_path: Path, dtype: type) -> None:
        array: NDArray[Any] = np.arange(6).reshape(2, 3).astype(dtype)
        np.testing.assert_array_equal(load_source(self.saved(tmp_path, array), (2, 3)), array.astype(np.float32))

    def test_a_scalar_stays_one(self, tmp_path: Path) -> None:
        assert load_source(self.saved(tmp_path, np.float32(2.5)), ()).shape == ()  # type: ignore[arg-type]

    def test_another_shape_is_refused_with_both(self, tmp_path: Path) -> None:
        message = r"input 'x' \(a\.npy\): expected shape \[2, 3\], got \[3, 2\]\. .*--shape x=3,2\."
        with pytest.raises(TexelscopeError, match=message):
            load_source(self.saved(tmp_path, np.zeros((3, 2))), (2, 3), name="x")

    def test_objects_are_never_unpickled(self, tmp_path: Path) -> None:
        with pytest.raises(TexelscopeError, match=r"expected real numbers, got object\. Convert"):
            load_source(self.saved(tmp_path, np.array([{}, {}])), (2,))

    def test_complex_numbers_are_refused(self, tmp_path: Path) -> None:
        with pytest.raises(TexelscopeError, match=r"expected real numbers, got complex128\. Convert it to float32"):
            load_source(self.saved(tmp_path, np.zeros(2, complex)), (2,))

    def test_nan_and_infinity_are_told_with_their_place(self, tmp_path: Path) -> None:
        array = np.zeros((2, 3))
        array[1, 2], array[0, 1] = np.nan, np.inf
        message = r"input 'x' \(.*a\.npy\): expected finite numbers, got 2 NaN or infinite ones, the first at \[0, 1\]"
        with pytest.raises(TexelscopeError, match=message):
            load_source(self.saved(tmp_path, array), (2, 3), name="x")

    def test_a_double_beyond_float32_is_an_infinity(self, tmp_path: Path) -> None:
        with pytest.raises(TexelscopeError, match=r"expected finite numbers, got 1 NaN or infinite ones"):
            load_source(self.saved(tmp_path, np.array([1e300])), (1,))

    def test_a_missing_one_is_told(self) -> None:
        with pytest.raises(TexelscopeError, match=r"\(no\.npy\): expected an .npy file, got no such file"):
            load_source("no.npy", (1,))

    def test_more_claimed_than_there_is(self, tmp_path: Path) -> None:
        path = Path(self.saved(tmp_path, np.zeros((100, 100), np.float32)))
        path.write_bytes(path.read_bytes()[:200])
        message = r"expected data of shape \[100, 100\], got 200 bytes\. Save it again with numpy\.save"
        with pytest.raises(TexelscopeError, match=message):
            load_source(str(path), (100, 100))


class TestPatterns:
    """Inputs that need no file."""

    @pytest.mark.parametrize("pattern", PATTERNS)
    @pytest.mark.parametrize("dtype", ["float32", "bool", "int2", "int4", "uint2", "int8", "uint8", "int64"])
    def test_every_one_fills_every_shape_with_what_the_type_holds(self, pattern: str, dtype: str) -> None:
        for shape in ((), (5,), (2, 3), SHAPE, (2, 1, 3, 2, 2)):
            values = load_source(pattern, shape, dtype=dtype)
            assert values.shape == shape
            assert values.dtype == np.float32
            assert np.isfinite(values).all()
            if dtype != "float32":
                np.testing.assert_array_equal(values, values.astype(np.dtype(dtype)).astype(np.float32))

    def test_a_seed_gives_the_same_numbers_again(self) -> None:
        np.testing.assert_array_equal(load_source("random:7", SHAPE), load_source("random:7", SHAPE))
        assert (load_source("random:7", SHAPE) != load_source("random:8", SHAPE)).any()

    def test_whole_noise_is_not_all_zero(self) -> None:
        made = {name: load_source(name, SHAPE, dtype="int8") for name in WHOLE_PATTERNS}
        assert all(values.any() for values in made.values())

    def test_a_file_called_like_a_pattern_is_read(self, tmp_path: Path) -> None:
        (tmp_path / "ramp").write_bytes(b"")
        with pytest.raises(TexelscopeError, match=r"expected a picture, an .npy file or a test pattern, got 'ramp'"):
            load_source("ramp", (2,), folder=tmp_path)

    @pytest.mark.parametrize(
        ("source", "message"),
        [
            ("rondom:7", r"expected a picture, an .npy file or a test pattern, got 'rondom:7'\. Did you mean 'random'"),
            ("", "expected a picture, an .npy file or a test pattern, got ''"),
            ("random:x", r"expected a whole number after the colon, got 'x'\. For example random:7\."),
            ("random:" + "9" * 5000, "expected a whole number after the colon, got '999"),
            ("random:-1", r"expected a seed of at least 0, got -1\."),
            ("one-hot:72", r"expected an element index from 0 to 71, got 72\. Choose another one"),
            ("one-hot:-1", "expected an element index from 0 to 71, got -1"),
            ("one-channel:3", r"expected a channel from 0 to 2, got 3\. Choose another one"),
        ],
    )
    def test_what_is_none_is_told(self, source: str, message: str) -> None:
        with pytest.raises(TexelscopeError, match=f"input 'input': {message}"):
            load_source(source, SHAPE)

    def test_a_ramp_differs_everywhere(self) -> None:
        assert len(np.unique(load_source("ramp", (1, 16, 64, 64)))) == 1 << 16

    def test_one_hot_and_one_channel_are_where_they_say(self) -> None:
        assert np.flatnonzero(load_source("one-hot:5", SHAPE)).tolist() == [5]
        assert load_source("one-channel:2", SHAPE).sum(axis=(0, 2, 3)).tolist() == [0, 0, 24]

    def test_a_checker_has_squares_of_the_side(self) -> None:
        assert load_source("checker:2", (1, 1, 4, 4))[0, 0].tolist() == [
            [0, 0, 1, 1],
            [0, 0, 1, 1],
            [1, 1, 0, 0],
            [1, 1, 0, 0],
        ]
        assert not load_source("checker:99999999999", SHAPE).any()


@pytest.mark.parametrize(
    ("dtype", "value", "message"),
    [
        ("int8", 128, r"whole numbers from -128 to 127, of int8, got 128 at \[1\]\. Round or scale them"),
        ("uint8", -1, "whole numbers from 0 to 255, of uint8, got -1"),
        ("int64", 0.5, "whole numbers from -9223372036854775808 to 9223372036854775807, of int64, got 0.5"),
        ("bool", 2, "whole numbers from 0 to 1, of bool, got 2"),
    ],
)
def test_numbers_that_the_type_does_not_hold_are_refused(
    tmp_path: Path, dtype: str, value: float, message: str
) -> None:
    np.save(tmp_path / "a.npy", np.array([0, value]))
    with pytest.raises(TexelscopeError, match=message):
        load_source(str(tmp_path / "a.npy"), (2,), dtype=dtype)


def _png() -> bytes:
    buffer = io.BytesIO()
    Image.fromarray(rgb()).save(buffer, "PNG")
    return buffer.getvalue()


def _npy() -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, np.zeros(SHAPE, np.float32))
    return buffer.getvalue()


WHOLE = {
    ".png": _png(),
    ".npy": _npy(),
    ".bmp": b"BM" + bytes(60),
    ".tiff": b"II*\0" + bytes(60),
    ".gif": b"GIF89a" + bytes(40),
}


@settings(max_examples=60)
@given(data=st.data())
@pytest.mark.parametrize("suffix", WHOLE)
def test_no_damage_gets_past_the_one_line_error(
    tmp_path_factory: pytest.TempPathFactory, suffix: str, data: st.DataObject
) -> None:
    content = WHOLE[suffix]
    damaged = bytearray(content)
    for place in data.draw(st.lists(st.integers(0, min(len(content) - 1, 160)), min_size=1, max_size=6)):
        damaged[place] = data.draw(st.integers(0, 255))
    path = tmp_path_factory.getbasetemp() / f"damaged{suffix}"
    path.write_bytes(damaged[: data.draw(st.integers(0, len(content)))] if data.draw(st.booleans()) else damaged)
    with contextlib.suppress(TexelscopeError):
        (read_npy if suffix == ".npy" else read_picture)(path, SHAPE)
