"""One way in: ``engine.Engine``, with the book and the bench. No input or output."""
