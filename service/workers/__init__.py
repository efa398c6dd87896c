"""Work in separate processes, with limits on time, memory and waiting."""
