"""Which allocations a buffer may be while the i1 holds that says whether it is freed."""

from .derive import Rows
from .derive import derive as derive_by

T = "memref<2xf32>"
D = "bufferization.dealloc#"
LOOP = f"""
  %r, %o = scf.for %j = %z to %n step %n iter_args(%p = %a, %q = %START) -> ({T}, i1) {{
    %k = memref.alloc() : {T}
    memref.copy %a, %k : {T} to {T}
    %s = bufferization.dealloc (%p, %k : {T}, {T}) if (%q, %true) retain (%k : {T})
    scf.yield %k, %s : {T}, i1
  }}
  %w = arith.andi %o, %c : i1
  bufferization.dealloc (%a, %r : {T}, {T}) if (%true, %w)
"""


def derive(lines: str, *relations: str) -> Rows | tuple[Rows, ...]:
    text = f"""func.func @f(%c: i1, %d: i1, %n: index) {{
  %true = arith.constant true
  %false = arith.constant false
  %z = arith.constant 0 : index
  %a = memref.alloc() : {T}
{lines}
  return
}}"""
    return derive_by(text, *relations, rules=("buffer_deallocation_simplification",))


def test_a_loop_returns_its_own_allocations_where_its_i1_holds() -> None:
    lines = LOOP.replace("%START", "%false")
    left_open, asked, owned, apart, alone = derive(
        lines, "left_open", "asked_owner", "owned_site", "owned_apart", "freed_alone"
    )
    assert left_open == apart == {(f"{D}11", "%a", "%r"), (f"{D}11", "%r", "%a")}
    assert asked == {("%a", "%true"), ("%r", "%w")}
    assert owned == {("%a", "%true", "%a"), ("%r", "%w", "%k")}
    assert {(f"{D}11", 0), (f"{D}11", 1)} <= alone
    freed_on, may_be = derive(lines, "freed_on", "may_be_owned_as")
    assert (f"{D}11", "%r", "%r", "%w") in freed_on and not may_be


def test_a_loop_that_is_handed_a_buffer_to_free_may_return_it() -> None:
    lines = LOOP.replace("%START", "%true")
    owned, may_be, apart = derive(lines, "owned_site", "may_be_owned_as", "owned_apart")
    assert {("%r", "%w", "%k"), ("%r", "%w", "%a")} <= owned and not apart
    assert may_be == {(f"{D}11", "%a", "%r"), (f"{D}11", "%r", "%a")}


def test_buffer_and_i1_are_followed_together() -> None:
    lines = LOOP.replace("%START", "%false")
    handed, at, source, rests, telling = derive(
        lines, "handed_with", "handed_at", "handed_source", "rests_on", "telling"
    )
    assert handed == {("%r", "%o", "%a", "%false"), ("%r", "%o", "%k", "%s")}
    assert at == {("%r", "%o", "scf.for#5", "%a", "%false"), ("%r", "%o", "scf.yield#9", "%k", "%s")}
    assert source == {("%r", "%o", "%a"), ("%r", "%o", "%k")}
    assert rests == {("%r", "%w", "%o")} and telling == {("%o",)}
    updated, updates, may_own = derive(lines, "updated_from", "updates_own", "may_own")
    assert updated == {("%k", "%s", "%k", "%true")} and updates == {(f"{D}8", 0, "%k", "%s")}
    assert may_own == {(f"{D}8", 0, 1)}
    back, looked, near, fork = derive(lines, "leads_back", "looked_into", "near", "fork")
    assert ("%r", "%w", "%k", "%true", 2) in back and ("%k", "%true") in looked
    assert ("%r", "%w", "%k", "%true") in near and fork == {("%p",), ("%r",)}


def test_an_i1_that_does_not_come_with_the_buffer_tells_nothing() -> None:
    """`%r` is not told to be `%a` or not where `%d` holds."""
    lines = LOOP.replace("%START", "%false").replace("%o, %c", "%d, %c")
    apart_, lost, traceable, apart = derive(lines, "handed_apart", "lost_track", "traceable", "owned_apart")
    assert ("%r", "%c") in apart_ and ("%r", "%w") in lost and ("%r", "%c") not in traceable
    assert not apart


def test_constants_hold_always_or_never() -> None:
    surely, never = derive(LOOP.replace("%START", "%false"), "surely", "never_holds")
    assert surely == {("always",), ("%true",)} and never == {("%false",)}


def test_not_far() -> None:
    """Past five places where several buffers meet, nothing is said."""

    def chain(length: int) -> str:
        lines = f"  %b = memref.alloc() : {T}\n  cf.br ^bb0_(%b, %false : {T}, i1)\n^bb0_(%x0: {T}, %o0: i1):\n"
        for i in range(length):
            lines += f"  %k{i} = memref.alloc() : {T}\n"
            lines += f"  cf.cond_br %c, ^bb{i + 1}_(%x{i}, %o{i} : {T}, i1), ^bb{i + 1}_(%k{i}, %true : {T}, i1)\n"
            lines += f"^bb{i + 1}_(%x{i + 1}: {T}, %o{i + 1}: i1):\n"
        return lines + f"  bufferization.dealloc (%b, %x{length} : {T}, {T}) if (%true, %o{length})\n"

    near, far = (derive(chain(length), "lost_track", "owned_apart") for length in (4, 8))
    assert not near[0] and near[1]
    assert ("%x8", "%o8") in far[0] and not far[1]
