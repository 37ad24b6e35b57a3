"""What is read back from GL about one wrong pass, draw by draw, before anything is concluded."""
