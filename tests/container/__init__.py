"""The image that Containerfile describes, as its text and as a folder that is run."""
