"""Shaders of a pipeline file: tokens changed, macros that grow, nesting, includes in circles, loops without an end."""

from __future__ import annotations

import random
from collections.abc import Callable

from tests.fuzz import commands, mutation, seeds, words
from tests.fuzz.case import Case, Content, Fifo, Link

PIPELINE = """[pipeline]
name = "shader"
oracle = "oracle.py"
[[input]]
name = "image"
shape = [1, 3, 8, 8]
layout = "channel_tiles"
source = "random:1"
[[pass]]
name = "a"
shader = "a.frag"
output = { shape = [1, 3, 8, 8], layout = "channel_tiles" }
textures.t_image = "image"
"""
_VERSION = "#version 330\n"
_REST = "uniform sampler2D t_image;\nout vec4 color;\n"
HEAD = _VERSION + _REST
_COPY = "color = texelFetch(t_image, ivec2(gl_FragCoord.xy), 0);"
COPYING = f"{HEAD}void main() {{ {_COPY} }}\n"
_CIRCLE = "#define A B\n#define B A\n#define F(x) G(x)\n#define G(x) F(F(x))\n"
_INCLUDED = ("self.glsl", "left.glsl", "twice0.glsl", "pipe.glsl", "loop.glsl", "away.glsl")


def case(random_: random.Random) -> Case:
    if random_.random() < 0.45:
        return _example(random_)
    texts = random_.choice((_of_macros, _of_depth, _of_length, _of_loops, _of_words, _of_words, _of_numbers))(random_)
    what = random_.choice(sorted(texts))
    files: dict[str, Content] = {
        "pipeline.toml": PIPELINE.encode(), "a.frag": mutation.encoded(texts[what], random_),
        "oracle.py": words.CODE.encode(), "self.glsl": b'#include "self.glsl"\n',
        "left.glsl": b'#include "right.glsl"\n' * 2, "right.glsl": b'#include "left.glsl"\n', "pipe.glsl": Fifo(),
        "loop.glsl": Link("loop.glsl"), "away.glsl": Link("../outside/secret.frag"), "twice24.glsl": b"// end\n",
        **{f"twice{at}.glsl": f'#include "twice{at + 1}.glsl"\n'.encode() * 2 for at in range(24)},
    }  # fmt: skip
    return Case(what, files, commands.on("case/pipeline.toml", random_))


def _example(random_: random.Random) -> Case:
    name = random_.choice(("convolution_twice", "webgl_cnn/fixed", "webgl_cnn/broken"))
    files: dict[str, Content] = dict(seeds.folder(name))
    chosen = random_.choice([each for each in files if each.endswith((".frag", ".comp"))])
    text = files[chosen]
    assert isinstance(text, bytes)
    files[chosen] = mutation.encoded(mutation.of_text(text.decode(), random_), random_)
    return Case(f"tokens of {chosen}", files, commands.on("case/pipeline.toml", random_))


def _main(text: str) -> str:
    return f"void main() {{ {text} }}\n"


def _value(text: str) -> str:
    return _main(f"color = vec4({text});")


def _row(count: int, text: Callable[[int], str], first: int = 0) -> str:
    return "".join(text(at) for at in range(first, count))


def _of_macros(random_: random.Random) -> dict[str, str]:
    """Makes preprocessor texts, by kind."""
    count = random_.choice((8, 60, 600, 6000))
    path = random_.choice((*words.PATHS, *_INCLUDED, *_INCLUDED))
    ends = ("/*", '"', "#define A \\", "void main() {", "#if", "'", "#define", "#define A(", "#if (")
    return {
        "macros that grow": HEAD + _bomb(random_) + _value("M0"),
        "conditions": _VERSION + "#if 1\n" * count + _REST + _main(_COPY) + "#endif\n" * count,
        "open conditions": HEAD + "#ifdef A\n" * count + _main(_COPY),
        "an include": f'{HEAD}#include "{path}"\n' + _main(_COPY),
        "no end": HEAD + random_.choice(ends),
        "macros of each other": HEAD + _CIRCLE + _value("F(A)"),
        "a condition that is long": HEAD + "#if " + "(" * count + "1" + ")" * count + "\n#endif\n" + _main(_COPY),
        "a macro in a condition": HEAD + _bomb(random_) + "#if M0\n#endif\n" + _main(_COPY),
    }


def _bomb(random_: random.Random) -> str:
    """Macros each of which is the next many times: plain, with arguments, or through its argument."""
    rows, width = random_.choice(((3, 4), (8, 8), (12, 10), (30, 2), (300, 2)))
    match random_.randrange(3):
        case 0:
            return (
                _row(rows, lambda at: f"#define M{at} {' + '.join([f'M{at + 1}'] * width)}\n")
                + f"#define M{rows} 1.0\n"
            )
        case 1:
            lines = _row(rows, lambda at: f"#define N{at}(x) {' + '.join([f'N{at + 1}(x)'] * width)}\n")
        case _:
            lines = _row(rows, lambda at: f"#define N{at}(x) N{at + 1}({' + '.join(['x'] * width)})\n")
    return f"{lines}#define N{rows}(x) x\n#define M0 N0(1.0)\n"


def _of_depth(random_: random.Random) -> dict[str, str]:
    """Makes deeply nested texts."""
    count = random_.choice((8, 60, 600, 6000))
    few = min(count, 22)
    calls = "float f0(float x) { return x; }\n" + _row(
        few, lambda at: f"float f{at}(float x) {{ return f{at - 1}(x) + f{at - 1}(x + 1.0); }}\n", 1
    )
    return {
        "brackets": HEAD + _value("(" * count + "1.0" + ")" * count),
        "blocks": HEAD + _main("{" * count + "}" * count + _COPY),
        "signs": HEAD + _value("-" * count + "1.0"),
        "branches": HEAD + _main("if (gl_FragCoord.x > 1.0) { " * (count // 8) + "}" * (count // 8) + _COPY),
        "calls that double": HEAD + calls + _value("f7(1.0)"),
        "a call of itself": HEAD + "float f(float x) { return f(x); }\n" + _value("f(1.0)"),
        "structures": HEAD + "struct S0 { float x; };\n" + _row(
            few, lambda at: f"struct S{at} {{ S{at - 1} a, b; }};\n", 1) + _main(_COPY),
        "indices": HEAD + "int a[2];\n" + _value("a[" * count + "0" + "]" * count),
        "conditional values": HEAD + _value("true ? " * count + "1.0" + " : 0.0" * count),
    }  # fmt: skip


def _of_length(random_: random.Random) -> dict[str, str]:
    """Makes endless texts."""
    count = random_.choice((8, 60, 600, 6000))
    uniforms = _row(count, lambda at: f"uniform float u{at};\n")
    cases = _row(count, lambda at: f"case {at}: ")
    return {
        "a long sum": HEAD + _value("1.0 + " * count + "1.0"),
        "many lines": HEAD + "// line\n" * (count * 20) + _main(_COPY),
        "a long line": HEAD + "// " + "x" * (count * 100) + "\n" + _main(_COPY),
        "many uniforms": HEAD + uniforms + _value("+".join(f"u{at}" for at in range(count))),
        "many outputs": HEAD + _row(count // 4, lambda at: f"layout(location={at}) out vec4 o{at};\n") + _main(_COPY),
        "many functions": HEAD
        + _row(count, lambda at: f"float g{at}(float x) {{ return x * {at}.0; }}\n")
        + _main(_COPY),
        "a switch": HEAD + _main(f"switch (1) {{ {cases} {_COPY} }}"),
        "many statements": HEAD + _main("float x = 1.0;" + "x = sin(x);" * count + "color = vec4(x);"),
        "many reads": HEAD + _main("color = vec4(0.0);" + _COPY.replace("=", "+=", 1) * count),
    }


def _of_loops(random_: random.Random) -> dict[str, str]:
    """Makes loops that a driver does not return from."""
    depth = random_.choice((2, 3, 5, 9))
    heads = _row(depth, lambda at: f"for (int i{at} = 0; i{at} < 100; i{at}++) ")
    turns = random_.choice(("2000000000", "100000", "2147483647", "-1"))
    return {
        "an endless loop": HEAD + _main("float x = 1.0; while (x > 0.0) { x += 1.0; } color = vec4(x);"),
        "an empty loop": HEAD + _main(f"for (;;) {{ }} {_COPY}"),
        "a long loop": HEAD + _main(f"float x = 1.0; for (int i = 0; i < {turns}; i++) x = sin(x); color = vec4(x);"),
        "loops in loops": HEAD + _main(f"float x = 0.0; {heads} x += 1.0; color = vec4(x);"),
        "a loop of reads": HEAD + _main(f"for (int i = 0; i < {turns}; i++) {{ {_COPY} }}"),
        "a loop over lanes": HEAD + _main(f"color = vec4(0.0); do {{ color += 1.0; }} while (color.x != {turns}.5);"),
    }


def _of_words(random_: random.Random) -> dict[str, str]:
    """Names that quote back, and what stands where another thing is meant."""
    name, other = words.name(random_), words.name(random_)
    versions = ("", "0", "-1", "999", "330 es", "300", "100", "9" * 50, "330 core core", name)
    lines = ("-1", "2147483648", "0", "1 1 1", name)
    nothing = (
        "",
        "\n",
        " ",
        "\x00",
        "#",
        "#version",
        _VERSION,
        "//",
        ";",
        "void main();",
        "\ufeff" + HEAD + _main(_COPY),
    )
    return {
        "names": f"{HEAD}float {name} = 1.0;\n#define {name} {name}\n// {name}\n" + _main(_COPY),
        "a version": f"#version {random_.choice(versions)}\n" + _REST + _main(_COPY),
        "lines": f"{HEAD}#line {random_.choice(lines)}\nfoo\n" + _main(_COPY),
        "an error of its own": f"{HEAD}#error {name}{other}\n" + _main(_COPY),
        "an extension": f"{HEAD}#extension {name} : require\n#extension all : disable\n#pragma {other}\n"
        + _main(_COPY),
        "a name nobody knows": HEAD + _value(f"{name} + {other}"),
        "nothing": random_.choice(nothing),
    }


def _of_numbers(random_: random.Random) -> dict[str, str]:
    """Numbers that are too large, or none."""
    number = random_.choice(("1e999", "9" * 400, "0x" + "f" * 40, "1.0e-999", "08", "1u2", "²", "1..2", "1e", "0x"))
    size = random_.choice(("0", "-1", "1000000", "2147483647", "4294967296", "99999999999", number))
    place = random_.choice(("-1", "2147483647", "99999999", number))
    return {
        "a number": HEAD + _value(number),
        "an array": f"{HEAD}float a[{size}];\n" + _value("a[0]"),
        "a large array inside": HEAD + _main(f"float a[{size}]; a[0] = 1.0; color = vec4(a[1]);"),
        "a read far away": HEAD + _main(f"color = texelFetch(t_image, ivec2({place}), 0);"),
        "an array in an array": f"{HEAD}float a[{size}][{size}];\n" + _value("a[0][0]"),
        "a division": HEAD + _value(f"float({place} / 0) + float({place} % 0)"),
    }
