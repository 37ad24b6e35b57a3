"""Tests in a real browser: headless Chromium with WebGL 2 in software. `make browser` runs it."""
