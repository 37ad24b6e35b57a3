"""Makes mutants of compute shaders safe: clamps indices of shared memory, keeps barriers in uniform control flow."""
