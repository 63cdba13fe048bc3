"""Runs a program on a terminal of 100 columns (or TEST_COLUMNS), types a line each time it asks, and ends as it does.

    terminal.py ANSWERS PROGRAM WORD...

ANSWERS holds escapes: "ann\\ny\\n" is two lines, "\\x03" is Ctrl-C. What the terminal showed goes to standard output.
"""

import fcntl
import os
import pty
import signal
import struct
import sys
import termios

END = b"\0the program has ended\0"
answers = sys.argv[1].encode().decode("unicode_escape").encode()
answers = [line for line in answers.replace(b"\x03", b"\x03\n").splitlines(keepends=True)]
answers = [line.rstrip(b"\n") if line.startswith(b"\x03") else line for line in answers]
program, words = sys.argv[2], sys.argv[2:]
all_read, close_when_read = os.pipe()
leader, terminal = pty.fork()
if leader == 0:
    # When the first process of a terminal ends, Linux throws away what was not yet read. So the program is the second
    # one, and the first ends when everything was read.
    os.close(close_when_read)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    child = os.fork()
    if child == 0:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.execv(program, words)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    os.write(1, END)
    os.read(all_read, 1)
    os._exit(status & 0xFF)
os.close(all_read)
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, int(os.environ.get("TEST_COLUMNS", "100")), 0, 0))
# Ctrl-C would throw away what the program says of it, when that is faster than the terminal.
modes = termios.tcgetattr(terminal)
modes[3] |= termios.NOFLSH
termios.tcsetattr(terminal, termios.TCSANOW, modes)
shown, seen = b"", 0
while not shown.endswith(END):
    shown += os.read(terminal, 4096)
    # The program asks at the end of a line.
    if answers and shown.endswith((b"[y/N] ", b": ")) and len(shown) > seen:
        seen = len(shown)
        os.write(terminal, answers.pop(0))
os.close(close_when_read)
sys.stdout.write(shown.removesuffix(END).decode().replace("\r\n", "\n"))
sys.stdout.flush()
sys.exit(os.waitstatus_to_exitcode(os.waitpid(leader, 0)[1]))
