"""Which verdicts stand after a further run: tensors held on the GPU as they were judged; only what differs is read."""
