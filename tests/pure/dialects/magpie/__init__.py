"""Tests Magpie effects: sections, sizes, files of texels, the networks in their text."""
