#!/bin/sh
# slim.sh ENVIRONMENT: take out of an installed environment what no server needs: the tests of libraries, and symbols for debuggers.
set -eu
packages=$(echo "$1"/lib/python3*/site-packages)
find "$packages/numpy" "$packages/libcst" -type d -name tests -prune -exec rm -rf {} +
# Only these two bring more symbols than code. What auditwheel has changed (*.libs) is better left as it is.
find "$packages/uvloop" "$packages/zstandard" -name '*.so' -exec strip --strip-debug {} +
