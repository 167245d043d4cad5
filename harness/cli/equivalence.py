"""`diffharness equivalence`: run the equivalence tests of a Terraform or OpenTofu checkout with our engines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from harness.cli.engine.product_command import run_product_command
from harness.cli.support.completions import complete_engines
from harness.cli.support.options import full_flavour_name, json_file_option, read_engines
from harness.cli.support.output import write_file
from harness.engines.registry import DEFAULT_ENGINES
from harness.equivalence.judging import Comparison, judge_test
from harness.equivalence.specification import SpecificationError, find_tests, flavour_of_goldens
from shared_nodes.flavour import FLAVOUR_NAMES, FLAVOURS, Flavour
from shared_nodes.values.json import Tree, dumps

__all__ = ["equivalence"]


@click.command()
@click.argument("directory", metavar="DIR", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option(
    "--engines",
    shell_complete=complete_engines,
    callback=lambda _context, _option, value: read_engines(value, in_process_only=True),
    default=",".join(DEFAULT_ENGINES),
    show_default=True,
    help="Engines to run.",
)
@click.option(
    "--flavour",
    type=click.Choice(list(FLAVOUR_NAMES)),
    callback=full_flavour_name,
    help="The product whose behaviour to follow.  [default: the one that the golden files mention]",
)
@json_file_option
@click.pass_context
def equivalence(
    context: click.Context, /, directory: Path, *, engines: tuple[str, ...], flavour: str | None, json_file: Path | None
) -> None:
    """Run the equivalence tests below DIR, which is a checkout of Terraform or OpenTofu or its directory
    testing/equivalence-tests. Each artefact of a test must equal its golden file, but for versions, timestamps and
    durations. As with every configuration that an engine is used on, commands of provisioners are run."""
    try:
        tests = find_tests(directory)
    except SpecificationError as problem:
        raise click.ClickException(str(problem)) from problem
    product = flavour_of_goldens(tests) if flavour is None else FLAVOURS[flavour]
    results: dict[str, list[Comparison]] = {}
    for engine in engines:
        run = partial(run_product_command, engine, product)
        results[engine] = [comparison for test in tests for comparison in judge_test(test, run)]
    _print(results, product, len(tests))
    if json_file is not None:
        write_file(json_file, dumps(_to_json(results, product), escape_html=False, indent=2) + "\n")
    context.exit(1 if any(one.difference for found in results.values() for one in found) else 0)


def _print(results: Mapping[str, Sequence[Comparison]], flavour: Flavour, count: int) -> None:
    console = Console(width=None if Console().is_terminal else 160)
    table = Table(title=f"{count} equivalence tests of {flavour.product}", title_justify="left")
    for heading in ("test", "artefact"):
        table.add_column(heading, no_wrap=True)
    for engine in results:
        table.add_column(engine, overflow="fold")
    outcomes = {engine: {(one.test, one.artefact): one for one in found} for engine, found in results.items()}
    for place in dict.fromkeys(place for found in outcomes.values() for place in found):
        table.add_row(*place, *(_outcome(found.get(place)) for found in outcomes.values()))
    console.print(table)
    for engine, found in results.items():
        different = {one.test for one in found if one.difference}
        equal = sum(one.difference is None for one in found)
        tests, artefacts = f"{count - len(different)} of {count} tests", f"{equal} of {len(found)} artefacts"
        console.print(f"{engine}: {tests}, {artefacts} equal", highlight=False)


def _outcome(comparison: Comparison | None) -> Text:
    if comparison is None:
        return Text("not reached")
    return Text("equal") if comparison.difference is None else Text(comparison.difference, style="red")


def _to_json(results: Mapping[str, Sequence[Comparison]], flavour: Flavour) -> Tree:
    rows: list[Tree] = [
        {"test": one.test, "artefact": one.artefact, "engine": engine, "difference": one.difference}
        for engine, found in results.items()
        for one in found
    ]
    return {"flavour": flavour.name, "artefacts": rows}
