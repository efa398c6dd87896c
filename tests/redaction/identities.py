"""Kinds of names: of machines, of people, of places, numbers and accounts."""

import string

from tests.redaction.draw import HEX, Draw
from tests.redaction.table import kind


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
