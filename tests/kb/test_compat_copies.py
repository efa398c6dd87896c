"""The probe runs in the reader's interpreter and cannot read the tables, so it has a copy of one. The two agree."""

import pytest

from tfhelp.collectors.environment.probe.tensorflow_files import wanted_libraries
from tfhelp.kb import compat_tables

TABLES = compat_tables.tables()
CUDA = TABLES.table("cuda")
RELEASES = sorted({one for row in CUDA["compilers"] for one in row["cuda"]})
# The libraries that TensorFlow opens when it starts; the table has some more.
OPENED = ("cudart", "cublas", "cublasLt", "cufft", "cusolver", "cusparse")


@pytest.mark.parametrize("cuda", RELEASES)
def test_the_probe_wants_the_files_of_the_table(cuda: str) -> None:
    row = TABLES.library_row(cuda)
    assert row
    assert sorted(wanted_libraries(cuda, "")) == sorted(row[name] for name in OPENED if name in row)


def test_every_cuda_of_a_release_is_in_the_table() -> None:
    for version in TABLES.release_versions(stable_only=False):
        cuda = (TABLES.release(version) or {})["cuda"]
        for known in (cuda.get("tested"), cuda.get("built_with")):
            assert known is None or "." not in known or TABLES.library_row(known), version
