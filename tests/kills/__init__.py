"""Commands and savings are killed at random moments, and nothing of what they write is found half written."""
