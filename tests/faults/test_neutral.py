"""No trace of the machine stays in a recording, and nothing else is changed."""

import pytest

from tests.faults.neutral import neutral

FOLDERS = ("/scratch/run-1/project", "/scratch/run-1/home", "/opt/envs/tf", "/opt/python/3.11")


@pytest.mark.parametrize(
    ("printed", "recorded"),
    [
        ('File "/scratch/run-1/project/train.py", line 3', 'File "/home/user/project/train.py", line 3'),
        ("/scratch/run-1/home/.keras/keras.json", "/home/user/.keras/keras.json"),
        ("/opt/envs/tf/lib/python3.11/site-packages/keras", "/home/user/venv/lib/python3.11/site-packages/keras"),
        ("/opt/python/3.11/lib/python3.11/threading.py", "/usr/lib/python3.11/threading.py"),
        ("/srv/base/lib/python3.11/site-packages/keras", "/home/user/venv/lib/python3.11/site-packages/keras"),
        ("/usr/local/lib/python3.11/site-packages/keras", "/usr/local/lib/python3.11/site-packages/keras"),
        ("/opt/envs/tf-other/bin", "/opt/envs/tf-other/bin"),
        ("/opt/python/3.111", "/opt/python/3.111"),
        ("nothing of ours", "nothing of ours"),
    ],
)
def test_folders(printed: str, recorded: str) -> None:
    assert neutral(printed, *FOLDERS) == recorded


@pytest.mark.parametrize(
    ("host", "printed", "recorded"),
    [
        ("trainer-07", "hostname: trainer-07", "hostname: workstation"),
        ("trainer-07", "on trainer-07:", "on workstation:"),
        ("trainer-07", "my-trainer-07 trainer-075 trainer-07/x", "my-trainer-07 trainer-075 trainer-07/x"),
        ("vm", "hostname: vm", "hostname: workstation"),
        ("vm", "user@vm grpc://vm:2222", "user@workstation grpc://workstation:2222"),
        ("vm", "in a vm, vm.overcommit_memory=1", "in a vm, vm.overcommit_memory=1"),
        ("localhost", "grpc://localhost:2222", "grpc://localhost:2222"),
    ],
)
def test_host(monkeypatch: pytest.MonkeyPatch, host: str, printed: str, recorded: str) -> None:
    monkeypatch.setattr("socket.gethostname", lambda: host)
    monkeypatch.setattr("socket.getfqdn", lambda: host)
    assert neutral(printed, *FOLDERS) == recorded
