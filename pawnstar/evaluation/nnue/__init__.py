"""Evaluation by the network: its file, its accumulators, and the arithmetic in two forms."""
