"""Runs one command and writes what it took as JSON to standard output: `spawn.py TIMEOUT ERRORS COMMAND...`.

It is a program of its own because it has to be small: what a process may say of the most memory that it held
is never less than what the process that started it held then. It needs nothing but `os` and `signal`.
The command's standard output is dropped, its standard error goes to the file ERRORS.
"""

import os
import signal
import sys
import time


def main(timeout: float, errors: str, command: list[str]) -> None:
    """Run `command` and print what it took; see the module."""
    started = time.perf_counter()
    child = os.fork()
    if child == 0:
        try:
            os.setsid()
            nothing = os.open(os.devnull, os.O_RDWR)
            os.dup2(nothing, 0)
            os.dup2(nothing, 1)
            os.dup2(os.open(errors, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 2)
            os.execvp(command[0], command)
        finally:
            os._exit(127)
    timed_out = False

    def stop(*_: object) -> None:
        nonlocal timed_out
        timed_out = True
        os.killpg(child, signal.SIGKILL)

    signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, timeout)
    _, status, used = os.wait4(child, 0)
    seconds = time.perf_counter() - started
    signal.setitimer(signal.ITIMER_REAL, 0)
    code = os.waitstatus_to_exitcode(status)
    unit = 1 if sys.platform == "darwin" else 1024
    timed = "true" if timed_out else "false"
    sys.stdout.write(
        f'{{"seconds": {seconds}, "peak": {used.ru_maxrss * unit}, "code": {code}, "timed_out": {timed}}}\n'
    )


if __name__ == "__main__":
    main(float(sys.argv[1]), sys.argv[2], sys.argv[3:])
