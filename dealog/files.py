"""Reading the input and writing the output: whole or not at all."""

from __future__ import annotations

import errno
import os
import signal
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from dealog.diagnostics import DealogError, Diagnostic

STDIN_NAME = "<stdin>"
_BYTECODE_MAGIC = b"ML\xefR"
_PREFIX = 32  # how many characters of the name of an output its temporary file has in front


def read_text(path: str) -> tuple[str, str]:
    """Read a file, or standard input for `-`: `(text, name for messages)`, line ends as they are, and bytes that
    are not UTF-8 (MLIR takes them in comments and strings) as lone surrogates, which `OutputFile` writes as they
    were.

    Raises `DealogError` for what cannot be read and for what is not text.
    """
    name = STDIN_NAME if path == "-" else path
    try:
        data = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    except (OSError, ValueError) as error:
        raise DealogError(f"cannot open input file '{name}': {reason(error)}") from error
    if data.startswith(_BYTECODE_MAGIC):
        raise DealogError(
            Diagnostic(
                f"'{name}' is MLIR bytecode, and only MLIR text is read here",
                hint="'mlir-opt FILE' prints bytecode as text",
            )
        )
    return data.decode("utf-8", "surrogateescape"), name


def reason(error: Exception) -> str:
    """What the operating system says about `error`, in words."""
    return (isinstance(error, OSError) and error.strerror) or str(error)


def current_folder() -> Path | None:
    """The current folder; None where it was deleted, or cannot be reached."""
    try:
        return Path.cwd()
    except OSError:
        return None


def shown(path: str | os.PathLike[str]) -> str:
    """`path` as messages have it: seen from the current folder where it is in it."""
    folder = current_folder()
    return os.path.relpath(path) if folder is not None and Path(path).is_relative_to(folder) else str(path)


def absent(path: str | os.PathLike[str]) -> str | None:
    """Why nothing can be found at `path`, in words; None where there is something."""
    try:
        os.stat(path)
    except (OSError, ValueError) as error:
        return reason(error)
    return None


def cannot_write(error: OSError) -> DealogError:
    """That standard output cannot be written, for `error`; what is buffered for it is dropped."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return DealogError(f"cannot write to standard output: {reason(error)}")


def _write_stdout(data: bytes) -> None:
    try:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    except OSError as error:
        said = cannot_write(error)
        if isinstance(error, BrokenPipeError):  # the reader has seen enough, as `head` does
            raise SystemExit(1) from error
        raise said from error


@contextmanager
def _not_ended() -> Iterator[None]:
    """Let signals that end the process wait, so that no temporary file is left behind."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    ending = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ending)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class OutputFile:
    """An output that comes into being only when everything went well; `-` is standard output.

    Making one checks that the file can be written, before any work is done; `write` then puts the text there in one
    step (a temporary file beside it, renamed), so that no reader ever sees a part of it. A path that is not an
    ordinary file (a pipe, a device) is written directly.

    Both raise `DealogError` for what cannot be written.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        try:
            self._target = Path(path if path == "-" else os.path.realpath(path))
            if self.path != "-" and self._target.is_dir():
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
            if not self._is_direct():
                self._open()
        except OSError as error:
            raise self._error(error) from error

    def write(self, text: str) -> None:
        """Write the whole output."""
        data = text.encode("utf-8", "surrogateescape")
        if self.path == "-":
            _write_stdout(data)
            return
        try:
            if self._is_direct():
                self._target.write_bytes(data)
            else:
                with _not_ended():
                    self._replace(data)
        except OSError as error:
            raise self._error(error, "write") from error

    def _replace(self, data: bytes) -> None:
        temporary = self._make_temporary()
        try:
            temporary.chmod(self._mode())
            temporary.write_bytes(data)
            os.replace(temporary, self._target)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise

    def _is_direct(self) -> bool:
        return self.path == "-" or (self._target.exists() and not self._target.is_file())

    def _open(self) -> None:
        if self._target.exists():
            os.close(os.open(self._target, os.O_WRONLY))  # a file that may not be written is not replaced
        with _not_ended():
            self._make_temporary().unlink()

    def _make_temporary(self) -> Path:
        # The name of the output may be as long as names can be.
        handle, name = tempfile.mkstemp(dir=self._target.parent, prefix=f".{self._target.name[:_PREFIX]}.")
        os.close(handle)
        return Path(name)

    def _mode(self) -> int:
        """The permissions that the file has, or that a new file gets."""
        if self._target.exists():
            return stat.S_IMODE(self._target.stat().st_mode)
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask

    def _error(self, error: OSError, doing: str = "open") -> DealogError:
        return DealogError(f"cannot {doing} output file '{self.path}': {reason(error)}")
