"""Input and output: files, standard streams, and everything that can be wrong with them."""

import fcntl
import os
import signal
import struct
import subprocess
import sys
import termios
import time

import pytest

from tests.support import tools

from .command import ALLOC, COMMAND, clean_environment, dealog

OWNERSHIP = ("--ownership-based-buffer-deallocation", "--engine", "embedded")


def test_without_passes_the_output_is_the_input(tmp_path):
    text = "// a comment\r\n\n" + ALLOC + "  \n\t// é the end, without a line end"
    source = tmp_path / "in.mlir"
    source.write_bytes(text.encode())
    assert dealog("opt", source, "-o", tmp_path / "out.mlir").status == 0
    assert (tmp_path / "out.mlir").read_bytes() == text.encode()


@pytest.mark.parametrize("line_end", ["\r\n", "\r"])
def test_what_is_inserted_has_the_line_ends_of_the_text(line_end):
    text = """\
func.func @f(%m: memref<4xf32>, %c: i1) { // a comment
  %a = memref.alloc() : memref<4xf32> // another
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  memref.copy %a, %m : memref<4xf32> to memref<4xf32> // the last
  cf.br ^bb2
^bb2:
  return
}
"""
    plain = dealog("dealloc", stdin=text)
    assert plain.status == 0 and plain.out.count("dealloc") == 2
    found = dealog("dealloc", stdin=text.replace("\n", line_end).encode())
    assert (found.status, found.out) == (0, plain.out.replace("\n", line_end))


@pytest.mark.parametrize("arguments", [["opt"], ["opt", "-"], ["opt", "-", "-o", "-"], ["opt", "-o=-"]])
def test_reads_standard_input_and_writes_standard_output(arguments):
    run = dealog(*arguments, stdin=ALLOC)
    assert (run.status, run.out, run.err) == (0, ALLOC, "")


def test_empty_input():
    assert dealog("opt", *OWNERSHIP, stdin="").status == 0


def test_missing_input(tmp_path):
    run = dealog("opt", tmp_path / "none.mlir")
    assert run.status == 1
    assert run.err == f"error: cannot open input file '{tmp_path}/none.mlir': No such file or directory\n"


def test_directory_as_input(tmp_path):
    run = dealog("opt", tmp_path)
    assert (run.status, run.err) == (1, "error: several files are written to a folder\n  help: name it: -o DIR\n")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_unreadable_input(tmp_path):
    secret = tmp_path / "secret.mlir"
    secret.write_text(ALLOC)
    secret.chmod(0)
    run = dealog("opt", secret)
    assert (run.status, run.err) == (1, f"error: cannot open input file '{secret}': Permission denied\n")


def test_binary_input():
    run = dealog("opt", stdin=b"func.func\n\x80\xff\x00")
    assert run.status == 1
    assert run.err.startswith("<stdin>:2:1: error: unexpected byte 0x80, which is not UTF-8\n")


@pytest.mark.parametrize("where", ["// caf\xe9 \xff", '"a.b"() {name = "caf\xe9"} : () -> ()'])
def test_bytes_in_comments_and_strings_need_not_be_utf8(where, tmp_path):
    text = b"func.func @f() {\n  " + where.encode("latin-1") + b"\n  return\n}\n"
    command = [*COMMAND, "opt", "--allow-unregistered-dialect"]
    assert subprocess.run(command, input=text, capture_output=True, check=True).stdout == text
    assert dealog("opt", "--allow-unregistered-dialect", "-o", tmp_path / "out.mlir", stdin=text).status == 0
    assert (tmp_path / "out.mlir").read_bytes() == text
    accepted = subprocess.run([tools.mlir_opt(), "--allow-unregistered-dialect"], input=text, capture_output=True)
    assert accepted.returncode == 0


def test_bytecode_input():
    run = dealog("opt", stdin=b"ML\xefR\x0dMLIR22.1\x00")
    assert run.status == 1
    assert run.err.startswith("error: '<stdin>' is MLIR bytecode")
    assert "help: 'mlir-opt FILE' prints bytecode as text" in run.err


def test_control_characters_in_the_input():
    run = dealog("opt", stdin="func.func @f() { \1 return }\n")
    assert run.status == 1
    assert run.err.startswith("<stdin>:1:18: error: ")
    assert "func.func @f() { ? return }" in run.err  # and none of them on the terminal


def test_null_characters_are_white_space_to_mlir():
    text = "func.func @f() { \0 return }\n"
    assert dealog("opt", stdin=text).out == text


@pytest.mark.parametrize("path", ["missing/out.mlir", "."])
def test_output_that_cannot_be_written(tmp_path, path):
    run = dealog("opt", "-o", path, stdin=ALLOC, cwd=tmp_path)
    assert run.status == 1
    assert run.err.startswith(f"error: cannot open output file '{path}': ")
    assert list(tmp_path.iterdir()) == []


def test_output_is_checked_before_the_work(tmp_path):
    run = dealog("opt", "-o", "missing/out.mlir", stdin="no MLIR", cwd=tmp_path)
    assert "cannot open output file" in run.err
    assert "<stdin>" not in run.err


def test_failure_writes_no_output(tmp_path):
    run = dealog("opt", "-o", tmp_path / "out.mlir", stdin="func.func @f( {")
    assert run.status == 1
    assert list(tmp_path.iterdir()) == []


def test_failure_leaves_an_existing_output_alone(tmp_path):
    (tmp_path / "out.mlir").write_text("precious")
    assert dealog("opt", "-o", tmp_path / "out.mlir", stdin="func.func @f( {").status == 1
    assert (tmp_path / "out.mlir").read_text() == "precious"


def test_failure_prints_nothing_on_standard_output():
    run = dealog("opt", "-split-input-file", stdin=f"{ALLOC}// -----\nfunc.func @f( {{\n")
    assert (run.status, run.out) == (1, "")


def test_output_may_be_the_input(tmp_path):
    file = tmp_path / "model.mlir"
    file.write_text(ALLOC)
    file.chmod(0o640)
    assert dealog("opt", file, "-o", file, *OWNERSHIP).status == 0
    assert "bufferization.dealloc" in file.read_text()
    assert file.stat().st_mode & 0o777 == 0o640
    assert list(tmp_path.iterdir()) == [file]


def test_output_through_a_symbolic_link(tmp_path):
    (tmp_path / "real.mlir").write_text("")
    (tmp_path / "link.mlir").symlink_to("real.mlir")
    assert dealog("opt", "-o", tmp_path / "link.mlir", stdin=ALLOC).status == 0
    assert (tmp_path / "link.mlir").is_symlink()
    assert (tmp_path / "real.mlir").read_text() == ALLOC


def test_a_new_output_file_has_the_permissions_of_a_new_file(tmp_path):
    (tmp_path / "other").touch()
    assert dealog("opt", "-o", tmp_path / "out.mlir", stdin=ALLOC).status == 0
    assert (tmp_path / "out.mlir").stat().st_mode == (tmp_path / "other").stat().st_mode


def test_output_to_a_device():
    assert dealog("opt", "-o", "/dev/null", stdin=ALLOC).status == 0
    run = dealog("opt", "-o", "/dev/full", stdin=ALLOC)
    assert (run.status, run.err) == (
        1,
        "error: cannot write output file '/dev/full': No space left on device\n",
    )


@pytest.mark.parametrize("arguments", [["opt"], ["--help"], ["opt", "--list-passes"]])
def test_standard_output_that_is_full(arguments):
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [*COMMAND, *arguments], input=ALLOC.encode(), stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert done.returncode == 1
    assert done.stderr.decode() == "error: cannot write to standard output: No space left on device\n"


@pytest.mark.parametrize(
    ("closed", "status", "error"),
    [
        ("<&-", 1, "error: cannot open input file '<stdin>': "),
        (">&-", 1, "error: cannot write to standard output: Bad file descriptor\n"),
        ("2>&-", 0, ""),
    ],
)
def test_streams_that_the_caller_closed(tmp_path, closed, status, error):
    file = tmp_path / "in.mlir"
    file.write_text(ALLOC)
    run = ["sh", "-c", f'"$@" {closed}', "sh", *COMMAND, "opt", "-" if "<" in closed else str(file)]
    done = subprocess.run(run, capture_output=True, check=False)
    assert done.returncode == status
    assert done.stderr.decode().startswith(error)
    assert "internal" not in done.stderr.decode()
    assert done.stdout.decode() == ("" if status else ALLOC)


def test_broken_pipe_is_quiet():
    text = "".join(f"// line {i}\n" for i in range(50_000)) + ALLOC
    process = subprocess.Popen(
        [*COMMAND, "opt"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    process.stdout.close()
    process.stdin.write(text.encode())
    process.stdin.close()
    assert process.stderr.read() == b""
    assert process.wait(timeout=60) == 1


def test_interrupt(tmp_path):
    process = subprocess.Popen(
        [*COMMAND, "opt", "-o", str(tmp_path / "out.mlir")],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=clean_environment(),
        # A shell lets its background jobs ignore the signal, and what they start inherits that.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    process.stdin.write(b"//")
    process.stdin.flush()
    for _ in range(600):
        (waiting,) = struct.unpack("i", fcntl.ioctl(process.stdin, termios.FIONREAD, bytes(4)))
        if not waiting:  # what was written is read: now it waits for more
            break
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    _, error = process.communicate(timeout=60)
    assert process.returncode == 130
    assert error.decode().strip() == "error: interrupted; nothing has been written"
    assert list(tmp_path.iterdir()) == []


IMPORTING = """
import os, signal, sys

class Interrupted:
    def find_spec(self, name, path=None, target=None):
        if name == {name!r}:
            os.kill(os.getpid(), signal.SIGINT)

signal.signal(signal.SIGINT, signal.default_int_handler)
sys.meta_path.insert(0, Interrupted())
from dealog.__main__ import run
run()
"""


@pytest.mark.parametrize("name", ["click", "dealog.cli", "dealog.messages"])
def test_interrupt_while_modules_are_imported_is_quiet(name):
    done = subprocess.run([sys.executable, "-c", IMPORTING.format(name=name)], capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")


ENDED = """
import os, signal, sys
from dealog.files import OutputFile

def end(*_):
    os.kill(os.getpid(), int(sys.argv[2]))

signal.signal(signal.SIGHUP, signal.SIG_DFL)  # nohup has it ignored
replace = os.replace
os.replace = lambda *names: (end(), replace(*names))
output = OutputFile(sys.argv[1])
if sys.argv[3] == "working":
    end()
output.write("text")
"""


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
@pytest.mark.parametrize("state", ["working", "writing"])
def test_what_ends_the_process_leaves_no_temporary_file(tmp_path, ending, state):
    arguments = [sys.executable, "-c", ENDED, str(tmp_path / "out.mlir"), str(int(ending)), state]
    done = subprocess.run(
        arguments, capture_output=True, check=False, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)
    )
    assert done.returncode == -ending
    assert [file.name for file in tmp_path.iterdir()] == ([] if state == "working" else ["out.mlir"])


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (["dealloc", "{0}/in.mlir", "-o", "{0}/out.mlir"], 0, ""),
        (["check", "{0}/in.mlir", "--fail-on=never"], 0, "1 warning"),
        (["opt", "{0}/in.mlir", "-o", "out.mlir"], 1, "error: cannot open output file 'out.mlir': No such file"),
        (["check", "{0}"], 2, "error: the current folder does not exist any more\n"),
    ],
)
def test_a_current_folder_that_was_deleted(tmp_path, arguments, status, said):
    """Absolute paths are read and written; others lead nowhere."""
    (tmp_path / "in.mlir").write_text(ALLOC)
    (gone := tmp_path / "gone").mkdir()
    command = [*COMMAND, *(each.format(tmp_path) for each in arguments)]
    done = subprocess.run(
        ["sh", "-c", 'rmdir "$0" && exec "$@"', gone, *command], cwd=gone, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr[: len(said)]) == (status, said)
    assert bool(done.stderr) == bool(said)
    assert (tmp_path / "out.mlir").exists() == (arguments[0] == "dealloc")


def test_the_name_of_an_output_may_be_as_long_as_names_can_be(tmp_path):
    name = "é" * 127 + "e"
    assert dealog("opt", "-o", name, stdin=ALLOC, cwd=tmp_path).status == 0
    assert [(file.name, file.read_text()) for file in tmp_path.iterdir()] == [(name, ALLOC)]
