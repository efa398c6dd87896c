"""The atlas: every public name of TensorFlow and Keras, and every error that their Python code raises, by release.

    atlas = tfhelp.kb.atlas.atlas.Atlas()
    atlas.explain(message, exception, frames)   who raises this, in which releases, with which values
    atlas.lookup("tf.keras.Model.fit")          since when, until when, with which parameters, under which other names
    atlas.nearest("tf.AUTOTUNE")                what exists instead
    atlas.range_of(names)                       the releases that have all of them
    atlas.possible(frames)                      the releases in which a traceback's frames stand where it says

It is made from released wheels by ``python -m tfhelp.kb.atlas.build``, which reads their Python sources and never imports
them. ``atlas.bin`` holds facts: names, parameters, places, lines of functions, releases, and of messages their fingerprints,
never the words.

``ops.bin`` is beside it: TensorFlow's operations, for messages of C++ that name one (``tfhelp.kb.atlas.ops``).

What it cannot see: messages of C++ (they come through ``raise_from_not_ok_status``), raises whose text is computed, modules
that a release makes when it is installed or imported (most of ``tf.summary`` is TensorBoard's), and members that compiled code
gives a class (messages of protobuf, types of NumPy). ``README.md`` gives the shares.
"""
