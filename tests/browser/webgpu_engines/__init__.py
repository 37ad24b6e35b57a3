"""Pages of engines that compute with WebGPU, fetched from npm for tests of the recorder: `make webgpu`."""
