"""The value algebra: everything the language can compute with, computed exactly as the original does.

A *type* says what a value can be. A *value* has a type, a payload and *marks*; the payload may be *null* or *unknown*,
and what is known about an unknown is its *refinement*. A *path* leads to a part of a value.

Values are immutable and do not record where they came from, so everything here is a function from values to values.
Nothing reads files, clocks or configuration. User mistakes are exceptions with a message and no source position.

Start with `types`, `value` and `number`. Then, by topic:

    convert, unify         which types are compatible, and how values are converted; `mismatch` explains failures
    equality, raw_equality the `==` of the language, and identity of representations
    sets, set_key          which members of a set are the same element, and in which order elements iterate
    operations             operators, index, length
    rebuild                containers with other elements
    paths, json            parts of values by path, and values as JSON
    defaults               optional attributes of object types
    stored                 how numbers change when a plan is saved
    go_syntax              values as Go source text, in messages about providers

Quirks are reproduced on purpose. Where one shows in a result, the docstring of the function that reproduces it says so,
and a test compares with the recorded answer.
"""
