"""Index maps from expected to actual elements: as formulas and held constants show them, solved and classified."""
