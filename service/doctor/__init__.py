"""The check-up of a machine: what can be found wrong without any error text."""
