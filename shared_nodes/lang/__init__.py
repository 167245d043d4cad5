"""The language: from source text to values.

Text that the original accepts is accepted with the same meaning. Text that it rejects is rejected with the same
diagnostics at the same ranges. Evaluation never raises an exception for a user's mistake.

    Source ── lexer ── tokens ── parser ── tree ── compile ── closures ── evaluate(scope) ── Value + diagnostics
                                            └── references (without evaluating)      printer ── text again

- `source.py`: text and ranges. `lexer.py`: tokens. `parser.py`: the entry points of parsing; expressions, templates and
  bodies each have their own parser module. `json_syntax.py`: the same tree from JSON. `printer.py`: the tree as text.
- `tree.py`: the syntax tree, which everything else works on.
- `compile.py`: closures. Operators, conditionals, loops, splats, templates, calls and accesses each have a module of
  their own. `scope.py`: the variables and functions that an expression can use.
- `function.py`: the rules of every function call. `type_constraint.py`: the expressions after `type =`.
- `diagnostics.py`: the mistakes that all of these report; `diagnostics_view.py` renders them.

Start with `tree.py`, then `compile.py`.
"""
