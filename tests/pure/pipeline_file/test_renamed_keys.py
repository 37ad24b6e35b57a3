"""What a shader declares is renamed in the pipeline file that binds it, wherever the file writes it."""

from __future__ import annotations

import tomllib

import pytest

from texelscope.pipeline.errors import UnsupportedError
from texelscope.pipeline.pipeline_file.renamed_keys import renamed_keys

# ^ stands before each place where the name of pass `a` is.
FORMS = {
    "dotted": '[[pass]]\nname = "a"\ntextures.^it = "image"\nuniforms.size = "size(^it)"\n',
    "quoted": '[[pass]]\nname = \'a\'\ntextures."^it" = "image"\nuniforms.n = "1 / texel_size( ^it ).x"\n',
    "table": '[[pass]]\nname = "a"\n[pass.textures]\n^it = "image"\n[pass.uniforms]\nsize = "size(^it)"\n',
    "inline": '[[pass]]\nname = "a"\ntextures = { other = "x", ^it = { tensor = "image" } }\n',
    "deeper": '[[pass]]\nname = "a"\ntextures.^it.tensor = "image"\n',
    "block and member": '[[pass]]\nname = "a"\nuniforms."^it.gain" = 2\n',
    "macro": '[[pass]]\nname = "a"\ndefines.^it = 4\n',
    "buffer": '[[pass]]\nname = "a"\nbuffers.^it = "image"\n',
    "name last": '[[pass]]\ntextures.^it = "image"\nname = "a"\n',
    "another pass": '[[pass]]\nname = "a"\ntextures.^it = "x"\n\n[[pass]]\nname = "b"\ntextures.it = "x"\n',
    "a comment": '[[pass]]\nname = "a"\ntextures.^it = "x"  # it = it, size(it)\n',
    "none": '[[pass]]\nname = "a"\ntextures.other = "it"\n',
}


@pytest.mark.parametrize("marked", FORMS.values(), ids=FORMS.keys())
def test_every_place_is_found(marked: str) -> None:
    text = marked.replace("^", "")
    places = [len(part) for part in marked.split("^")[:-1]]
    starts = [sum(places[: number + 1]) for number in range(len(places))]
    found = renamed_keys(text, "pipeline.toml", {"a"}, "it", "other_name")
    assert [start for start, _ in found] == starts
    assert {text[start:stop] for start, stop in found} <= {"it"}
    changed = text
    for start, stop in reversed(found):
        changed = changed[:start] + "other_name" + changed[stop:]
    assert ("other_name" in str(tomllib.loads(changed))) == bool(starts)


def test_an_unusual_way_of_writing_it_is_refused() -> None:
    text = '[[pass]]\nname = "a"\n[pass.textures.it]\ntensor = "image"\n'
    with pytest.raises(UnsupportedError, match=r"pipeline.toml: expected 'it' as a key of its pass, got it written in"):
        renamed_keys(text, "pipeline.toml", {"a"}, "it", "other")


def test_a_name_that_may_mean_a_tensor_is_refused() -> None:
    text = '[[input]]\nname = "it"\n[[pass]]\nname = "a"\ntextures.it = "it"\nuniforms.size = "size(it)"\n'
    with pytest.raises(
        UnsupportedError, match=r"expected one meaning of 'it', got a tensor and a sampler of that name"
    ):
        renamed_keys(text, "pipeline.toml", {"a"}, "it", "other")
