import pytest

from .derive import derive


def body(lines: str, arguments: str = "%c: i1, %m: memref<2xf32>") -> str:
    return f"func.func private @g() -> memref<2xf32>\nfunc.func @f({arguments}) {{\n{lines}\n  return\n}}\n"


def ownership(lines: str, value: str, block: str = "^bb0", **options: str) -> set[str]:
    rows = derive(body(lines), "ownership", **options)
    return {o for v, b, o in rows if v == value and b == block}


ALLOC = "  %a = memref.alloc() : memref<2xf32>\n  %b = memref.alloc() : memref<2xf32>\n"
IF = "  %i = scf.if %c -> (memref<2xf32>) { scf.yield %m : memref<2xf32> } else { scf.yield %m : memref<2xf32> }\n"
IF2 = IF.replace("%i =", "%j =")
GLOBALS = "memref.global @v : memref<2xf32>\n"


@pytest.mark.parametrize(
    ("lines", "value", "expected"),
    [
        (ALLOC, "%a", "true"),
        ("", "%m", "false"),
        ("  %a = memref.alloca() : memref<2xf32>", "%a", "false"),
        ("  %a = memref.alloc() {bufferization.manual_deallocation} : memref<2xf32>", "%a", "false"),
        ("  %r = func.call @g() : () -> memref<2xf32>", "%r", "true"),
        (IF, "%i", "own %i"),
        (ALLOC + "  %v = memref.cast %a : memref<2xf32> to memref<?xf32>", "%v", "true"),
        ("  %v = memref.cast %m : memref<2xf32> to memref<?xf32>", "%v", "false"),
    ],
)
def test_ownership_of_what_operations_make(lines, value, expected):
    assert ownership(lines, value) == {expected}


def test_join_table():
    """The seed document's table: uninitialized, unique(X), unique(Y), unknown."""
    select = "  %s = arith.select %c, {}, {} : memref<2xf32>\n"
    # unique(X), unique(X)
    assert ownership(ALLOC + select.format("%a", "%b"), "%s") == {"true"}
    assert ownership(IF + select.format("%i", "%i"), "%s") == {"own %i"}
    # unique(X), unique(Y)
    assert ownership(ALLOC + select.format("%a", "%m"), "%s") == {"unknown"}
    assert ownership(IF + IF2 + select.format("%i", "%j"), "%s") == {"unknown"}
    # unknown, unique and unique, unknown
    two = ALLOC + select.format("%a", "%m") + "  %t = arith.select %c, {}, {} : memref<2xf32>\n"
    assert ownership(two.format("%s", "%b"), "%t") == {"unknown"}
    assert ownership(two.format("%b", "%s"), "%t") == {"unknown"}
    # unknown, unknown
    assert ownership(two.format("%s", "%s"), "%t") == {"unknown"}
    # uninitialized, uninitialized: no operand brings any ownership, and none is taken
    assert derive(body(ALLOC + select.format("%a", "%m")), "joined") >= {
        ("%s", -1, "uninitialized"),
        ("%s", 0, "uninitialized"),  # the i1 operand lends nothing
        ("%s", 1, "true"),  # uninitialized, unique(X)
        ("%s", 2, "unknown"),
    }


def test_a_global_is_owned_by_nobody():
    text = GLOBALS + body("  %v = memref.get_global @v : memref<2xf32>")
    assert ("%v", "^bb0", "false") in derive(text, "ownership")


def test_joined_all_and_lent_ownership():
    text = body(ALLOC + "  %s = arith.select %c, %a, %m : memref<2xf32>")
    joined, lent = derive(text, "joined_all", "lent_ownership")
    assert joined == {("%s", "unknown")}
    assert lent == {("%s", 1, "true"), ("%s", 2, "false")}


def test_a_view_is_lent_by_what_it_views_alone():
    lines = "  %s = memref.alloc() : memref<1xindex>\n"
    lines += "  %r = memref.reshape %m(%s) : (memref<2xf32>, memref<1xindex>) -> memref<?xf32>"
    lends, views, own, lender, nothing = derive(
        body(lines), "lends_buffer", "views_something", "ownership", "lender", "lends_nothing"
    )
    assert lender == {("%r", 0, "%m", "^bb0")}
    assert nothing == {("%r", 1)}
    assert lends == {("memref.reshape#2", 0, "%r")}
    assert views == {("%r",)}
    assert ("%r", "^bb0", "false") in own


def test_a_loaded_buffer_is_not_owned_with_what_holds_it():
    lines = "  %z = arith.constant 0 : index\n  %h = memref.alloc() : memref<2xmemref<2xf32>>\n"
    lines += "  %l = memref.load %h[%z] : memref<2xmemref<2xf32>>"
    assert ownership(lines, "%l") == {"false"}


def test_arguments_that_receive_nothing_are_not_ours():
    text = body(
        "  %z = arith.constant 1 : index\n"
        "  gpu.launch blocks(%i, %j, %k) in (%gi = %z, %gj = %z, %gk = %z)\n"
        "      threads(%x, %y, %w) in (%sx = %z, %sy = %z, %sw = %z) workgroup(%p : memref<2xf32, 3>) {\n"
        "    gpu.terminator\n  }\n"
        "  cf.br ^bb1(%m : memref<2xf32>)\n^bb1(%q: memref<2xf32>):"
    )
    receives, own = derive(text, "receives", "ownership")
    assert receives == {("%q",)}
    assert {o for v, _, o in own if v == "%p"} == {"false"}


def test_block_arguments_and_what_flows_in():
    text = body(
        ALLOC
        + "  cf.br ^bb1(%a : memref<2xf32>)\n^bb1(%x: memref<2xf32>):\n"
        + "  memref.copy %x, %b : memref<2xf32> to memref<2xf32>"
    )
    rows, may_free, stays, end = derive(text, "ownership", "may_free", "may_stay_owned", "end_ownership")
    assert {("%x", "^bb1", "own %x"), ("%b", "^bb1", "end %b")} <= rows
    assert may_free == {("^bb0",), ("^bb1",)}
    assert stays == {("%m",), ("%a",), ("%b",), ("%x",)}
    assert ("%b", "end %b") in end


def test_where_nothing_may_be_freed_nothing_is_owned():
    text = body("  cf.br ^bb1\n^bb1:\n  memref.copy %m, %m : memref<2xf32> to memref<2xf32>")
    rows, may_free = derive(text, "ownership", "may_free")
    assert ("%m", "^bb1", "false") in rows
    assert may_free == set()


def test_captured_buffers_are_never_owned():
    text = body(ALLOC + "  scf.if %c { memref.copy %a, %m : memref<2xf32> to memref<2xf32> }")
    assert {("%a", "scf.if#3.0", "false"), ("%m", "scf.if#3.0", "false")} <= derive(text, "ownership")


def test_kinds_of_definitions():
    text = body(
        ALLOC
        + IF
        + "  %s = memref.alloca() : memref<2xf32>\n  %v = memref.cast %a : memref<2xf32> to memref<?xf32>\n"
        + '  %h = memref.alloc() {bufferization.manual_deallocation} : memref<2xf32>\n'
    )
    names = ("allocation", "never_managed", "region_result", "inherits_ownership", "owned_by_companion", "manual")
    allocation, unmanaged, results, inherits, companion, manual = derive(text, *names)
    assert allocation == {("%a", "memref.alloc#1"), ("%b", "memref.alloc#2")}
    assert unmanaged == {("%s",), ("%h",)}
    assert results == {("%i",)}
    assert inherits == {("memref.cast#7", "%v")}
    assert companion == {("%i",)}
    assert manual == {("memref.alloc#8",)}


CALLS = """
func.func private @g() -> memref<2xf32> {
  %a = memref.alloc() : memref<2xf32>
  return %a : memref<2xf32>
}
func.func private @h() -> memref<2xf32>
func.func @f(%p: () -> memref<2xf32>) {
  %0 = call @g() : () -> memref<2xf32>
  %1 = call @h() : () -> memref<2xf32>
  %2 = call_indirect %p() : () -> memref<2xf32>
  return
}
"""


def test_results_of_calls_are_owned():
    results, operations, own = derive(CALLS, "call_result", "call_operation", "ownership")
    assert results == {("%0", "@g"), ("%1", "@h"), ("%2", "*")}
    assert {op.split("#")[0] for (op,) in operations} == {"func.call", "func.call_indirect"}
    assert {("%0", "^bb0", "true"), ("%1", "^bb0", "true"), ("%2", "^bb0", "true")} <= own


def test_dynamic_ownership_is_for_private_functions_with_a_body():
    dynamic, own = derive(CALLS, "dynamic_ownership", "ownership", private_function_dynamic_ownership="true")
    assert dynamic == {("@g",)}
    assert {("%0", "^bb0", "own %0"), ("%1", "^bb0", "true")} <= own


def test_a_function_whose_address_is_taken_keeps_its_signature():
    text = CALLS.replace("  %2 =", "  %q = constant @g : () -> memref<2xf32>\n  %2 =")
    assert derive(text, "dynamic_ownership", private_function_dynamic_ownership="true") == set()


@pytest.mark.parametrize(
    ("text", "keeps"),
    [
        (CALLS, False),
        (CALLS + 'llvm.func @k() {\n  %0 = func.call @g() : () -> memref<2xf32>\n  llvm.return\n}', True),
        (CALLS + "scf.execute_region {\n  %0 = func.call @g() : () -> memref<2xf32>\n  scf.yield\n}", True),
        ('#c = @g\n#d = {in = [#c]}\nmodule attributes {mydb.entry = #d} {' + CALLS + "}", True),
        ('module @m attributes {mydb.entry = @m::@g} {' + CALLS + "}", False),
        ("module {\nmodule @m {" + CALLS + "}\nfunc.func private @k() attributes {mydb.entry = @m::@g}\n}", True),
    ],
    ids=["called", "from a function of LLVM's", "from the top level", "by aliases", "another", "through a module"],
)  # fmt: skip
def test_only_calls_that_grow_with_it_let_a_function_change_its_signature(text, keeps):
    keeping, dynamic = derive(text, "keeps_signature", "dynamic_ownership", private_function_dynamic_ownership="true")
    assert bool(keeping) == keeps
    assert {function.rpartition("@")[2] for (function,) in dynamic} == (set() if keeps else {"g"})


def test_symbols_are_what_their_spelling_stands_for():
    text = CALLS.replace("private @g", 'private @"g\\C3\\A9 \\5C"').replace("call @g", 'call @"gé \\\\"')
    assert derive(text, "dynamic_ownership", private_function_dynamic_ownership="true") == {("@gé \\",)}


def test_arguments_and_returns_of_functions():
    text = "func.func @f(%m: memref<2xf32>, %i: i32) -> (i32, memref<2xf32>) {\n return %i, %m : i32, memref<2xf32>\n}"
    arguments, returns, returned = derive(text, "function_argument", "returning_terminator", "returned_operand")
    assert arguments == {("%m",)}
    assert returns == {("func.return#1", "^bb0", "@f")}
    assert returned == {("func.return#1", 1, "%m")}
