"""Generic accessors: as TensorFlow.js generates them, packed in 2 x 2 blocks, and as people write them by hand."""
