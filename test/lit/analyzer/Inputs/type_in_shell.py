"""Type a command line in an interactive shell on a terminal, as a user does, and print the
arguments of `arcline`.

usage: type_in_shell.py SHELL SCRIPT TEXT    SCRIPT is read first; \\t in TEXT is the tab key
"""
import os
import pty
import re
import select
import sys
import time

shell, script, text = sys.argv[1:]
START = {
    "bash": (["bash", "--norc", "--noprofile", "-i"],
             "arcline() { printf 'CALLED%s\\n' \" $*.\"; }; . " + script),
    "zsh": (["zsh", "-f", "-i"],
            "arcline() { print -r -- CALLED\" $*.\"; }; autoload -Uz compinit; "
            "compinit -u -D; "
            "zstyle ':completion:*' insert-tab false; source " + script),
    "fish": (["fish", "--no-config", "-i"],
             "function arcline; echo CALLED\" $argv.\"; end; source " + script),
}
argv, prepare = START[shell]
pid, terminal = pty.fork()
if pid == 0:
    os.environ.update(TERM="xterm", HOME=os.getcwd(), XDG_DATA_HOME=os.getcwd(), PS1="$ ")
    os.execvp(argv[0], argv)
seen = b""
os.write(terminal, (prepare + "; echo REA''DY\r").encode())
deadline = time.time() + 120
typed = False
while time.time() < deadline:
    ready, _, _ = select.select([terminal], [], [], 1)
    if ready:
        try:
            seen += os.read(terminal, 65536)
        except OSError:
            break
    if not typed and b"READY" in seen:
        typed = True
        seen = b""
        os.write(terminal, text.replace("\\t", "\t").encode() + b"\r")
    called = re.search(rb"CALLED (.*?)\.\r?\n", seen) if typed else None
    if called:
        print(called.group(1).decode())
        os.kill(pid, 9)
        sys.exit(0)
os.kill(pid, 9)
sys.exit("nothing was called; seen: " + repr(seen))
