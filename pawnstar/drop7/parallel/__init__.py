"""A decision divided among workers: bounds, jobs, processes that share memory, clusters."""
