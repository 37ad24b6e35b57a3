"""The image of Containerfile, built as a folder by debootstrap, runs the program without a window.

`make container` runs these tests; they fetch Debian's packages and Python's, in two minutes.
"""

from __future__ import annotations

import shutil

import pytest

from tests.checkout import ROOT
from tests.container.chroot import Built, built_image, is_possible
from tests.container.containerfile import stages
from texelscope.pipeline.commands.diff import MATCH, MISMATCH

pytestmark = [
    pytest.mark.timeout(1200),
    pytest.mark.skipif(not is_possible(), reason="it takes root, debootstrap and chroot"),
]

STAGES = stages((ROOT / "Containerfile").read_text(encoding="utf-8"))
START = STAGES[-1].list_of("ENTRYPOINT")


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """Returns the last stage, built."""
    return built_image(tmp_path_factory.mktemp("container")).built


def test_without_arguments_it_shows_its_help(image: Built) -> None:
    done = image.run([*START, *STAGES[-1].list_of("CMD")], "/data")
    assert done.stdout.startswith("usage: texelscope"), done.stderr


def test_it_judges_a_model_and_the_shaders_of_a_folder(image: Built) -> None:
    shutil.copytree(ROOT / "examples" / "webgl_cnn", image.folder / "data" / "webgl_cnn")
    done = image.run([*START, "diff", "--diagnose-seconds", "0"], "/data")
    assert done.returncode == MATCH, done.stderr
    wrong = image.run([*START, "diff", "webgl_cnn/broken.toml", "--diagnose-seconds", "0"], "/data")
    assert wrong.returncode == MISMATCH, wrong.stderr
    assert "First wrong pass: down1" in wrong.stdout


def test_the_image_holds_no_compiler_and_no_sources(image: Built) -> None:
    assert not (image.folder / "source").exists()
    assert not list((image.folder / "usr" / "bin").glob("*g++*"))
