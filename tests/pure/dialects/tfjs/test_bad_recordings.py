"""A recording comes from somebody else: whatever is wrong with it is one line, and no size in it is believed."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from tests.pure.dialects.refused_recordings import Change, first, refused
from tests.tfjs_recordings import four_programs
from texelscope.pipeline.device import Limits
from texelscope.pipeline.dialects.recordings import files as recording_files
from texelscope.pipeline.dialects.recordings.files import files_of
from texelscope.pipeline.dialects.tfjs.planning import plan_recording
from texelscope.pipeline.dialects.tfjs.recording.kinds import MANIFEST
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.importers.registry import plan_of
from texelscope.pipeline.target import OpenOptions


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda about: about.update(version=2), "programs.json: expected \"format\": \"texelscope-tfjs\" of version 1, "
         "got 'texelscope-tfjs' of version 2. Record it again."),
        (lambda about: about.update(programs=[]), "programs.json: expected 1 to 10000 programs, got 0."),
        (lambda about: about.update(programs={}), "programs.json: expected a list of programs, got {}."),
        (lambda about: about["textures"].insert(0, 3), "programs.json textures[0]: expected an object, got 3."),
        (first("textures", width=0), "textures[0]: expected a whole number from 1 to 65536 as 'width', got 0."),
        (first("textures", values=7), "textures[0]: expected a text of up to 400 letters as 'values', got 7."),
        (first("programs", name="n" * 401), "programs[0]: expected a text of up to 400 letters as 'name', got 'nnnn"),
        (first("textures", layout="tiles"), "textures[0]: expected a layout that is known, got 'tiles'. Valid: dense,"),
        (first("textures", type="float64"), "expected a type that is known, got 'float64'. Did you mean 'float16'?"),
        (first("textures", shape=[4, 0]), "expected a shape of up to 8 sizes of at least 1, got [4, 0]."),
        (first("textures", height=19), "programs.json texture 0: expected 2x20 texels (width x height) for shape "
         "[1, 4, 5, 2] in unpacked, got 2x19. Correct one of them, or record it again."),
        (first("textures", width=40000, height=40000, shape=[40000, 40000]), "texture of '0_Conv2D.x': expected at "
         "most 16384x16384 texels, which is what this driver takes, got 40000x40000. Record with another "),
        (first("textures", values="textures/1.bin"), "'textures/1.bin': expected 160 bytes of 2x20 texels, got 216."),
        (first("textures", values="textures/9.bin"), "'textures/9.bin': expected a file, got none of that name."),
        (first("textures", values="../0.bin"), "'../0.bin': expected a path inside the recording's folder, got one"),
        (first("programs", output=9), "programs[0] Conv2DProgram: expected an output among the textures, got 9, which"),
        (first("programs", output=0), "expected a new output, got texture 0, which was there before."),
        (lambda about: about["programs"][0]["inputs"].pop(), "programs.json program Conv2DProgram: expected a texture "
         "for each sampler of programs/000_Conv2DProgram.frag, got none for 'W'. Add it to 'inputs', or record it"),
        (lambda about: about["programs"][0]["inputs"][0].update(texture=9), "expected a texture behind 'x', got 9, "
         "which is not recorded."),
        (first("programs", uniforms=[1]), "programs[0]: expected uniforms by name, got [1]."),
        (first("programs", uniforms={"gain": 10**90}), "uniforms.gain: expected up to 4096 numbers, got 1000"),
        (first("programs", uniforms={"x": 1}), "programs.json program Conv2DProgram: expected a texture for 'x', a "
         "sampler of programs/000_Conv2DProgram.frag, got a number in 'uniforms'. Remove it there, or record it"),
        (first("programs", uniforms={"pads": [1, "two"]}), "programs[0] uniforms.pads: expected up to 4096 numbers, "),
    ],
)  # fmt: skip
def test_what_is_wrong_with_an_entry_is_said_in_a_line(tmp_path: Path, change: Change, message: str) -> None:
    page = four_programs()
    change(page.about)
    assert message in refused(page, tmp_path)


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("programs.json", b"{", "programs.json: expected JSON, got 'Expecting property name"),
        ("programs.json", b"\xff", "'programs.json': expected UTF-8 text, got byte 0 is not. Save it as UTF-8."),
    ],
)
def test_a_file_of_other_bytes_is_refused(tmp_path: Path, name: str, data: bytes, message: str) -> None:
    folder = four_programs().write(tmp_path)
    (folder / name).write_bytes(data)
    with pytest.raises(TexelscopeError) as caught:
        plan_of(folder, OpenOptions())
    assert message in str(caught.value)


def test_links_in_a_circle_are_no_file(tmp_path: Path) -> None:
    folder = four_programs().write(tmp_path)
    (folder / "textures" / "0.bin").unlink()
    (folder / "textures" / "0.bin").symlink_to("0.bin")
    with pytest.raises(TexelscopeError, match=r"'textures/0\.bin': expected a file, got links that lead round"):
        plan_of(folder, OpenOptions())


def test_a_time_beyond_all_numbers_is_none(tmp_path: Path) -> None:
    page = four_programs()
    page.about["programs"][0]["ms"] = 10**90
    assert plan_of(page.write(tmp_path), OpenOptions()).passes[0].recorded_ms is None


def test_a_text_is_measured_before_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = four_programs().write(tmp_path)
    monkeypatch.setattr(recording_files.FolderFiles, "size_bytes", lambda _self, _path: 1 << 40)
    with pytest.raises(TexelscopeError, match=r"'programs\.json': expected at most 67108864 bytes of text, got 1099"):
        plan_recording(files_of(folder, MANIFEST), Limits())


def test_textures_are_counted_before_any_is_read(tmp_path: Path) -> None:
    page = four_programs()
    page.about["textures"][0].update(shape=[16384, 16384, 4], width=16384, height=16384, layout="texels")
    page.about["textures"][2].update(shape=[16384, 16384, 4], width=16384, height=16384, layout="texels")
    page.about["textures"][4].update(shape=[16384, 16384, 4], width=16384, height=16384, layout="texels")
    told = refused(page, tmp_path)
    assert "expected at most 3.5 GiB of memory, got 12.0 GiB of memory of textures, the largest is '" in told


def zipped(folder: Path, to: Path) -> Path:
    """Returns the folder as an archive."""
    with zipfile.ZipFile(to, "w") as archive:
        for path in folder.rglob("*.*"):
            archive.write(path, path.relative_to(folder).as_posix())
    return to


def test_an_archive_opens_as_the_folder_does(tmp_path: Path) -> None:
    folder = four_programs().write(tmp_path / "folder")
    plan = plan_of(zipped(folder, tmp_path / "recording.zip"), OpenOptions())
    assert [each.name for each in plan.passes] == [each.name for each in plan_of(folder, OpenOptions()).passes]
    assert not plan.files


def test_what_an_archive_lacks_is_named(tmp_path: Path) -> None:
    folder = four_programs().write(tmp_path / "folder")
    (folder / "textures" / "0.bin").unlink()
    with pytest.raises(TexelscopeError, match=r"'textures/0\.bin': expected a file in recording\.zip, got none of"):
        plan_of(zipped(folder, tmp_path / "recording.zip"), OpenOptions())


def test_an_archive_that_is_none_or_is_damaged_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "recording.tfjs.zip"
    path.write_bytes(b"none")
    with pytest.raises(TexelscopeError, match=r"recording\.tfjs\.zip: expected a readable zip archive, got"):
        plan_of(path, OpenOptions())
    zipped(four_programs().write(tmp_path / "folder"), path)
    at = path.read_bytes().index(json.dumps("texelscope-tfjs").encode())
    path.write_bytes(path.read_bytes()[:at] + b"#" + path.read_bytes()[at + 1 :])
    with pytest.raises(
        TexelscopeError, match=r"'programs\.json' in recording\.tfjs\.zip: expected a file that unpacks"
    ):
        plan_of(path, OpenOptions())
