"""The language: from source text to values.

What it promises: text that the original accepts is accepted and means the same; text that it rejects is rejected with
the same diagnostics at the same ranges. Evaluating never raises for a user's mistake.

    Source ── lexer ── tokens ── parser ── tree ── compile ── closures ── evaluate(scope) ── Value + diagnostics
                                            └── references (without evaluating)      printer ── text again

- `source.py`: text and ranges. `lexer.py`: tokens. `parser.py`: where parsing starts; expressions, templates and bodies
  each have a parser module of their own. `json_syntax.py`: the same tree from JSON. `printer.py`: the tree as text.
- `tree.py`: the nouns everything else talks about.
- `compile.py`: closures; operators, conditionals, loops, splats, templates, calls and accesses each in a module named
  so. `scope.py`: what an expression may see.

Start reading at `tree.py`, then `compile.py`.
"""
