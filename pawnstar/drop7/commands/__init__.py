"""The commands behind ``drop7``. The only part of the engine that reads, prints, or ends the process."""
