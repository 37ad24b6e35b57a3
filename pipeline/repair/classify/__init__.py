"""What a repair says was wrong by its text, and how reads that lie elsewhere do."""
