"""From files to plans, bounds and reports, without GL."""
