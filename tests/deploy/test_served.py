"""The image's content, installed from the lock: its size, its licences, and that it serves from a read-only root without privileges."""

import http.client
import json
import os
import pathlib
import re
import shlex
import signal
import subprocess
import sys
import time
import typing

import pytest
from packaging.markers import Marker

from tests.deploy.image_size import BASE, MOST, size_of
from tests.deploy.served import LICENCES, licences, locked, make_environment, write_sbom
from tests.deploy.shipped_files import ROOT, Json, stages
from tests.test_wheel import build_wheel, copy_tree

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("served")]
_WORDS_OF_LICENCES = re.compile(r"Apache|BSD|MIT|MPL|PSF|Python Software|Zlib|Zope|Unlicense|ISC|LGPL|Artistic|CC0")
_FORBIDDEN = re.compile(r"\b(?:GPL|AGPL|SSPL|Commons Clause|Business Source)", re.IGNORECASE)


def normal(name: str) -> str:
    return re.sub("[-_.]+", "-", name).lower()


def here() -> set[str]:
    """The packages of the lock that apply to this machine."""
    return {normal(name) for name, _, marker in locked() if not marker or Marker(marker).evaluate()}


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """The interpreter of an environment like the image's."""
    folder = tmp_path_factory.mktemp("served")
    built = build_wheel(copy_tree(ROOT, folder / "tree"), folder / "dist")
    assert built.returncode == 0, built.stdout + built.stderr
    [wheel] = (folder / "dist").glob("tfhelp-*.whl")
    return make_environment(folder / "opt", wheel)


def test_the_environment_holds_only_the_locked_packages(python: pathlib.Path) -> None:
    program = "import importlib.metadata as m, json; print(json.dumps([d.metadata['Name'] for d in m.distributions()]))"
    ran = subprocess.run([str(python), "-c", program], capture_output=True, text=True, check=True)
    assert {normal(name) for name in json.loads(ran.stdout)} == here() | {"tfhelp"}
    assert not (python.parent / "pip").exists()


def test_the_image_is_below_its_limit(python: pathlib.Path) -> None:
    served = size_of(python.parents[1])
    assert served > 200_000_000  # it was installed at all
    assert BASE + served < MOST


def test_the_bill_of_materials_names_every_package_with_its_version(python: pathlib.Path, tmp_path: pathlib.Path) -> None:
    write_sbom(python, tmp_path / "bom.json")  # the tool validates it against CycloneDX's schema
    bill: Json = json.loads((tmp_path / "bom.json").read_text(encoding="utf-8"))
    named = {normal(item["name"]): item["version"] for item in bill["components"]}
    wanted = {normal(name): version for name, version, marker in locked() if not marker or Marker(marker).evaluate()}
    assert bill["bomFormat"] == "CycloneDX" and bill["metadata"]["component"]["name"] == "tfhelp"
    assert {name: named.get(name) for name in wanted} == wanted
    assert all(item["purl"].startswith("pkg:pypi/") for item in bill["components"] if normal(item["name"]) in wanted)


def test_every_licence_is_known_and_stands_on_the_page(python: pathlib.Path) -> None:
    page = LICENCES.read_text(encoding="utf-8")
    rows = {
        normal(name): (version, words)
        for name, version, words in re.findall(r"^\| (\S+) +\| (\S+) +\| (.+?) +\|$", page, re.MULTILINE)
    }
    found = {normal(item["Name"]): (item["Version"], item["License"]) for item in json.loads(licences(python, "json"))}
    assert set(found) - {"tfhelp"} == here()
    assert {name: rows.get(name) for name in here()} == {name: found[name] for name in here()}  # else run 'make licences'
    for name, (_, words) in found.items():
        assert _WORDS_OF_LICENCES.search(words) and not _FORBIDDEN.search(words), f"{name}: {words}"


class Enclosed:
    """``tfhelp serve`` with the image's user, variables and command, on a read-only root, with its own /tmp and no privileges."""

    def __init__(self, python: pathlib.Path, port: int) -> None:
        last = stages()[-1]
        [user], [command] = last.values("USER"), last.values("CMD")
        words = [item for value in last.values("ENV") for item in shlex.split(value)]
        variables = dict(word.split("=", 1) for word in words) | {"PATH": "/usr/bin:/bin"}
        arguments = [str(port) if word == "8000" else "127.0.0.1" if word == "0.0.0.0" else word for word in json.loads(command)]
        base = pathlib.Path(sys.base_prefix)
        # The interpreter and the environment are put where the user can reach them, whatever the permissions above them are.
        script = f"""
            set -eu
            mount --make-rprivate /
            mount -t tmpfs -o mode=755 none /mnt
            mkdir /mnt/base /mnt/opt
            mount --bind {shlex.quote(str(base))} /mnt/base
            mount --bind {shlex.quote(str(python.parents[1]))} /mnt/opt
            mount -t tmpfs -o mode=755 none {shlex.quote("/" + base.parts[1])}
            mkdir -p {shlex.quote(str(base))}
            mount --bind /mnt/base {shlex.quote(str(base))}
            mount -t tmpfs -o mode=1777,noexec,nosuid,nodev none /tmp
            mount -o remount,bind,ro /
            mount -o remount,bind,ro /mnt/opt
            mount -o remount,bind,ro {shlex.quote(str(base))}
            cd /tmp
            uid={user.partition(":")[0]}
            exec setpriv --reuid $uid --regid $uid --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all \\
              env -i {shlex.join(f"{name}={value}" for name, value in variables.items())} \\
              /mnt/opt/bin/python -c {shlex.quote(_NO_WRITABLE_CODE)} /mnt/opt/bin/python -m tfhelp.service {shlex.join(arguments)}
        """
        self.process = subprocess.Popen(
            ["unshare", "--mount", "sh", "-c", script], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )


# What the unit's MemoryDenyWriteExecute sets in the kernel (prctl 65), if this kernel supports it; then the program itself.
_NO_WRITABLE_CODE = "import ctypes, os, sys; ctypes.CDLL(None).prctl(65, 1, 0, 0, 0); os.execv(sys.argv[1], sys.argv[1:])"


def may_enclose() -> bool:
    return os.geteuid() == 0 and subprocess.run(["unshare", "--mount", "true"], capture_output=True, check=False).returncode == 0


@pytest.fixture
def enclosed(python: pathlib.Path) -> typing.Iterator[tuple[Enclosed, int]]:
    from tests.deploy.behind_nginx import free_port

    port = free_port()
    running = Enclosed(python, port)
    yield running, port
    running.process.kill()
    running.process.communicate()


@pytest.mark.skipif(sys.platform != "linux" or not may_enclose(), reason="file systems can only be mounted by root on Linux")
def test_the_image_serves_as_an_unprivileged_user_on_a_read_only_root(
    python: pathlib.Path, enclosed: tuple[Enclosed, int]
) -> None:
    server, port = enclosed
    end = time.monotonic() + 120
    while not is_healthy(python, port):
        assert server.process.poll() is None and time.monotonic() < end, server.process.communicate()[0]
        time.sleep(0.5)
    status = pathlib.Path(f"/proc/{server.process.pid}/status").read_text(encoding="utf-8")
    assert re.search(r"^Uid:\t10001\t10001\t10001\t10001$", status, re.MULTILINE) and re.search(
        r"^CapEff:\t0+$", status, re.MULTILINE
    )
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request(
        "POST", "/api/v1/diagnose", "my graphics card memory is full after a few steps", {"Content-Type": "text/plain"}
    )
    answer = json.loads(connection.getresponse().read())
    connection.close()
    assert answer["matches"] or answer["abstained"]
    server.process.send_signal(signal.SIGTERM)
    output, _ = server.process.communicate(timeout=60)
    assert server.process.returncode in (0, -signal.SIGTERM)
    assert "Read-only" not in output and "Permission" not in output and "Traceback" not in output, output


def is_healthy(python: pathlib.Path, port: int) -> bool:
    """The result of the image's own health check."""
    [check] = stages()[-1].values("HEALTHCHECK")
    words = json.loads(check.partition("CMD ")[2])
    assert words[0] == "python" and "8000" in words[2]
    return (
        subprocess.run([str(python), "-c", words[2].replace("8000", str(port))], capture_output=True, check=False).returncode == 0
    )
