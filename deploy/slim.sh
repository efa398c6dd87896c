#!/bin/sh
# slim.sh ENVIRONMENT: remove what no server needs from an installed environment: the tests of libraries, and debugging symbols.
set -eu
packages=$(echo "$1"/lib/python3*/site-packages)
find "$packages/numpy" "$packages/libcst" -type d -name tests -prune -exec rm -rf {} +
# Only these two contain more symbols than code. Files that auditwheel has changed (*.libs) should not be touched.
find "$packages/uvloop" "$packages/zstandard" -name '*.so' -exec strip --strip-debug {} +
