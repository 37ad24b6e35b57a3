"""Which verdicts stand after a further run: tensors held as they were judged; only what differs is read."""
