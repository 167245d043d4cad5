"""Bodies of blocks: from syntax to the value that a schema describes.

`content.py` sorts a body into arguments and blocks, `prepared.py` does so once per configuration, `dynamic_blocks.py`
expands generated blocks, and `decode.py` evaluates the result. Start with `decode.py`.
"""
