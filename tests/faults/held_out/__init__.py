"""Plants bugs kept aside, to see whether the rules hold."""
