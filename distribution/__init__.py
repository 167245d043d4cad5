"""What a user downloads: a wheel, a source distribution, and one executable file with everything inside.

`make dist` runs `build.py`. The single file is an archive that Python can run: `bootstrap.py` is its first module, and
copies the rest of it to a cache directory at the first start, because compiled parts can be loaded from nowhere else.
"""
