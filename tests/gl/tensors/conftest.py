"""One device for all tests of tensors, on the context that tests share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import moderngl
import pytest

from tests.gl.watched_contexts import make_current
from texelscope.pipeline.tensors import Device, Tensor

Make = Callable[..., Tensor]


@pytest.fixture(scope="package")
def device(gl: moderngl.Context) -> Iterator[Device]:
    with Device(gl) as device:
        yield device
        make_current(gl)  # a test may have left another one current


@pytest.fixture
def tensor(device: Device) -> Make:
    """Makes a tensor of the device."""

    def make(array: Any, **options: Any) -> Tensor:
        return Tensor(array, device=device, **options)

    return make
