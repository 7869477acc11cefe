"""The table at the terminal: what is said, drawn and asked while somebody plays."""
