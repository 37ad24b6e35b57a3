"""Pages of other engines that draw with WebGL, fetched from npm for tests of the recorder: `make webgl`."""
