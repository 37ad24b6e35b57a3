"""What a tensor is, without what can be done with it: its texture, its type, and what it was made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.graph import Shape
from texelscope.pipeline.inputs.values import check_held
from texelscope.pipeline.target import AUTO
from texelscope.pipeline.tensors.running.call import OperatorCall
from texelscope.pipeline.tensors.running.device import TensorDevice, default_device
from texelscope.pipeline.tensors.running.pool import PooledTexture

# Element types of tensors: real numbers, whole ones, truth.
REAL = "float32"
_TYPES = {"f": REAL, "i": "int64", "u": "int64", "b": "bool"}
_WHOLE = ("int64", "int32", "bool")


@dataclass(eq=False)
class RecordedCall:
    """A call that ran, for the way back: what it read and made, and where each input that wants a gradient is from.

    `parents` are by input a leaf, or the call and the place among its outputs. `order` grows from call to call. What
    was read is let go of once the way back was gone.
    """

    order: int
    call: OperatorCall
    device: TensorDevice
    inputs: tuple[PooledTexture | None, ...]
    outputs: tuple[PooledTexture, ...]
    parents: tuple[Core | tuple[RecordedCall, int] | None, ...]
    is_spent: bool = False

    def spend(self) -> None:
        """Lets go of all tensors."""
        self.inputs, self.outputs, self.parents, self.is_spent = (), (), (), True


class Core:
    """A tensor in a texture.

    `array` is anything that numpy takes; real numbers become float32, whole ones int64 (int32 stays). `layout` is the
    name of a layout, or "auto". Raises TexelscopeError for numbers that a texture does not hold, and for an empty one.
    """

    # Numpy leaves operators with an array on their left to the tensor.
    __array_ufunc__: ClassVar[None] = None

    def __init__(
        self, array: ArrayLike, *, layout: str = AUTO, requires_grad: bool = False, device: TensorDevice | None = None
    ) -> None:
        values, dtype = _numbers(array)
        device = default_device() if device is None else device
        self._take(device.hold(values, dtype, layout), device, layout)
        self.requires_grad = requires_grad

    def _take(self, held: PooledTexture, device: TensorDevice, layout: str) -> None:
        self._held = held
        self._device = device
        self._layout = layout
        self._requires_grad = False
        self._origin: tuple[RecordedCall, int] | None = None
        self._grad: Self | None = None

    def like(self, held: PooledTexture) -> Self:
        """Another tensor of this device and layout, with the numbers of `held`."""
        made = type(self).__new__(type(self))
        made._take(held, self._device, self._layout)
        return made

    # -- what it is ------------------------------------------------------------------------------------------

    @property
    def held(self) -> PooledTexture:
        """Its texture. Raises TexelscopeError for a released tensor."""
        if self._held.is_released or self._device.is_released:
            what = "device" if self._device.is_released else "tensor"
            raise TexelscopeError("Tensor", "one with a texture", f"one whose {what} was released", "Make it anew.")
        return self._held

    @property
    def device(self) -> TensorDevice:
        """Where it is."""
        return self._device

    @property
    def layout(self) -> str:
        """The layout that was asked for, by name; results take it over."""
        return self._layout

    @property
    def shape(self) -> Shape:
        """Its sizes."""
        return self._held.stored.shape

    @property
    def ndim(self) -> int:
        """Number of axes."""
        return len(self._held.stored.shape)

    @property
    def size(self) -> int:
        """Number of elements."""
        return int(np.prod(self.shape, dtype=np.int64))

    @property
    def dtype(self) -> str:
        """Name of the element type: float32, int64, int32 or bool."""
        return self._held.stored.dtype

    def __len__(self) -> int:
        if not self.shape:
            raise TexelscopeError("len()", "a tensor with an axis", "one without", "Use its size.")
        return self.shape[0]

    def __repr__(self) -> str:
        if self._held.is_released or self._device.is_released:
            return f"Tensor(released, shape={list(self.shape)})"
        ends = ", requires_grad=True" if self.requires_grad else ""
        return f"Tensor({np.array2string(self.numpy(), separator=', ', prefix='Tensor(')}{ends})"

    # -- its numbers -----------------------------------------------------------------------------------------

    def numpy(self) -> NDArray[Any]:
        """Its numbers, read back, as an array of its type. Raises TexelscopeError for a released tensor."""
        values = self._device.read(self.held)
        return values if self.dtype == REAL else values.astype(self.dtype)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:  # noqa: FBT001 - numpy's
        return self.numpy() if dtype is None else self.numpy().astype(dtype)

    def item(self) -> float | int | bool:
        """Its one number. Raises TexelscopeError where it has several."""
        if self.size != 1:
            raise TexelscopeError("item()", "a tensor of one element", str(list(self.shape)), "Use numpy().")
        found: float | int | bool = self.numpy().reshape(()).item()
        return found

    def __float__(self) -> float:
        return float(self.item())

    def __int__(self) -> int:
        return int(self.item())

    def __index__(self) -> int:
        if self.dtype not in ("int32", "int64"):
            raise TexelscopeError("index", "a whole number", self.dtype, "Convert it with long().")
        return int(self.item())

    def __complex__(self) -> complex:
        return complex(self.item())

    def __bool__(self) -> bool:
        return bool(self.item())

    def release(self) -> None:
        """Gives its texture back before its time; recorded calls that read it cannot be gone back through then."""
        self._held.release()

    def to_device(self, device: TensorDevice, /, *, stream: None = None) -> Self:
        """The same numbers on that device; itself where it is."""
        if device is self._device:
            return self
        return type(self)(self.numpy(), layout=self._layout, device=device)

    def __dlpack__(self, **wishes: Any) -> Any:
        return self.numpy().__dlpack__(**wishes)

    def __dlpack_device__(self) -> tuple[int, int]:
        """That of numpy: numbers are handed on as they are read back."""
        return (1, 0)

    # -- gradients -------------------------------------------------------------------------------------------

    @property
    def requires_grad(self) -> bool:
        """Whether a backward pass gives it a gradient, or goes through it."""
        return self._requires_grad

    @requires_grad.setter
    def requires_grad(self, value: bool) -> None:
        if value and self.dtype != REAL:
            raise TexelscopeError("requires_grad", "a tensor of real numbers", self.dtype, "Convert it with float().")
        self._requires_grad = value

    @property
    def is_leaf(self) -> bool:
        """Whether nothing recorded has made it."""
        return self._origin is None

    @property
    def origin(self) -> tuple[RecordedCall, int] | None:
        """The recorded call that made it, and which of its outputs it is."""
        return self._origin

    def made_by(self, recorded: RecordedCall, position: int) -> None:
        """Notes where it is from."""
        self._origin = (recorded, position)
        self._requires_grad = True

    @property
    def grad(self) -> Self | None:
        """What backward passes have given it so far, summed; None before the first."""
        return self._grad

    @grad.setter
    def grad(self, value: Self | None) -> None:
        if value is not None and value.shape != self.shape:
            raise TexelscopeError("grad", f"shape {list(self.shape)}", str(list(value.shape)), "Reshape it.")
        self._grad = value

    def zero_grad(self) -> None:
        """Forgets its gradient."""
        self._grad = None

    def detach(self) -> Self:
        """The same numbers, of which no backward pass knows where they are from."""
        return self.like(self.held)

    def put(self, other: Core) -> None:
        """Takes over the numbers of another tensor of its shape and type, and where they are from."""
        if (other.shape, other.dtype) != (self.shape, self.dtype):
            expected = f"{self.dtype}{list(self.shape)}"
            raise TexelscopeError("assign", expected, f"{other.dtype}{list(other.shape)}", "Reshape or convert it.")
        self._held = other.held
        if not self.is_leaf or other._origin is not None:
            self._origin, self._requires_grad = other._origin, other._requires_grad


def _numbers(array: ArrayLike) -> tuple[NDArray[Any], str]:
    """The numbers that a texture holds, and the tensor's type."""
    values = np.asarray(array.numpy() if isinstance(array, Core) else array)
    dtype = _TYPES.get(values.dtype.kind, "") if values.dtype != np.int32 else "int32"
    if not dtype:
        raise TexelscopeError("Tensor", "real or whole numbers", f"{values.dtype}", "Textures hold floats.")
    if dtype in _WHOLE:
        check_held(values, "tensor", dtype)
    return values, dtype
