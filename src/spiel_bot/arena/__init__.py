"""Arena: who is stronger, and how sure we are."""
