"""Generators of hypotheses, by aspect: a module lists its `GENERATORS`, each of which proposes what may be wrong."""
