"""Programs in which memory that holds buffers goes round a loop: of regions, of one block, or of two.

In each round a buffer is allocated, and written to a container: a new one, one from before the loop, or the one that
the round before handed on. A container is read before or behind that, or after the loop. So what is read was allocated
in this round, in an earlier one, or before the loop.
"""

from __future__ import annotations

import random

BUFFER = "memref<4xi64>"
HOLDER = "memref<2xmemref<4xi64>>"
LOOPS = ("for", "while", "one block", "two blocks")

_START = f"""
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0 : i64
    %first = arith.constant 5 : i64
    %sum = memref.alloc() : memref<1xi64>
    memref.store %zero, %sum[%c0] : memref<1xi64>
    %b = memref.alloc() : {BUFFER}
    linalg.fill ins(%first : i64) outs(%b : {BUFFER})
    %outer = memref.alloc() : {HOLDER}
    memref.store %b, %outer[%c0] : {HOLDER}
    memref.store %b, %outer[%c1] : {HOLDER}
"""


def program(seed: int) -> str:
    """The program number `seed`: a module with one function, which gives the sum of what it has read."""
    chance = random.Random(seed)
    loop = LOOPS[seed % len(LOOPS)]
    filled, handed = (chance.choice(("%new", "%new", "%outer", "%carried")) for _ in range(2))
    read = chance.choice(("%new", "%outer", "%carried", "%carried"))
    rounds = chance.randint(1, 3)
    steps = [
        f"""
    %a = memref.alloc() : {BUFFER}
    linalg.fill ins(%n : i64) outs(%a : {BUFFER})""",
        f"""
    %new = memref.alloc() : {HOLDER}
    memref.store %b, %new[%c0] : {HOLDER}
    memref.store %b, %new[%c1] : {HOLDER}""",
        f"""
    memref.store %a, {filled}[{chance.choice(("%c0", "%c1"))}] : {HOLDER}""",
    ]
    reading = _read(read, chance.choice(("%c0", "%c1")), "")
    steps.insert(chance.randint(2 if read == "%new" else 0, 3), reading)
    body = "".join(steps)
    last = chance.choice(("%outer", "%last"))
    return f"""module {{
  func.func @main() -> i64 {{{_START}{_LOOPS[loop](body, handed, rounds)}{_read(last, "%c0", "_last")}
    %given = memref.load %sum[%c0] : memref<1xi64>
    return %given : i64
  }}
}}
"""


def _read(holder: str, at: str, suffix: str) -> str:
    return f"""
    %l{suffix} = memref.load {holder}[{at}] : {HOLDER}
    %x{suffix} = memref.load %l{suffix}[%c1] : {BUFFER}
    %o{suffix} = memref.load %sum[%c0] : memref<1xi64>
    %s{suffix} = arith.addi %o{suffix}, %x{suffix} : i64
    memref.store %s{suffix}, %sum[%c0] : memref<1xi64>"""


def _for(body: str, handed: str, rounds: int) -> str:
    return f"""
    %end = arith.constant {rounds} : index
    %last = scf.for %i = %c0 to %end step %c1 iter_args(%carried = %outer) -> ({HOLDER}) {{
    %n = arith.index_cast %i : index to i64{body}
    scf.yield {handed} : {HOLDER}
    }}"""


def _while(body: str, handed: str, rounds: int) -> str:
    """What is carried is handed to the second region, and what that reads was handed on by the first."""
    return f"""
    %end = arith.constant {rounds} : i64
    %k1 = arith.constant 1 : i64
    %done, %last = scf.while (%n = %zero, %carried = %outer) : (i64, {HOLDER}) -> (i64, {HOLDER}) {{{body}
    %more = arith.cmpi slt, %n, %end : i64
    scf.condition(%more) %n, {handed} : i64, {HOLDER}
    }} do {{
    ^bb0(%m: i64, %taken: {HOLDER}):{_read("%taken", "%c1", "_taken")}
    %next = arith.addi %m, %k1 : i64
    scf.yield %next, %taken : i64, {HOLDER}
    }}"""


def _one_block(body: str, handed: str, rounds: int) -> str:
    return f"""
    %end = arith.constant {rounds} : i64
    %k1 = arith.constant 1 : i64
    cf.br ^loop(%zero, %outer : i64, {HOLDER})
  ^loop(%n: i64, %carried: {HOLDER}):{body}
    %next = arith.addi %n, %k1 : i64
    %more = arith.cmpi slt, %next, %end : i64
    cf.cond_br %more, ^loop(%next, {handed} : i64, {HOLDER}), ^done({handed} : {HOLDER})
  ^done(%last: {HOLDER}):"""


def _two_blocks(body: str, handed: str, rounds: int) -> str:
    return f"""
    %end = arith.constant {rounds} : i64
    %k1 = arith.constant 1 : i64
    cf.br ^test(%zero, %outer : i64, {HOLDER})
  ^test(%n: i64, %carried: {HOLDER}):
    %more = arith.cmpi slt, %n, %end : i64
    cf.cond_br %more, ^body, ^done(%carried : {HOLDER})
  ^body:{body}
    %next = arith.addi %n, %k1 : i64
    cf.br ^test(%next, {handed} : i64, {HOLDER})
  ^done(%last: {HOLDER}):"""


_LOOPS = {"for": _for, "while": _while, "one block": _one_block, "two blocks": _two_blocks}
