"""Holds the manifest of the extension for VS Code to the product: version, licence, launch attributes, the page."""

from __future__ import annotations

import json
import tomllib
from typing import Any

from tests.checkout import ROOT
from texelscope.launch_arguments import launch_arguments

EXTENSION = ROOT / "editors" / "vscode"


def manifest() -> dict[str, Any]:
    package: dict[str, Any] = json.loads((EXTENSION / "package.json").read_text(encoding="utf-8"))
    return package


def test_the_extension_has_the_products_version_and_licence() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lock = json.loads((EXTENSION / "package-lock.json").read_text(encoding="utf-8"))
    assert manifest()["version"] == lock["version"] == lock["packages"][""]["version"] == project["version"]
    assert manifest()["license"] == project["license"]
    assert (EXTENSION / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()


def test_the_lock_file_names_no_host() -> None:
    assert "://" not in (EXTENSION / "package-lock.json").read_text(encoding="utf-8")


def test_every_launch_attribute_is_an_argument_of_the_adapter() -> None:
    (debugger,) = manifest()["contributes"]["debuggers"]
    given = {
        "input": {"image": "ramp"}, "shape": {"x": "1,3,8,8"}, "limit": {"nodes": 200}, "param": {"channels": 3},
        "convention": {"LRN": "tensorflow"}, "wrt": ["x"], "gradients": "loss", "precision": "float16", "pack": 4,
        "backend": "fragment", "mode": "fp32", "texel": "1,2", "window": "1:2", "frame": 0, "lane": 0, "element": 3,
        "stopOnEntry": True, "trust": True, "timeout": 30,
    }  # fmt: skip
    of_ncnn = {"param", "pack", "mode"}
    names = debugger["configurationAttributes"]["launch"]["properties"]
    assert given.keys() < names.keys()
    for name in names.keys() - {"target"}:
        target = "pooling.comp" if name in of_ncnn else "pipeline.toml" if name == "frame" else "model.onnx"
        assert launch_arguments({"target": target, name: given.get(name, "flat")}).unknown == (), name
    for configuration in (*debugger["initialConfigurations"], debugger["configurationSnippets"][0]["body"]):
        assert set(configuration) <= {*names, "name", "type", "request"}


def test_the_page_names_every_command_and_setting() -> None:
    page = (ROOT / "docs" / "editors.md").read_text(encoding="utf-8")
    contributes = manifest()["contributes"]
    for command in contributes["commands"]:
        assert f"{command['category']}: {command['title']}" in page
    for setting in contributes["configuration"]["properties"]:
        assert f"`{setting}`" in page
