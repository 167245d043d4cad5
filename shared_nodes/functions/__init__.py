"""The functions of the language.

What it promises: every function of Terraform 1.11, and those only OpenTofu has, with the original's results, error
texts and treatment of null, unknown and marked arguments. Whatever a function depends on besides its arguments comes
from the `FunctionContext`; no function touches the outside world by another way.

One module a family, each with `functions(context)`; `registry.py` collects them. `function.py` holds the rules that
every call obeys, so start reading there.
"""
