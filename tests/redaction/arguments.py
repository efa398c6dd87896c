"""Kinds of secrets in a fixed place of a command, a call or a dialogue."""

from tests.redaction.draw import ALNUM, HEX, Draw
from tests.redaction.table import kind


def _plain(draw: Draw) -> str:
    """A password that needs no quotes in any shell, with letters and a digit."""
    return draw.word() + draw.run(ALNUM, 3, 16)


@kind("short option of a command")
def _short_option(draw: Draw) -> tuple[str, str]:
    secret = _plain(draw)
    return draw.of(
        "mongosh -u train -p {} --authenticationDatabase admin",
        "sudo useradd -m -p {} trainer",
        "zip -r -P {} out.zip runs",
        "twine upload -u robot -p {} dist/a.whl",
        "ipmitool -I lanplus -U root -P {} power status",
        "sqlcmd -S db -U train -P {}",
        "ldapsearch -x -D cn=train -w {} -b dc=lab",
        "openssl enc -d -aes-256-cbc -k {} -in data.enc",
        "snmpwalk -v3 -u train -A {} switch",
        "xfreerdp /u:train /p:{} /v:desk",
        "plink -batch -pw {} gateway nvidia-smi",
    ).format(secret), secret


@kind("password option without a hyphen")
def _pass_option(draw: Draw) -> tuple[str, str]:
    secret = _plain(draw)
    return draw.of(
        "keytool -import -storepass {} -keystore trust.jks",
        "keytool -genkey -keypass {} -alias a",
        "rootpw={}",
        "ROOTPW={}",
        "db_pw: {}",
        "export adminpw={}",
        "pw={}",
        "the pw is {}",
        'pw: "{}"',
    ).format(secret), secret


@kind("argument at the end of a command")
def _last_argument(draw: Draw) -> tuple[str, str]:
    secret = _plain(draw)
    return draw.of(
        "rclone obscure {}",
        "wpa_passphrase lab {}",
        "kaggle config set -n key -v {}",
        "requirepass {}",
        "masterauth {}",
        "ALTER USER train IDENTIFIED BY '{}';",
    ).format(secret), secret


@kind("user and password in one command")
def _user_and_password(draw: Draw) -> tuple[str, list[str]]:
    user, secret = draw.word(), _plain(draw)
    return draw.of(
        "htpasswd -bc users.txt {} {}",
        "poetry config http-basic.lab {} {}",
        "mc alias set lab https://minio.example.com {} {}",
        "smbclient //files/runs -U {}%{}",
        "lftp -u {},{} files.example.com",
        "sqlplus {}/{}@runs",
        "echo {}:{} | chpasswd",
        "echo '{}:{}' | sudo chpasswd",
    ).format(user, secret), [user, secret]


@kind("password through a pipe")
def _piped(draw: Draw) -> tuple[str, str]:
    secret = _plain(draw)
    return draw.of(
        "echo {} | sudo -S apt-get install -y nvidia-driver-550",
        "echo '{}' | sudo -S -k mount /data",
        "echo -n {} | docker login -u robot --password-stdin registry.example.com",
        "printf '%s' {} | kinit robot",
        'echo "{}" | vncpasswd -f',
        "passwd --stdin robot <<< {}",
        "sudo -S true <<< '{}'",
        "echo {} | gpg --batch --passphrase-fd 0 -d data.gpg",
    ).format(secret), secret


@kind("prompt")
def _prompt(draw: Draw) -> tuple[str, str]:
    secret = _plain(draw)
    return draw.of(
        "[sudo] password for root: {}",
        "Password for 'https://git.example.com': {}",
        "Enter passphrase for key 'id_ed25519': {}",
        'expect "assword:" {{ send "{}\\r" }}',
    ).format(secret), secret


@kind("arguments of a login")
def _login_call(draw: Draw) -> tuple[str, list[str]]:
    user, secret = draw.word(), _plain(draw)
    return draw.of(
        "server.login('{}', '{}')",
        'ftp.login("{}", "{}")',
        "ssh.connect(host, 22, '{}', '{}')",
        "pymysql.connect('db', '{}', '{}', 'runs')",
    ).format(user, secret), [user, secret]


@kind("token of a login")
def _token_call(draw: Draw) -> tuple[str, str]:
    secret = draw.run(HEX, 40)
    return draw.of(
        "login('{}')", 'huggingface_hub.login("{}")', "conda install -c https://conda.example.com/t/{}/lab tensorflow"
    ).format(secret), secret


@kind("cookie option")
def _cookie_option(draw: Draw) -> tuple[str, str]:
    secret = draw.run(ALNUM, 24, 40)
    return draw.of("curl --cookie sid={} -O https://x.example/d.zip", "wget --cookie 'id={}' https://x.example").format(
        secret
    ), secret
