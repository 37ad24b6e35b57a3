"""Evidence about one wrong pass, read back from GL draw by draw before anything is concluded."""
