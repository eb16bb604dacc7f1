"""Rule files that are wrong: for each, what is wrong with it, where, and whether Soufflé takes it.

Each is checked on top of the rules that come with Dealog, and has one fault.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Wrong:
    """`place` is `line:column`. `souffle` says what Soufflé does: it refuses the text as well; it takes it, as it is
    only not portable or only Dealog's rules forbid it; or it cannot be asked."""

    name: str
    text: str
    place: str
    message: str
    hint: str | None = None
    souffle: Literal["refuses", "takes", "not asked"] = "refuses"


OWN = """\
// mine(value, number): `value` has `number`.
.decl mine(value: Value, number: number)
"""
"""Two lines that many of the texts start with."""

WRONG = (
    # names
    Wrong("misspelt", "// p(v): `v`.\n.decl p(v: Value)\np(V) :- operan(_, _, V).", "3:9",
          "the relation operan is not declared", "did you mean operand?"),
    Wrong("misspelt-own", OWN + "mine(V, 1) :- buffer(V).\nmin_e(V, 2) :- mine(V, 1).", "4:1",
          "the relation min_e is not declared", "did you mean mine?"),
    Wrong("undeclared", "zigzag(1).", "1:1", "the relation zigzag is not declared", ".decl zigzag(...)"),
    Wrong("undeclared-negated", OWN + "mine(V, 1) :- buffer(V), !zigzag(V).", "3:27",
          "the relation zigzag is not declared"),
    Wrong("undeclared-in-aggregate", OWN + "mine(V, N) :- buffer(V), N = count : { zigzag(V, _) }.", "3:40",
          "the relation zigzag is not declared"),
    Wrong("undeclared-output", ".output zigzag", "1:9", "the relation zigzag is not declared"),
    Wrong("redeclared", "// may_alias(a, b): `a` `b`.\n.decl may_alias(a: Value, b: Value)", "2:7",
          "the relation may_alias is declared twice", "use the one there is", "not asked"),
    Wrong("redeclared-otherwise",
          "// buffer(a, b): `a` `b`.\n.decl buffer(a: Value, b: number)\nbuffer(V, 1) :- buffer(V, 1).",
          "2:7", "the relation buffer is declared twice"),
    Wrong("redeclared-own", OWN + ".decl mine(value: Value, number: number)", "3:7",
          "the relation mine is declared twice"),
    Wrong("unknown-type", "// p(v): `v`.\n.decl p(v: Valeu)", "2:12", "there is no type Valeu", "did you mean Value?"),
    Wrong("unknown-parent", ".type Pool <: Pond", "1:15", "there is no type Pond", ".type Pond <: symbol"),
    Wrong("redeclared-type", ".type Value <: symbol", "1:1", "the type Value is declared twice"),
    Wrong("circular-type", ".type P <: P", "1:1", "the type P is its own parent"),
    Wrong("same-column-twice", "// p(v): `v`.\n.decl p(v: Value, v: Value)", "2:19",
          "p has two columns with the name v"),
    Wrong("reserved-word", "// count(v): `v`.\n.decl count(v: Value)", "2:7", "count is a reserved word of Soufflé"),
    # arity
    Wrong("too-few", OWN + "mine(V, 1) :- operand(_, V).", "3:15", "operand has 3 columns, not 2"),
    Wrong("too-many", 'known_effects("mydb.scan", 0).', "1:1", "known_effects has 1 column, not 2"),
    Wrong("head-arity", OWN + "mine(V) :- buffer(V).", "3:1", "mine has 2 columns, not 1"),
    # types
    Wrong("symbol-for-number", 'allocates("mydb.alloc", "0").', "1:25",
          '"0" is a symbol, and allocates.result is a number'),
    Wrong("number-for-symbol", "known_effects(1).", "1:15", "1 is a number, and known_effects.name is a symbol"),
    Wrong("kinds-mixed", OWN + "mine(V, B) :- block_argument(B, _, V).", "3:9",
          "B is a symbol, and mine.number is a number"),
    Wrong("foreign-type", OWN + "mine(B, 1) :- block(B, _, _).", "3:6", "B has the type Block, which is not a Value"),
    Wrong("no-value-in-common", OWN + "mine(V, 1) :- buffer(V), block(V, _, _).", "3:32",
          "Block and Value have no value in common"),
    Wrong("compared-across", OWN + 'mine(V, N) :- operand(_, N, V), N = "0".', "3:33",
          "a number is compared with a symbol"),
    Wrong("joined-by-plus", OWN + 'mine(V, 1) :- buffer(V), V = "a" + "b".', "3:30",
          '"a" is a symbol, and a number is needed here', "cat(…) joins symbols", "takes"),
    Wrong("number-in-cat", '// p(s): `s`.\n.decl p(s: symbol)\np(cat("a", I)) :- operand(_, I, _).', "3:12",
          "I is a number, and a symbol is needed here", "to_string"),
    Wrong("too-large", OWN + "mine(V, 4294967296) :- buffer(V).", "3:9", "4294967296 does not fit into 32 bits"),
    Wrong("fact-with-a-variable", "known_effects(mydb).", "1:15", "the fact has the variable mydb", 'write "mydb"'),
    # safety
    Wrong("unbound-in-head", OWN + "mine(V, N) :- buffer(V).", "3:9", "N has no value"),
    Wrong("unbound-in-negation", OWN + "mine(V, 1) :- buffer(V), !operand(Op, 0, V).", "3:35", "Op has no value"),
    Wrong("unbound-in-comparison", OWN + "mine(V, 1) :- buffer(V), N > 1.", "3:26", "N has no value"),
    Wrong("unbound-in-one-alternative", OWN + "mine(V, N) :- operand(_, N, V) ; buffer(V).", "3:9", "N has no value"),
    Wrong("wildcard-in-head", OWN + "mine(V, _) :- buffer(V).", "3:9", "_ in a head has no value"),
    Wrong("wildcard-compared", OWN + "mine(V, 1) :- buffer(V), _ = V.", "3:26", "_ has no value here"),
    Wrong("unbound-in-aggregate", OWN + "mine(V, N) :- buffer(V), N = count : { mine(V, K), M > K }.", "3:52",
          "M has no value in this aggregate"),
    Wrong("out-of-an-aggregate", OWN + "mine(V, K) :- N = count : { operand(_, K, V) }, N > 1, buffer(V).", "3:40",
          "K has its value from inside the aggregate"),
    # strata
    Wrong("negates-itself", OWN + "mine(V, 1) :- buffer(V), !mine(V, 1).", "3:26",
          "mine depends on its own absence", "break the cycle mine -> mine"),
    Wrong("negates-in-a-circle", "// p(v): `v`.\n.decl p(v: Value)\n// q(v): `v`.\n.decl q(v: Value)\n"
          "p(V) :- buffer(V), !q(V).\nq(V) :- p(V).", "5:20", "p depends on its own absence", "p -> q -> p"),
    Wrong("counts-itself", OWN + "mine(V, N) :- buffer(V), N = count : { mine(V, _) }.", "3:40",
          "mine depends on its own absence or on an aggregate of itself"),
    Wrong("closes-a-circle-of-shipped-rules", "stored_buffer(V, F) :- from_outside(V, F).", "1:24",
          "stored_buffer depends on its own absence", "from_outside -> comes_from -> known_to_memory -> stored_buffer"),
    # what is not portable
    Wrong("component", ".comp C { .decl p(v: Value) }", "1:1", "components (.comp)", None, "takes"),
    Wrong("record", OWN + "mine(V, 1) :- buffer(V), [V, 1] = nil.", "3:26", "records", None, "not asked"),
    Wrong("choice", "// p(v): `v`.\n.decl p(v: Value) choice-domain v", "2:19", "choice-domain", None, "takes"),
    Wrong("eqrel", "// p(v, w): `v` `w`.\n.decl p(v: Value, w: Value) eqrel", "2:29", "eqrel relations", None, "takes"),
    Wrong("subsumption", OWN + "mine(V, A) <= mine(V, B) :- A < B.", "3:12", "subsumption", None, "takes"),
    Wrong("float", "// p(x): `x`.\n.decl p(x: float)", "2:12", "the type float is not portable", None, "takes"),
    Wrong("functor", OWN + "mine(V, N) :- buffer(V), N = strlen(V).", "3:30", "the functor strlen is not portable",
          None, "takes"),
    Wrong("match", OWN + 'mine(V, 1) :- buffer(V), match(".*", V).', "3:26", "match(...) is not portable", None,
          "takes"),
    Wrong("order-of-symbols", OWN + 'mine(V, 1) :- buffer(V), V < "b".', "3:26", "< between symbols", None, "takes"),
    Wrong("pragma", '.pragma "legacy"', "1:1", ".pragma", None, "not asked"),
    Wrong("mean", OWN + "mine(V, N) :- buffer(V), N = mean I : { operand(_, I, V) }.", "3:30",
          "the aggregate mean is not portable"),
    Wrong("union-type", ".type Entity = Value | Block", "1:14", "a type defined with =", None, "takes"),
    Wrong("macro", "#define N 3\n" + OWN, "1:1", "macros with a value are not portable", None, "takes"),
    # forms
    Wrong("no-full-stop", OWN + "mine(V, 1) :- buffer(V)\nmine(V, 2) :- buffer(V).", "3:24",
          "the statement is not finished", "is a full stop missing?"),
    Wrong("no-full-stop-at-the-end", OWN + "mine(V, 1) :- buffer(V)", "3:24", "the text ends inside a statement"),
    Wrong("full-stop-behind-a-declaration", "// p(v): `v`.\n.decl p(v: Value).", "2:18",
          "a declaration has no full stop at its end"),
    Wrong("open-parenthesis", OWN + "mine(V, 1) :- buffer(V.", "3:23", "unexpected ."),
    Wrong("stray-parenthesis", OWN + "mine(V, 1) :- buffer(V)).", "3:24", "unexpected )"),
    Wrong("open-string", 'known_effects("mydb.scan).', "1:15", "this string does not end on its line"),
    Wrong("open-comment", OWN + "/* mine(V, 1) :- buffer(V).", "3:1", "this comment is never closed", None, "takes"),
    Wrong("closed-comment", OWN + "*/ mine(V, 1) :- buffer(V).", "3:1", "this closes no comment"),
    Wrong("escape", r'known_effects("mydb\.scan").', "1:20", r"\. is not an escape sequence", None, "not asked"),
    Wrong("single-quotes", "known_effects('mydb.scan').", "1:15", "a symbol stands in double quotes"),
    Wrong("bare-entity", OWN + "mine(%a, 1).", "3:6", "%a stands without quotes", 'write "@f/%a"'),
    Wrong("bare-relation", OWN + "mine(V, 1) :- buffer(V), manual.", "3:26", "manual stands without arguments"),
    Wrong("column-without-a-type", "// p(v): `v`.\n.decl p(v)", "2:9", "the column v has no type", "v: symbol"),
    Wrong("not", OWN + "mine(V, 1) :- buffer(V), not manual(V).", "3:26", "a negation is written with !"),
    Wrong("and", OWN + "mine(V, 1) :- buffer(V) and unranked(V).", "3:25", "conditions are joined by commas"),
    Wrong("or", OWN + "mine(V, 1) :- buffer(V) or unranked(V).", "3:25", "alternatives are joined by semicolons"),
    Wrong("equal", OWN + "mine(V, N) :- operand(_, N, V), N == 1.", "3:35", "== is not a comparison", "write ="),
    Wrong("arrow", OWN + "mine(V, 1) <- buffer(V).", "3:12", "a rule is written with :-"),
    Wrong("no-head", ":- buffer(_).", "1:1", "a rule says what it derives"),
    Wrong("no-body", OWN + "mine(V, 1) :- .", "3:15", "unexpected .", "a condition"),
    Wrong("percent-comment", "% mine\n" + OWN, "1:1", "a comment starts with //"),
    Wrong("directive", ".outputs freed_if", "1:1", "there is no directive .outputs", "did you mean .output?"),
    Wrong("directive-without-a-name", OWN + "\n.output\nmine(V, 1) :- buffer(V).", "4:1", ".output names nothing"),
    Wrong("aggregate-without-a-colon", OWN + "mine(V, N) :- buffer(V), N = count { mine(V, _) }.", "3:36",
          "an aggregate has a colon before its braces"),
    # the preprocessor
    Wrong("no-such-include", '#include "mydb_common.dl"\n' + OWN + "mine(V, 1) :- common(V).", "1:1",
          'there is no file "mydb_common.dl" to include'),
    Wrong("no-endif", "#ifndef MYDB\n" + OWN, "1:1", "this condition has no #endif", None, "not asked"),
    Wrong("stray-endif", OWN + "#endif", "3:1", "#endif without #ifdef or #ifndef", None, "not asked"),
    Wrong("if", "#if 1\n" + OWN + "#endif", "1:1", "#if is not portable", None, "takes"),
    # what only Dealog forbids
    Wrong("input", OWN + ".input mine", "3:1", "the only relations that are read in are the facts", None, "takes"),
    Wrong("derives-a-fact-about-the-module", "buffer(V) :- result(_, _, V).", "1:1",
          "buffer is a fact about the module", "declare a relation of your own", "takes"),
    Wrong("finding-at-no-column",
          "// p(v): `v` is odd.\n// @finding warning at `w`: odd\n.decl p(v: Value)\np(V) :- buffer(V).",
          "2:25", "p has no column w", None, "takes"),
)  # fmt: skip
