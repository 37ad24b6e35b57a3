"""Lists the numbers and words that a pipeline file gives its passes, and writes others into its text."""
