"""A recording is compared with a model: guessed by value, or by a table that a person may edit."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import moderngl
import numpy as np
import pytest

from tests.pure.models import model, node, value
from tests.webgl_recordings import SUM, VERTEX, WebglPage, summed, texels, two_draws
from texelscope import pipeline
from texelscope.pipeline.compare.report import Report
from texelscope.pipeline.dialects.webgl import explained
from texelscope.pipeline.draft.drafting import DraftRequest
from texelscope.pipeline.draft_writing.texture_table import WrittenTable, write_texture_table
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.opening import open_session
from texelscope.pipeline.reload.reloader import Reloader
from texelscope.pipeline.target import OpenOptions

SHAPE = (1, 4, 4, 6)


@pytest.fixture
def model_file(tmp_path: Path) -> Path:
    """Returns the model that the two draws compute: a convolution of each channel, made positive, and its double."""
    nodes = [
        node("Conv", "x w", "c", kernel_shape=[1, 2], pads=[0, 1, 0, 0], group=4),
        node("Relu", "c", "r"),
        node("Mul", "r two", "y"),
        node("Slice", "x start end axis", "half"),
    ]
    weights = {"w": np.ones((4, 1, 1, 2), np.float32), "two": np.array(2.0, np.float32)}
    weights |= {"start": np.array([0]), "end": np.array([2]), "axis": np.array([1])}
    path = tmp_path / "sum.onnx"
    path.write_bytes(model(nodes, [value("x", SHAPE)], [value("y", SHAPE)], weights=weights).SerializeToString())
    return path


def compared(gl: moderngl.Context, target: Path, oracle: Path) -> Report:
    """Returns the report of a recording against a model, or a table."""
    with pipeline.open(target, context=gl, oracle=str(oracle)) as session:
        session.run()
        return session.compare()


def written(tmp_path: Path, page: WebglPage, model_file: Path) -> WrittenTable:
    """Writes the table of a page's recording."""
    return write_texture_table(page.write(tmp_path / "page"), tmp_path / "table", DraftRequest(), model_file)


def wrong_on_the_page() -> WebglPage:
    """A page whose first program leaves out a column's neighbour: what it wrote is not what the model means."""
    page, x = two_draws(), texels()
    page.files["programs/000.frag"] = SUM.replace("at.x > 0", "at.x > 1").encode()
    y = summed(x)
    y[:, 1] = np.maximum(x[:, 1], np.float32(0.0))
    page.files["textures/1.bin"], page.files["textures/2.bin"] = y.tobytes(), (2 * y).tobytes()
    return page


def test_draws_are_compared_with_the_models_tensors_that_they_hold(
    gl: moderngl.Context, tmp_path: Path, model_file: Path
) -> None:
    folder = two_draws().write(tmp_path / "page")
    report = compared(gl, folder, model_file)
    assert [(each.operator, each.verdict, each.compared_with) for each in report.passes] == [
        ("Conv+Relu", "match", "meaning"), ("Mul", "match", "meaning"),
    ]  # fmt: skip
    assert report.end_to_end is not None
    plan = pipeline.plan_of(folder, oracle=str(model_file))
    assert {key: each.tensor for key, each in plan.textures.items()} == {"draw0.x": "x", "draw0": "r", "draw1": "y"}


def test_a_wrong_edit_is_named_against_the_model_and_the_next_draw_is_still_judged(
    gl: moderngl.Context, tmp_path: Path, model_file: Path
) -> None:
    folder = two_draws().write(tmp_path / "page")
    shader = folder / "programs" / "000.frag"
    shader.write_text(SUM.replace("at - ivec2(1, 0)", "at - ivec2(1, 1)"))
    report = compared(gl, folder, model_file)
    assert [each.verdict for each in report.passes] == ["mismatch", "match"]
    assert report.passes[0].page is not None
    assert report.passes[0].page.agrees_with == "meaning"


def test_a_program_that_is_wrong_on_the_page_too_is_not_its_meaning(
    gl: moderngl.Context, tmp_path: Path, model_file: Path
) -> None:
    page = wrong_on_the_page()
    report = compared(gl, page.write(tmp_path / "page"), model_file)
    assert [each.verdict for each in report.passes] == ["not_its_meaning", "match"]
    assert "so the program is wrong in the recorded page." in report.passes[0].message
    table = written(tmp_path, page, model_file)
    assert table.summary.endswith("2 of 2 passes hold a tensor of the model, 1 of them only alike.")
    assert "# Not equal: their correlation is 0." in table.file.read_text()


def test_an_input_that_a_draw_unpacks_is_found_and_what_is_behind_it_compared(
    gl: moderngl.Context, tmp_path: Path, model_file: Path
) -> None:
    page, x = WebglPage(), texels()
    turned = np.ascontiguousarray(x[::-1, ::-1])  # no layout has a tensor so
    text = SUM.replace("max(texelFetch(x, at, 0) + left, 0.0)", "texelFetch(x, ivec2(5, 3) - at, 0)")
    upload, image, first = page.texture(turned), page.texture(x), page.texture(summed(x))
    page.draw(page.program(VERTEX, text), {"x": upload}, image)
    page.draw(page.program(VERTEX, SUM), {"x": image}, first)
    folder = page.write(tmp_path / "page")
    plan = pipeline.plan_of(folder, oracle=str(model_file))
    assert (plan.textures["draw0"].tensor, plan.inputs) == ("x", ("draw0.x",))
    report = compared(gl, folder, model_file)
    assert [(each.verdict, each.compared_with) for each in report.passes] == [
        ("match", "recording"), ("match", "meaning"),
    ]  # fmt: skip


def test_a_table_that_is_written_and_read_gives_the_guessed_plan(tmp_path: Path, model_file: Path) -> None:
    table = written(tmp_path, two_draws(), model_file)
    guessed = pipeline.plan_of(tmp_path / "page", oracle=str(model_file))
    read = pipeline.plan_of(tmp_path / "page", oracle=str(table.file))
    assert read.textures == guessed.textures
    assert [(each.nodes, each.operator, each.oracle) for each in read.passes] == [
        (each.nodes, each.operator, each.oracle) for each in guessed.passes
    ]  # fmt: skip
    assert table.file in read.files


def test_an_edited_table_says_what_a_draw_is_compared_with(
    gl: moderngl.Context, tmp_path: Path, model_file: Path
) -> None:
    table = written(tmp_path, two_draws(), model_file)
    text = table.file.read_text()
    without = text[: text.rindex("[[texture]]")]
    table.file.write_text(without)
    report = compared(gl, tmp_path / "page", table.file)
    assert [each.compared_with for each in report.passes] == ["meaning", "recording"]
    assert {each.verdict for each in report.passes} == {"match"}
    table.file.write_text(without.replace('tensor = "r"', 'tensor = "c"'))
    assert [each.verdict for each in compared(gl, tmp_path / "page", table.file).passes] == ["not_its_meaning", "match"]


CHANGES: list[tuple[Callable[[str], str], str]] = [
    (lambda text: text.replace('"draw0"', '"draw9"'), "[[texture]] 'draw9': expected a texture of the recording, got "),
    (lambda text: text.replace('tensor = "r"', 'tensor = "q"'), "'draw0': expected a tensor of model.onnx, got 'q'."),
    (lambda text: text.replace('"draw1"', '"draw0"'), "'draw0': expected each texture once, got a second entry."),
    (lambda text: text.replace('"channel_tiles_rgba"', '"channel_tiles"'), "expected a layout that puts [1, 4, 4, 6] "
     "into 6x4 texels of 4 lanes, got 12x8 of 1 in channel_tiles. Correct the layout or the tensor."),
    (lambda text: text.replace('"x"', '"half"', 1), "'draw0.x': "
     "expected a layout that holds every number of what was uploaded, padding of zeros aside, got others where"),
    (lambda text: text.replace('"channel_tiles_rgba"', '"tiles"'), "expected the name of a layout, got 'tiles'."),
    (lambda text: text.replace("model.onnx", "../model.onnx"), "expected a path inside the table's folder, got one "),
    (lambda text: text.replace("model = ", "modell = "), "expected a known key, got 'modell'. Did you mean 'model'?"),
    (lambda text: text.replace("[[texture]]", "[[texture"), "draws.toml: expected TOML"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "message"), CHANGES)
def test_what_is_wrong_with_a_table_is_said(
    tmp_path: Path, model_file: Path, change: Callable[[str], str], message: str
) -> None:
    table = written(tmp_path, two_draws(), model_file)
    table.file.write_text(change(table.file.read_text()))
    with pytest.raises(TexelscopeError) as caught:
        pipeline.plan_of(tmp_path / "page", oracle=str(table.file))
    assert message in str(caught.value)


def test_a_model_that_explains_no_draw_is_refused_in_a_line(tmp_path: Path) -> None:
    path = tmp_path / "other.onnx"
    path.write_bytes(model([node("Relu", "x", "y")]).SerializeToString())
    folder = two_draws().write(tmp_path / "page")
    with pytest.raises(TexelscopeError) as caught:
        pipeline.plan_of(folder, oracle=str(path))
    assert str(caught.value) == (
        "page: expected an upload that is the input of other.onnx ('x' [1, 3, 8, 8]), and a draw that computes a "
        "tensor of it, got none in any layout. Record the page with this model, or write a table of textures: see "
        "docs/webgl.md."
    )  # fmt: skip


def test_a_saved_shader_needs_no_second_guess(
    gl: moderngl.Context, tmp_path: Path, model_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = two_draws().write(tmp_path / "page")
    options = OpenOptions(oracle=str(model_file))
    with open_session(folder, options, gl) as session, Reloader(session, folder, options) as reloader:
        session.run()
        before = session.plan.textures
        monkeypatch.setattr(explained, "guessed", lambda *_: pytest.fail("it guessed again"))
        shader = folder / "programs" / "000.frag"
        shader.write_text(SUM.replace("at - ivec2(1, 0)", "at - ivec2(2, 0)"))
        assert reloader.reload(frozenset({shader})).passes == ("draw0", "draw1")
        assert session.plan.textures == before
        assert session.compare().culprit == "draw0"
