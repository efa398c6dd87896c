"""The check-up of a machine: problems that can be found without any error text."""
