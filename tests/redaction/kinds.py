"""What is planted: secrets drawn by lot, each in the words that such a secret stands in.

Nothing here is anybody's: every name, key and number comes from the generator's seed.
"""

import random
import string
import typing

ALNUM = string.ascii_letters + string.digits
LOWER = string.ascii_lowercase + string.digits
HEX = "0123456789abcdef"
BASE64 = ALNUM + "+/"
URL64 = ALNUM + "-_"


class Plant(typing.NamedTuple):
    """A text with secrets in it.

    Attributes:
        kind: what sort of secret it is.
        text: one line or several.
        secrets: what must not be in the redacted text.
    """

    kind: str
    text: str
    secrets: tuple[str, ...]


class Draw:
    """Drawn material."""

    def __init__(self, seed: str) -> None:
        self.lot = random.Random(seed)

    def run(self, alphabet: str, length: int, longest: int | None = None) -> str:
        """Characters, with a digit among them."""
        size = self.lot.randint(length, longest or length)
        characters = [self.lot.choice(alphabet) for _ in range(size)]
        digits = [character for character in alphabet if character.isdigit()]
        if digits and not any(character.isdigit() for character in characters):
            characters[self.lot.randrange(1, size)] = self.lot.choice(digits)
        return "".join(characters)

    def word(self, shortest: int = 4, longest: int = 8) -> str:
        """A name that stands in no list and in no frame below."""
        vowels, others = "aeiou", "bdfgklmprstvz"
        size = self.lot.randint(shortest, longest)
        return "q" + "".join(self.lot.choice(vowels if place % 2 else others) for place in range(size)) + self.lot.choice("jwxy")

    def user(self) -> str:
        """A user's name, in one of the forms that places of work give."""
        form = self.lot.choice(["{a}", "{a}", "{a}.{b}", "{a}-{b}", "{a}_{b}", "{a}{n}"])
        return form.format(a=self.word(), b=self.word(), n=self.lot.randint(1, 99))

    def host(self) -> str:
        """A machine's name."""
        form = self.lot.choice(["{w}{n}", "{w}-{n:02d}", "{w}-gpu{n}", "{w}{n}.{v}.{t}"])
        return form.format(
            w=self.word(3, 5),
            v=self.word(),
            n=self.lot.randint(1, 999),
            t=self.lot.choice(["edu", "net", "internal", "local", "de", "io"]),
        )

    def password(self) -> str:
        """A password as people make them: letters, digits, signs that no quoting needs."""
        start = self.lot.choice(string.ascii_letters)
        return start + self.run(ALNUM + "!^*+-_.~#%", 8, 24)

    def weak(self) -> str:
        """A password without a digit."""
        return self.word(6, 12)

    def ip(self) -> str:
        """An address of a private or public network."""
        first = self.lot.choice([10, 10, 172, 192, 34, 52, 100])
        return ".".join(
            str(part) for part in (first, self.lot.randint(1, 254), self.lot.randint(1, 254), self.lot.randint(1, 254))
        )

    def ipv6(self) -> str:
        """All eight groups, or a local address with a gap."""
        if self.lot.random() < 0.4:
            return "fe80::" + ":".join(f"{self.lot.randint(4096, 65535):x}" for _ in range(4))
        return "2001:" + ":".join(f"{self.lot.randint(4096, 65535):x}" for _ in range(7))

    def mac(self) -> str:
        """An address of a network card."""
        return ":".join(f"{self.lot.randint(0, 255):02x}" for _ in range(6))

    def uuid(self) -> str:
        """Thirty-two digits in five groups."""
        return "-".join(self.run(HEX, size) for size in (8, 4, 4, 4, 12))

    def card(self) -> str:
        """A number of a payment card with its check digit."""
        digits = [4] + [self.lot.randint(0, 9) for _ in range(14)]
        doubled = [2 * digit - 9 * (digit > 4) if place % 2 == 0 else digit for place, digit in enumerate(reversed(digits))]
        number = "".join(map(str, [*digits, -sum(doubled) % 10]))
        mark = self.lot.choice(["", " ", "-"])
        return mark.join(number[start : start + 4] for start in range(0, 16, 4))

    def iban(self) -> str:
        """An account's number with its check digits."""
        body = "".join(str(self.lot.randint(0, 9)) for _ in range(18))
        check = 98 - int(body + "131400") % 97
        number = f"DE{check:02d}{body}"
        return number if self.lot.random() < 0.5 else " ".join(number[start : start + 4] for start in range(0, 22, 4))

    def of(self, *choices: str) -> str:
        """One of these."""
        return self.lot.choice(choices)


Maker = typing.Callable[[Draw], tuple[str, typing.Sequence[str] | str]]
KINDS: dict[str, Maker] = {}


def _prefixed(name: str, prefix: str, alphabet: str, length: int, longest: int | None = None, behind: str = "") -> None:
    """A token that one knows by its beginning, in words that do not announce it."""

    def make(draw: Draw) -> tuple[str, str]:
        body = draw.run(alphabet, length, longest)
        return draw.of("{}", "using {} now", "got '{}' from the vault", "client({!r})", 'x = "{}"').format(
            f"{prefix}{body}{behind}"
        ), body

    KINDS[name] = make


for _name, _prefix, _alphabet, _length, _longest in (
    ("github classic", "ghp_", ALNUM, 36, None),
    ("github oauth", "gho_", ALNUM, 36, None),
    ("github server", "ghs_", ALNUM, 36, None),
    ("github fine grained", "github_pat_", ALNUM + "_", 60, 82),
    ("gitlab", "glpat-", URL64, 20, 26),
    ("gitlab runner", "glrt-", URL64, 20, 26),
    ("slack app", "xapp-1-", ALNUM + "-", 40, 80),
    ("openai", "sk-", ALNUM, 48, None),
    ("openai project", "sk-proj-", URL64, 60, 120),
    ("anthropic", "sk-ant-api03-", URL64, 80, 95),
    ("groq", "gsk_", ALNUM, 52, None),
    ("xai", "xai-", ALNUM, 80, None),
    ("hugging face", "hf_", ALNUM, 34, None),
    ("npm", "npm_", ALNUM, 36, None),
    ("pypi", "pypi-AgEIcHlwaS5vcmc", URL64, 70, 150),
    ("docker hub", "dckr_pat_", URL64, 27, None),
    ("google api", "AIza", URL64, 35, None),
    ("google oauth", "ya29.", URL64, 60, 120),
    ("google client", "GOCSPX-", URL64, 28, None),
    ("nvidia", "nvapi-", URL64, 64, None),
    ("replicate", "r8_", ALNUM, 37, None),
    ("databricks", "dapi", HEX, 32, None),
    ("digital ocean", "dop_v1_", HEX, 64, None),
    ("stripe", "sk_live_", ALNUM, 24, 40),
    ("vault", "hvs.", URL64, 24, 90),
    ("grafana", "glsa_", ALNUM, 32, None),
    ("new relic", "NRAK-", string.ascii_uppercase + string.digits, 27, None),
    ("perplexity", "pplx-", HEX, 48, None),
    ("langsmith", "lsv2_pt_", HEX, 32, None),
    ("kaggle token", "KGAT_", HEX, 32, None),
    ("wandb new", "wandb_v1_", ALNUM, 60, None),
    ("pinecone", "pcsk_", ALNUM, 60, None),
    ("atlassian", "ATATT3xFfGF0", URL64, 60, 150),
    ("tailscale", "tskey-auth-", ALNUM + "-", 30, 50),
    ("age", "AGE-SECRET-KEY-1", string.ascii_uppercase + string.digits, 58, None),
    ("shopify", "shpat_", HEX, 32, None),
    ("telegram", "", "", 0, None),
    ("aws id", "", "", 0, None),
):
    if _length:
        _prefixed(_name, _prefix, _alphabet, _length, _longest)


def kind(name: str) -> typing.Callable[[Maker], Maker]:
    """Put a kind into the table."""

    def put(make: Maker) -> Maker:
        KINDS[name] = make
        return make

    return put


@kind("aws id")
def _aws_id(draw: Draw) -> tuple[str, str]:
    body = draw.run(string.ascii_uppercase + string.digits, 16)
    return draw.of("{}", "aws_access_key_id = {}", "AWSAccessKeyId={}&x=1", "user {} is not allowed").format(
        draw.of("AKIA", "ASIA") + body
    ), body


@kind("aws secret")
def _aws_secret(draw: Draw) -> tuple[str, str]:
    body = draw.run(BASE64, 40)
    frames = (
        "aws_secret_access_key = {}",
        "AWS_SECRET_ACCESS_KEY={}",
        "aws configure set aws_secret_access_key {}",
        '"SecretAccessKey": "{}"',
    )
    return draw.of(*frames).format(body), body


@kind("azure storage")
def _azure(draw: Draw) -> tuple[str, str]:
    body = draw.run(BASE64, 86) + "=="
    return f"DefaultEndpointsProtocol=https;AccountName={draw.word()};AccountKey={body};EndpointSuffix=core.windows.net", body


@kind("azure client")
def _azure_client(draw: Draw) -> tuple[str, str]:
    body = draw.run(ALNUM, 3) + "8Q~" + draw.run(ALNUM + "_~.-", 30) + "a1b2"
    return draw.of("AZURE_CLIENT_SECRET={}", "credential {}", "client_secret: {}").format(body), body


@kind("slack bot")
def _slack(draw: Draw) -> tuple[str, str]:
    body = f"{draw.run(string.digits, 11)}-{draw.run(string.digits, 12)}-{draw.run(ALNUM, 24)}"
    return draw.of("xoxb-{}", "WebClient(token='xoxb-{}')", "posting with xoxp-{}").format(body), body


@kind("slack webhook")
def _slack_hook(draw: Draw) -> tuple[str, str]:
    body = f"T{draw.run(LOWER.upper(), 8)}/B{draw.run(LOWER.upper(), 8)}/{draw.run(ALNUM, 24)}"
    return f"POST https://hooks.slack.com/services/{body} failed", body


@kind("discord webhook")
def _discord(draw: Draw) -> tuple[str, str]:
    body = draw.run(URL64, 68)
    return f"https://discord.com/api/webhooks/{draw.run(string.digits, 18)}/{body}", body


@kind("telegram")
def _telegram(draw: Draw) -> tuple[str, str]:
    body = draw.run(URL64, 33)
    return draw.of("https://api.telegram.org/bot{0}:AA{1}/sendMessage", "bot {0}:AA{1}").format(
        draw.run(string.digits[1:], 10), body
    ), body


@kind("jwt")
def _jwt(draw: Draw) -> tuple[str, str]:
    body = draw.run(URL64, 60, 200)
    return draw.of("{}", "got {}", "id_token={}").format(f"eyJhbGciOiJIUzI1NiJ9.eyJ{body}.{draw.run(URL64, 43)}"), body


@kind("neptune")
def _neptune(draw: Draw) -> tuple[str, str]:
    body = draw.run(ALNUM, 120)
    return draw.of(
        "NEPTUNE_API_TOKEN=eyJhcGlfYWRkcmVzcyI6{}==", 'init(api_token="eyJhcGlfYWRkcmVzcyI6{}=")', "eyJhcGlfYWRkcmVzcyI6{}"
    ).format(body), body


@kind("bearer")
def _bearer(draw: Draw) -> tuple[str, str]:
    body = draw.run(URL64 + ".", 24, 80) + "9"
    frames = (
        "Authorization: Bearer {}",
        '{{"Authorization": "Bearer {}"}}',
        "authorization: bearer {}",
        "curl -H 'Authorization: Bearer {}' https://x.example",
    )
    return draw.of(*frames).format(body), body


@kind("basic auth")
def _basic(draw: Draw) -> tuple[str, str]:
    body = draw.run(BASE64, 20, 60) + "8="
    return draw.of("Authorization: Basic {}", "'Authorization': 'Basic {}'", "Proxy-Authorization: Basic {}").format(body), body


@kind("cookie")
def _cookie(draw: Draw) -> tuple[str, list[str]]:
    first, second = draw.run(HEX, 32), draw.run(ALNUM, 24)
    frames = (
        "Cookie: sessionid={}; csrftoken={}",
        "Set-Cookie: sid={}; Path=/; other={}",
        "curl -H 'Cookie: a={}; b={}' https://x.example",
    )
    return draw.of(*frames).format(first, second), [first, second]


@kind("netrc")
def _netrc(draw: Draw) -> tuple[str, list[str]]:
    user, secret = draw.user(), draw.of(draw.password(), draw.weak(), draw.run(HEX, 40))
    return f"machine api.wandb.ai login {user} password {secret}", [secret, user]


@kind("pgpass")
def _pgpass(draw: Draw) -> tuple[str, str]:
    secret = draw.password()
    return f"db.example.com:5432:{draw.of('mlflow', '*')}:{draw.of('trainer', 'tracking')}:{secret}", secret


@kind("url credentials")
def _url(draw: Draw) -> tuple[str, list[str]]:
    user, secret = draw.user(), draw.password().replace("#", "").replace("%", "")
    scheme = draw.of("https", "postgresql", "redis", "amqp", "mongodb+srv", "mysql+pymysql", "http", "s3")
    return draw.of("{}://{}:{}@db.example.com/x", "proxy {}://{}:{}@proxy.example.com:3128").format(scheme, user, secret), [
        secret,
        user,
    ]


@kind("private key")
def _pem(draw: Draw) -> tuple[str, list[str]]:
    name = draw.of("RSA ", "EC ", "OPENSSH ", "", "ENCRYPTED ")
    rows = [draw.run(BASE64, 64) for _ in range(draw.lot.randint(3, 9))] + [draw.run(ALNUM, 20) + "=="]
    return "\n".join([f"-----BEGIN {name}PRIVATE KEY-----", *rows, f"-----END {name}PRIVATE KEY-----"]), rows


@kind("private key in a string")
def _pem_line(draw: Draw) -> tuple[str, list[str]]:
    rows = [draw.run(BASE64, 64) for _ in range(draw.lot.randint(3, 9))]
    body = "\\n".join(rows)
    return f'"private_key": "-----BEGIN PRIVATE KEY-----\\n{body}\\n-----END PRIVATE KEY-----\\n"', rows


@kind("ssh public key")
def _ssh_public(draw: Draw) -> tuple[str, list[str]]:
    body, user = draw.run(BASE64, 64), draw.user()
    return f"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5{body} {user}@{draw.word()}7", [body, user]


@kind("password")
def _password(draw: Draw) -> tuple[str, str]:
    secret = draw.of(draw.password(), draw.password(), draw.weak())
    frames = (
        "password={}",
        "password: {}",
        'DB_PASSWORD="{}"',
        "passwd = '{}'",
        "Password is {}",
        "PGPASSWORD={}",
        "{{'password': '{}'}}",
        "passphrase: {}",
        'admin_password := "{}"',
    )
    return draw.of(*frames).format(secret), secret


@kind("password in another language")
def _foreign(draw: Draw) -> tuple[str, str]:
    secret = draw.of(draw.password(), draw.weak())
    words = (
        "Passwort",
        "Kennwort",
        "contraseña",
        "senha",
        "mot de passe",
        "пароль",
        "密码",
        "パスワード",
        "비밀번호",
        "wachtwoord",
        "hasło",
        "şifre",
        "lösenord",
    )
    return draw.of("{}: {}", "{}={}", '"{}": "{}"').format(draw.of(*words), secret), secret


@kind("variable *_PASS")
def _pass(draw: Draw) -> tuple[str, str]:
    secret = draw.password()
    return draw.of("DB_PASS={}", "SMTP_PASS='{}'", "MYSQL_PWD={}", "pass={}", "export REDIS_PASS={}", "pwd={}").format(
        secret
    ), secret


@kind("variable *_KEY")
def _key(draw: Draw) -> tuple[str, str]:
    secret = draw.of(draw.run(HEX, 32), draw.run(ALNUM, 20, 50))
    name = draw.of(
        "KAGGLE_KEY",
        "OPENAI_KEY",
        "WANDB_API_KEY",
        "COMET_API_KEY",
        f"{draw.word().upper()}_KEY",
        "APP_SECRET_KEY",
        "CLEARML_API_ACCESS_KEY",
    )
    return draw.of("{}={}", "export {}={}", '{}="{}"', "os.environ['{}'] = '{}'", "{}: {}").format(name, secret), secret


@kind("variable *_TOKEN")
def _token(draw: Draw) -> tuple[str, str]:
    secret = draw.run(ALNUM, 20, 60)
    name = draw.of(
        "MLFLOW_TRACKING_TOKEN", "CI_JOB_TOKEN", f"{draw.word().upper()}_TOKEN", "HUB_TOKEN", "access_token", "refresh_token"
    )
    return draw.of("{}={}", "export {}={}", '"{}": "{}"', "{}: {}", "os.environ.setdefault('{}', '{}')").format(
        name, secret
    ), secret


@kind("option")
def _option(draw: Draw) -> tuple[str, str]:
    secret = draw.run(ALNUM, 20, 40)
    name = draw.of(
        "--api_key",
        "--api-key",
        "--token",
        "--auth-token",
        "--hub_token",
        "--password",
        "--wandb_api_key",
        "-token",
        "--secret-key",
    )
    return f"python train.py --epochs 3 {name}{draw.of(' ', '=')}{secret} --lr 0.1", secret


@kind("login")
def _login(draw: Draw) -> tuple[str, str]:
    secret = draw.run(HEX, 40)
    return draw.of(
        "wandb login {}",
        "wandb login --relogin {}",
        "wandb: Paste an API key from your profile and hit enter: {}",
        "comet login {}",
    ).format(secret), secret


@kind("curl user")
def _curl(draw: Draw) -> tuple[str, list[str]]:
    user, secret = draw.user(), draw.password()
    return draw.of("curl -u {}:{} https://x.example/api", "curl --user {}:{} https://x.example").format(user, secret), [
        f"{user}:{secret}",
        secret,
    ]


@kind("mysql option")
def _mysql(draw: Draw) -> tuple[str, str]:
    secret = draw.password()
    return draw.of(
        "mysql -h db -u root -p{} runs", "sshpass -p {} ssh gpu", "docker login -u robot -p {} registry.example.com"
    ).format(secret), secret


@kind("json")
def _json(draw: Draw) -> tuple[str, str]:
    secret = draw.run(ALNUM, 16, 40)
    name = draw.of("password", "api_key", "apiKey", "client_secret", "secret", "accessToken", "auth_token")
    return draw.of('{{"{}": "{}", "lr": 0.1}}', '{{\\"{}\\": \\"{}\\", \\"lr\\": 1}}', "{{'{}': '{}'}}", '"{}" : "{}",').format(
        name, secret
    ), secret


@kind("kaggle json")
def _kaggle(draw: Draw) -> tuple[str, list[str]]:
    user, secret = draw.user(), draw.run(HEX, 32)
    return f'{{"username":"{user}","key":"{secret}"}}', [user, secret]


@kind("xml")
def _xml(draw: Draw) -> tuple[str, str]:
    secret = draw.password().replace("<", "")
    return draw.of(
        "<password>{}</password>",
        '<add key="ApiKey" value="{}"/>',
        '<Secret type="x">{}</Secret>',
        '<property name="db.password" value="{}"/>',
    ).format(secret), secret


@kind("yaml on two lines")
def _yaml(draw: Draw) -> tuple[str, str]:
    secret = draw.run(ALNUM, 16, 40)
    return draw.of(
        "- name: WANDB_API_KEY\n  value: {}", '- name: DB_PASSWORD\n  value: "{}"', "api_key:\n  {}", "password: >\n  {}"
    ).format(secret), secret


@kind("connection string")
def _connection(draw: Draw) -> tuple[str, list[str]]:
    secret = draw.run(ALNUM, 16, 24)
    return f"Server=tcp:db.example.com,1433;Database=runs;User ID=trainer;Password={secret};Encrypt=True", [secret]


@kind("signed url s3")
def _s3(draw: Draw) -> tuple[str, list[str]]:
    first, second = draw.run(HEX, 64), draw.run(LOWER.upper(), 16)
    return f"https://b.s3.amazonaws.com/f?X-Amz-Credential=AKIA{second}%2F20240101%2Fs3&X-Amz-Signature={first}", [first, second]


@kind("signed url gcs")
def _gcs(draw: Draw) -> tuple[str, str]:
    body = draw.run(HEX, 128)
    return f"https://storage.googleapis.com/b/f?X-Goog-Date=20240101T000000Z&X-Goog-Signature={body}", body


@kind("sas url")
def _sas(draw: Draw) -> tuple[str, str]:
    body = draw.run(ALNUM, 40) + "%3D"
    return f"https://a.blob.core.windows.net/c/f?sv=2022-11-02&sp=r&sig={body}", body


@kind("jupyter url")
def _jupyter(draw: Draw) -> tuple[str, str]:
    body = draw.run(HEX, 48)
    return f"http://127.0.0.1:8888/lab?token={body}", body


@kind("ipv4")
def _ip(draw: Draw) -> tuple[str, str]:
    address = draw.ip()
    frames = (
        "ipv4:{}:2222",
        "inet {} netmask 255.255.255.0",
        "{}:2222 refused",
        "connect to {} failed",
        "http://{}/x",
        "MASTER_ADDR={}",
        "CHIEF_IP={}",
        "server={}",
        "host: {}",
        "from {} port 22",
    )
    return draw.of(*frames).format(address), address


@kind("ipv6")
def _ipv6(draw: Draw) -> tuple[str, str]:
    address = draw.ipv6()
    return draw.of("inet6 {} prefixlen 64", "ipv6:[{}]:2222", "connect to {} failed", "http://[{}]:80/").format(address), address


@kind("mac")
def _mac(draw: Draw) -> tuple[str, str]:
    address = draw.mac()
    return draw.of("ether {} txqueuelen", "link/ether {} brd", "HWaddr {}").format(address), address


@kind("cluster address")
def _cluster(draw: Draw) -> tuple[str, list[str]]:
    first, second = draw.host(), draw.ip()
    frames = (
        'TF_CONFIG={{"cluster": {{"worker": ["{}:2222", "{}:2222"]}}, "task": {{"type": "worker", "index": 0}}}}',
        'TF_CONFIG=\'{{\\"cluster\\": {{\\"worker\\": [\\"{}:2222\\", \\"{}:2222\\"]}}}}\'',
        "ClusterSpec({{'worker': ['{}:12345', '{}:12345']}})",
        "job worker -> {{0 -> {}:2222, 1 -> {}:2222}}",
    )
    return draw.of(*frames).format(first, second), [first, second]


@kind("cluster variable")
def _variable(draw: Draw) -> tuple[str, str]:
    host = draw.host()
    frames = (
        "MASTER_ADDR={}",
        "CHIEF_HOST={}",
        "SLURMD_NODENAME={}",
        "SLURM_JOB_NODELIST={}",
        "HOSTNAME={}",
        "--master_addr {} --master_port 1234",
        "HEAD_NODE_IP={}",
        "BatchHost={}",
    )
    return draw.of(*frames).format(host), host


@kind("host in an error")
def _host(draw: Draw) -> tuple[str, str]:
    host = draw.host()
    frames = (
        "Failed to connect to host {}:2222",
        "curl: (6) Could not resolve host: {}",
        "ssh: connect to host {} port 22: Connection refused",
        "Name or service not known: {}",
        "HTTPConnectionPool(host='{}', port=5000): Max retries exceeded",
        "No route to host {}",
        "srun: error: {}: task 0: Killed",
        "slurmstepd: error: *** JOB 8 ON {} CANCELLED AT 2024-01-01 ***",
        "retrieving CUDA diagnostic information for host: {}",
        "could not connect to {}:8080",
        "target: grpc://{}:2222",
        "http://{}:5000/api/2.0/mlflow",
    )
    return draw.of(*frames).format(host), host


@kind("mail")
def _mail(draw: Draw) -> tuple[str, list[str]]:
    local, domain = draw.user(), draw.word()
    ending = draw.of("org", "com", "co.uk", "engineering", "ai", "edu", "technology", "io", "de")
    frames = (
        "mail {}@{}.{} now",
        "Author: X <{}@{}.{}>",
        "account={}@{}.{}",
        "#SBATCH --mail-user={}@{}.{}",
        "wrote to {}@{}.{}.",
    )
    return draw.of(*frames).format(local, domain, ending), [local]


@kind("person")
def _person(draw: Draw) -> tuple[str, list[str]]:
    first, last = draw.word().capitalize(), draw.word().capitalize()
    return f"Author: {first} {last} <{draw.user()}@{draw.word()}.org>", [f"{first} {last}", last]


@kind("user in a path")
def _home(draw: Draw) -> tuple[str, str]:
    user = draw.user()
    frames = (
        '  File "/home/{}/train.py", line 3, in <module>',
        "/Users/{}/miniconda3/bin/python",
        "cd /mnt/c/Users/{}/p",
        "file:///home/{}/x.py",
        "/var/home/{}/.cache/pip",
        "[Errno 2] No such file or directory: '/home/{}/data/x.csv'",
    )
    return draw.of(*frames).format(user), user


@kind("user in a cluster's path")
def _cluster_home(draw: Draw) -> tuple[str, str]:
    user = draw.user()
    frames = (
        "/scratch/{}/run1/model.keras",
        "/users/{}/train.py",
        "/home/users/{}/x.py",
        "/lustre/{}/data",
        "/lustre/fs1/users/{}/data",
        "/gpfs/users/{}/x",
        "/mnt/nfs/home/{}/x",
        "/cluster/home/{}/x",
        "/scratch/users/{}/x",
        "/homes/{}/x",
        "/scratch/project_123/{}/x",
        "/data/users/{}/imagenet",
        "/u/{}/x",
        "/afs/cern.ch/user/q/{}/x",
    )
    return draw.of(*frames).format(user), user


@kind("user on windows")
def _windows(draw: Draw) -> tuple[str, str]:
    user = draw.user()
    frames = (
        r"C:\Users\{}\AppData\Local\x.dll",
        r'"C:\\Users\\{}\\data"',
        r"C:/Users/{}/train.py",
        r"\\fileserver9\home\{}\x",
        r"\\wsl$\Ubuntu\home\{}\x",
        r"/c/Users/{}/x",
        r"logged in as ACME\{}",
        r"C:\Documents and Settings\{}\x",
        r"owner: CORP\{} ok",
    )
    return draw.of(*frames).format(user), user


@kind("user at a prompt")
def _prompt(draw: Draw) -> tuple[str, list[str]]:
    user, host = draw.user(), draw.word(3, 5) + str(draw.lot.randint(1, 99))
    frames = (
        "{}@{}:~/project$ ls",
        "[{}@{} work]$ sbatch run.sh",
        "ssh {}@{}",
        "(tf) {}@{}:~$ python train.py",
        "rsync -a x {}@{}:/data",
    )
    return draw.of(*frames).format(user, host), [user, host]


@kind("user in a listing")
def _listing(draw: Draw) -> tuple[str, str]:
    user = draw.user()
    frames = (
        "drwxr-xr-x 2 {} staff 4096 Mar  1 data",
        "USER={}",
        "LOGNAME={}",
        '{{"username": "{}"}}',
        "uid=1000({}) gid=1000(staff)",
        "UserId={}(1001) GroupId=staff",
        "Permission denied for user {}",
        "sudo: {} : command not allowed",
        "1234567 gpu train {} R 1:02:03 1 node1",
    )
    return draw.of(*frames).format(user), user


@kind("phone")
def _phone(draw: Draw) -> tuple[str, str]:
    digits = draw.run(string.digits[1:], 10)
    number = draw.of("+49 {a} {b}", "+1 {a}-{c}-{d}", "+44{a}{b}", "({a}) {c}-{d}").format(
        a=digits[:3], b=digits[3:], c=digits[3:6], d=digits[6:]
    )
    return draw.of("call {}", "phone: {}", "on call {} until 8").format(number), number


@kind("payment card")
def _card(draw: Draw) -> tuple[str, str]:
    number = draw.card()
    return draw.of("card {}", "paid with {} today").format(number), number


@kind("iban")
def _iban(draw: Draw) -> tuple[str, str]:
    number = draw.iban()
    return draw.of("IBAN {}", "to {}").format(number), number


@kind("social security number")
def _social(draw: Draw) -> tuple[str, str]:
    number = f"{draw.lot.randint(100, 665)}-{draw.lot.randint(10, 99)}-{draw.lot.randint(1000, 9999)}"
    return f"SSN {number}", number


@kind("machine id")
def _machine(draw: Draw) -> tuple[str, str]:
    mark = draw.of(draw.run(HEX, 32), draw.uuid())
    return draw.of("Machine ID: {}", '"machine_id": "{}"', "Boot ID: {}", "product_uuid={}").format(mark), mark


@kind("gpu uuid")
def _gpu(draw: Draw) -> tuple[str, str]:
    mark = draw.uuid()
    return draw.of("GPU 0: NVIDIA A100 (UUID: GPU-{})", "CUDA_VISIBLE_DEVICES=MIG-{}", "GPU UUID : GPU-{}").format(mark), mark


@kind("serial number")
def _serial(draw: Draw) -> tuple[str, str]:
    number = draw.run(string.digits[1:], 13)
    return draw.of("Serial Number                         : {}", '"serial": "{}"', "serial_number={}").format(number), number


@kind("arn")
def _arn(draw: Draw) -> tuple[str, list[str]]:
    account, user = draw.run(string.digits[1:], 12), draw.user()
    return f"User: arn:aws:iam::{account}:user/{user} is not authorized", [account, user]


@kind("cloud account")
def _account(draw: Draw) -> tuple[str, str]:
    account, mark = draw.run(string.digits[1:], 12), draw.uuid()
    which = draw.of("aws", "ecr", "azure")
    if which == "azure":
        return f"/subscriptions/{mark}/resourceGroups/x", mark
    return ('"Account": "{}"' if which == "aws" else "{}.dkr.ecr.eu-west-1.amazonaws.com/train:1").format(account), account
