"""Index maps from expected to actual elements: solves them from probes' answers and classifies them."""
