"""Tests recordings of WebGL on a GL driver."""
