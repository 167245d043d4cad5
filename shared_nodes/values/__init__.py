"""The value algebra: everything the language can compute with, exactly as the original computes it.

The nouns: a *type* says what a value can be; a *value* is a type, a payload and *marks*; the payload may be *null* or
*unknown*, and what is known of an unknown is its *refinement*. A *path* leads to a part of a value. Values are
immutable and never refer to where they came from, so everything here is a function from values to values: nothing
reads files, clocks or configuration, and user mistakes are exceptions that carry a message and no position.

Start reading at `types`, `value` and `number`. Then by question:

    convert, unify      which types fit together, and how values get from one to another; `mismatch` says why not
    equality, ordering  which values are the same, and in which order the elements of a set come
    operations          operators, index, length
    paths, json         parts of values by address, and values as JSON
    defaults            optional attributes of object types
    stored              what numbers look like after a plan file
    printing            a text for people

Surprises are kept on purpose. Where the original has a quirk that shows in a result, the docstring of the function
that reproduces it says so, and a test holds the recorded answer.
"""
