"""Names in redaction: tokens, users and hosts that identify no person or machine, and where a learned name is looked for."""

import re

from tfhelp.collectors.lazy_pattern import Pattern

_KINDS = (
    "USER|HOST|IP|MAC|MAIL|SECRET|CREDENTIALS|PRIVATE-KEY|PUBLIC-KEY|AWS-KEY|GITHUB-TOKEN|GITLAB-TOKEN|SLACK-TOKEN|HF-TOKEN|"
    "API-KEY|JWT|BEARER|"
    "NAME|PHONE|CARD|IBAN|SOCIAL-SECURITY|GPU-UUID|SERIAL|MACHINE-ID|ACCOUNT|RESOURCE"
)
KINDS = frozenset(_KINDS.split("|"))
_TOKEN = Pattern(rf"(?:{_KINDS})-[0-9]{{1,6}}", re.ASCII)


def is_token(text: str) -> bool:
    """Whether a text is a token that was given out before."""
    return _TOKEN.fullmatch(text) is not None


# --- names that identify no person or machine ---------------------------------------------------------------------------

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
        "venv",
        ".venv",
        "env",
        "envs",
        "datasets",
        "dataset",
        "checkpoints",
        "logs",
        "tmp",
        "cache",
        "software",
        "apps",
        "opt",
        "common",
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
        "proxy",
        "container",
    ]
)
_GENERIC_HOST = Pattern(
    r"(?:worker|chief|ps|evaluator|node|host|task|server)(?:[-_]?[0-9]{0,3}|[-_][a-z])", re.ASCII | re.IGNORECASE
)


def is_generic(kind: str, name: str) -> bool:
    """Whether a user or host name is one that thousands of machines have, so that it identifies none."""
    if kind == "USER":
        return name.lower() in _GENERIC_USERS or not re.search(r"\w", name) or name.startswith(("$", "%", "{", "<"))
    return name.lower() in _GENERIC_HOSTS or _GENERIC_HOST.fullmatch(name) is not None


def is_telling(kind: str, name: str) -> bool:
    """Whether a learned name may be searched for elsewhere: replacing a short or common word would damage the text."""
    if kind == "USER":
        return len(name) >= 3
    return len(name) >= 5 and any(character.isdigit() or character in "-." for character in name)


USER_ELSEWHERE = r"(?:(?<=/)|(?<=\\)|(?<![\w.+-]))(?:%s)(?=[/\\@])"
HOST_ELSEWHERE = r"(?<![\w./-])(?:%s)(?![\w-]|\.\w)"
