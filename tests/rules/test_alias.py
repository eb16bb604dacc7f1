from .derive import derive

T = "memref<2xf32>"


def function(lines: str) -> str:
    return f"memref.global @v : {T}\nfunc.func @f(%c: i1, %m: {T}, %n: {T}) {{\n{lines}\n  return\n}}"


ALLOC = f"  %a = memref.alloc() : {T}\n  %b = memref.alloc() : {T}\n"


def refers(lines: str, value: str) -> set[str]:
    return {site for v, site in derive(function(lines), "may_refer_to") if v == value}


def test_an_allocation_refers_to_itself():
    assert refers(ALLOC, "%a") == {"%a"}
    assert ("%a",) in derive(function(ALLOC), "fresh_buffer")


def test_arguments_come_from_outside_and_may_be_globals_of_the_function():
    lines = f"  %g = memref.get_global @v : {T}\n"
    outside, globals_ = derive(function(lines), "from_outside", "from_global")
    assert outside == {("%m", "@f"), ("%n", "@f")}
    assert globals_ == {("%g", "@v")}
    assert refers(lines, "%m") == {"outside @f", "global @v"}
    assert refers(lines, "%g") == {"global @v"}


def test_views_share_their_allocation():
    lines = ALLOC + f"  %v = memref.cast %a : {T} to memref<?xf32>\n  %w = memref.cast %v : memref<?xf32> to {T}"
    view, same, must = derive(function(lines), "view_of", "same_allocation", "must_alias")
    assert view == {("%v", "%a"), ("%w", "%v")}
    assert {("%a", "%a"), ("%v", "%a"), ("%w", "%a")} <= same
    assert ("%w", "%a") in must and ("%a", "%b") not in must


def test_a_select_may_be_either():
    lines = ALLOC + f"  %s = arith.select %c, %a, %m : {T}"
    assert refers(lines, "%s") == {"%a", "outside @f"}
    comes, may, never = derive(function(lines), "comes_from", "may_alias", "never_aliases")
    assert comes == {("%s", "%a"), ("%s", "%m")} == derive(function(lines), "handed_from")
    assert {("%s", "%a"), ("%s", "%m"), ("%m", "%n")} <= may
    assert {("%s", "%b"), ("%a", "%b"), ("%a", "%m")} <= never


def test_what_a_call_reads_from_memory():
    text = f"""
func.func private @g(%m: memref<1x{T}>) -> {T} {{
  %i = arith.constant 0 : index
  %l = memref.load %m[%i] : memref<1x{T}>
  return %l : {T}
}}
func.func @f(%i: index) {{
  %a = memref.alloc() : {T}
  %b = memref.alloc() : {T}
  %m = memref.alloc() : memref<1x{T}>
  memref.store %a, %m[%i] : memref<1x{T}>
  %r = call @g(%m) : (memref<1x{T}>) -> {T}
  return
}}
"""
    read, comes, handed = derive(text, "returned_from_memory", "comes_from", "handed_from")
    assert ("%r", "%a") in read <= comes and ("%r", "%b") not in comes and ("%r", "%a") not in handed


def test_may_must_and_never_agree():
    lines = (
        ALLOC
        + f"  %s = arith.select %c, %a, %a : {T}\n  %t = arith.select %c, %a, %b : {T}\n"
        + f"  cf.cond_br %c, ^bb1(%s : {T}), ^bb1(%a : {T})\n^bb1(%x: {T}):"
    )
    may, must, never = derive(function(lines), "may_alias", "must_alias", "never_aliases")
    assert {("%s", "%a"), ("%a", "%s"), ("%x", "%a"), ("%s", "%x")} <= must
    assert ("%t", "%a") in may - must and ("%a", "%b") in never
    assert must <= may and not may & never


def test_each_site_is_of_one_kind():
    lines = ALLOC + f"  %r = func.call @f(%m, %n, %c) : ({T}, {T}, i1) -> {T}\n"
    lines += f"  %g = memref.get_global @v : {T}\n  %s = arith.select %c, %g, %m : {T}"
    text = function(lines)
    sites, kinds = derive(text, "own_site", "site_kind")
    assert {site for _, site in sites} == {site for site, _, _ in kinds}
    assert len(kinds) == len({site for site, _, _ in kinds})
    assert {("%a", "buffer", "%a"), ("global @v", "global", "@v"), ("outside @f", "outside", "@f")} <= kinds


def test_branches_and_regions_carry_buffers():
    lines = (
        ALLOC
        + f"  %r = scf.if %c -> ({T}) {{ scf.yield %a : {T} }} else {{ scf.yield %m : {T} }}\n"
        + f"  cf.cond_br %c, ^bb1(%r : {T}), ^bb1(%b : {T})\n^bb1(%x: {T}):"
    )
    assert refers(lines, "%r") == {"%a", "outside @f"}
    assert refers(lines, "%x") == {"%a", "%b", "outside @f"}


def test_loops_carry_buffers_round():
    lines = (
        ALLOC
        + "  %z = arith.constant 0 : index\n"
        + f"  %r = scf.for %i = %z to %z step %z iter_args(%x = %a) -> ({T}) {{\n    scf.yield %b : {T}\n  }}"
    )
    assert refers(lines, "%x") == {"%a", "%b"}
    assert refers(lines, "%r") == {"%a", "%b"}


def test_one_site_only():
    lines = ALLOC + f"  %s = arith.select %c, %a, %b : {T}\n  %t = arith.select %c, %a, %a : {T}"
    one = derive(function(lines), "refers_to_one")
    assert ("%t", "%a") in one and ("%a", "%a") in one
    assert not {site for value, site in one if value == "%s"}


def test_a_loaded_buffer_may_be_any_that_was_stored():
    lines = (
        ALLOC
        + "  %z = arith.constant 0 : index\n"
        + f"  %h = memref.alloc() : memref<2x{T}>\n  memref.store %a, %h[%z] : memref<2x{T}>\n"
        + f"  %l = memref.load %h[%z] : memref<2x{T}>"
    )
    loaded, stored = derive(function(lines), "loaded_buffer", "stored_buffer")
    assert loaded == {("%l",)}
    assert stored == {("%a", "@f")}
    assert refers(lines, "%l") == {"%a", "outside @f"}


STORING = f"""
func.func private @put(%h: memref<1x{T}>, %m: {T}) {{
  %z = arith.constant 0 : index
  memref.store %m, %h[%z] : memref<1x{T}>
  return
}}
func.func private @taken(%h: memref<1x{T}>) -> {T} {{
  %z = arith.constant 0 : index
  %x = memref.load %h[%z] : memref<1x{T}>
  return %x : {T}
}}
func.func private @passed_on(%h: memref<1x{T}>) -> {T} {{
  %y = call @taken(%h) : (memref<1x{T}>) -> {T}
  return %y : {T}
}}
"""


def test_what_a_callee_was_given_may_be_found_in_memory_later():
    lines = (
        ALLOC
        + "  %z = arith.constant 0 : index\n"
        + f"  %h = memref.alloc() : memref<1x{T}>\n"
        + f"  func.call @put(%h, %a) : (memref<1x{T}>, {T}) -> ()\n"
        + f"  %l = memref.load %h[%z] : memref<1x{T}>\n"
        + f"  %r = func.call @passed_on(%h) : (memref<1x{T}>) -> {T}"
    )
    text = STORING + function(lines)
    refers_to, known, reads = derive(text, "may_refer_to", "known_to_memory", "reads_buffers")
    assert {site for value, site in refers_to if value == "%l"} == {"%a", "%h", "outside @f"}
    assert {site for value, site in refers_to if value == "%r"} >= {"%a", "%h", "outside @f"}
    assert {value for value, function in known if function == "@f"} == {"%a", "%h"}
    assert reads == {("@taken",), ("@passed_on",), ("@f",)}


def test_casts_to_a_descriptor_and_back_carry_the_buffer_on():
    lines = (
        ALLOC
        + f"  %d = builtin.unrealized_conversion_cast %a : {T} to !llvm.struct<(ptr, ptr)>\n"
        + f"  %w = builtin.unrealized_conversion_cast %d : !llvm.struct<(ptr, ptr)> to {T}"
    )
    assert refers(lines, "%w") == {"%a"}


def test_tensors_between_carry_the_buffer_on():
    lines = (
        ALLOC
        + f"  %t = bufferization.to_tensor %a : {T} to tensor<2xf32>\n"
        + f"  %w = bufferization.to_buffer %t : tensor<2xf32> to {T}"
    )
    assert refers(lines, "%w") == {"%a"}


def test_globals_of_a_function_and_sites_of_a_value():
    globals_, counts = derive(function(f"  %g = memref.get_global @v : {T}"), "global_of", "site_count")
    assert globals_ == {("@f", "@v")}
    assert ("%g", 1) in counts and ("%m", 2) in counts


DISTINCT = (
    ALLOC
    + f"  %s = arith.select %c, %a, %m : {T}\n  %t = arith.select %c, %b, %a : {T}\n"
    + f"  %x, %y = memref.distinct_objects %s, %t : {T}, {T}\n"
    + f"  %v = memref.cast %x : {T} to memref<?xf32>\n"
)


def test_what_is_stated_to_be_distinct_does_not_alias_nor_do_its_views():
    names = ("distinct", "distinct_origins", "distinct_views", "may_alias")
    stated, origins, views, alias = derive(function(DISTINCT), *names)
    assert stated == {("%x", "%y")}
    assert origins == {("%s", "%t"), ("%t", "%s")}
    assert ("%v", "%y") in views and ("%y", "%v") in views
    assert not {("%x", "%y"), ("%v", "%t"), ("%s", "%t")} & alias
    assert {("%x", "%v"), ("%x", "%a"), ("%y", "%a")} <= alias
