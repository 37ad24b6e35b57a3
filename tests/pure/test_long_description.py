"""The long description of a built package says what README.md says, and needs no file of the repository."""

from __future__ import annotations

import re
from pathlib import Path

from tests.pure.source_tree import text_of
from tools.long_description import long_description


def test_pictures_and_links_within_the_repository_become_words() -> None:
    readme = (
        "# A\n\n![a window](docs/pictures/a.png)\n\nSee [the guide](docs/guide.md#first) and [ONNX](https://onnx.ai).\n"
    )
    assert long_description(readme) == "# A\n\nSee the guide and [ONNX](https://onnx.ai).\n"


def test_the_readme_leads_to_no_file_outside_it() -> None:
    text = long_description(text_of(Path("README.md")))
    assert text.startswith("# Texelscope\n")
    assert re.findall(r"\]\((?!https?:)[^)]*\)", text) == []
    assert "![" not in text
