"""Programs in other languages than Python, told by the form of their stack traces and places in source code.

The forms are those that the runtimes print: HotSpot and ART for Java, V8 for JavaScript, .NET, and the
runtimes of Go, Rust, Ruby and Julia.
"""

from tfhelp.collectors.lazy_pattern import Pattern

_JAVA = (
    r"\([\w$]{1,100}\.(?:java|kt|scala|clj|groovy):\d{1,6}\)|Exception in thread \"[^\"]{1,200}\" [\w.$]{1,200}(?:Error|Exception)\b"
    r"|\[\d{1,9}\.\d{3}s\]\[(?:error|warning|info|debug|trace) {0,3}\]\["  # HotSpot's own log
    r"|A fatal error has been detected by the Java Runtime Environment"
    r"|\bjavax?(?:\.[a-z]{1,30}){1,6}\.[A-Z]\w{0,60}(?:Error|Exception)\b"  # a class of the standard library
)
_JAVASCRIPT = (
    r"\.(?:[mc]?js|jsx|tsx?):\d{1,6}(?::\d{1,6}|\))|Uncaught \(in promise\)|FATAL ERROR: .{0,200}JavaScript heap|\bnode::\w"
)
_DOTNET = r"\) in .{1,300}\.(?:cs|fs|vb):line \d"
_GO = r"\bgoroutine \d{1,9} \[[a-z]|\.go:\d{1,6} \+0x"
_RUST = r"thread '[^']{1,100}' (?:\(\d{1,10}\) )?panicked at .{1,300}\.rs:\d{1,6}:\d"
_RUBY = r"\.rb:\d{1,6}:in [`']"
_JULIA = r"\bERROR: LoadError: |(?:\bat |@ )[^\s\"']{1,300}\.jl:\d{1,6}\b"
_LANGUAGES = {
    "java": _JAVA,
    "javascript": _JAVASCRIPT,
    "dotnet": _DOTNET,
    "go": _GO,
    "rust": _RUST,
    "ruby": _RUBY,
    "julia": _JULIA,
}
_SHOWN = Pattern("|".join(f"(?P<{name}>{pattern})" for name, pattern in _LANGUAGES.items()))
# Each form has one of these; they are cheaper to look for.
_SIGNS = (
    *(
        ".java:",
        ".kt:",
        ".scala:",
        ".clj:",
        ".groovy:",
        "Exception in thread",
        "java.",
        "javax.",
        "Java Runtime",
        "js:",
        "jsx:",
        "ts:",
        "tsx:",
        "JavaScript heap",
        "s][",
    ),
    *("node::", "in promise", ":line ", "goroutine ", ".go:", "panicked at ", ".rb:", "LoadError: ", ".jl:"),
)


def language_of(text: str) -> str | None:
    """The language whose runtime printed a text, or ``None``. A text that names TensorFlow may come from one of its other APIs.

    >>> language_of("\\tat com.example.Loader.read(Loader.java:88)"), language_of("    at main (/srv/app/index.js:12:9)")
    ('java', 'javascript')
    >>> language_of("    at Object.next (loader.ts:68)"), language_of("Uncaught (in promise) RangeError: out of bounds")
    ('javascript', 'javascript')
    >>> language_of("[0.512s][warning][os,thread] Failed to start thread")
    'java'
    >>> language_of("cause=java.net.ConnectException: Connection refused: /127.0.0.1:9000")
    'java'
    >>> language_of("ERROR: LoadError: DimensionMismatch"), language_of(" [3] top-level scope @ ~/net/train.jl:31")
    ('julia', 'julia')
    >>> language_of('  File "train.py", line 3, in f'), language_of("at org.tensorflow.Session.run(Session.java:595)")
    (None, None)
    """
    if not any(sign in text for sign in _SIGNS) or "tensorflow" in text.lower():
        return None
    shown = _SHOWN.search(text)
    return shown.lastgroup if shown else None
