"""What is taken away: snapshots, a page, an ejected pipeline, a bundle."""
