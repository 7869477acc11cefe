"""What the pages say, in English and French."""
