"""Names in the sense of redaction: tokens, users and hosts that tell nobody, and names that announce a secret."""

import re

from tfhelp.collectors.lazy_pattern import Pattern

KINDS = "USER|HOST|IP|MAC|MAIL|SECRET|CREDENTIALS|PRIVATE-KEY|AWS-KEY|GITHUB-TOKEN|GITLAB-TOKEN|SLACK-TOKEN|HF-TOKEN|API-KEY|JWT|BEARER"
_TOKEN = Pattern(rf"(?:{KINDS})-[0-9]{{1,6}}", re.ASCII)


def is_token(text: str) -> bool:
    """Whether a text is a token that was given out before."""
    return _TOKEN.fullmatch(text) is not None


# --- names that tell nobody ---------------------------------------------------------------------------------------------

_GENERIC_USERS = frozenset(
    [
        "user",
        "users",
        "username",
        "user_name",
        "your_username",
        "yourusername",
        "yourname",
        "your-name",
        "name",
        "me",
        "you",
        "root",
        "runner",
        "runneradmin",
        "jovyan",
        "ubuntu",
        "debian",
        "centos",
        "admin",
        "administrator",
        "docker",
        "vscode",
        "ec2-user",
        "azureuser",
        "app",
        "appuser",
        "node",
        "ray",
        "gitpod",
        "coder",
        "kaggle",
        "colab",
        "tensorflow",
        "tf",
        "keras",
        "python",
        "conda",
        "mamba",
        "miniconda",
        "anaconda",
        "jupyter",
        "notebook",
        "spark",
        "hadoop",
        "airflow",
        "jenkins",
        "gitlab-runner",
        "circleci",
        "travis",
        "build",
        "builder",
        "default",
        "public",
        "shared",
        "guest",
        "nobody",
        "lib",
        "local",
        "work",
        "workspace",
        "project",
        "projects",
        "data",
        "dev",
        "test",
        "linuxbrew",
        "sagemaker-user",
        "codespace",
        "student",
        "git",
        "model",
        "models",
    ]
)
_GENERIC_HOSTS = frozenset(
    [
        "localhost",
        "localhost.localdomain",
        "host",
        "hostname",
        "worker",
        "chief",
        "ps",
        "evaluator",
        "node",
        "master",
        "server",
        "metadata.google.internal",
        "github.com",
        "gitlab.com",
        "host.docker.internal",
    ]
)
_GENERIC_HOST = Pattern(r"(?:worker|chief|ps|evaluator|node|host|task|server)[-_]?[0-9]{0,3}", re.ASCII | re.IGNORECASE)


def is_generic(kind: str, name: str) -> bool:
    """Whether a user or host name is one that thousands of machines have, so that it tells nobody's."""
    if kind == "USER":
        return name.lower() in _GENERIC_USERS or not re.search(r"\w", name) or name.startswith(("$", "%", "{", "<"))
    return name.lower() in _GENERIC_HOSTS or _GENERIC_HOST.fullmatch(name) is not None


def is_telling(kind: str, name: str) -> bool:
    """Whether a learned name may be searched for elsewhere: a short or common word would damage the text."""
    if kind == "USER":
        return len(name) >= 3
    return len(name) >= 5 and any(character.isdigit() or character in "-." for character in name)


USER_ELSEWHERE = r"(?:(?<=/)|(?<=\\)|(?<![\w.+-]))(?:%s)(?=[/\\@])"
HOST_ELSEWHERE = r"(?<![\w./-])(?:%s)(?![\w-]|\.\w)"

# --- private keys -------------------------------------------------------------------------------------------------------

KEY_LINE = Pattern(r"[ \t>|]{0,20}(?:[A-Za-z0-9+/=\\]{1,400}|(?:Proc-Type|DEK-Info): .{1,100})\s{0,4}", re.ASCII)

# --- passwords and keys by the name before them ----------------------------------------------------------------------------

SECRET_WORD = (
    r"(?:passw(?:or)?d|passphrase|secret|credential|api[_-]?key|access[_-]?key|auth[_-]?key|private[_-]?key|account[_-]?key|"
    r"storage[_-]?key|encryption[_-]?key|token|(?<![\w.-])(?:pwd|sig|auth|key)(?![\w.-]))"
)
_NAMES_A_SECRET = Pattern(rf"[\w.-]{{0,60}}?{SECRET_WORD}[\w.-]{{0,20}}", re.IGNORECASE)
# Words of language models, and of functions, that have "token", "key" or "signature" in them.
_NOT_A_SECRET = Pattern(
    r"(?:.*[_.-])?(?:pad|oov|unk|mask|cls|sep|eos|bos|max|min|num|n|special|additional|new|start|end|begin|decoder|start_of|end_of|first|last|"
    r"image|audio|prompt|per|total|vocab|text|input|output|word|sub|next)[_-]?tokens?(?:[_-]?(?:ids?|idx|index|type|types|length|count))?"
    r"|.*tokens?[_-]?(?:ids?|idx|index|types?|lengths?|counts?|izer.*|ize.*|ization.*|s)|tokens|.*tokeniz.*|input_signature|output_signature|"
    r"(?:.*[_.])?(?:call|fn|func|function|model|serving|default|save|inputs?|outputs?|element|concrete)_signatures?|signatures?|.*signature_(?:def|key|name).*|"
    r"secrets|.*_signature_wrapper.*",
    re.IGNORECASE,
)
_NO_VALUE = Pattern(
    r"|none|null|true|false|nil|undefined|\*{1,80}|x{3,80}|\.{2,10}|<[^>]{0,80}>|\$\{?\w{1,60}\}?|%\w{1,60}%|required|optional|str|string|bytes|int|"
    r"(?:os\.|getpass|input\(|self\.|config\.|args\.|settings\.|environ|keyring|get_|st\.|userdata\.|process\.env).{0,200}|\[redacted\]|redacted",
    re.IGNORECASE,
)


def names_a_secret(name: str) -> bool:
    """Whether a key's name says that its value is a secret."""
    return _NAMES_A_SECRET.fullmatch(name) is not None and _NOT_A_SECRET.fullmatch(name) is None


def is_secret_value(name: str, value: str) -> bool:
    """Whether a value under such a name is one: not empty, not ``None``, not a variable, not a token already."""
    value = value.strip()
    if _NO_VALUE.fullmatch(value) or is_token(value):
        return False
    if re.search(r"passw|passphrase|secret", name, re.IGNORECASE):
        return True
    # A number, a tuple or a function's call is no key.
    return len(value) >= 6 and not re.fullmatch(r"[0-9]{1,8}|[(\[{].*|[A-Za-z_][\w.]{0,80}\(.*", value)
