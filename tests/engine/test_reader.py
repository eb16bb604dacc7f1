"""The reader: what a program's text becomes, and where everything stands."""

from __future__ import annotations

from pathlib import Path

import pytest

from dealog.diagnostics import DealogError
from dealog.engine import (
    Aggregate,
    Atom,
    Comparison,
    Constant,
    Fact,
    Functor,
    Negation,
    Program,
    Term,
    Truth,
    Variable,
    Wildcard,
    load,
    loads,
)

DECLARATIONS = """
.decl a(x: symbol)
.decl e(x: symbol, y: symbol)
.decl n(x: number)
.decl p(x: number, y: number)
.decl flag()
"""


def show(term: Term) -> str:
    """A term with all of its structure in view."""
    match term:
        case Variable(name):
            return name
        case Wildcard():
            return "_"
        case Constant(value):
            return repr(value)
        case Functor(op, arguments):
            return f"{op}({', '.join(map(show, arguments))})"
        case Aggregate(op, target, body):
            return f"{op} {show(target) if target else ''}: {{{show_body(body)}}}"


def show_body(body: tuple[object, ...]) -> str:
    out = []
    for literal in body:
        match literal:
            case Atom(relation, arguments):
                out.append(f"{relation}({', '.join(map(show, arguments))})")
            case Negation(atom):
                out.append("!" + show_body((atom,)))
            case Comparison(op, left, right):
                out.append(f"{show(left)} {op} {show(right)}")
            case Truth(value):
                out.append(str(value).lower())
    return ", ".join(out)


def alternatives(rule: str) -> list[str]:
    program = loads(DECLARATIONS + rule)
    return [show_body(body) for body in program.rules[0].alternatives]


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("a(x) :- e(x, _).", ["e(x, _)"]),
        ("n(1) :- e(_, y), !a(y).", ["e(_, y), !a(y)"]),
        ("a(x) :- a(x), (e(x, _) ; e(_, x)).", ["a(x), e(x, _)", "a(x), e(_, x)"]),
        ("a(x) :- a(x) ; e(x, x), flag().", ["a(x)", "e(x, x), flag()"]),
        ("a(x) :- a(x), !(e(x, x), flag()).", ["a(x), !e(x, x)", "a(x), !flag()"]),
        ('a(x) :- a(x), !(x = "k" ; flag()).', ["a(x), x != 'k', !flag()"]),
        ("a(x) :- a(x), !!flag(), !true.", ["a(x), flag(), false"]),
        ("n(x) :- n(x), !(x < 1), !(x <= 2), !(x != 3).", ["n(x), x >= 1, x > 2, x = 3"]),
        ("n(y) :- n(x), y = 1 + x * 2 - -x % 3.", ["n(x), y = -(+(1, *(x, 2)), %(neg(x), 3))"]),
        ("n(y) :- n(x), y = (1 + x) * (2 - 0x1f).", ["n(x), y = *(+(1, x), -(2, 31))"]),
        ("n(y) :- n(x), y = x-1.", ["n(x), y = -(x, 1)"]),
        ("n(y) :- y = -3 ; y = 0b101.", ["y = -3", "y = 5"]),
        ("n(y) :- n(x), y = max(x, 1, min(2, x)).", ["n(x), y = max(x, 1, min(2, x))"]),
        ('a(y) :- n(x), y = cat("a", "b", to_string(x)).', ["n(x), y = cat('a', 'b', to_string(x))"]),
        ("n(c) :- c = count : { e(_, x), !a(x) }.", ["c = count : {e(_, x), !a(x)}"]),
        ("n(c) :- c = sum x * 2 : p(x, _).", ["c = sum *(x, 2): {p(x, _)}"]),
        ("n(c) :- c = 1 + max (x) : { p(x, _) } * 2.", ["c = +(1, *(max x: {p(x, _)}, 2))"]),
        ("n(x) :- ((n(x))), (x) = (1), (x + 1) > 1.", ["n(x), x = 1, +(x, 1) > 1"]),
        ("n(count1) :- n(count1), n(_a), n(?b), ?b = _a.", ["n(count1), n(_a), n(?b), ?b = _a"]),
    ],
)
def test_bodies(rule: str, expected: list[str]) -> None:
    assert alternatives(rule) == expected


def test_strings() -> None:
    text = r'.decl a(x: symbol) a("tab\t quote\" back\\ nl\n \' \a\b\f\r\v é"). a("//no /*comment*/").'
    assert [f.values for f in loads(text).facts] == [
        ("tab\t quote\" back\\ nl\n ' \a\b\f\r\v é",),
        ("//no /*comment*/",),
    ]


def test_facts_and_rules_without_a_body() -> None:
    program = loads('.decl a(x: symbol, y: number)\na("x", -2147483648).\na(cat("x", "y"), 1 + 1).')
    assert program.facts == (Fact("a", ("x", -2147483648), "", program.facts[0].position),)
    assert program.rules[0].alternatives == ((),)


def test_declarations() -> None:
    program = loads(
        """
        .type Value <: symbol
        .type Buffer <: Value
        .decl alloc, free(buffer: Buffer, at: number)
        .input alloc
        .output alloc, free(IO=file, filename="x.csv", headers=true)
        """
    )
    assert {t.name: (t.parent, t.base) for t in program.types.values()} == {
        "Value": ("symbol", "symbol"),
        "Buffer": ("Value", "symbol"),
    }
    alloc, free = program.relations["alloc"], program.relations["free"]
    assert alloc.signature == "alloc(buffer: Buffer, at: number)"
    assert free.bases == ("symbol", "number")
    assert (alloc.is_input, alloc.is_output, free.is_input, free.is_output) == (True, True, False, True)
    assert program.inputs == (alloc,)
    assert program.outputs == (alloc, free)
    assert program.directives[1].parameters == (("IO", "file"), ("filename", "x.csv"), ("headers", "true"))


def test_documentation() -> None:
    program = loads(
        """// About the file.

/* A tuple for each
 * thing. */
.decl a(x: symbol)
// -----------------
// First line
/// and second
.decl b(x: symbol) // not this
.decl c(x: symbol) // behind
.decl d(x: symbol) // of d
.decl e(x: symbol)
.type T <: symbol // a type

// not the rule's: a blank line is between

a(x) :- b(x). // behind a rule
// why b
b(x) :-
    // inside
    c(x).
// the fact
c("1").
"""
    )
    assert {r.name: r.doc for r in program.relations.values()} == {
        "a": "A tuple for each\nthing.",
        "b": "First line\nand second",
        "c": "behind",
        "d": "of d",
        "e": "",
    }
    assert program.types["T"].doc == "a type"
    assert [r.doc for r in program.rules] == ["", "why b"]
    assert program.facts[0].doc == "the fact"


def test_positions() -> None:
    program = loads('.decl a(x: symbol)\n\n  a(x) :- /* … */ a(y),\n     x = cat(y, "é").\n', "p.dl")
    rule = program.rules[0]
    assert str(rule.position) == "p.dl:3:3"
    assert rule.position.text == 'a(x) :- /* … */ a(y),\n     x = cat(y, "é").'
    atom, equation = rule.alternatives[0]
    assert isinstance(atom, Atom) and isinstance(equation, Comparison)
    assert (str(atom.position), atom.position.text) == ("p.dl:3:19", "a(y)")
    assert (str(equation.right.position), equation.right.position.text) == ("p.dl:4:10", 'cat(y, "é")')
    assert str(program.relations["a"].position) == "p.dl:1:7"


def test_nodes_compare_by_content() -> None:
    one = loads(DECLARATIONS + "a(x) :- e(x, y).").rules[0]
    other = loads("\n\n" + DECLARATIONS + "a(x)  :-  e(x, y).").rules[0]
    assert one == other and one.position != other.position


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / "lib").mkdir()
    (tmp_path / "base.dl").write_text(
        "#ifndef BASE_DL // guard\n#define BASE_DL\n.decl a(x: symbol)\n"
        "#ifdef OTHER\nnonsense\n#endif\n#endif\n"
    )
    (tmp_path / "lib" / "more.dl").write_text('#include "../base.dl"\n.decl b(x: symbol)\nb(x) :- a(x).\n')
    (tmp_path / "main.dl").write_text(
        '#include "base.dl"\n#include "lib/more.dl" /* here */\n.output b\na("1").\nb(x) :- a(x), !c(x).\n'
        ".decl c(x: symbol)\n"
    )
    return tmp_path


def test_includes(tree: Path) -> None:
    program = load(tree / "main.dl")
    assert list(program.relations) == ["a", "b", "c"]
    assert [str(Path(r.position.file).relative_to(tree)) for r in program.rules] == ["lib/more.dl", "main.dl"]
    assert [r.position.line for r in program.rules] == [3, 5]
    assert [Path(s.name).name for s in program.sources] == ["main.dl", "base.dl", "more.dl"]


def test_several_files_extra_rules_and_include_folders(tree: Path) -> None:
    (tree / "user.dl").write_text('#include "more.dl"\n.decl d(x: symbol)\nd(x) :- b(x).\n')
    with pytest.raises(DealogError, match=r'there is no file "more\.dl"'):
        load(tree / "user.dl")
    assert "d" in load(tree / "user.dl", include_dirs=[tree / "lib"]).relations
    (tree / "extra.dl").write_text('b("mine").\n')
    program = load([tree / "base.dl", tree / "main.dl"], extra=[tree / "extra.dl"])
    assert [f.values for f in program.facts] == [("1",), ("mine",)]


def test_conditions() -> None:
    text = """
    #define A
    #ifdef A
    a("defined").
    #ifdef B
    nonsense
    #else
    a("not B").
    #endif
    #else
    #define WITH_A VALUE
    nonsense
    #endif
    .decl a(x: symbol)
    """
    assert [f.values for f in loads(text).facts] == [("defined",), ("not B",)]
    with pytest.raises(DealogError, match="A is the name of a macro"):
        loads(text + ".decl A(x: symbol)")


def test_circular_includes_with_guards(tmp_path: Path) -> None:
    for name, other in (("A", "B"), ("B", "A")):
        text = f'#ifndef {name}\n#define {name}\n#include "{other}"\n.decl r{name}(x: symbol)\n#endif\n'
        (tmp_path / name).write_text(text)
    assert list(load(tmp_path / "A").relations) == ["rB", "rA"]


def test_circular_includes_without_guards(tmp_path: Path) -> None:
    (tmp_path / "a.dl").write_text('#include "a.dl"\n')
    with pytest.raises(DealogError, match="include each other without end"):
        load(tmp_path / "a.dl")


@pytest.mark.parametrize(
    ("text", "again"),
    [
        ("#ifndef G\n#define G\na(\"g\").\n#endif\n", []),
        ("// on top\n#ifndef G\n#define G\na(\"g\").\n#endif // G\n/* below */\n", []),
        ("#ifndef G\n#define G\n#ifdef NO\n#else\na(\"g\").\n#endif\n#endif\n", []),
        ("#ifndef G\n#define G\na(\"g\").\n#endif\na(\"behind\").\n", ["behind"]),
        ("a(\"before\").\n#ifndef G\n#define G\na(\"g\").\n#endif\n", ["before"]),
        ("#ifndef G\n#define G\na(\"g\").\n#else\na(\"second\").\n#endif\n", ["second"]),
        ("#ifndef G\n#define G\na(\"g\").\n#endif\n#ifndef H\na(\"h\").\n#endif\n", ["h"]),
        ("#ifndef G\na(\"g\").\n#endif\n", ["g"]),
        ("#ifndef G\n#define G\na(\"g\").\n#endif\n#undef G\n", ["g"]),
    ],
)
def test_what_a_guard_leaves_out_of_a_file_that_is_included_again(tmp_path: Path, text: str, again: list[str]) -> None:
    (tmp_path / "file.dl").write_text(text)
    (tmp_path / "main.dl").write_text('.decl a(x: symbol)\n#include "file.dl"\na("between").\n#include "file.dl"\n')
    stated = [fact.values[0] for fact in load(tmp_path / "main.dl").facts]
    assert stated[stated.index("between") + 1 :] == again
    assert "g" in stated[: stated.index("between")] or again == ["g"]


def test_unguarded_file_included_twice(tmp_path: Path) -> None:
    (tmp_path / "a.dl").write_text(".decl a(x: symbol)\n")
    (tmp_path / "b.dl").write_text('#include "a.dl"\n#include "a.dl"\n')
    with pytest.raises(DealogError, match="declared twice") as caught:
        load(tmp_path / "b.dl")
    assert "#ifndef" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("#if 1", "1:1", "#if is not portable"),
        ("  #define N 3", "1:3", "macros with a value are not portable"),
        ("#define F(x) x", "1:1", "macros with a value are not portable"),
        ("#include <a>", "1:1", 'write #include "file"'),
        ('\n#include "none.dl"', "2:1", 'there is no file "none.dl" to include'),
        (f'#include "{300 * "a"}"', "1:1", f'there is no file "{300 * "a"}" to include'),
        ("#endif", "1:1", "#endif without #ifdef or #ifndef"),
        ("#else", "1:1", "#else without #ifdef or #ifndef"),
        ("#ifdef A", "1:1", "this condition has no #endif"),
        ("#ifdef", "1:1", "#ifdef takes one name"),
        ("#define a\n.decl a(x: symbol)", "1:1", "a is the name of a macro, and is used in the program"),
        ("/* open", "1:1", "this comment is never closed"),
    ],
)
def test_preprocessor_errors(text: str, place: str, message: str) -> None:
    with pytest.raises(DealogError) as caught:
        loads(text, "p.dl")
    assert str(caught.value).startswith(f"p.dl:{place}: error: {message}")


def test_a_file_that_was_not_there_is_seen_once_it_is(tree: Path) -> None:
    """In the same process: what includes it has not changed."""
    (tree / "first.dl").write_text('#include "later.dl"\n')
    with pytest.raises(DealogError, match=r'there is no file "later\.dl"'):
        load(tree / "first.dl")
    (tree / "later.dl").write_text(".decl z(x: symbol)\n")
    assert "z" in load(tree / "first.dl").relations


def test_include_inside_a_statement(tree: Path) -> None:
    (tree / "bad.dl").write_text('.decl z(x: symbol)\nz(x) :-\n#include "base.dl"\na(x).\n')
    with pytest.raises(DealogError, match="an include has to stand between statements"):
        load(tree / "bad.dl")


def test_hash_in_a_string_and_undefined_names() -> None:
    text = '.decl a(x: symbol)\n#define G\n#undef G\n#ifdef G\nx\n#endif\na("\\\n").'
    with pytest.raises(DealogError, match="does not end on its line"):
        loads(text)
    assert loads(text.replace("\\\n", "#define x 1")).facts[0].values == ("#define x 1",)


@pytest.mark.parametrize(
    ("statement", "column", "message"),
    [
        (".comp C { .decl x(y:symbol) }", 1, "components (.comp)"),
        (".init c = C", 1, "components (.init)"),
        (".functor f(x:number):number", 1, "user-defined functors (.functor)"),
        (".lattice L<> { Bottom -> 1 }", 1, "lattices (.lattice)"),
        (".pragma \"legacy\"", 1, ".pragma"),
        (".printsize a", 1, ".printsize"),
        (".limitsize a(n=3)", 1, ".limitsize"),
        (".number_type N", 1, ".number_type"),
        ('.include "x.dl"', 1, ".include"),
        (".once", 1, ".once"),
        ("a(x) :- a(x). .plan 0:(1)", 15, ".plan"),
        (".decl q(x:symbol,y:symbol) eqrel", 28, "eqrel relations"),
        (".decl q(x:symbol,y:symbol) inline", 28, "inline"),
        (".decl q(x:symbol,y:symbol) output", 28, "output as a word of .decl"),
        (".decl q(x:symbol,y:symbol) choice-domain x", 28, "choice-domain"),
        (".decl q(x:symbol, y:L<>)", 22, "lattice columns (<>)"),
        (".type R = [a:symbol]", 9, "a type defined with ="),
        (".type U = A | B", 9, "a type defined with ="),
        ("a(x) :- n(1.5).", 11, "floating-point numbers"),
        ("a(x) :- n(3u).", 11, "unsigned numbers"),
        ("a(x) :- n([1, 2]).", 11, "records"),
        ("a(x) :- n($X(1)).", 11, "algebraic data types and counters ($)"),
        ("a(x) :- n(@f(1)).", 11, "user-defined functors and annotations (@)"),
        ("a(x) :- n(1 band 2).", 13, "the operator band"),
        ("a(x) :- n(bnot 2).", 11, "the operator bnot"),
        ("a(x) :- n(2 ^ 3).", 13, "the operator ^"),
        ("a(x) :- a(y), x = as(y, symbol).", 19, "as(...)"),
        ("a(x) :- n(autoinc()).", 11, "autoinc(...)"),
        ("a(x) <= a(y) :- a(x), a(y).", 6, "subsumption (<= between heads)"),
    ],
)  # fmt: skip
def test_constructs_outside_the_portable_part(statement: str, column: int, message: str) -> None:
    with pytest.raises(DealogError) as caught:
        loads(DECLARATIONS + statement, "p.dl")
    expected = f"p.dl:7:{column}: error: {message}: not in the portable part of Datalog"
    rendered = str(caught.value)
    assert rendered.startswith(expected)
    assert "\n  help: " in rendered and "{" not in rendered.split("help:")[1]


@pytest.mark.parametrize(
    ("statement", "column", "message"),
    [
        ("a(x) :- range(1, 2) = x.", 9, "the functor range is not portable"),
        ("n(x) :- x = strlen(\"a\").", 13, "the functor strlen is not portable"),
        ('a(x) :- a(x), match("a", x).', 15, "match(...) is not portable"),
        ('a(x) :- a(x), contains("a", x).', 15, "contains(...) is not portable"),
        ("a(x) :- a(x), x = nil.", 19, "nil is a reserved word of Soufflé"),
        (".decl min(x: symbol)", 7, "min is a reserved word of Soufflé"),
        (".decl q(input: symbol)", 9, "input is a reserved word of Soufflé"),
        ("n(x) :- x = mean y : { n(y) }.", 13, "the aggregate mean is not portable"),
        ("n(x) :- x = count y : { n(y) }.", 13, "count takes no expression"),
        ("n(x) :- x = sum : { n(y) }.", 13, "sum needs an expression before the colon"),
        ("n(x) :- x = count : { n(y) ; n(z) }.", 13, "a disjunction inside an aggregate is not portable"),
        ('a(cat("x")).', 3, "cat takes at least 2 arguments, not 1"),
        ("a(to_string(1, 2)).", 3, "to_string takes 1 argument, not 2"),
        ('a("\\q").', 4, "\\q is not an escape sequence of Soufflé"),
        ('a("open).', 3, "this string does not end on its line"),
        ("a(x) :- e(x, _)", 16, "the text ends inside a statement"),
        ("a(x) :- e(x, _) a(x).", 17, "unexpected a"),
        ("a(x) :- e(x, _), .", 18, "unexpected ."),
        ("~", 1, "unexpected ~"),
        ("hello", 6, "the text ends inside a statement"),
    ],
)  # fmt: skip
def test_syntax_errors(statement: str, column: int, message: str) -> None:
    with pytest.raises(DealogError) as caught:
        loads(DECLARATIONS + statement, "p.dl")
    assert str(caught.value).startswith(f"p.dl:7:{column}: error: {message}")


def test_faults_of_all_files_are_told_at_once(tmp_path: Path) -> None:
    (tmp_path / "a.dl").write_text("one two\n")
    (tmp_path / "b.dl").write_text('.decl b(x: symbol)\nb("\\q", "\\z").\n')
    with pytest.raises(DealogError) as caught:
        load([tmp_path / "a.dl", tmp_path / "b.dl"])
    assert len(caught.value.diagnostics) == 3


def test_too_many_alternatives() -> None:
    body = ", ".join(["(flag() ; flag())"] * 13)
    with pytest.raises(DealogError, match="more than 4096 alternatives"):
        loads(DECLARATIONS + f"flag() :- {body}.")


def test_deep_nesting_is_no_crash() -> None:
    with pytest.raises(DealogError, match="nested too deeply"):
        loads(DECLARATIONS + "n(x) :- n(x), x = " + "(1 + " * 5000 + "1" + ")" * 5000 + ".")


@pytest.mark.parametrize("what", ["missing", "folder", "latin-1"])
def test_unreadable_files(tmp_path: Path, what: str) -> None:
    path = tmp_path / "p.dl"
    if what == "folder":
        path.mkdir()
    elif what == "latin-1":
        path.write_bytes(b"// caf\xe9\n")
    with pytest.raises(DealogError, match="not UTF-8" if what == "latin-1" else "cannot read"):
        load(path)


def test_dependencies_and_strata() -> None:
    program: Program = loads(
        DECLARATIONS
        + """
        a(x) :- e(x, _), !flag().
        e(x, z) :- e(x, y), e(y, z).
        flag() :- n(_).
        n(c) :- c = count : { p(_, _) }.
        """
    )
    edges = {(x, y, negative) for x, y, negative in program.dependencies.edges(data="negative")}
    assert edges == {
        ("a", "e", False),
        ("a", "flag", True),
        ("e", "e", False),
        ("flag", "n", False),
        ("n", "p", True),
    }
    order = [name for stratum in program.strata for name in sorted(stratum)]
    assert sorted(order) == sorted(program.relations)
    for head, used, _ in edges:
        assert order.index(used) <= order.index(head)
    assert program.needed_for(["flag"]) == {"flag", "n", "p"}
