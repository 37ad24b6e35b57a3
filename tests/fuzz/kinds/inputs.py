"""Pictures and arrays that go into an input: bytes changed, headers that lie, pipes, links, sizes beyond measure."""

from __future__ import annotations

import io
import random
import struct
import zlib
from collections.abc import Sequence

import numpy as np

from tests.fuzz import mutation, seeds, words
from tests.fuzz.case import Case, Content, Fifo, Folder, Hole, Link


def case(random_: random.Random) -> Case:
    name, content, what = random_.choice((_picture, _picture, _array, _array, _header, _odd))(random_)
    files: dict[str, Content] = dict(seeds.folder("convolution_twice"))
    files[name] = content
    fit = random_.choice(("", "", "fit:"))
    # Four ways by which values come in.
    match random_.randrange(5):
        case 0 | 1:
            line: tuple[str, ...] = ("diff", "case/model.onnx", "--input", f"image={fit}case/{name}", "--json", "-")
        case 2:
            text = files["pipeline.toml"]
            assert isinstance(text, bytes)
            files["pipeline.toml"] = text.replace(b"house.png", f"{fit}{name}".encode())
            line = ("diff", "case/pipeline.toml", "--json", "-")
        case 3:
            line = ("diff", "case/model.onnx", "--inject", f"y=case/{name}", "--json", "-")
        case _:
            line = ("diff", "case/pipeline.toml", "--input", f"case/{name}", "--json", "-")
    return Case(what, files, line)


def _picture(random_: random.Random) -> tuple[str, Content, str]:
    ending, data = random_.choice(seeds.pictures())
    if random_.random() < 0.15:
        ending = random_.choice(("png", "jpeg", "gif", "npy", "webp"))
    if random_.random() < 0.3:
        return f"a.{ending}", _sized(random_), "a picture that says it is large"
    return f"a.{ending}", mutation.of_bytes(data, random_), "bytes of a picture"


def _sized(random_: random.Random) -> bytes:
    """A PNG or BMP of a few bytes that says it has so many pixels."""
    width, height = random_.choice(
        (
            (2**31 - 1, 1),
            (60_000, 60_000),
            (0, 5),
            (7680, 4320),
            (1, 2**31 - 1),
            (30_000, 10_000),
            (2**32 - 1, 2**32 - 1),
        )
    )
    if random_.random() < 0.3:
        return b"BM" + struct.pack(
            "<IHHIIiiHHIIiiII",
            200,
            0,
            0,
            54,
            40,
            min(width, 2**31 - 1),
            min(height, 2**31 - 1),
            1,
            24,
            0,
            0,
            0,
            0,
            0,
            0,
        )
    more = [(b"zTXt", b"k\x00\x00" + zlib.compress(bytes(5 * 10**7)))] if random_.random() < 0.3 else []
    return png(width, height, random_.choice((10, 10**6, 3 * 10**7)), random_.choice((0, 2, 3, 6)), more)


def png(
    width: int, height: int, size_bytes: int = 10, kind: int = 2, more: Sequence[tuple[bytes, bytes]] = ()
) -> bytes:
    """A PNG that says it has so many pixels, with so many bytes of zeros for them."""
    parts = [
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, kind, 0, 0, 0)), *more,
        (b"IDAT", zlib.compress(bytes(size_bytes))), (b"IEND", b""),
    ]  # fmt: skip
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data)) for name, data in parts
    )


def _array(random_: random.Random) -> tuple[str, Content, str]:
    kind = random_.choice(
        (
            np.float32,
            np.float64,
            np.float16,
            np.int8,
            np.uint64,
            np.complex64,
            np.bool_,
            np.object_,
            "S5",
            "U7",
            "M8[s]",
            "V9",
        )
    )
    shape = random_.choice(((1, 3, 64, 64), (3, 64, 64), (1, 8, 64, 64), (1, 3, 64), (0,), (), (1,) * 32, (64, 64, 3)))
    file = io.BytesIO()
    values = np.zeros(shape, dtype=kind)
    if random_.random() < 0.3 and np.issubdtype(values.dtype, np.floating):
        values += np.asarray(words.fraction(random_)).astype(values.dtype) if random_.random() < 0.9 else 1
    ending = "npy"
    if random_.random() < 0.2:
        np.savez(file, values, odd_name=values)
        ending = random_.choice(("npy", "npz"))
    else:
        np.save(file, values if kind is not np.object_ else np.array([{}, []], dtype=object), allow_pickle=True)
    data = file.getvalue()
    return f"a.{ending}", mutation.of_bytes(data, random_) if random_.random() < 0.6 else data, "an array"


def _header(random_: random.Random) -> tuple[str, Content, str]:
    """An .npy file with a header of somebody's own."""
    shape = random_.choice((
        "(1, 3, 64, 64)", "(9223372036854775807,)", f"({'9' * 5000},)", "(-1,)", "(1,)" * 3, "(" * 300 + ")" * 300,
        "(" + "1," * 70 + ")", "(1, 3, 64, 64",
        "'a'", "(1.5,)", "(1000000, 1000000)", "None", "(True,)", "(4294967296, 4294967296, 4294967296)",
    ))  # fmt: skip
    kind = random_.choice(
        (
            "'<f4'",
            "'|O'",
            "'<f9'",
            "[('a', '<f4')]",
            "'<U1000000000'",
            "[" * 200 + "]" * 200,
            "'<f4",
            words.name(random_),
        )
    )
    text = f"{{'descr': {kind}, 'fortran_order': {random_.choice(('False', 'True', '2', 'x'))}, 'shape': {shape}, }}"
    text = random_.choice(
        (text, text, text[: random_.randrange(len(text))], text + " " * 70_000, "__import__('os').getcwd()", "{", "")
    )
    header = text.encode("utf-8", errors="replace") + b"\n"
    version = random_.choice((b"\x01\x00", b"\x02\x00", b"\x03\x00", b"\x09\x09"))
    said = random_.choice((len(header), len(header), 0, 65_535))
    length = (
        struct.pack("<H", said & 0xFFFF)
        if version == b"\x01\x00"
        else struct.pack("<I", random_.choice((said, said, 2**32 - 1)))
    )
    return (
        "a.npy",
        b"\x93NUMPY" + version + length + header + bytes(random_.choice((0, 4, 49_152))),
        "an array's header",
    )


def _odd(random_: random.Random) -> tuple[str, Content, str]:
    ending = random_.choice(("png", "npy", "npz", "txt", "mp4", "gif", ""))
    content = random_.choice((
        Fifo(), Link("a.png"), Link("../outside/secret.bin"), Link("/dev/zero"), Link("/proc/self/mem"), Folder(),
        Hole(1 << 42), b"", Link("nowhere"),
        Link("."), Link("/etc"), b"\x89PNG\r\n\x1a\n", b"GIF89a", b"RIFF" + bytes(400), b"\x00" * 3000,
        b"\xff\xd8\xff\xe0" * 700,
    ))  # fmt: skip
    name = f"a.{ending}" if ending else "a"
    return name, content, "something else than a file of values"
