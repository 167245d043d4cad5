"""Encryption of states and plans, as the `encryption` block of a configuration asks for it.

Files have exactly the form that OpenTofu writes: what one of them encrypts, the other decrypts. An `Encryption` has a
`Target` for states and one for plans; a target encrypts with its first method and decrypts with any of them. Methods
get their keys from key providers, of which the one that derives keys from a passphrase is known here. The block
itself is read with the rest of the configuration.

- keys.py          keys from passphrases
- payload.py       the encrypted form of a file
- encryption.py    from the block to something that encrypts; start here
"""
