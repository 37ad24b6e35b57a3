"""Makes odd folders: circular links, pipes named as files, names too long or not of text, missing rights."""

from __future__ import annotations

import random

from tests.fuzz import commands, seeds, words
from tests.fuzz.case import Case, Content, Fifo, Folder, Hole, Link

_ODD = (
    Fifo(), Folder(), Link("itself"), Link(".."), Link("."), Link("/dev/zero"), Link("/dev/stdin"),
    Link("/proc/self/environ"), Link("../outside/secret.txt"),
    Link("../outside"), Link("nowhere"), Hole(0), Hole(1 << 33), Hole(1 << 45), b"", b"\x00", b"\xff\xfe",
    b"PK\x05\x06" + bytes(18), b"\x7fELF",
    Link("/etc"), Link("/etc/passwd"), Link("a" * 4000),
)  # fmt: skip
_ENDINGS = (
    "onnx", "toml", "glsl", "hook", "comp", "tfjs.zip", "webgl.zip", "webgpu.zip", "texelscope", "json", "png", "ONNX",
    "", "onnx ", "zip",
)  # fmt: skip


def case(random_: random.Random) -> Case:
    return random_.choice((_target, _target, _part, _part, _named, _words))(random_)


def _target(random_: random.Random) -> Case:
    """Something else in place of the file that is opened."""
    name = f"itself.{random_.choice(_ENDINGS)}".rstrip(".")
    content = random_.choice((*_ODD, Link(name)))
    return Case(f"{content!r:.40} as {name}", {name: content}, commands.on(f"case/{name}", random_), leads_outside=True)


def _part(random_: random.Random) -> Case:
    """Something else in place of a file that a pipeline file names."""
    name = random_.choice(("convolution_twice", "webgl_cnn/fixed"))
    files: dict[str, Content] = dict(seeds.folder(name))
    chosen = random_.choice([each for each in files if each != "pipeline.toml"])
    files[chosen] = random_.choice((*_ODD, Link(chosen)))
    return Case(f"{files[chosen]!r:.40} as {chosen}", files, commands.on("case/pipeline.toml", random_))


def _named(random_: random.Random) -> Case:
    """A right file with a name that is none, in folders as deep as they go."""
    name = random_.choice((
        "a\nb.onnx", "\x1b[31m.onnx", "\udce9\udcff.onnx", "a" * 250 + ".onnx", "-x.onnx", "--json.onnx", " .onnx",
        "{0}%s.onnx", "<b>&.onnx", "日本語.onnx",
        "/".join(["d" * 200] * 17) + "/m.onnx", "/".join(["d"] * 300) + "/m.onnx", "a\u202eb.onnx", "'\".onnx",
        "$(id).onnx", "con.onnx", "a\tb.onnx", "\x7f\x85.onnx",
    ))  # fmt: skip
    model = seeds.folder("convolution_twice")["model.onnx"]
    return Case("a model with an odd name", {name: model}, commands.on(f"case/{name}", random_))


def _words(random_: random.Random) -> Case:
    """A path that leads nowhere, or somewhere else."""
    ending = random_.choice((".onnx", ".toml", ".glsl", ".comp", "", "/"))
    target = random_.choice(("case/", "", "case/../outside/")) + words.path(random_).replace("\x00", "0") + ending
    return Case("a path", {"folder/x": b""}, commands.on(target or "case", random_), leads_outside=True)
