"""Lists the parts of the standard that tensors lack, and why."""

from __future__ import annotations

from collections.abc import Mapping

_TYPES = "a texture holds floats of 32 bits, and whole numbers up to 2^24"
_COMPLEX = "there are no complex numbers"

NOT_HERE: Mapping[str, str] = {
    **dict.fromkeys(("int8", "int16", "uint8", "uint16", "uint32", "uint64", "float64"), _TYPES),
    **dict.fromkeys(("complex64", "complex128", "conj", "imag", "real"), _COMPLEX),
    "iinfo": "says what a texture holds, 2^24, not what the type's name promises",
    "nextafter": "no operator knows the bits of a float",
    **dict.fromkeys(("linalg", "fft"), "an extension, which a library need not have"),
}
