"""What searches found out about positions, for the next search and for other threads."""
