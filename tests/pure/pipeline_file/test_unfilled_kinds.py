"""What no pipeline file can fill is refused before the run, with its line; what is not compiled needs nothing."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest

from tests.pure.pipeline_file.folders import INPUT, plan_of
from texelscope.pipeline.pipeline_file.declarations import whole_outputs
from texelscope.pipeline.pipeline_file.table import PipelineFileError
from texelscope.pipeline.pipeline_file.uniform_members import settable_uniforms

PASS = """
[[pass]]
name = "y"
shader = "s.frag"
output = { shape = [1, 3, 8, 8], layout = "channel_tiles" }
textures.u_image = "image"
"""


INSTEAD = "Read the tensor through a sampler2D, sampler2DArray, sampler3D or samplerBuffer, of floats or integers"
BY_IMAGES = f"{INSTEAD}, or in a compute shader bind it by 'images', with its size."


def shader(declaration: str, used: str = "float(u_other.length())") -> str:
    return f"""#version 330 core
uniform sampler2D u_image;
{declaration}
out vec4 result;
void main() {{ result = texelFetch(u_image, ivec2(0), 0) * {used}; }}
"""


@pytest.mark.parametrize(
    ("kind", "advice"),
    [
        *((f"sampler{form}", f"{INSTEAD}.") for form in ("Cube", "2DShadow", "2DMS", "1DArray", "2DArrayShadow")),
        *((f"{kind}sampler1D", BY_IMAGES) for kind in ("", "i", "u")),
    ],
)
@pytest.mark.parametrize("bound", ["", 'textures.u_other = "image"\n'])
def test_a_sampler_that_no_tensor_can_be_bound_to_is_refused_with_its_line(
    kind: str, advice: str, bound: str, tmp_path: Path
) -> None:
    with pytest.raises(PipelineFileError) as caught:
        plan_of(tmp_path, INPUT + PASS + bound, s_frag=shader(f"uniform {kind} u_other;"))
    assert str(caught.value) == (
        "pipeline.toml [[pass]] 'y' textures.u_other: expected a kind that a pipeline file can fill, "
        f"got {kind} (s.frag:3). {advice}"
    )


def test_an_atomic_counter_is_refused(tmp_path: Path) -> None:
    text = shader("layout(binding = 0) uniform atomic_uint u_other;", "float(atomicCounter(u_other))")
    message = r"uniforms\.u_other: expected a kind that .*, got atomic_uint \(s\.frag:3\)\. Count in a storage block"
    with pytest.raises(PipelineFileError, match=message):
        plan_of(tmp_path, INPUT + PASS, s_frag=text)


def test_outputs_of_whole_numbers_are_refused(tmp_path: Path) -> None:
    text = shader("#ifdef NEVER\nout uvec4 other;\n#endif", "1.0").replace("out vec4", "layout(location = 0) out ivec4")
    message = (
        r"output: expected a shader that writes floats, got ivec4 'result' \(s\.frag:6\)\. Write floats: whole num"
    )
    with pytest.raises(PipelineFileError, match=message) as caught:
        plan_of(tmp_path, INPUT + PASS, s_frag=text)
    assert "other" not in str(caught.value)


def test_a_parameter_of_whole_numbers_is_no_output(tmp_path: Path) -> None:
    text = shader("void split(int x, out ivec2 halves) { halves = ivec2(x); }", "1.0")
    assert plan_of(tmp_path, INPUT + PASS, s_frag=text).warnings == ()


DISPATCHED = """
[[pass]]
name = "y"
shader = "s.comp"
output = { shape = [1, 3, 8, 8] }
buffers.Y = "y"
dispatch = [1, 1, 1]
"""
COMPUTED = """#version 430
layout(local_size_x = 1) in;
layout(std430, binding = 0) writeonly buffer Y {{ float y[]; }};
layout(std430, binding = 1) readonly buffer X {{ float x[]; }};
layout(r32f) readonly uniform {kind} u_other;
void main() {{ y[0] = x[0] + float({read}.r); }}
"""


@pytest.mark.parametrize(
    ("kind", "advice"),
    [
        ("uimage2D", "an image1D, image2D or image3D, got uimage2D (s.comp:5). Declare it so, or read it through a"),
        ("image2DArray", "an image1D, image2D or image3D, got image2DArray (s.comp:5). Declare it so, or read it th"),
        ("isampler2D", "an image, or a sampler2D or sampler3D, got isampler2D (s.comp:5). Write 'textures.u_other ="),
        ("sampler2DArray", "an image, or a sampler2D or sampler3D, got sampler2DArray (s.comp:5). Write 'textures.u"),
    ],
)
def test_an_image_of_other_texels_is_refused(kind: str, advice: str, tmp_path: Path) -> None:
    bound = 'images.u_other = "image"\nbuffers.X = "image"\n'
    with pytest.raises(PipelineFileError, match=re.escape(f"images.u_other: expected {advice}")):
        plan_of(tmp_path, INPUT + DISPATCHED + bound, s_comp=COMPUTED.format(kind=kind, read="imageLoad(u_other, i)"))


WHOLE = """#version 430
layout(local_size_x = 1) in;
layout(std430, binding = 0) writeonly buffer Y {{ float y[]; }};
layout(std430, binding = 1) readonly buffer X {{ {kind} x[]; }};
void main() {{ y[0] = float(x[0]); }}
"""


@pytest.mark.parametrize(("kind", "got"), [("float", "other numbers"), ("uint", "uint32")])
def test_a_block_of_other_numbers_than_the_file_says_is_refused(kind: str, got: str, tmp_path: Path) -> None:
    message = f"buffers.X: expected a block of int32, which 'image' is, got one of {got} (s.comp:4). Write dtype = "
    text = INPUT + 'dtype = "int32"\n' + DISPATCHED + 'buffers.X = "image"\n'
    with pytest.raises(PipelineFileError, match=re.escape(message)):
        plan_of(tmp_path, text, s_comp=WHOLE.format(kind=kind))


def test_an_image_of_whole_numbers_is_refused(tmp_path: Path) -> None:
    message = r"images\.u_other: expected a tensor of floats, which images have, got 'image', which is int32\. Leave"
    text = COMPUTED.format(kind="image2D", read="imageLoad(u_other, i)").replace(" + x[0]", "").replace("x[0] + ", "")
    with pytest.raises(PipelineFileError, match=message):
        plan_of(tmp_path, INPUT + 'dtype = "int32"\n' + DISPATCHED + 'images.u_other = "image"\n', s_comp=text)


def test_one_that_nothing_reads_is_none(tmp_path: Path) -> None:
    assert plan_of(tmp_path, INPUT + PASS, s_frag=shader("uniform samplerCube u_other;", "1.0")).warnings == ()


GUARDED = shader("#ifdef SPARSE\nuniform sampler2D u_where;\nuniform float u_gain;\n#endif", "GAIN").replace(
    "out vec4",
    "#ifdef SPARSE\n#define GAIN texelFetch(u_where, ivec2(0), 0) * u_gain\n#else\n#define GAIN 1.0\n#endif\nout vec4",
)


def test_a_declaration_that_is_not_compiled_needs_no_tensor_and_no_number(tmp_path: Path) -> None:
    assert plan_of(tmp_path / "without", INPUT + PASS, s_frag=GUARDED).warnings == ()
    with pytest.raises(PipelineFileError, match=r"expected a texture for every sampler, got none for 'u_where' \(s\.f"):
        plan_of(tmp_path / "with", INPUT + PASS + "defines.SPARSE = true\n", s_frag=GUARDED)


@pytest.mark.parametrize(
    "part",
    [
        "uniform P {",
        "uniform P { float a; };\n",
        "struct S { S s; };",
        "uniform S s[99999];",
        "#if x\n",
        "#define A A\n",
        "out ivec4",
        "out int a",
    ],
)
def test_a_text_of_nothing_but_beginnings_is_read_in_a_time_that_grows_as_it_does(part: str) -> None:
    start = time.process_time()
    text = "#version 330\n#ifdef X\n#endif\n" + part * ((1 << 20) // len(part))
    settable_uniforms(text)
    whole_outputs(text)
    assert time.process_time() - start < 10.0  # what looks at each beginning again and again takes minutes


def test_members_of_members_are_counted_before_they_are_many() -> None:
    start = time.process_time()
    everything = "struct S { T t[999]; }; struct T { float x[999]; }; uniform S s[999];"
    assert len(settable_uniforms(everything)) == 4096
    blocks = "".join(f"uniform P{i} {{ float a{i}; }};\n" for i in range(8000))
    assert len(settable_uniforms(blocks)) == 4096
    assert time.process_time() - start < 4.0
