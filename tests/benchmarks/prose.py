"""Questions as people type them, without any program output: only similarity search can answer them."""

SHORT = [
    "my graphics card's memory is full after a few steps although the batch is small",
    "training stops in the middle of the night and there is no error anywhere",
    "tensorflow says there is no gpu but the driver tool shows one",
    "the loss turns into nan after the first hundred batches",
    "two machines wait for each other and nothing happens after start",
    "pip finds no version of tensorflow for my python",
    "accuracy does not move at all, it stays where a coin would be",
    "every epoch gets slower than the one before",
    "the kernel in my notebook dies as soon as I call fit",
    "my saved model cannot be opened on the other computer",
]

# Each has at least sixty tokens for the encoder.
LONG = [
    (
        "I rent a machine with one card and start the same script as on my laptop, where it runs. After a minute or two the "
        "memory of the card is full, although I made the batches smaller twice and closed every other program. Restarting "
        "the machine helps for one run, then it is the same again, and I do not know what else holds the memory."
    ),
    (
        "We train on four computers with one strategy over all of them. Three of them print that they have started, the fourth "
        "one prints nothing, and then all of them wait. Nobody ends with an error, the processors are idle, and if I end one "
        "of them by hand then the others complain about the missing one and stop as well."
    ),
    (
        "The training begins well and the loss goes down for about a thousand steps, then within one step it becomes nan and it "
        "never comes back. I have lowered the learning rate by ten, looked for empty rows in the table and clipped the "
        "gradients. With half precision switched off it takes longer but in the end the very same thing happens."
    ),
    (
        "Since I updated the packages of my environment the import alone ends the interpreter. There is no traceback and no "
        "message, the prompt simply comes back. On the machine of a colleague the same versions work, hers is newer than "
        "mine. I would like to know whether my old processor is the reason and which version I can take instead."
    ),
]
