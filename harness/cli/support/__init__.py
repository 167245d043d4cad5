"""What several commands share: options, progress, output files, where runs are kept, interrupts.

Nothing here is a command, and nothing here imports one. Start with `options.py` for the options that mean the same in
every command, and with `project.py` for the settings of the project the user works in.
"""
