"""Runs a program on a terminal of 100 columns, types a line each time it asks, and ends as it does.

    terminal.py ANSWERS PROGRAM WORD...

ANSWERS holds escapes: "ann\\ny\\n" is two lines, "\\x03" is Ctrl-C. What the terminal showed goes to standard output.
"""

import fcntl
import os
import pty
import struct
import sys
import termios

answers = sys.argv[1].encode().decode("unicode_escape").encode()
answers = [line for line in answers.replace(b"\x03", b"\x03\n").splitlines(keepends=True)]
answers = [line.rstrip(b"\n") if line.startswith(b"\x03") else line for line in answers]
program, words = sys.argv[2], sys.argv[2:]
pid, terminal = pty.fork()
if pid == 0:
    os.execv(program, words)
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
# Ctrl-C would throw away what the program says of it, when that is faster than the terminal.
modes = termios.tcgetattr(terminal)
modes[3] |= termios.NOFLSH
termios.tcsetattr(terminal, termios.TCSANOW, modes)
shown, seen = b"", 0
while True:
    try:
        part = os.read(terminal, 4096)
    except OSError:  # the end of a terminal, on Linux
        break
    if not part:
        break
    shown += part
    # The program asks at the end of a line.
    if answers and shown.endswith((b"[y/N] ", b": ")) and len(shown) > seen:
        seen = len(shown)
        os.write(terminal, answers.pop(0))
sys.stdout.write(shown.decode().replace("\r\n", "\n"))
sys.stdout.flush()
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
