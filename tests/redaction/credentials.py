"""Kinds of credentials: keys, tokens, passwords, cookies, signed addresses."""

import string

from tests.redaction.draw import ALNUM, BASE64, HEX, LOWER, URL64, Draw
from tests.redaction.table import KINDS, kind


def _prefixed(name: str, prefix: str, alphabet: str, length: int, longest: int | None = None, behind: str = "") -> None:
    """A token that is recognised by its beginning, in words that do not announce it."""

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
    ("tfhelp", "tfhelp_", URL64, 51, None),
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
    ("tavily", "tvly-dev-", ALNUM, 32, None),
    ("alibaba", "LTAI5t", ALNUM, 18, None),
    ("tencent", "AKID", ALNUM, 32, None),
    ("brevo", "xkeysib-", HEX, 64, None),
    ("dropbox", "sl.", URL64, 130, None),
    ("planetscale", "pscale_tkn_", URL64, 43, None),
    ("sourcegraph", "sgp_", HEX, 40, None),
    ("airtable", "patAbCdEfGhIjKlMn.", HEX, 64, None),
    ("gitlab old runner", "GR1348941", URL64, 20, None),
    ("base64 of a private key", "LS0tLS1CRUdJTiBQUklWQVRFIEtFWS0tLS0t", ALNUM, 80, 200),
    ("telegram", "", "", 0, None),
    ("aws id", "", "", 0, None),
):
    if _length:
        _prefixed(_name, _prefix, _alphabet, _length, _longest)


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


@kind("login in code")
def _login_in_code(draw: Draw) -> tuple[str, str]:
    body = draw.run(ALNUM, 12, 24)
    frames = (
        "requests.get(url, auth=('analyst', '{}'))",
        'session.auth = HTTPBasicAuth("analyst", "{}")',
        "proxy_auth=aiohttp.BasicAuth('analyst', '{}')",
        "jdbc:oracle:thin:analyst/{}@//db:1521/orcl",
    )
    return draw.of(*frames).format(body), body


@kind("password with an at sign")
def _at_sign(draw: Draw) -> tuple[str, str]:
    body = draw.run(ALNUM, 8, 16)
    return draw.of("http_proxy=http://analyst:p@{}@proxy:3128/", "postgresql://analyst:p@{}@db:5432/runs").format(body), body


@kind("short name of a password")
def _short_name(draw: Draw) -> tuple[str, str]:
    body = draw.run(ALNUM, 10, 20)
    return draw.of(
        "DB_PW={}", "SMTP_PW: {}", "DB_PASSWORD -> {}", "_auth={}1=", "PHPSESSID={}1A2b3C4d", "user%3Dx%26password%3D{}"
    ).format(body), body


@kind("said in Chinese or Japanese")
def _said_without_a_space(draw: Draw) -> tuple[str, str]:
    body = draw.run(ALNUM, 10, 20)
    return draw.of("密码是{}", "我的密碼是{}，连不上", "パスワードは{}です").format(body), body


@kind("hash of a password")
def _hash_of_a_password(draw: Draw) -> tuple[str, str]:
    body = draw.run(ALNUM + "./", 60)
    return draw.of("analyst:$6$saltsalt${}:19000:0:99999:7:::", "rootpw --iscrypted $2b$12${}", "x:$apr1$ab12cd34${}").format(
        body
    ), body


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


@kind("yaml block of several words")
def _block(draw: Draw) -> tuple[str, list[str]]:
    secrets = [f"{draw.password()} {draw.password()}", draw.password()]
    return draw.of(
        "password: |\n  {}\n  {}",
        "db_password: >-\n    {}\n    {}",
        "- passphrase: |2\n    {}\n    {}",
        "client_secret: !!str |\n  {}\n  {}",
    ).format(*secrets), secrets


@kind("name in letters that look like others")
def _look_alike(draw: Draw) -> tuple[str, str]:
    secret = draw.run(ALNUM, 16, 40)
    name = draw.of(
        "ｐａｓｓｗｏｒｄ", "ＡＰＩ＿ＫＥＹ", "pаsswоrd", "РАSSWОRD", "ѕесrеt", "αpi_kеy", "access_tоkеn", "𝐩𝐚𝐬𝐬𝐰𝐨𝐫𝐝", "ᴘᴀꜱꜱᴡᴏʀᴅ"
    )
    return draw.of("{}={}", "{}: {}", '"{}": "{}"', "{}：{}", "{} = '{}'").format(name, secret), secret


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
