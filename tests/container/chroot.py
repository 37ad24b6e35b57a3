"""Builds the stages of Containerfile as folders, by debootstrap and chroot, and runs commands in the last one.

What podman or docker would do with the same file; it takes root, and Debian's packages.
"""

from __future__ import annotations

import os
import shutil
import ssl
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.checkout import ROOT
from tests.container.containerfile import Instruction, Stage, stages

IMAGE = "debian:"
# What a container's engine gives to every container: names of hosts, and here the certificates of this machine.
CERTIFICATES = Path("etc", "ssl", "certs", "ca-certificates.crt")
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


def base(image: str, folder: Path) -> None:
    """Fills `folder` with what a slim image of Debian holds."""
    release = image.removeprefix(IMAGE).removesuffix("-slim")
    subprocess.run(["debootstrap", "--variant=minbase", release, folder], check=True, stdout=subprocess.DEVNULL)
    shutil.copy("/etc/resolv.conf", folder / "etc")
    trusted = ssl.get_default_verify_paths().cafile
    if trusted is not None:
        (folder / CERTIFICATES).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(trusted, folder / CERTIFICATES.with_name("of-the-machine.crt"))


def copy_of(root: Path, folder: Path) -> None:
    """Copies a base to `folder`, with a file in place of the one device that its commands need."""

    def devices(parent: str, names: list[str]) -> list[str]:
        return names if Path(parent) == root / "dev" else []

    shutil.copytree(root, folder, symlinks=True, ignore=devices)
    (folder / "dev" / "null").touch()


@dataclass(frozen=True)
class Built:
    """Manages a stage that lies in `folder`."""

    folder: Path

    def run(
        self,
        command: Sequence[str],
        at: str = "/",
        environment: Mapping[str, str] | None = None,
        seconds: float | None = None,
    ) -> subprocess.CompletedProcess[str]:
        """Runs a command in it, in its folder `at`, to its end. Raises TimeoutExpired after some seconds."""
        inside = 'cd "$0" && exec "$@"'
        return subprocess.run(
            ["chroot", self.folder, "sh", "-c", inside, at, *command],
            env={"PATH": PATH, **(environment or {})}, capture_output=True, encoding="utf-8", check=False,
            timeout=seconds,
        )  # fmt: skip


@dataclass(frozen=True)
class Image:
    """The last stage of Containerfile, with the words that start the program in it."""

    built: Built
    start: tuple[str, ...]

    def command(self, words: Sequence[str], seconds: float) -> subprocess.CompletedProcess[str] | None:
        """Runs the program on the folder `/data`, as root; None if it takes longer than some seconds."""
        try:
            return self.built.run([*self.start, *words], "/data", seconds=seconds)
        except subprocess.TimeoutExpired:
            return None


def built_image(folder: Path) -> Image:
    """Builds the image in a folder."""
    found = stages((ROOT / "Containerfile").read_text(encoding="utf-8"))
    (kind,) = {stage.image for stage in found}
    base(kind, folder / "base")
    places: dict[str, Path] = {}
    for number, stage in enumerate(found):
        place = folder / f"stage{number}"
        copy_of(folder / "base", place)
        last = build(stage, place, ROOT, places)
        places[stage.name] = place
    return Image(last, tuple(found[-1].list_of("ENTRYPOINT")))


def build(stage: Stage, folder: Path, context: Path, earlier: Mapping[str, Path]) -> Built:
    """Carries out a stage's instructions in `folder`, which holds its base image; `context` is the checkout."""
    built = Built(folder)
    for each in stage.instructions:
        if each.word == "RUN":
            fetching = {"PIP_CERT": "/" + str(CERTIFICATES.with_name("of-the-machine.crt"))}
            done = built.run(["sh", "-c", each.rest], environment=fetching)
            assert done.returncode == 0, f"{each.rest}\n{done.stdout}\n{done.stderr}"
        elif each.word == "COPY":
            _copy(each, folder, context, earlier)
        elif each.word == "WORKDIR":
            (folder / each.rest.lstrip("/")).mkdir(parents=True, exist_ok=True)
    return built


def _copy(instruction: Instruction, folder: Path, context: Path, earlier: Mapping[str, Path]) -> None:
    *options, source, target = instruction.rest.split()
    place = folder / target.lstrip("/")
    if options:
        stage = earlier[options[0].removeprefix("--from=")]
        shutil.copytree(stage / source.lstrip("/"), place, symlinks=True)
        return
    left_out = shutil.ignore_patterns(*_left_out(context))
    shutil.copytree(context / source, place, symlinks=True, ignore=left_out)


def _left_out(context: Path) -> list[str]:
    """Returns the names that .containerignore keeps out of the image."""
    lines = (context / ".containerignore").read_text(encoding="utf-8").split()
    return [line.removeprefix("**/") for line in lines]


def is_possible() -> bool:
    """Whether this machine can build a folder of Debian and run in it."""
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    return is_root and all(map(shutil.which, ("debootstrap", "chroot")))
