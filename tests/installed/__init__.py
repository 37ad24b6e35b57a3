"""The program as somebody has it who installed it: from a wheel, with no checkout near."""
