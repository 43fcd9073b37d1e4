"""Threads that are processes: helpers, their messages, and the memory that they share."""
