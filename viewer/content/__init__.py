"""What is shown, as data: read-outs, texts, reads, timings, places of boxes."""
