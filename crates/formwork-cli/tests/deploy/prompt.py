"""Runs a program on a terminal, types an answer when it asks, and ends as it does.

    prompt.py ANSWER PROGRAM WORD...

What the terminal showed goes to standard output.
"""

import os
import pty
import sys

answer, program, words = sys.argv[1].encode().decode("unicode_escape").encode(), sys.argv[2], sys.argv[2:]
pid, terminal = pty.fork()
if pid == 0:
    os.execv(program, words)
shown, is_answered = b"", False
while True:
    try:
        part = os.read(terminal, 4096)
    except OSError:  # the end of a terminal, on Linux
        break
    if not part:
        break
    shown += part
    if b"[y/N]" in shown and not is_answered:
        is_answered = True
        os.write(terminal, answer)
sys.stdout.write(shown.decode().replace("\r\n", "\n"))
sys.stdout.flush()
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
