"""Resources: validating, planning and applying their instances.

`plan.py` and `apply.py` plan and apply a managed instance, with `change.py` as their common core; `destroy.py`,
`forget.py`, `orphan.py` and `deposed.py` remove objects. `data.py` and `ephemeral.py` are the other two modes.
`instance.py` holds what they have in common. Start with `plan.py`.
"""
