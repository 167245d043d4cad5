"""The execution graph: what planning decides about order, as data, and everything that apply does.

Planning emits one, a plan file holds it, and apply follows it to the letter: it adds no step, drops none and reorders
none. The graph itself has only addresses and order. Planned values are in the changes of the plan next to it, so a
graph can be printed, compared and published without a secret in it.

    operation   one step for one object: look up, plan again, apply, read, depose, forget
    leg         the operations that create or update an object, or those that delete it
    waiter      what must have ended before a leg begins; taken by the first operation of the leg, because in the graph
                engine nothing of a vertex happens before everything the vertex waits for
    result      the operation after which the value of an instance is final

It promises that every graph from a builder or a file is well typed and refers only to what it has; that equal plans
give equal bytes; that a file gives back the graph it was made from, or one diagnostic, whatever it contains; and that a
cycle is found and named before anything runs.

    opcodes.py     what each operation takes and returns: read this first
    graph.py       the tables, their text, which operation precedes which, and what is recorded with objects
    builder.py     how a planner makes one
    check.py       what can be wrong with one, cycles above all, in the words of the graph engine
    codec.py       to JSON and back
    run.py         how one is followed
"""
