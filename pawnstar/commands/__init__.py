"""What ``pawnstar NAME`` offers: one file a command. ``pawnstar/cli.py`` has the list."""
