#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs a command whose stdout, stderr or both are pseudo-terminals: pty_run.py COLUMNS tty|pipe tty|pipe OUT ERR COMMAND...

The first word is for stdout, the second for stderr; what came is written to OUT and ERR, byte for byte (the terminal changes no
line end). COLUMNS is the window's width; 0: a terminal that does not know its size. The exit code is the command's."""
import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios
import threading


def channel(kind, columns):
    """What we read from, what the command writes to"""
    if kind == "pipe":
        return os.pipe()
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24 if columns else 0, columns, 0, 0))
    settings = termios.tcgetattr(theirs)
    settings[1] &= ~termios.OPOST
    termios.tcsetattr(theirs, termios.TCSANOW, settings)
    return ours, theirs


def copy(source, path):
    with open(path, "wb") as file:
        while True:
            try:
                data = os.read(source, 65536)
            except OSError:  # the last writer is gone
                return
            if not data:
                return
            file.write(data)


def main(columns, out_kind, err_kind, out, err, *command):
    readers, ends = [], []
    for kind, path in ((out_kind, out), (err_kind, err)):
        ours, theirs = channel(kind, int(columns))
        readers.append(threading.Thread(target=copy, args=(ours, path)))
        ends.append(theirs)
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=ends[0], stderr=ends[1])
    for end in ends:
        os.close(end)
    for reader in readers:
        reader.start()
    code = process.wait()
    for reader in readers:
        reader.join()
    return code if code >= 0 else 128 - code


sys.exit(main(*sys.argv[1:]))
