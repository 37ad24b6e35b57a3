"""Tests of what editors are given: the extension for VS Code, in Node. `make editors` runs it."""
