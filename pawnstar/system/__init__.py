"""What the machine and the operating system give: processors, memory, signals, other processes and machines."""
