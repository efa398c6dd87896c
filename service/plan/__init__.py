"""``tfhelp plan``: which TensorFlow works with this Python, GPU and driver."""
