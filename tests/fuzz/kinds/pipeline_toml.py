"""Pipeline files: by a grammar of what may stand in them, with values that may not, or a few tokens changed."""

from __future__ import annotations

import math
import random
from typing import Any

from tests.fuzz import commands, mutation, seeds, words
from tests.fuzz.case import Case, Content, Fifo, Folder, Link

_KEYS = (
    "name", "shape", "layout", "source", "oracle", "dtype", "shader", "vertex", "output", "textures", "uniforms",
    "defines",
    "tolerance", "buffers", "images", "push", "specialization", "dispatch", "model", "conventions",
)  # fmt: skip
_EXPRESSIONS = (
    "grid(a)", "size(a)", "texel_size(a)", "shape(a).w", "count(a)", "1/0", "9**9**9", "(" * 500 + "1" + ")" * 500,
    "-" * 3000 + "1",
    "1+" * 3000 + "1", "__import__('os')", "shape(a).q", "shape(", "1e999", "²", "9" * 400, "a.b.c", "shape(a)[0]",
    "0 * 1e308 * 1e308",
    "lambda: 0", "1 if 1 else 0", "shape(a).w ** shape(a).w", "", "\n", "shape(shape(a))", "size(nowhere)", "1_0",
    "0x10", "1e5", "1 << 99",
)  # fmt: skip


def case(random_: random.Random) -> Case:
    files: dict[str, Content] = dict(seeds.folder("convolution_twice"))
    base = seeds.folder("convolution_twice")["pipeline.toml"].decode()
    match random_.randrange(10):
        case 0 | 1 | 2:
            text, what = mutation.of_text(base, random_), "tokens of a pipeline file"
        case 3:
            text, what = mutation.of_bytes(base.encode(), random_).decode("latin-1"), "bytes of a pipeline file"
        case 4:
            text, what = _hard(random_), "TOML that is hard to read"
        case 5:
            text, what = _written(_odd_tree(random_)), "any TOML"
        case _:
            text, what = _written(_changed(_right(random_), random_)), "a pipeline file with another value"
    files |= {"pipe": Fifo(), "loop": Link("loop"), "folder": Folder(), "away": Link("../outside/secret.frag")}
    files["oracle.py"] = words.CODE.encode()
    files["pipeline.toml"] = mutation.encoded(text, random_)
    return Case(what, files, commands.on("case/pipeline.toml", random_))


def _right(random_: random.Random) -> dict[str, Any]:
    """Two passes on the files of the example."""
    side = random_.choice((64, 64, 8, 1))
    drawn = {
        "name": "a", "shader": "conv.frag", "oracle": "y", "output": {"shape": [1, 8, side, side], "layout": "linear"},
        "textures": {"t_image": "image", "t_weight": {"tensor": "weight", "layout": "linear"},
        "t_bias": {"tensor": "bias", "layout": "linear"}},
        "uniforms": {"u_size": ["shape(image).w", "shape(image).h"], "u_channels": "shape(image).c"},
    }  # fmt: skip
    dispatched = {
        "name": "b", "shader": "conv.comp", "oracle": "y", "output": {"shape": [1, 8, side, side]},
        "buffers": {"Image": "image", "Weights": "weight", "Biases": "bias", "Result": "b"},
        "specialization": {"CHANNELS": "shape(image).c"}, "push": {"w": "shape(image).w", "h": "shape(image).h"},
        "dispatch": ["shape(b).w / 8", "shape(b).h / 8", "shape(b).c"],
    }  # fmt: skip
    passes = random_.choice(([drawn], [dispatched], [drawn, dispatched]))
    source = random_.choice(("random:1", "ramp", "zeros", "checker:2", "house.png"))
    image = {"name": "image", "shape": [1, 3, side, side], "layout": "linear", "source": source}
    return {"pipeline": {"name": "p", "model": "model.onnx"}, "input": [image], "pass": passes}


def _value(random_: random.Random) -> Any:
    match random_.randrange(9):
        case 0:
            return words.whole(random_)
        case 1:
            return words.fraction(random_)
        case 2:
            return words.name(random_)
        case 3:
            return words.path(random_)
        case 4:
            return random_.choice(_EXPRESSIONS)
        case 5:
            return [words.whole(random_) for _ in range(random_.choice((0, 1, 3, 4, 5, 65, 3000)))]
        case 6:
            return random_.choice(
                (
                    True,
                    [],
                    {},
                    "image",
                    "a",
                    "model.onnx",
                    "conv.frag",
                    "pipe",
                    "loop",
                    "folder",
                    "away",
                    "oracle.py",
                    "pipeline.toml",
                )
            )
        case 7:
            return _odd_tree(random_)
    return {random_.choice(_KEYS): random_.choice(_EXPRESSIONS)}


def _changed(value: dict[str, Any], random_: random.Random) -> dict[str, Any]:
    """One to three places of it with another value, another key, gone, or many times."""
    for _ in range(random_.choice((1, 1, 2, 3))):
        place: Any = value
        while True:
            keys = list(place) if isinstance(place, dict) else list(range(len(place)))
            if not keys:
                break
            key = random_.choice(keys)
            if isinstance(place[key], dict | list) and place[key] and random_.random() < 0.8:
                place = place[key]
                continue
            match random_.randrange(8):
                case 0:
                    del place[key]
                case 1 if isinstance(place, dict):
                    place[words.name(random_)] = place.pop(key)
                case 2 if isinstance(place, dict):
                    place[random_.choice(_KEYS)] = _value(random_)
                case 3 if isinstance(place, list) and len(place) < 100:
                    place.extend([place[key]] * random_.choice((1, 20, 400)))
                case _:
                    place[key] = _value(random_)
            break
    return value


def _odd_tree(random_: random.Random) -> dict[str, Any]:
    tree = words.tree(random_)
    return {random_.choice(("pipeline", "input", "pass", "constant", "x")): tree, "pass": words.tree(random_)}


def _hard(random_: random.Random) -> str:
    """Makes texts that a TOML reader takes long over, or fails on."""
    count = random_.choice((30, 150, 900, 20_000))
    return random_.choice((
        "x = " + "[" * count + "]" * count, "x = " + "{a=" * count + "1" + "}" * count,
        ".".join(["a"] * count) + " = 1",
        "[" + ".".join(["a"] * count) + "]", "x = " + "9" * count, "x = 0x" + "f" * count, "x = 1e" + "9" * count,
        "x = 0." + "1" * count, 'x = """' + "\n" * count, 'x = "' + "\\u0041" * count + '"', "[[pass]]\n" * count,
        "\n".join(f"k{number} = {number}" for number in range(count)), "x = 2026-99-99T99:99:99", "a = 1\n" * 2,
        'x = "\\ud800"',
        "[a]\n[a]\n", "x = nan\ny = -inf", "\ufeff[pipeline]", "[pipeline]\nname = '''" + "a" * count, "'" * count,
        "#" * count,
        "x = [" + "1," * count + "]", "x = -0b1", "[[pass]]\nname='a'\n" * min(count, 900), "x = 1979-05-27",
        '"\\u0000" = 1',
        "[pipeline]\nname = " + "1" * count, "[[input]]\nname = 'a'\nshape = [" + "9" * count + "]",
        '[["input"]]\n' + "a" * count + " = 1",
    ))  # fmt: skip


def _written(value: dict[str, Any]) -> str:
    return "\n".join(f"{_key(key)} = {_inline(each)}" for key, each in value.items())


def _key(text: str) -> str:
    return _quoted(text)


def _quoted(text: str) -> str:
    written = "".join(
        letter if letter.isprintable() and letter not in '"\\' else f"\\U{ord(letter):08x}"
        for letter in text.encode("utf-8", errors="replace").decode()
    )
    return f'"{written}"'


def _inline(value: Any) -> str:
    match value:
        case bool():
            return str(value).lower()
        case dict():
            return "{ " + ", ".join(f"{_key(key)} = {_inline(each)}" for key, each in value.items()) + " }"
        case list():
            return "[" + ", ".join(_inline(each) for each in value) + "]"
        case float() if math.isinf(value) or math.isnan(value):
            return str(value)
        case int() | float():
            return repr(value)
        case None:
            return '"none"'
    return _quoted(str(value))
