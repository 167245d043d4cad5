"""What planning decides: which nodes are needed, in which order objects are changed, and the graph that does it.

targets.py         which nodes targets and exclusions leave
prune.py           which nodes an operation has no use for
cycles.py          nodes that wait for each other, or for themselves
replace_order.py   which objects are replaced by creating the new one first
legs.py            which legs a change has
leg_order.py       in which order legs run, besides what is referred to: read this first
scale_in.py        another order, as an intended change of behaviour
emit.py            from all of this to the execution graph
"""
