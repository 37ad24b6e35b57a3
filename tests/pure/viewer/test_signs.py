"""The signs of layers: each says what it means, and an error of an earlier pass looks like no other verdict."""

from __future__ import annotations

from texelscope.viewer.theme import SIGNS


def test_every_sign_has_a_sentence() -> None:
    assert [name for name, sign in SIGNS.items() if not sign.meaning.endswith(".") or " " not in sign.meaning] == []
    assert len({sign.meaning for sign in SIGNS.values()}) == len(SIGNS)


def test_an_inherited_error_has_its_own_shape() -> None:
    assert [name for name, sign in SIGNS.items() if sign.shape == SIGNS["inherited"].shape] == ["inherited"]
    assert [name for name, sign in SIGNS.items() if sign.shape == SIGNS["precision"].shape] == ["precision"]
