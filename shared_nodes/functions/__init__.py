"""The functions of the language.

Every function of Terraform 1.11, and those that only OpenTofu has, with the original's results, error texts and
treatment of null, unknown and marked arguments. Whatever a function depends on besides its arguments comes from its
`FunctionContext`; no function reaches the outside world in any other way.

A *function* is data (see `shared_nodes/lang/function.py`, which also defines the rules that every call obeys). A
*family* is a module here with `functions(context)`, which returns the functions of one topic. `registry.py` collects
the families into a table by name. Start with `registry.py`, then read any family.
"""
