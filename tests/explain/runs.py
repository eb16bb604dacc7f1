"""Modules and the passes that they go through, so that each pass does all that it can do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from dealog.passes import DEALLOCATION
from dealog.pipeline import Engine, Step, expand, make_steps, parse_pipeline
from tests.rules.static_programs import CYCLE, REDUCE
from tests.support.cases import corpus, examples
from tests.support.joined import join

EMBEDDED = Engine("embedded")
DYNAMIC = "private-function-dynamic-ownership"
SIMPLIFY, LOWER, CONVERT = (
    "buffer-deallocation-simplification", "bufferization-lower-deallocations", "convert-bufferization-to-memref",
)  # fmt: skip


@dataclass(frozen=True)
class Run:
    """A module, the passes that it goes through, and rules that are added to theirs; a `long` one runs by night."""

    text: Callable[[], str]
    steps: list[Step]
    rules: str = ""
    long: bool = False


def model(name: str) -> Callable[[], str]:
    (text,) = (case.text for case in examples() if case.name == name)
    return lambda: text


def files(names: str, folder: str = "") -> Callable[[], str]:
    """What is in some files of the corpus, as one module."""
    return lambda: join(c for name in names.split() for c in corpus(folder) if c.name in (name, *_parts(folder, name)))


def _parts(folder: str, stem: str) -> list[str]:
    return [case.name for case in corpus(folder) if case.name.startswith(f"{stem}-")]


def text(text: str) -> Callable[[], str]:
    return lambda: text


PIPELINE = expand(DEALLOCATION)
ALONE = """\
func.func @same(%m: memref<2xf32>, %n: memref<2xf32>, %c: i1) -> (i1, i1) {
  %own:2 = bufferization.dealloc (%m : memref<2xf32>) if (%c) retain (%n, %n : memref<2xf32>, memref<2xf32>)
  return %own#0, %own#1 : i1, i1
}
func.func @never(%m: memref<2xf32>, %n: memref<2xf32>) -> i1 {
  %false = arith.constant false
  %own = bufferization.dealloc (%m : memref<2xf32>) if (%false) retain (%n : memref<2xf32>)
  return %own : i1
}
"""
GIVEN_BACK = """\
func.func private @g(%m: memref<4xf32>, %n: memref<2xf32>) -> (memref<?xf32>, memref<2xf32>) {
  %v = memref.cast %m : memref<4xf32> to memref<?xf32>
  return %v, %n : memref<?xf32>, memref<2xf32>
}
func.func @f(%m: memref<4xf32>, %n: memref<2xf32>) -> (memref<?xf32>, memref<2xf32>) {
  %r:2 = call @g(%m, %n) : (memref<4xf32>, memref<2xf32>) -> (memref<?xf32>, memref<2xf32>)
  return %r#0, %r#1 : memref<?xf32>, memref<2xf32>
}
"""
ODD_REALLOC = """\
func.func @f(%m: memref<2x2xf32>) -> memref<8xf32> {
  %r = memref.realloc %m : memref<2x2xf32> to memref<8xf32>
  return %r : memref<8xf32>
}
"""
DYNAMIC_SIZE = """\
func.func private @f(%n: index) -> memref<?xf32> {
  %a = memref.alloc(%n) : memref<?xf32>
  return %a : memref<?xf32>
}
func.func @main(%n: index) {
  %r = call @f(%n) : (index) -> memref<?xf32>
  return
}
"""
MANY = """\
func.func @f(%m: memref<2xf32>, %n: memref<2xf32>, %c: i1) {
  bufferization.dealloc (%m, %n : memref<2xf32>, memref<2xf32>) if (%c, %c)
  return
}
"""
SHIFTED = """\
func.func @f(%m: memref<2xf32>, %c: i1, %d: i1, %shift: index) {
  %bytes = memref.alloc() : memref<64xi8>
  %v = memref.view %bytes[%shift][] : memref<64xi8> to memref<2xf32>
  memref.copy %m, %v : memref<2xf32> to memref<2xf32>
  %n = memref.alloc() : memref<2xf32>
  memref.copy %m, %n : memref<2xf32> to memref<2xf32>
  %r = arith.select %c, %v, %n : memref<2xf32>
  cf.cond_br %d, ^bb1(%r : memref<2xf32>), ^bb2
^bb1(%p: memref<2xf32>):
  memref.copy %p, %m : memref<2xf32> to memref<2xf32>
  return
^bb2:
  return
}
"""
GIVES = """\
func.func @f(%m: memref<2xf32>) {
  %a = memref.alloc() : memref<2xf32>
  memref.copy %m, %a : memref<2xf32> to memref<2xf32>
  "db.give"(%a) : (memref<2xf32>) -> ()
  "db.give"(%m) : (memref<2xf32>) -> ()
  return
}
"""

ELSE = """\
func.func @f(%c: i1, %m: memref<2xf32>) {
  %a = memref.alloc() : memref<2xf32>
  scf.if %c {
    memref.copy %m, %a : memref<2xf32> to memref<2xf32>
  }
  return
}
"""
SHARED = """
func.func private @perhaps(%c: i1) -> (memref<2xf32>, memref<2xf32>) {
  %a = memref.alloc() : memref<2xf32>
  %b = memref.alloc() : memref<2xf32>
  %s = arith.select %c, %a, %b : memref<2xf32>
  return %s, %a : memref<2xf32>, memref<2xf32>
}
func.func @f(%c: i1, %m: memref<2xf32>) {
  %x, %y = call @perhaps(%c) : (i1) -> (memref<2xf32>, memref<2xf32>)
  memref.copy %m, %x : memref<2xf32> to memref<2xf32>
  memref.copy %y, %m : memref<2xf32> to memref<2xf32>
  return
}
"""
LENT_BY_RETURNED = """
func.func @f(%c: i1, %m: memref<2xf32>) -> (memref<2xf32>, memref<2xf32>) {
  %a = memref.alloc() : memref<2xf32>
  %t = memref.alloc() : memref<2xf32>
  memref.copy %m, %t : memref<2xf32> to memref<2xf32>
  memref.copy %t, %a : memref<2xf32> to memref<2xf32>
  %s = scf.if %c -> memref<2xf32> {
    scf.yield %a : memref<2xf32>
  } else {
    %b = memref.alloc() : memref<2xf32>
    scf.yield %b : memref<2xf32>
  }
  return %a, %s : memref<2xf32>, memref<2xf32>
}
"""
COMPARED = """
func.func private @two() -> (memref<2xf32>, memref<2xf32>)
func.func @f(%m: memref<2xf32>) {
  %x, %y = call @two() : () -> (memref<2xf32>, memref<2xf32>)
  memref.copy %m, %x : memref<2xf32> to memref<2xf32>
  memref.copy %y, %m : memref<2xf32> to memref<2xf32>
  return
}
"""
KEPT = """
func.func private @three() -> (memref<2xf32>, memref<2xf32>, memref<2xf32>)
func.func @f() -> (memref<2xf32>, memref<2xf32>) {
  %x:3 = call @three() : () -> (memref<2xf32>, memref<2xf32>, memref<2xf32>)
  return %x#2, %x#1 : memref<2xf32>, memref<2xf32>
}
"""
SEEN = """
func.func private @get(%h: memref<1xmemref<2xf32>>) -> memref<2xf32> {
  %i = arith.constant 0 : index
  %x = memref.load %h[%i] : memref<1xmemref<2xf32>>
  return %x : memref<2xf32>
}
func.func @f(%v: f32) -> f32 {
  %i = arith.constant 0 : index
  %a = memref.alloc() : memref<2xf32>
  %h = memref.alloc() : memref<1xmemref<2xf32>>
  memref.store %a, %h[%i] : memref<1xmemref<2xf32>>
  %x = call @get(%h) : (memref<1xmemref<2xf32>>) -> memref<2xf32>
  memref.store %v, %x[%i] : memref<2xf32>
  %w = memref.load %a[%i] : memref<2xf32>
  return %w : f32
}
"""
APART = """
memref.global "private" @held : memref<2xf32> = dense<1.0>
func.func private @perhaps(%c: i1) -> (memref<2xf32>, memref<2xf32>) {
  %o = memref.get_global @held : memref<2xf32>
  %a = memref.alloc() : memref<2xf32>
  %s = arith.select %c, %a, %o : memref<2xf32>
  return %s, %a : memref<2xf32>, memref<2xf32>
}
func.func @f(%c: i1, %m: memref<2xf32>) {
  %x, %y = call @perhaps(%c) : (i1) -> (memref<2xf32>, memref<2xf32>)
  memref.copy %m, %x : memref<2xf32> to memref<2xf32>
  memref.copy %y, %m : memref<2xf32> to memref<2xf32>
  return
}
"""
TUPLES = """
func.func @f(%a: tuple<tensor<2xf32>, i1>) -> tuple<tensor<2xf32>, i1> {
  %x:2 = call @g(%a) : (tuple<tensor<2xf32>, i1>) -> (i1, tuple<tensor<2xf32>, i1>)
  return %x#1 : tuple<tensor<2xf32>, i1>
}
func.func private @g(tuple<tensor<2xf32>, i1>) -> (i1, tuple<tensor<2xf32>, i1>)
func.func @h(%a: tuple<>, %t: tensor<2xf32>) -> tuple<> {
  return %a : tuple<>
}
"""
TUPLE_OPERATIONS = """
makes_tuple("builtin.unrealized_conversion_cast"). reads_tuple("mydb.get", "index", "i32").
known_effects("mydb.get").
"""
LAID_OUT = """
func.func private @g(%m: memref<2xf32, strided<[1], offset: ?>>) -> memref<2xf32, strided<[1], offset: ?>> {
  return %m : memref<2xf32, strided<[1], offset: ?>>
}
func.func @f(%m: memref<2xf32, strided<[1], offset: ?>>) {
  %x = call @g(%m) : (memref<2xf32, strided<[1], offset: ?>>) -> memref<2xf32, strided<[1], offset: ?>>
  return
}
"""
APPENDED = 'appends_result(T) :- type_kind(T, "memref").\n'
REFERRED_TO = """
func.func private @g(tensor<2xf32>)
func.func @f() {
  %g = func.constant @g : (tensor<2xf32>) -> ()
  return
}
"""
TAKES = 'known_effects("db.give"). takes("db.give", 0).\n'


def alone(name: str, options: str = "") -> list[Step]:
    """The pass called `name` by itself."""
    return make_steps(name, options)


def inside(name: str) -> list[Step]:
    """The pass called `name`, run on each function."""
    return parse_pipeline(f"builtin.module(builtin.module(func.func({name})))")


STATIC, OUT_PARAMS = "static-buffer-deallocation", "buffer-results-to-out-params"
RUNS = {
    # the whole pipeline
    "branches": Run(files("branches cond_branches select"), PIPELINE),
    "loops": Run(files("scf_for scf_while nested"), PIPELINE),
    "regions": Run(files("scf_if scf_index_switch shape_and_scope"), PIPELINE, long=True),
    "private functions": Run(files("calls returns"), expand(DEALLOCATION, DYNAMIC)),
    "memory": Run(files("manual_deallocation globals_and_stack unranked_returned views"), PIPELINE),
    "clones and reallocations": Run(files("clones reallocations", "lowering"), PIPELINE),
    "taken over": Run(text(GIVES), PIPELINE, TAKES),
    "refused": Run(lambda: join(corpus("refused")), PIPELINE),
    "a shifted view": Run(text(SHIFTED), PIPELINE),
    "calls": Run(files("calls returns recursion indirect_calls"), PIPELINE, long=True),
    "mlp": Run(model("mlp"), PIPELINE, long=True),
    "resnet_small": Run(model("resnet_small"), PIPELINE, long=True),
    "transformer": Run(model("transformer"), PIPELINE, long=True),
    # what only passes meet that are run by themselves
    "freed by the pass": Run(files("reallocations", "lowering"), alone("expand-realloc")),
    "deallocations of the text": Run(files("deallocations", "lowering"), alone(SIMPLIFY)),
    "retained twice": Run(text(ALONE), alone(SIMPLIFY)),
    "never": Run(text(ALONE), alone(LOWER)),
    "never, to memref": Run(text(ALONE), alone(CONVERT)),
    "to memref": Run(files("deallocations", "lowering"), alone(CONVERT)),
    "with strides": Run(
        files("strided_results", "static"), parse_pipeline(f"builtin.module({STATIC},{CONVERT}{{strided-clones}})")
    ),
    "in a function": Run(text(MANY), parse_pipeline(f"builtin.module(func.func({LOWER}))")),
    "in a function, to memref": Run(text(MANY), parse_pipeline(f"builtin.module(func.func({CONVERT}))")),
    "odd reallocations": Run(text(ODD_REALLOC), alone("expand-realloc")),
    # the toolbox
    "on the stack": Run(files("sizes", "toolbox/promotion"), inside("promote-buffers-to-stack")),
    "clones removed": Run(files("clones", "toolbox/copies"), inside("clone-removal")),
    "copies removed": Run(files("clones copies", "toolbox/copies"), inside("copy-removal")),
    "sunk": Run(files("sinking", "toolbox/sinking"), inside("sink-allocations")),
    "planned": Run(files("planning", "toolbox/planning"), inside("plan-memory")),
    "planned by a search": Run(files("search", "toolbox/planning"), inside("plan-memory")),
    "memory reused": Run(files("reuse", "toolbox/planning"), inside("plan-memory")),
    "planned, handed over": Run(
        files("arenas", "toolbox/planning"),
        parse_pipeline("builtin.module(builtin.module(plan-memory{arena=argument}))"),
    ),
    "planned, global": Run(
        files("arenas", "toolbox/planning"),
        parse_pipeline("builtin.module(builtin.module(plan-memory{arena=global}))"),
    ),
    "hoisted": Run(files("blocks", "toolbox/hoisting"), inside("buffer-hoisting")),
    "hoisted out of loops": Run(files("regions", "toolbox/hoisting"), inside("buffer-loop-hoisting")),
    "freed earlier": Run(files("freed", "toolbox/freed"), inside("optimize-allocation-liveness")),
    "given back": Run(text(GIVEN_BACK), alone("drop-equivalent-buffer-results")),
    "freed classically": Run(files("seeds situations", "toolbox/classic"), inside("buffer-deallocation")),
    "classic, refused": Run(text(CYCLE), alone("buffer-deallocation")),
    "out-params": Run(
        files("signatures", "toolbox/out_params"),
        parse_pipeline(
            f"builtin.module(builtin.module({OUT_PARAMS}{{hoist-static-allocs=true add-result-attr=true}}))"
        ),
    ),
    "out-params of dynamic size": Run(text(DYNAMIC_SIZE), alone(OUT_PARAMS, "hoist-dynamic-allocs=true")),
    "out-params refused": Run(text(DYNAMIC_SIZE), alone(OUT_PARAMS)),
    "signatures": Run(
        files("tensors", "toolbox/converted"), parse_pipeline("builtin.module(builtin.module(convert-signatures))")
    ),
    "signatures, appended": Run(
        files("appended", "toolbox/converted"),
        parse_pipeline("builtin.module(builtin.module(convert-signatures{results=append}))"),
    ),
    "signatures of tuples": Run(text(TUPLES), alone("convert-signatures", "decompose-tuples=true"), TUPLE_OPERATIONS),
    "signatures of laid out buffers": Run(text(LAID_OUT), alone("convert-signatures"), APPENDED),
    "signatures refused": Run(text(REFERRED_TO), alone("convert-signatures")),
    # the static deallocation
    "static: graphs": Run(files("cond_branches select"), alone(STATIC)),
    "static: lent on": Run(files("lent_on either opposite_choices", "static"), alone(STATIC)),
    "static: returns": Run(lambda: files("returns")() + ELSE, alone(STATIC)),
    "static: loops": Run(files("scf_while calls"), alone(STATIC)),
    "static: ends of regions": Run(text(REDUCE), alone(STATIC)),
    "static: taken over": Run(text(GIVES), alone(STATIC), TAKES),
    "static: given away": Run(files("given_away beside", "static"), alone(STATIC)),
    "static: named for a while": Run(files("named_awhile cloned_on_way", "static"), alone(STATIC)),
    "static: returned again": Run(files("returned_again", "static"), alone(STATIC)),
    "static: unseen results": Run(files("unseen_results", "static"), alone(STATIC)),
    "static: results compared": Run(text(COMPARED), alone(STATIC)),
    "static: results kept": Run(text(KEPT), alone(STATIC)),
    "static: results apart": Run(text(APART), alone(STATIC)),
    "static: lent by what is returned": Run(text(LENT_BY_RETURNED), alone(STATIC)),
    "static: clone seen": Run(text(SEEN), alone(STATIC)),
    "static: results shared": Run(text(SHARED), alone(STATIC)),
    "static: refused": Run(lambda: join(corpus("refused")), alone(STATIC)),
}
