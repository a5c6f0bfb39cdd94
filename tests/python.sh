#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs a test written in Python, or skips it.
command -v python3 >/dev/null || {
    echo "python3 is not installed"
    exit 77
}
PYTHONDONTWRITEBYTECODE=1 exec python3 "$@"
