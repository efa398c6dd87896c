"""Work in processes of their own, with a limit on time, memory and waiting."""
