"""The atlas: every public name of TensorFlow and Keras, and every error that their Python code raises, by release.

    atlas = tfhelp.kb.atlas.atlas.Atlas()
    atlas.explain(message, exception, frames)   what raises this, in which releases, with which values
    atlas.lookup("tf.keras.Model.fit")          from which to which release, with which parameters, under which other names
    atlas.nearest("tf.AUTOTUNE")                what exists instead
    atlas.range_of(names)                       the releases that have all of them
    atlas.possible(frames)                      the releases in which a traceback's frames are possible

``python -m tfhelp.kb.atlas.build`` builds it from released wheels. It reads their Python sources and never imports them.
``atlas.bin`` contains facts: names, parameters, places, lines of functions, releases, and the fingerprints of messages, never
their words.

Next to it is ``ops.bin``: TensorFlow's operations, for C++ messages that name one (``tfhelp.kb.atlas.ops``).

What it does not cover: C++ messages (they come through ``raise_from_not_ok_status``), raises whose text is computed, modules
that a release creates when it is installed or imported (most of ``tf.summary`` is TensorBoard's), and members that compiled code
adds to a class (protobuf's messages, NumPy's types). ``README.md`` gives the shares.
"""
