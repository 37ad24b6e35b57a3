"""Names faults by formulas: how the formula of a wrong element departs from the model's."""
