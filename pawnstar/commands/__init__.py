"""What ``pawnstar NAME`` offers: one file a command. ``pawnstar/subcommands.py`` has the list."""
