"""`diffharness completion`: a script that makes a shell complete commands, options and names."""

from __future__ import annotations

from typing import Final

import click
from click.shell_completion import get_completion_class

__all__ = ["completion"]

_PROGRAM: Final = "diffharness"
_VARIABLE: Final = "_DIFFHARNESS_COMPLETE"


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print a script that completes diffharness in a SHELL.

    \b
    bash  diffharness completion bash > ~/.local/share/bash-completion/completions/diffharness
    zsh   diffharness completion zsh > ~/.zfunc/_diffharness     (with fpath+=~/.zfunc before compinit)
    fish  diffharness completion fish > ~/.config/fish/completions/diffharness.fish
    """
    found = get_completion_class(shell)
    assert found is not None, "click knows all three"
    click.echo(found(context.find_root().command, {}, _PROGRAM, _VARIABLE).source())
