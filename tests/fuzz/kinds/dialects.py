"""Changes tokens, directives or fields of mpv's shaders, ncnn's layers and recorded pages."""

from __future__ import annotations

import io
import json
import random
import zipfile
from typing import Any

from tests.fuzz import commands, mutation, seeds, words
from tests.fuzz.case import Case, Content, Fifo, Link
from tests.tfjs_recordings import four_programs
from tests.webgl_recordings import two_draws
from tests.webgpu_recordings import two_dispatches


def case(random_: random.Random) -> Case:
    return random_.choice((_mpv, _mpv, _ncnn, _tfjs, _webgl, _webgpu))(random_)


def _mpv(random_: random.Random) -> Case:
    text = random_.choice(seeds.texts("examples/mpv/*.glsl"))
    if random_.random() < 0.6:
        for _ in range(random_.choice((1, 2, 4))):
            lines = text.split("\n")
            lines.insert(random_.randrange(len(lines)), _directive(random_))
            text = "\n".join(lines)
    else:
        text = mutation.of_text(text, random_)
    files: dict[str, Content] = {"shader.glsl": mutation.encoded(text, random_)}
    if random_.random() < 0.2:
        more = random_.choice(((), ("--shape", f"MAIN=1,3,{words.whole(random_)},8"), ("--to", "out/model.onnx")))
        return Case("weights out of a shader of mpv", files, ("extract", "case/shader.glsl", *more))
    return Case("a shader of mpv", files, commands.on("case/shader.glsl", random_))


def _directive(random_: random.Random) -> str:
    """A line of mpv's, with a value that it does not expect."""
    name = words.name(random_)
    number = random_.choice((str(words.whole(random_)), "1e999", "nan", "²", "", name))
    kind = random_.choice(("float", "int", "DEFINE", "ENUM int", name))
    return random_.choice((
        f"//!WIDTH {number}", f"//!HEIGHT HOOKED.h {number} *", "//!WIDTH " + "HOOKED.w " * 3000 + "* " * 2999,
        "//!WIDTH HOOKED.w 0 /",
        f"//!WHEN {name} 0 >", f"//!HOOK {name}", f"//!BIND {name}", f"//!SAVE {name}", f"//!DESC {name}",
        f"//!COMPONENTS {number}",
        f"//!TEXTURE {name or 'A'}\n//!SIZE {number} 4\n//!FORMAT rgba32f\n" + "00" * random_.choice((0, 1, 64, 5000)),
        f"//!TEXTURE A\n//!SIZE 2 2\n//!FORMAT {name}\n//!FILTER {name}\n//!BORDER {name}\nzz",
        f"//!PARAM {name}\n//!TYPE {kind}\n//!MINIMUM {number}\n//!MAXIMUM 1\n{number}",
        f"//!COMPUTE {number} {number}", "//!COMPUTE 32 32 8 8 8 8", f"//!OFFSET {number} {number}",
        "//!OFFSET ALIGN", f"//!{name}", "//!",
        f"//!BUFFER {name}\n//!VAR float x[{number}]\n//!STORAGE", "//!HOOK MAIN\n" * 200,
        "vec4 hook() { return vec4(0); }", f"#define {name} hook",
    ))  # fmt: skip


def _ncnn(random_: random.Random) -> Case:
    files: dict[str, Content] = dict(seeds.folder("ncnn"))
    chosen = random_.choice(list(files))
    text = files[chosen]
    assert isinstance(text, bytes)
    if random_.random() < 0.6:
        files[chosen] = mutation.encoded(mutation.of_text(text.decode(), random_), random_)
    name = random_.choice((chosen, chosen, chosen, "unheard.comp", "relu_pack16.comp", "convolution_3x3s1d1.comp"))
    files.setdefault(name, text)
    more: list[str] = []
    if random_.random() < 0.4:
        parameter = random_.choice(("channels", "width", "height", "kernel_w", "layer", words.name(random_)))
        more += ["--param", f"{parameter}={random_.choice((str(words.whole(random_)), words.name(random_)))}"]
    if random_.random() < 0.2:
        more += ["--mode", random_.choice(("fp16_packed", "fp16_storage", "int8_storage", words.name(random_)))]
    if random_.random() < 0.2:
        more += ["--pack", random_.choice(("1", "4", "8"))]
    return Case("a layer of ncnn", files, commands.on(f"case/{name}", random_, *more))


def _tfjs(random_: random.Random) -> Case:
    page = four_programs()
    return _recording(random_, page.about, page.files, ("programs.json", "tfjs.zip", "TensorFlow.js"))


def _webgl(random_: random.Random) -> Case:
    page = two_draws()
    return _recording(random_, page.about, page.files, ("draws.json", "webgl.zip", "WebGL"))


def _webgpu(random_: random.Random) -> Case:
    page = two_dispatches()
    return _recording(random_, page.about, page.files, ("dispatches.json", "webgpu.zip", "WebGPU"))


def _recording(
    random_: random.Random, given: dict[str, Any], members: dict[str, bytes], names: tuple[str, str, str]
) -> Case:
    """Changes a recording; `names` are its manifest, the ending of its archive, and what it is of."""
    manifest, ending, what = names
    about: Any = json.loads(json.dumps(given))
    for _ in range(random_.choice((0, 1, 1, 2))):
        change(about, random_)
    if random_.random() < 0.4:
        chosen = random_.choice(sorted(members))
        members[chosen] = mutation.of_bytes(members[chosen], random_)
    text = json.dumps(about).encode()
    files: dict[str, Content] = {f"page/{name}": data for name, data in {manifest: text, **members}.items()}
    files |= {"page/pipe": Fifo(), "page/loop": Link("loop"), "page/away": Link("../../outside/secret.bin")}
    if random_.random() < 0.5:
        return Case(f"a recording of {what}", files, commands.on("case/page", random_))
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in {manifest: text, **members}.items():
            archive.writestr(name, data)
    data = packed.getvalue()
    if random_.random() < 0.4:
        data = mutation.of_bytes(data, random_)
    return Case(f"a packed recording of {what}", {f"page.{ending}": data}, commands.on(f"case/page.{ending}", random_))


def change(value: Any, random_: random.Random) -> None:
    """One place of JSON gets another value, another key, or is gone."""
    while isinstance(value, dict | list) and value:
        key = random_.choice(list(value) if isinstance(value, dict) else list(range(len(value))))
        if isinstance(value[key], dict | list) and value[key] and random_.random() < 0.8:
            value = value[key]
            continue
        match random_.randrange(6):
            case 0:
                del value[key]
            case 1:
                value[key] = words.whole(random_)
            case 2:
                value[key] = words.name(random_)
            case 3:
                value[key] = words.path(random_)
            case 4:
                value[key] = words.tree(random_)
            case _:
                value[key] = random_.choice(
                    (None, True, -1, 1e308, float("nan"), [], {}, [words.whole(random_)] * 4, "pipe", "loop", "away")
                )
        return
