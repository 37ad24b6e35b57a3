"""Tests files of others, which are fetched and never kept here: `make outside` does both."""
