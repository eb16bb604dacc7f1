"""`--rules`: what operations mean, sharper aliasing, relations to ask for; in every command, on both engines."""

import os
import subprocess
import sys

import pytest

from dealog.extensions import Extensions
from tests.support.dealog import run_dealog
from tests.support.engines import needs_souffle, run_souffle
from tests.support.nightly import nightly, one_in

IN = """\
func.func @f(%c: i1) -> memref<4xf32> {
  %a = "mydb.open"() {pool = @one} : () -> memref<4xf32>
  %b = "mydb.open"() {pool = @two} : () -> memref<4xf32>
  %v = "mydb.column"(%a) : (memref<4xf32>) -> memref<4xf32>
  "mydb.scan"(%v) : (memref<4xf32>) -> ()
  return %b : memref<4xf32>
}
"""
MEANING = """\
// What mydb's operations mean.

known_effects("mydb.open"). allocates("mydb.open", 0).   // a buffer out of the pool
known_effects("mydb.column"). views("mydb.column", 0, 0).
known_effects("mydb.scan").
"""
POOLS = """\
// in_pool(value, pool): the buffer `value` was taken from the pool called `pool`.
.decl in_pool(value: Value, pool: symbol)
in_pool(V, P) :- attribute(Op, "pool", P), result(Op, _, V).
"""
RENTED = """\
func.func @g(%n: index, %m: memref<?xf32>, %c: i1) {
  %a = "mydb.rent"(%n) {pool = @one} : (index) -> memref<?xf32>
  %b = "mydb.rent"(%n) {pool = @two} : (index) -> memref<?xf32>
  bufferization.dealloc (%a : memref<?xf32>) if (%c) retain (%b : memref<?xf32>)
  return
}
"""
LENT = """\
// Whose memory a rented buffer lies in is not to be seen, but it is that of its pool.
known_effects("mydb.rent").
// in_pool(value, pool): the buffer `value` was taken from the pool called `pool`.
.decl in_pool(value: Value, pool: symbol)
in_pool(V, P) :- operation(Op, "mydb.rent", _, _), attribute(Op, "pool", P), result(Op, _, V).
"""
APART = """\
// Buffers of two pools share nothing.
distinct(V, W) :- in_pool(V, P), in_pool(W, Q), P != Q.
"""


@pytest.fixture
def files(folder):
    for name, text in {"in.mlir": IN, "mydb.dl": MEANING, "pools.dl": POOLS, "rent.mlir": RENTED}.items():
        (folder / name).write_text(text)
    (folder / "lent.dl").write_text(LENT)
    (folder / "apart.dl").write_text(APART)
    return folder


def test_a_dialect_in_generic_form_is_taught(files, dealog, engine):
    unknown = dealog("dealloc", "in.mlir", "--engine", engine)
    assert (unknown.status, len(unknown.errors)) == (1, 1)
    assert "unregistered dialect, 'mydb'" in unknown.err and "teach the dialect by --rules" in unknown.err
    refused = dealog("dealloc", "in.mlir", "--engine", engine, "--allow-unregistered-dialect")
    assert "in.mlir:2:3: error: ops with unknown memory side effects" in refused.err
    assert "no rule says what mydb.open does; a file with such rules can be added by --rules" in refused.err
    run = dealog("dealloc", "in.mlir", "--engine", engine, "--rules", "mydb.dl")
    assert (run.status, run.err) == (0, "")
    before_return = '  "mydb.scan"(%v) : (memref<4xf32>) -> ()\n'
    assert run.out == IN.replace(before_return, before_return + "  memref.dealloc %a : memref<4xf32>\n")


def test_refusals_are_told_beside_facts_without_columns(files, dealog):
    careful = 'careful().\nrefused(Op, 1, "not careful") :- careful(), operation(Op, "mydb.open", _, _).\n'
    (files / "flag.dl").write_text("// careful(): refuse what is not sure.\n.decl careful()\n" + careful)
    (files / "clone.mlir").write_text(
        """func.func @f(%m: memref<2xf32, strided<[2]>>) {
  %r = bufferization.clone %m : memref<2xf32, strided<[2]>> to memref<2xf32, strided<[2]>>
  return
}
"""
    )
    run = dealog("opt", "--convert-bufferization-to-memref", "clone.mlir", "--rules", "flag.dl")
    assert run.status == 1 and run.errors[0].startswith("clone.mlir:2:3: error: failed to legalize operation")
    assert "a new buffer is row-major" in run.err and "no rule says" not in run.err


def test_what_rules_state_counts_in_single_passes_and_in_the_facts(files, dealog, engine):
    flag = "--ownership-based-buffer-deallocation"
    run = dealog("opt", flag, "in.mlir", "--rules", "mydb.dl", "--engine", engine)
    assert run.status == 0 and "bufferization.dealloc (%a, %b :" in run.out
    run = dealog("facts", "in.mlir", "--rules", "mydb.dl", "-o", "facts")
    assert run.status == 0 and run.err.endswith("souffle -F facts -D OUT facts/program.dl\n")
    assert '\nknown_effects("mydb.open"). allocates("mydb.open", 0).\n' in (files / "facts/program.dl").read_text()


@needs_souffle
def test_the_program_that_facts_writes_runs_by_hand(files, dealog):
    assert dealog("facts", "in.mlir", "--rules", "mydb.dl", "-o", "facts").status == 0
    (files / "out").mkdir()
    done = run_souffle("-F", "facts", "-D", "out", "facts/program.dl", cwd=files)
    assert done.returncode == 0, done.stderr
    assert "@f/%a\t" in (files / "out/freed_after.csv").read_text()


@pytest.mark.parametrize("arguments", [(), ("--pipeline=mlir", "--pass", "bufferization-lower-deallocations")])
def test_a_relation_of_the_users_is_asked_for(files, dealog, engine, arguments):
    rules = ("--rules", "mydb.dl", "--rules", "pools.dl", "--engine", engine)
    run = dealog("query", "in.mlir", "in_pool(V, P), buffer(V)", *rules, *arguments)
    assert run.status == 0
    assert [line.split() for line in run.out.splitlines()[2:]] == [["%a", "@one"], ["%b", "@two"]]
    run = dealog("query", "in.mlir", "in_pol(V, P)", *rules)
    assert run.errors == ["<query>:1:1: error: there is no relation in_pol"] and "did you mean 'in_pool'" in run.err


def test_why_goes_through_the_users_rules(files, dealog, engine):
    rules = ("--rules", "mydb.dl", "--rules", "pools.dl", "--engine", engine)
    run = dealog("why", "in.mlir", "in_pool(%a, _)", *rules)
    assert run.status == 0
    assert 'the buffer %a was taken from the pool called @one  [in_pool, pools.dl:3]' in run.out
    run = dealog("why", "in.mlir", "--value", "%a", "--depth", "9", *rules)
    assert run.status == 0 and "[freed_after, " in run.out
    assert "is a fresh heap buffer that somebody has to free  [allocates, mydb.dl:3]" in run.out
    run = dealog("why-not", "in.mlir", "in_pool(%v, _)", *rules)
    assert run.status == 0 and "pools.dl:3" in run.out


def test_rules_that_sharpen_aliasing_remove_a_check_at_run_time(files, dealog, engine):
    pipeline = (
        "opt", "rent.mlir", "--buffer-deallocation-simplification", "--bufferization-lower-deallocations",
        "--engine", engine, "--rules", "lent.dl",
    )  # fmt: skip
    before = dealog(*pipeline)
    after = dealog(*pipeline, "--rules", "apart.dl")
    assert (before.status, after.status) == (0, 0)
    assert "memref.extract_aligned_pointer_as_index" in before.out
    assert "memref.extract_aligned_pointer_as_index" not in after.out
    assert "scf.if %c {\n    memref.dealloc" in after.out


def test_comments_of_annotate_are_as_without_rules_of_ones_own(files, dealog, engine):
    run = dealog("dealloc", "in.mlir", "--annotate", "--engine", engine, "--rules", "mydb.dl")
    assert "memref.dealloc %a : memref<4xf32>  // %a is not used after mydb.scan in line 5\n" in run.out


@nightly
def test_includes_of_dealogs_files_and_of_neighbours(files, dealog):
    (files / "sub").mkdir()
    (files / "sub/names.dl").write_text('.decl opens(name: symbol)\nopens("mydb.open").\n')
    (files / "sub/main.dl").write_text(
        '#include "vocabulary.dl"\n#include "alias.dl"\n#include "names.dl"\n'
        '#include "ownership_based_buffer_deallocation.dl"\n'
        'known_effects(N) :- opens(N).\nallocates(N, 0) :- opens(N).\n'
        'known_effects("mydb.column"). known_effects("mydb.scan"). views("mydb.column", 0, 0).\n'
    )
    with_includes = dealog("dealloc", "in.mlir", "--rules", "sub/main.dl")
    without = dealog("dealloc", "in.mlir", "--rules", "mydb.dl")
    assert (with_includes.status, with_includes.err) == (0, "")
    assert with_includes.out == without.out


def test_a_file_given_twice_counts_once(files, dealog):
    run = dealog("query", "in.mlir", "in_pool(V, _)", "--rules", "pools.dl", "--rules", "./pools.dl",
                 "--rules", "mydb.dl")  # fmt: skip
    assert run.status == 0


def test_a_rule_may_refuse(files, dealog, engine):
    (files / "no.dl").write_text(
        'refused(Op, 20, "the pool is closed") :- operation(Op, "mydb.open", _, _), attribute(Op, "pool", "@two").\n'
    )
    run = dealog("dealloc", "in.mlir", "--rules", "mydb.dl", "--rules", "no.dl", "--engine", engine)
    assert run.errors == ["in.mlir:3:3: error: the pool is closed"]


def test_a_rule_may_refuse_where_the_pass_looks_for_other_operations(files, dealog):
    """Passes that look for some operations only are not left out where added rules may be about others."""
    (files / "refuse.dl").write_text('refused(Op, 0, "no scans here") :- operation(Op, "mydb.scan", _, _).\n')
    for flag in ("--bufferization-lower-deallocations", "--convert-bufferization-to-memref"):
        assert dealog("opt", flag, "in.mlir", "--rules", "mydb.dl").status == 0
        run = dealog("opt", flag, "in.mlir", "--rules", "mydb.dl", "--rules", "refuse.dl")
        assert run.err.startswith("in.mlir:5:3: error: no scans here\n")


@nightly
def test_the_output_does_not_hang_on_hashes_or_the_order_of_files(files, dealog):
    rules = ["--rules", "mydb.dl", "--rules", "pools.dl"]
    command = [sys.executable, "-m", "dealog", "dealloc", "in.mlir", "--annotate", "--engine", "embedded"]
    outputs = set()
    for seed, order in (("1", rules), ("2", rules[2:] + rules[:2])):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        done = subprocess.run([*command, *order], env=environment, capture_output=True, text=True, check=True)
        outputs.add(done.stdout)
    assert len(outputs) == 1


def test_nothing_is_executed_that_only_rules_know(files, dealog):
    run = dealog("exec", "in.mlir", "--entry", "@f", "--args", "true", "--rules", "mydb.dl", "--lower", "never")
    assert (run.status, run.errors) == (1, ["in.mlir:2:3: error: 'mydb.open' is not interpreted"])


@pytest.mark.parametrize("arguments", [pytest.param((), marks=nightly), ("--pipeline=mlir",)])
def test_a_relation_may_be_called_like_one_that_is_a_files_own(files, dealog, engine, arguments):
    """What the program decides stays as it is, and questions are about the user's relation."""
    (files / "pools.dl").write_text(POOLS.replace("in_pool", "dies_inside"))
    rules = ("--rules", "mydb.dl", "--rules", "pools.dl", "--engine", engine)
    run = dealog("query", "in.mlir", "dies_inside(V, P), buffer(V)", *rules, *arguments)
    assert [line.split() for line in run.out.splitlines()[2:]] == [["%a", "@one"], ["%b", "@two"]], run
    plain = dealog("dealloc", "in.mlir", "--rules", "mydb.dl", "--engine", engine, *arguments)
    assert dealog("dealloc", "in.mlir", *rules, *arguments).out == plain.out != ""


def test_a_change_of_an_included_file_is_seen(files, dealog):
    """What runs need of rule files is cached, as long as no file changes that they include, at whatever depth."""
    for name, text in {"ours.dl": '#include "more.dl"\n', "more.dl": '#include "mydb.dl"\n'}.items():
        (files / name).write_text(text)
    run = ("dealloc", "in.mlir", "--rules", "ours.dl", "--engine", "embedded")
    (files / "other.dl").write_text(MEANING)
    for included, text in (("mydb", ""), ("other", MEANING), ("other", ""), ("other", MEANING), ("mydb", "")):
        (files / "more.dl").write_text(f'#include "{included}.dl"\n')
        if included == "other":
            (files / "other.dl").write_text(text)
        for _ in range(2):
            done = dealog(*run)
            if included == "mydb" or text:
                assert done.out.count("memref.dealloc") == 1
            else:
                assert done.status == 1 and "unregistered dialect, 'mydb'" in done.err


def test_a_file_that_takes_the_place_of_one_that_is_included_is_seen(files, dealog):
    (files / "in.mlir").write_text("func.func @f() {\n  %a = memref.alloc() : memref<4xf32>\n  return\n}\n")
    (files / "ours.dl").write_text('#include "alias.dl"\n')
    run = ("dealloc", "in.mlir", "--rules", "ours.dl", "--engine", "embedded")
    assert dealog(*run).status == 0
    (files / "alias.dl").write_text(".decl\n")
    done = dealog(*run)
    assert done.status == 1 and "alias.dl:1:1: error: .decl names nothing" in done.err


@pytest.mark.parametrize("command", one_in(2, ["dealloc", "check"]))
def test_a_file_that_takes_the_place_of_one_that_an_included_file_includes_is_seen(files, dealog, command):
    """Also where that is in another folder than the rule file, and includes it from a further one."""
    (files / "in.mlir").write_text("func.func @f() {\n  %a = memref.alloc() : memref<4xf32>\n  return\n}\n")
    (files / "ours.dl").write_text('#include "sub/more.dl"\n')
    (files / "sub" / "analysis").mkdir(parents=True)
    (files / "sub" / "more.dl").write_text('#include "analysis/alias.dl"\n#include "vocabulary.dl"\n')
    said = {}
    for taken in ("analysis/alias.dl", "vocabulary.dl"):
        path = files / "sub" / taken
        assert dealog(command, "in.mlir", "--rules", "ours.dl").err in ("", "1 warning; --fix mends 1\n")
        path.write_text(".decl\n")
        done = dealog(command, "in.mlir", "--rules", "ours.dl")
        said[taken] = done.err.partition("\n")[0]
        path.unlink()
    assert said == {taken: f"sub/{taken}:1:1: error: .decl names nothing" for taken in said}


@pytest.mark.usefixtures("computes_here")
def test_what_was_made_of_rule_files_is_found_wherever_they_lie(tmp_path, monkeypatch):
    """As in a build that has the cache of another, in a folder of another name; but not where a file is renamed."""
    monkeypatch.setenv("DEALOG_CACHE", str(tmp_path / "cache"))
    for folder, included in (("one", "more.dl"), ("other", "more.dl"), ("renamed", "less.dl")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "ours.dl").write_text('#include "more.dl"\n')
        (tmp_path / folder / included).write_text(MEANING)

    def freed(folder):
        extensions = Extensions(rules=(tmp_path / folder / "ours.dl",))
        return run_dealog(IN, ["static-buffer-deallocation"], extensions=extensions)

    first = freed("one").unwrap()
    assert first.count("memref.dealloc") == 1
    with monkeypatch.context() as patched:
        patched.setattr("dealog.engine.compact.compact", None)  # what makes it
        assert freed("other").unwrap() == first
    (missing,) = freed("renamed").diagnostics
    assert missing.message == 'there is no file "more.dl" to include'


def test_what_is_made_of_rule_files_is_made_anew_by_another_reader(tmp_path, monkeypatch):
    """It holds places in them, and these may be kept in another way."""
    monkeypatch.setenv("DEALOG_CACHE", str(tmp_path / "cache"))
    (tmp_path / "ours.dl").write_text(MEANING)
    extensions = Extensions(rules=(tmp_path / "ours.dl",))
    assert [extensions.made("mark", lambda _, made=made: made) for made in (1, 2)] == [1, 1]
    monkeypatch.setattr("dealog.engine.version.version", lambda: "another")
    assert extensions.made("mark", lambda _: 3) == 3


def test_a_name_that_a_relation_of_ours_has_already(folder):
    """Dealog's own `lives_past` is called after its file where there is another, but not as what we have, too."""
    (folder / "ours.dl").write_text(
        ".decl lives_past(op: Operation)\nlives_past(O) :- operation(O, _, _, _).\n"
        ".decl frees_lives_past(op: Operation)\nfrees_lives_past(O) :- lives_past(O).\n"
        'known_effects("mydb.a") :- frees_lives_past(_).\n'
    )
    program = Extensions(rules=(folder / "ours.dl",)).program("static_buffer_deallocation")
    named = {name: relation.arity for name, relation in program.relations.items() if "lives_past" in name}
    assert named == {"lives_past": 1, "frees_lives_past": 1, "frees_lives_past_": 3}


def test_a_division_by_zero_is_told_in_the_rule_file(files, dealog):
    (files / "wrong.dl").write_text(MEANING + 'distinct(V, W) :- result(_, N, V), result(_, 0, W), 1 / N > 0.\n')
    for _ in range(2):
        done = dealog("dealloc", "in.mlir", "--pipeline=mlir", "--rules", "wrong.dl", "--engine", "embedded")
        assert done.status == 1 and "wrong.dl:6:1: error: division by zero" in done.err
