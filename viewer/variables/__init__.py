"""What a fragment's variables hold before a step, as rows: values, plots over turns, scopes, sums."""
