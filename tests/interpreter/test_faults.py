"""Each kind of fault is caught, at its line and with the lines of the allocation and of the free."""

import pytest

from dealog.execution import Limits

from .programs import assert_fault, body, clean, execute


def test_leak():
    text = body(
        """
        %a = memref.alloc() : memref<4xf32>  // fault
        return
        """
    ).replace("@main() {", "@main() { // note")
    assert_fault(text, "leak", says="a buffer is leaked, 16 bytes")


def test_leaks_of_one_allocation_are_one_fault():
    text = body(
        """
        scf.for %i = %c0 to %c4 step %c1 {
          %a = memref.alloc() : memref<4xf32>
        }
        return
        """
    )
    outcome = execute(text)
    (fault,) = outcome.faults
    assert fault.kind == "leak"
    assert "4 buffers are leaked, 64 bytes" in fault.diagnostic.message


def test_leaks_are_not_looked_for_without_ownership():
    text = body("%a = memref.alloc() : memref<4xf32>\nreturn %a : memref<4xf32>", results="memref<4xf32>")
    assert execute(text).ok
    assert execute(body("%a = memref.alloc() : memref<4xf32>\nreturn"), check_ownership=False).ok


def test_double_free():
    assert_fault(
        body(
            """
            %a = memref.alloc() : memref<4xf32>  // note
            memref.dealloc %a : memref<4xf32>  // note
            memref.dealloc %a : memref<4xf32>  // fault
            return
            """
        ),
        "double-free",
    )


def test_double_free_through_an_alias():
    assert_fault(
        body(
            """
            %a = memref.alloc() : memref<4xf32>  // note
            %b = memref.cast %a : memref<4xf32> to memref<?xf32>
            memref.dealloc %a : memref<4xf32>  // note
            memref.dealloc %b : memref<?xf32>  // fault
            return
            """
        ),
        "double-free",
    )


ACCESSES = {
    "read": "%x = memref.load %a[%c0] : memref<4xf32>",
    "written": "memref.store %f1, %a[%c0] : memref<4xf32>",
    "read by a copy": "memref.copy %a, %other : memref<4xf32> to memref<4xf32>",
    "written by a copy": "memref.copy %other, %a : memref<4xf32> to memref<4xf32>",
    "read by a clone": "%x = bufferization.clone %a : memref<4xf32> to memref<4xf32>",
    "updated": "%x = memref.atomic_rmw addf %f1, %a[%c0] : (f32, memref<4xf32>) -> f32",
    "read through a view": (
        "%v = memref.subview %a[1] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: 1>> "
        "%x = memref.load %v[%c0] : memref<2xf32, strided<[1], offset: 1>>"
    ),
}


@pytest.mark.parametrize("access", ACCESSES.values(), ids=ACCESSES)
def test_use_after_free(access):
    if "clone" in access:
        access = '%x = "bufferization.clone"(%a) : (memref<4xf32>) -> memref<4xf32>'
    assert_fault(
        body(
            f"""
            %other = memref.alloca() : memref<4xf32>
            %a = memref.alloc() : memref<4xf32>  // note
            memref.dealloc %a : memref<4xf32>  // note
            {access}  // fault
            return
            """
        ),
        "use-after-free",
    )


def test_use_after_free_in_a_callee():
    text = """
func.func private @reads(%m: memref<4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %x = memref.load %m[%c0] : memref<4xf32>  // fault
  return %x : f32
}
func.func @main() -> f32 {
  %a = memref.alloc() : memref<4xf32>  // note
  memref.dealloc %a : memref<4xf32>  // note
  %x = call @reads(%a) : (memref<4xf32>) -> f32
  return %x : f32
}
"""
    assert_fault(text, "use-after-free")


def test_returned_after_free():
    text = body(
        """
        %a = memref.alloc() : memref<4xf32>  // note
        memref.dealloc %a : memref<4xf32>  // note
        return %a : memref<4xf32>
        """,
        results="memref<4xf32>",
    ).replace("memref<4xf32> {", "memref<4xf32> { // fault")
    assert_fault(text, "use-after-free", says="as result 0")


def test_use_after_the_function_has_returned():
    text = """
func.func private @gives() -> memref<4xf32> {
  %a = memref.alloca() : memref<4xf32>  // note
  return %a : memref<4xf32>  // note
}
func.func @main() -> f32 {
  %c0 = arith.constant 0 : index
  %a = call @gives() : () -> memref<4xf32>
  %x = memref.load %a[%c0] : memref<4xf32>  // fault
  return %x : f32
}
"""
    assert_fault(text, "use-after-scope")


def test_use_after_alloca_scope():
    assert_fault(
        body(
            """
            %r = memref.alloca_scope -> (memref<4xf32>) {  // note
              %a = memref.alloca() : memref<4xf32>  // note
              memref.alloca_scope.return %a : memref<4xf32>
            }
            memref.store %f1, %r[%c0] : memref<4xf32>  // fault
            return
            """
        ),
        "use-after-scope",
    )


def test_stack_of_a_loop_body_ends_with_the_iteration():
    assert_fault(
        body(
            """
            %s = memref.alloca() : memref<4xf32>
            %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%p = %s) -> (memref<4xf32>) {  // note
              memref.store %f1, %p[%c0] : memref<4xf32>  // fault
              %a = memref.alloca() : memref<4xf32>  // note
              scf.yield %a : memref<4xf32>
            }
            return
            """
        ),
        "use-after-scope",
    )


def test_free_of_the_stack():
    assert_fault(
        body(
            """
            %a = memref.alloca() : memref<4xf32>  // note
            memref.dealloc %a : memref<4xf32>  // fault
            return
            """
        ),
        "invalid-free",
        says="on the stack",
    )


def test_free_of_a_global():
    text = 'memref.global "private" @g : memref<4xf32> = dense<0.0>  // note\n' + body(
        """
        %a = memref.get_global @g : memref<4xf32>
        memref.dealloc %a : memref<4xf32>  // fault
        return
        """
    )
    assert_fault(text, "invalid-free", says="the global @g")


def test_free_of_an_argument():
    text = body("memref.dealloc %m : memref<4xf32>  // fault\nreturn", "%m: memref<4xf32>")
    assert_fault(
        text.replace("memref<4xf32>) {", "memref<4xf32>) { // note"), "invalid-free", "0", says="argument 0"
    )


VIEWS = {
    "subview": "memref.subview %a[0] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1]>>",
    "reinterpreted part": "memref.reinterpret_cast %a to offset: [2], sizes: [2], strides: [1] : "
    "memref<4xf32> to memref<2xf32, strided<[1], offset: 2>>",
    "transposed": "memref.transpose %a (i) -> (i) : memref<4xf32> to memref<4xf32>",
}


@pytest.mark.parametrize("view", VIEWS.values(), ids=VIEWS)
def test_free_of_a_view(view):
    type = view.rpartition(" to ")[2]
    assert_fault(
        body(
            f"""
            %a = memref.alloc() : memref<4xf32>  // note
            %v = {view}
            memref.dealloc %v : {type}  // fault
            return
            """
        ),
        "invalid-free",
        says="a view is freed",
    )


WHOLE = {
    "cast": "memref.cast %a : memref<4xf32> to memref<?xf32>",
    "unranked": "memref.cast %a : memref<4xf32> to memref<*xf32>",
    "reinterpreted": "memref.reinterpret_cast %a to offset: [0], sizes: [2, 2], strides: [2, 1] : "
    "memref<4xf32> to memref<2x2xf32>",
    "expanded": "memref.expand_shape %a [[0, 1]] output_shape [2, 2] : memref<4xf32> into memref<2x2xf32>",
}


@pytest.mark.parametrize("view", WHOLE.values(), ids=WHOLE)
def test_what_stands_for_the_whole_allocation_may_be_freed(view):
    type = view.replace(" into ", " to ").rpartition(" to ")[2]
    clean(
        execute(body(f"%a = memref.alloc() : memref<4xf32>\n%v = {view}\nmemref.dealloc %v : {type}\nreturn"))
    )


def test_base_buffer_of_a_view_may_be_freed():
    clean(
        execute(
            body(
                """
                %a = memref.alloc() : memref<4xf32>
                %v = memref.subview %a[1] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: 1>>
                %base, %offset, %size, %stride = memref.extract_strided_metadata %v
                  : memref<2xf32, strided<[1], offset: 1>> -> memref<f32>, index, index, index
                memref.dealloc %base : memref<f32>
                return
                """
            )
        )
    )


@pytest.mark.parametrize(
    "access",
    [
        "%x = memref.load %a[%i] : memref<4xf32>",
        "memref.store %f1, %a[%i] : memref<4xf32>",
        "%x = memref.atomic_rmw addf %f1, %a[%i] : (f32, memref<4xf32>) -> f32",
    ],
)
@pytest.mark.parametrize("index", [4, 100, -1])
def test_access_out_of_bounds(access, index):
    text = body(f"%a = memref.alloca() : memref<4xf32>  // note\n{access}  // fault\nreturn", "%i: index")
    assert_fault(text, "out-of-bounds", index, says=f"index {index} is out of bounds: the size is 4")


def test_access_out_of_bounds_names_the_dimension():
    text = body(
        """
        %a = memref.alloca() : memref<4x2xf32>  // note
        %x = memref.load %a[%c1, %c4] : memref<4x2xf32>  // fault
        return
        """
    )
    assert_fault(text, "out-of-bounds", says="of dimension 1: the size is 2")


def test_access_outside_of_a_view_but_inside_of_its_buffer():
    text = body(
        """
        %a = memref.alloca() : memref<4xf32>  // note
        %v = memref.subview %a[0] [1] [1] : memref<4xf32> to memref<1xf32, strided<[1]>>
        %x = memref.load %v[%c1] : memref<1xf32, strided<[1]>>  // fault
        return
        """
    )
    assert_fault(text, "out-of-bounds")


@pytest.mark.parametrize(("offset", "size"), [(3, 2), (-1, 2), (4, 1)])
def test_view_out_of_bounds(offset, size):
    text = body(
        """
        %a = memref.alloca() : memref<4xf32>  // note
        %v = memref.subview %a[%o] [%s] [1]  // fault
          : memref<4xf32> to memref<?xf32, strided<[1], offset: ?>>
        return
        """,
        "%o: index, %s: index",
    )
    assert_fault(text, "out-of-bounds", offset, size)


def test_empty_view_anywhere():
    text = body(
        """
        %a = memref.alloca() : memref<4xf32>
        %v = memref.subview %a[4] [%c0] [1] : memref<4xf32> to memref<?xf32, strided<[1], offset: 4>>
        return
        """
    )
    clean(execute(text))


def test_reinterpretation_out_of_bounds():
    text = body(
        """
        %a = memref.alloca() : memref<4xf32>  // note
        %v = memref.reinterpret_cast %a to offset: [0], sizes: [3], strides: [2]  // fault
          : memref<4xf32> to memref<3xf32, strided<[2]>>
        return
        """
    )
    assert_fault(text, "out-of-bounds")


def test_bytes_out_of_bounds():
    text = body(
        """
        %a = memref.alloca() : memref<8xi8>  // note
        %v = memref.view %a[%c1][] : memref<8xi8> to memref<2xf32>  // fault
        return
        """
    )
    assert_fault(text, "out-of-bounds")


def test_failed_assertion():
    text = body('cf.assert %c, "sizes differ"  // fault\nreturn', "%c: i1")
    clean(execute(text, True))
    assert_fault(text, "assertion", False, says="sizes differ")


def test_uninitialized_read_is_a_warning():
    text = body(
        """
        %a = memref.alloca() : memref<4xf32>
        %x = memref.load %a[%c1] : memref<4xf32>
        return %x : f32
        """,
        results="f32",
    )
    outcome = execute(text)
    assert outcome.ok
    assert outcome.results == [0.0]
    (warning,) = outcome.warnings
    assert warning.kind == "uninitialized-read"
    assert warning.diagnostic.severity == "warning"
    assert not execute(text, uninitialized="ignore").warnings


def test_uninitialized_read_can_be_an_error():
    text = body(
        """
        %a = memref.alloca() : memref<4xf32>  // note
        %x = memref.load %a[%c1] : memref<4xf32>  // fault
        return
        """
    )
    assert_fault(text, "uninitialized-read", uninitialized="error")


def test_copies_of_uninitialized_elements_are_no_reads():
    text = body(
        """
        %a = memref.alloca() : memref<4xf32>
        %b = memref.alloca() : memref<4xf32>
        memref.store %f1, %a[%c1] : memref<4xf32>
        memref.copy %a, %b : memref<4xf32> to memref<4xf32>
        %x = memref.load %b[%c1] : memref<4xf32>
        return %x : f32
        """,
        results="f32",
    )
    assert clean(execute(text)).results == [1.0]


def test_endless_loops_are_stopped():
    assert_fault(
        "func.func @main() {\n  cf.br ^loop\n^loop:\n  cf.br ^loop // fault\n}\n",
        "step-limit",
        limits=Limits(steps=1000),
        says="after 1000 steps",
    )


def test_endless_recursion_is_stopped():
    text = "func.func @main() {\n  call @main() : () -> () // fault\n  return\n}\n"
    assert_fault(text, "depth-limit", limits=Limits(depth=1000))


def test_heap_is_limited():
    text = body("%a = memref.alloc(%n) : memref<?xf32>  // fault\nreturn", "%n: index")
    assert_fault(text, "heap-limit", 1 << 40)


@pytest.mark.parametrize(
    ("code", "says"),
    [
        ("%x = arith.divsi %i, %c0 : index", "division by zero"),
        ("%x = arith.remui %i, %c0 : index", "division by zero"),
        ("%x = arith.divsi %least, %minus : i8", "overflows"),
        ("%a = memref.alloc(%neg) : memref<?xf32>", "negative size"),
        ("%d = memref.dim %m, %c4 : memref<?xf32>", "no dimension 4 in rank 1"),
        ("%d = memref.cast %m : memref<?xf32> to memref<7xf32>", "shape 4 is cast to memref<7xf32>"),
        ("memref.copy %m, %seven : memref<?xf32> to memref<7xf32>", "4 is copied to 7"),
        ("scf.for %k = %c0 to %c4 step %c0 { }", "the step of the loop is 0"),
        ("scf.parallel (%k) = (%c0) to (%c4) step (%neg) { }", "the step of the loop is -1"),
    ],
)
def test_undefined_behaviour(code, says):
    text = body(
        f"""
        %least = arith.constant -128 : i8
        %minus = arith.constant -1 : i8
        %neg = arith.constant -1 : index
        %seven = memref.alloca() : memref<7xf32>
        {code}  // fault
        return
        """,
        "%i: index, %m: memref<?xf32>",
    )
    assert_fault(text, "undefined-behaviour", 3, "[1, 2, 3, 4]", says=says)


def test_constant_globals_are_not_written():
    text = 'memref.global "private" constant @g : memref<4xf32> = dense<0.0>  // note\n' + body(
        """
        %a = memref.get_global @g : memref<4xf32>
        memref.store %f1, %a[%c0] : memref<4xf32>  // fault
        return
        """
    )
    assert_fault(text, "undefined-behaviour", says="constant global @g")


def test_external_functions_have_to_be_provided():
    text = (
        "func.func private @extern(i32) -> i32  // note\n"
        "func.func @main(%x: i32) -> i32 {\n"
        "  %y = call @extern(%x) : (i32) -> i32  // fault\n"
        "  return %y : i32\n}\n"
    )
    assert_fault(text, "external-function", 3)
    assert clean(execute(text, 3, externals={"extern": lambda x: [x * 2]})).results == [6]


@pytest.mark.parametrize(
    ("code", "says"),
    [
        ("return %m : memref<4xf32>", "the buffer of argument 0"),
        ("%g = memref.get_global @g : memref<4xf32>\n  return %g : memref<4xf32>", "the global @g"),
    ],
)
def test_results_have_to_be_the_function_s_own(code, says):
    text = 'memref.global "private" @g : memref<4xf32> = dense<0.0>\n' + body(
        code, "%m: memref<4xf32>", "memref<4xf32>"
    ).replace("-> memref<4xf32> {", "-> memref<4xf32> { // fault")
    assert_fault(text, "function-boundary", "0", says=says)
    assert execute(text, "0", check_ownership=False).ok


def test_one_buffer_as_two_results_is_freed_once():
    text = body(
        "%a = memref.alloc() : memref<2xf32>\nreturn %a, %a : memref<2xf32>, memref<2xf32>",
        results="(memref<2xf32>, memref<2xf32>)",
    )
    outcome = clean(execute(text))
    assert outcome.statistics.frees == 1


@pytest.mark.parametrize(
    "use",
    [
        "%x = memref.load %p[%c1] : memref<?xf32>",
        "memref.store %f1, %p[%c1] : memref<?xf32>",
        "memref.dealloc %p : memref<?xf32>",
        "memref.copy %p, %p : memref<?xf32> to memref<?xf32>",
    ],
)
def test_poison_may_be_passed_on_but_not_be_used(use):
    poison = '%p = "ub.poison"() : () -> memref<?xf32>'
    clean(execute(body(f"{poison}\ncf.br ^next(%p : memref<?xf32>)\n^next(%q: memref<?xf32>):\nreturn")))
    assert_fault(
        body(f"{poison}  // note\n{use}  // fault\nreturn"), "undefined-behaviour", says="a poison value is"
    )
