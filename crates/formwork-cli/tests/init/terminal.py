"""Runs a program on a terminal, and types a line whenever it asks.

    terminal.py ANSWERS PROGRAM WORD...

ANSWERS are separated by `|`. What the terminal showed goes to standard output.
"""

import os
import pty
import sys

answers, program, words = sys.argv[1].split("|"), sys.argv[2], sys.argv[2:]
pid, terminal = pty.fork()
if pid == 0:
    os.execv(program, words)
shown = b""
while True:
    try:
        part = os.read(terminal, 4096)
    except OSError:  # the end of a terminal, on Linux
        break
    if not part:
        break
    shown += part
    if shown.endswith(b"]: ") and answers:
        os.write(terminal, answers.pop(0).encode() + b"\n")
sys.stdout.write(shown.decode().replace("\r\n", "\n"))
sys.stdout.flush()
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
