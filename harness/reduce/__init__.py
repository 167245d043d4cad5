"""Make a case that shows a difference as small as possible, keeping the difference.

- `specimens/`: a *specimen*, the case under reduction: its case.yaml and files in memory, and changes of them.
- `predicate.py`: the interestingness test: whether a specimen still shows the same signature.
- `search.py`: the search: applies one pass after another until none helps or the budget is spent.
- `passes/`: the passes, each of which proposes changes of one kind.
- `choice_reduction.py`: for generated stories, reduces the decisions of the generator before any pass runs.
- `history.py`: the versions accepted during a reduction.
- `reduction.py`: the reduction of one case or story; `saving.py`: writes the results.

Start with `search.py`. A pass does not check whether a change makes sense: a change after which the specimen no longer
shows the signature is rejected, and that includes nearly every change that makes a configuration invalid.
"""
