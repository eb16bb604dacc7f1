"""Runs programs compiled by LLVM under AddressSanitizer, which checks every access, every free, and leaks.

The programs and the calls are those of :mod:`tests.support.execute`; here ``malloc`` and ``free`` are the
sanitizer's own. Everything is compiled into one program, and each call has a process of its own.
"""

from __future__ import annotations

import functools
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.support import tools
from tests.support.execute import TO_LLVM, TOGETHER, Call, Execution, Program, libc, lower, without_duplicates

AROUND = Path(__file__).with_name("sanitized.c")
COMPILERS = (f"clang-{tools.VERSION}", "clang", "gcc", "cc")
SANITIZE = ("-fsanitize=address", "-g0", "-O0")
_LEAKS = "int main(int n, char **v) { return __builtin_malloc(n + 7) == (void *)1; }\n"


@functools.cache
def compiler() -> str | None:
    """A C compiler whose programs report leaks here, or None."""
    with tempfile.TemporaryDirectory() as folder:
        source, program = Path(folder, "leaks.c"), Path(folder, "leaks")
        source.write_text(_LEAKS)
        for name in filter(shutil.which, COMPILERS):
            built = subprocess.run([name, *SANITIZE, source, "-o", program], capture_output=True)
            if built.returncode == 0 and "detected memory leaks" in _errors(program):
                return name
    return None


def _errors(program: Path) -> str:
    """What a program says on its standard error, which is nothing where it may not be run or does not end."""
    try:
        return subprocess.run([program], capture_output=True, text=True, timeout=60).stderr
    except (OSError, subprocess.TimeoutExpired):  # LeakSanitizer can hang where it may not trace processes
        return ""


def missing() -> str | None:
    """Why programs cannot be run like this, or None."""
    return None if compiler() else "there is no C compiler with AddressSanitizer and leak checking"


def execute_sanitized(programs: Sequence[Program]) -> list[Execution]:
    """Runs every program; the order is that of ``programs``. A fault is in what a call ``died`` of."""
    runs = [Execution(program) for program in programs]
    for start in range(0, len(runs), TOGETHER):
        _execute_together(runs[start : start + TOGETHER])
    return runs


def _execute_together(runs: Sequence[Execution]) -> None:
    to_llvm = [flag.partition("=")[0] if "finalize-memref" in flag else flag for flag in TO_LLVM]
    lowered = lower(runs, to_llvm)
    bodies = [without_duplicates(number, body) for number, (_, body) in enumerate(lowered)]
    declarations = ["llvm.func @heap_print_integer(i64)", "llvm.func @heap_print_float(f64)"]
    if any("@memrefCopy" in body for body in bodies):
        declarations.append("llvm.func @memrefCopy(i64, !llvm.ptr, !llvm.ptr)")
    text = "\n".join(["module {", *declarations, libc(bodies), *bodies, "}"])
    calls = [call for link, _ in lowered for call in link.run.calls]
    with tempfile.TemporaryDirectory() as folder:
        program = _build(text, [name for link, _ in lowered for name in link.drivers], Path(folder))
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(lambda item: _run(program, *item), enumerate(calls)))


def _build(text: str, functions: Sequence[str], folder: Path) -> Path:
    """Compiles a module in the LLVM dialect, with a main function that calls one of ``functions``."""
    name = compiler()
    assert name is not None
    machine = subprocess.run([name, "-dumpmachine"], capture_output=True, text=True, check=True).stdout.strip()
    # Where the sanitizer keeps its notes about memory depends on the system. (gcc leaves out the vendor.)
    architecture, *_, system, abi = machine.split("-")
    ir = f'target triple = "{architecture}-unknown-{system}-{abi}"\n{_tool("mlir-translate", text, "--mlir-to-llvmir")}'
    ir = re.sub(r"^(define .*)\{$", r"\1sanitize_address {", ir, flags=re.MULTILINE)
    instrumented, objects, program = folder / "program.ll", folder / "program.o", folder / "program"
    instrumented.write_text(_tool("opt", ir, "-passes=asan", "-S"))
    _tool("llc", "", "-O0", "-filetype=obj", "-relocation-model=pic", str(instrumented), "-o", str(objects))
    calls = f"-DCALLS={' '.join(f'X({function})' for function in functions)}"
    subprocess.run([name, *SANITIZE, calls, AROUND, objects, "-lm", "-o", program], check=True)
    return program


def _tool(name: str, text: str, *options: str) -> str:
    return tools.run([tools.find(name), *options], text).unwrap()


# The corpus also reads elements that nobody has written: zero here, as on the checked heap.
_OPTIONS = "malloc_fill_byte=0:max_malloc_fill_size=1073741824:detect_leaks=1"
_REPORT = re.compile(r"ERROR: (AddressSanitizer|LeakSanitizer): ([\w-]+(?: double-free| free| memory leaks)?)")


def _run(program: Path, number: int, call: Call) -> None:
    try:
        done = subprocess.run(
            [program, str(number)],
            env={**os.environ, "ASAN_OPTIONS": _OPTIONS},
            capture_output=True,
            text=True,
            timeout=60,
        )
    except subprocess.TimeoutExpired:
        call.died = "did not end within 60 s"
        return
    call.values = re.findall(r"^value (.*)$", done.stdout, re.MULTILINE)
    if report := _REPORT.search(done.stderr):
        call.died = f"{report[1]}: {report[2]}"
    elif done.returncode:
        call.died = f"ended with {done.returncode}: {done.stderr[-500:]}"
