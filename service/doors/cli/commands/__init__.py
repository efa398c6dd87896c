"""One module a command: ``add_arguments(parser)`` and ``run(arguments) -> exit status``; imported when it is asked for."""
