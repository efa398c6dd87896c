"""What ``tfhelp lint`` finds, in the forms that other programs read."""
