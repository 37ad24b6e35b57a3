"""Hot reload: a save redoes what it touches, a broken one leaves the last good version running."""

from __future__ import annotations

import gc
import time
from collections.abc import Iterator
from pathlib import Path

import moderngl
import numpy as np
import onnx
import pytest

from benchmarks.gl_objects import count_gl_objects
from tests.pure.pipeline_file.folders import COPY, INPUT, PASS, write_folder
from tests.small_models import one_convolution
from texelscope import pipeline
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.errors import ShaderError
from texelscope.pipeline.reload.reloader import Reload, Reloader
from texelscope.pipeline.target import OpenOptions

THREE_PASSES = "".join(
    PASS.replace('"copy"', f'"{name}"').replace("copy.frag", f"{name}.frag").replace('"image"', f'"{source}"')
    for name, source in (("a", "image"), ("b", "a"), ("c", "b"))
)
ORACLE = '[pipeline]\noracle = "oracle.py"\n'
FUNCTIONS = "def a(t_X): return t_X\ndef b(t_X): return t_X\ndef c(t_X): return t_X\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three passes in a row, each with a shader of its own that includes one file."""
    included = {"read_glsl": "vec4 read(sampler2D t, ivec2 p) { return texelFetch(t, p, 0); }\n"}
    shader = COPY.replace("out vec4", '#include "read.glsl"\nout vec4').replace(
        "texelFetch(t_X, ivec2(gl_FragCoord.xy), 0)", "read(t_X, ivec2(gl_FragCoord.xy))"
    )
    shaders = {"a_frag": shader, "b_frag": COPY, "c_frag": COPY}
    write_folder(tmp_path, ORACLE + INPUT + THREE_PASSES, oracle_py=FUNCTIONS, **shaders, **included)
    return tmp_path


@pytest.fixture
def session(gl: moderngl.Context, folder: Path) -> Iterator[DebugSession]:
    """A session on it that has run."""
    with pipeline.open(folder / "pipeline.toml", context=gl, trust=True) as opened:
        opened.run()
        yield opened


@pytest.fixture
def reloader(session: DebugSession, folder: Path) -> Iterator[Reloader]:
    """Watches the folder."""
    options = OpenOptions(trust=True)
    with Reloader(session, folder / "pipeline.toml", options) as watching:
        yield watching


def save(reloader: Reloader, path: Path, text: str) -> Reload:
    """Writes as an editor does, beside and by renaming, and takes up the save."""
    beside = path.with_name(f".{path.name}.swp")
    beside.write_text(text, encoding="utf-8")
    beside.replace(path)
    reload = reloader.wait(5.0)
    assert reload is not None, f"the save of {path.name} went unnoticed"
    return reload


def scaled(factor: float) -> str:
    return COPY.replace("0);", f"0) * {factor:f};")


def test_a_save_runs_its_pass_and_what_depends_on_it(session: DebugSession, reloader: Reloader, folder: Path) -> None:
    before = session.generation("a")
    reload = save(reloader, folder / "b.frag", scaled(3.0))
    assert (reload.passes, reload.errors) == (("b", "c"), ())
    assert session.generation("a") == before
    assert np.array_equal(session.tensor("c"), session.tensor("image") * np.float32(3.0))
    assert set(reload.milliseconds) == {"plan", "compile", "first", "rest"}


def test_nothing_saved_is_nothing_to_do(reloader: Reloader) -> None:
    assert reloader.poll() is None


def test_a_save_without_a_change_runs_nothing(reloader: Reloader, folder: Path) -> None:
    assert save(reloader, folder / "b.frag", COPY).passes == ()


def test_a_save_of_an_included_file_reaches_the_shader(session: DebugSession, reloader: Reloader, folder: Path) -> None:
    text = (folder / "read.glsl").read_text(encoding="utf-8")
    reload = save(reloader, folder / "read.glsl", text.replace("return", "return 2.0 *"))
    assert reload.passes == ("a", "b", "c")
    assert np.array_equal(session.tensor("a"), session.tensor("image") * np.float32(2.0))


def test_a_broken_save_leaves_the_last_good_program_running(
    session: DebugSession, reloader: Reloader, folder: Path
) -> None:
    save(reloader, folder / "b.frag", scaled(3.0))
    reload = save(reloader, folder / "b.frag", COPY.replace("t_X, ivec2", "t_X, ivec9"))
    assert reload.passes == ()
    (error,) = reload.errors
    assert isinstance(error, ShaderError)
    assert (error.file, error.line) == ("b.frag", 6)
    assert session.shader_error("b") is error
    session.run()
    assert np.array_equal(session.tensor("c"), session.tensor("image") * np.float32(3.0))
    assert save(reloader, folder / "b.frag", scaled(5.0)).errors == ()
    assert session.shader_error("b") is None
    assert np.array_equal(session.tensor("c"), session.tensor("image") * np.float32(5.0))


def test_going_back_to_what_runs_mends_the_error(session: DebugSession, reloader: Reloader, folder: Path) -> None:
    save(reloader, folder / "b.frag", "#version 330 core\n" + COPY)
    reload = save(reloader, folder / "b.frag", COPY)
    assert (reload.errors, reload.passes) == ((), ())
    assert session.compare(findings=False).verdict == "match"


def test_an_error_in_an_included_file_stands_on_its_own_line(reloader: Reloader, folder: Path) -> None:
    reload = save(reloader, folder / "read.glsl", "// mine\n\nvec4 read(sampler2D t, ivec2 p) { return nothing; }\n")
    assert [str(error).partition(": expected")[0] for error in reload.errors] == ["read.glsl:3"]


def test_a_broken_pipeline_file_changes_nothing_until_it_is_mended(
    session: DebugSession, reloader: Reloader, folder: Path
) -> None:
    path = folder / "pipeline.toml"
    text = path.read_text(encoding="utf-8")
    reload = save(reloader, path, text.replace('textures.t_X = "b"', 'textures.t_X = "bb"'))
    assert [str(error) for error in reload.errors] == [
        "pipeline.toml [[pass]] 'c' textures.t_X: expected an input, a constant or an earlier pass, got 'bb'. "
        "Did you mean 'b'?"
    ]
    session.run()
    assert session.compare(findings=False).verdict == "match"
    reload = save(reloader, path, text.replace('textures.t_X = "b"', 'textures.t_X = "image"'))
    assert (reload.errors, reload.passes) == ((), ("c",))


def test_an_include_that_is_missing_may_come_later(session: DebugSession, reloader: Reloader, folder: Path) -> None:
    shader = COPY.replace("out vec4", '#include "later.glsl"\nout vec4').replace("0);", "0) * factor();")
    assert "later.glsl" in str(save(reloader, folder / "c.frag", shader).errors[0])
    reload = save(reloader, folder / "later.glsl", "float factor() { return 7.0; }\n")
    assert (reload.errors, reload.passes) == ((), ("c",))
    assert np.array_equal(session.tensor("c"), session.tensor("image") * np.float32(7.0))


def test_a_pass_may_come_go_and_change_its_shape(session: DebugSession, reloader: Reloader, folder: Path) -> None:
    path = folder / "pipeline.toml"
    text = path.read_text(encoding="utf-8")
    fourth = PASS.replace('"copy"', '"d"').replace('"image"', '"c"').replace("copy.frag", "c.frag")
    oracle = FUNCTIONS + "def d(t_X): return t_X\n"
    (folder / "oracle.py").write_text(oracle, encoding="utf-8")
    assert "d" in save(reloader, path, text + fourth).passes
    assert session.compare(findings=False).verdict == "match"
    half = text.replace('name = "c"', 'name = "e"').replace("[1, 3, 8, 8], layout", "[1, 3, 4, 8], layout")
    reload = save(reloader, path, half)
    assert (reload.errors, reload.passes) == ((), ("a", "b", "e"))
    assert [each.name for each in session.plan.passes] == ["a", "b", "e"]
    assert session.tensor("e").shape == (1, 3, 4, 8)


def test_a_new_oracle_needs_a_new_comparison_and_no_new_run(
    session: DebugSession, reloader: Reloader, folder: Path
) -> None:
    reload = save(reloader, folder / "oracle.py", FUNCTIONS.replace("b(t_X): return t_X", "b(t_X): return -t_X"))
    assert (reload.passes, reload.oracle_changed) == ((), True)
    assert session.compare(findings=False).culprit == "b"


def test_trust_can_be_given_later(gl: moderngl.Context, folder: Path) -> None:
    with (
        pipeline.open(folder / "pipeline.toml", context=gl) as session,
        Reloader(session, folder / "pipeline.toml") as reloader,
    ):
        session.run()
        assert session.compare(findings=False).verdict == "not_compared"
        assert session.plan.oracle_file is not None
        assert reloader.trust({session.plan.oracle_file.digest}).oracle_changed
        assert session.compare(findings=False).verdict == "match"
        save(reloader, folder / "oracle.py", FUNCTIONS + "# other code\n")
        assert session.compare(findings=False).verdict == "not_compared"


def test_a_picture_and_uniforms_follow_their_files(gl: moderngl.Context, tmp_path: Path) -> None:
    path = write_folder(tmp_path, INPUT.replace("random:1", "x.npy") + PASS, copy_frag=COPY)
    np.save(tmp_path / "x.npy", np.zeros((1, 3, 8, 8), np.float32))
    with pipeline.open(path, context=gl) as session, Reloader(session, path) as reloader:
        session.run()
        np.save(tmp_path / "x.npy", np.ones((1, 3, 8, 8), np.float32))
        reload = reloader.wait(5.0)
        assert reload is not None
        assert reload.passes == ("copy",)
        assert session.tensor("copy").min() == 1.0


def test_a_new_model_brings_new_weights(gl: moderngl.Context, tmp_path: Path) -> None:
    each = PASS.replace('"image"', '{ tensor = "conv1.bias", layout = "channel_tiles" }')
    each = each.replace("[1, 3, 8, 8]", "[4]").replace('"copy"', '"bias"')
    path = write_folder(tmp_path, '[pipeline]\nmodel = "model.onnx"\n' + INPUT + each)
    with pipeline.open(path, context=gl) as session, Reloader(session, path) as reloader:
        session.run()
        model = one_convolution()
        model.graph.initializer[1].raw_data = np.arange(4, dtype=np.float32).tobytes()
        onnx.save(model, tmp_path / "model.onnx")
        reload = reloader.wait(5.0)
        assert reload is not None
        assert (reload.passes, reload.oracle_changed) == (("bias",), True)
        assert session.tensor("bias").tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize("name", ["b.frag", "read.glsl"])
def test_a_file_of_a_hundred_megabytes_marks_its_pass_and_the_others_go_on(
    session: DebugSession, reloader: Reloader, folder: Path, name: str
) -> None:
    text = (folder / name).read_text(encoding="utf-8")
    with (folder / "large").open("wb") as file:
        file.truncate(100_000_000)
    start = time.process_time()
    (folder / "large").replace(folder / name)
    reload = reloader.wait(5.0)
    assert reload is not None
    (error,) = reload.errors
    assert str(error).startswith(f"{name}:1: expected a shader that compiles, got 100000000 bytes of source, more than")
    assert time.process_time() - start < 2.0
    marked = "b" if name == "b.frag" else "a"
    assert session.shader_error(marked) is error
    session.set_input("image", np.ones((1, 3, 8, 8), np.float32))
    session.run()
    assert [session.has_run(each) for each in "abc"] == [True, True, True]
    assert save(reloader, folder / name, text).errors == ()


def test_a_model_that_is_opened_with_such_a_file_runs_what_it_can(gl: moderngl.Context, folder: Path) -> None:
    with (folder / "b.frag").open("wb") as file:
        file.truncate(100_000_000)
    with pipeline.open(folder / "pipeline.toml", context=gl) as session:
        session.run()
        assert [session.has_run(each) for each in "abc"] == [True, False, False]
        assert "100000000 bytes of source" in str(session.shader_error("b"))


def test_a_loop_without_end_ends_and_the_comparison_shows_it(
    gl: moderngl.Context, session: DebugSession, reloader: Reloader, folder: Path
) -> None:
    """llvmpipe leaves the loops of a fragment after 65,535 rounds; drivers of graphics cards take the context away.

    Not `while (true)`: no compiler needs to make what stands after it, and whatever lay in memory would be drawn.
    """
    if "llvmpipe" not in gl.info["GL_RENDERER"]:
        pytest.skip("a graphics card without a watchdog never comes back from this")
    loop = "vec4 sum = vec4(0.0);\n    while (sum.x >= 0.0) sum += 1.0;\n    Y = sum + "
    reload = save(reloader, folder / "b.frag", COPY.replace("Y = ", loop))
    assert (reload.passes, reload.errors) == (("b", "c"), ())
    report = session.compare(findings=False)
    assert report.passes[0].verdict == "match"
    assert report.culprit == "b"  # of what it was about to compute nothing is left, not even always a number


def test_buffers_are_cleared_if_one_asks_for_it(session: DebugSession, reloader: Reloader, folder: Path) -> None:
    shader = COPY.replace("void main() {", "void main() {\n    if (gl_FragCoord.x > 4.0) discard;")
    save(reloader, folder / "b.frag", shader)
    assert session.texels("b")[:, 5:].any()
    reloader.clear_buffers = True
    save(reloader, folder / "b.frag", shader + "// again\n")
    assert not session.texels("b")[:, 5:].any()
    assert session.texels("b")[:, :4].any()


def test_a_caller_may_run_the_passes_itself(session: DebugSession, reloader: Reloader, folder: Path) -> None:
    reloader.run = False
    assert save(reloader, folder / "b.frag", scaled(2.0)).passes == ()
    assert [session.has_run(name) for name in "abc"] == [True, False, False]


def test_a_program_that_does_not_link_leaves_the_last_good_one_running_and_no_gl_objects(
    session: DebugSession, reloader: Reloader, folder: Path
) -> None:
    def reload(number: int) -> str:
        text = COPY.replace("void main()", f"float nowhere();\n// {number}\nvoid main()")
        (folder / "b.frag").write_text(text.replace("0);", "0) * nowhere();"), encoding="utf-8")
        (error,) = reloader.reload(frozenset({folder / "b.frag"})).errors
        return str(error)

    assert "unresolved reference to function `nowhere'" in reload(0)
    gc.collect()
    before = count_gl_objects()
    for number in range(1, 4):
        reload(number)
    gc.collect()
    assert count_gl_objects() == before
    session.run()
    assert np.array_equal(session.tensor("c"), session.tensor("image"))


def test_reloads_leave_no_gl_objects_behind(session: DebugSession, reloader: Reloader, folder: Path) -> None:
    def reload(number: int) -> None:
        broken = "ivec9" if number % 3 == 0 else "ivec2"
        (folder / "b.frag").write_text(COPY.replace("ivec2", broken) + f"// {number}\n", encoding="utf-8")
        result = reloader.reload(frozenset({folder / "b.frag"}))
        assert bool(result.errors) == (number % 3 == 0)

    for number in range(1, 11):
        reload(number)
    gc.collect()
    before = count_gl_objects()
    for number in range(11, 71):
        reload(number)
    gc.collect()
    assert count_gl_objects() == before


def test_passes_that_come_and_go_leave_no_gl_objects_behind(
    session: DebugSession, reloader: Reloader, folder: Path, gl: moderngl.Context
) -> None:
    """Nor do sessions that are opened and closed on one context."""
    path = folder / "pipeline.toml"
    text = path.read_text(encoding="utf-8")

    def rename(number: int) -> None:
        path.write_text(text.replace('name = "c"', f'name = "c{number}"\noracle = "c"'), encoding="utf-8")
        assert reloader.reload(frozenset({path})).passes == (f"c{number}",)
        assert session.gpu_ms(f"c{number}") is not None
        with pipeline.open(path, context=gl) as other:
            other.run()

    rename(0)
    gc.collect()
    before = count_gl_objects()
    for number in range(1, 5):
        rename(number)
    gc.collect()
    assert count_gl_objects() == before


def test_closing_ends_the_thread_at_once(session: DebugSession, folder: Path) -> None:
    reloader = Reloader(session, folder / "pipeline.toml")
    assert reloader.watch_error is None
    start = time.perf_counter()
    reloader.close()
    assert time.perf_counter() - start < 1.0
