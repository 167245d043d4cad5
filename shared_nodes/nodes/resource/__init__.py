"""Resources: planning, applying, refreshing and validating their instances.

`plan.py` and `apply.py` are the two halves of the life of a managed instance; `data.py` and `ephemeral.py` are the
other two modes. `instance.py` is what they have in common. Start with `plan.py`.
"""
