"""The texts that the buttons of a case copy: for a shell, an issue, a corpus, and known.yaml.

A clipboard is pasted where text takes effect. So these texts contain no invisible characters, words of a case are in
fenced blocks, and a shell reads files of a case from here-documents whose delimiter they cannot contain.
"""

from __future__ import annotations

import posixpath
import shlex
from collections.abc import Iterator, Mapping
from typing import Final

import yaml

from harness.findings.causes import Cause
from harness.findings.finding import Finding
from harness.findings.result import CaseResult
from harness.findings.signature import Signature
from harness.findings.spoken_signature import describe_signature
from reports.run.markdown import block, code, printed_sides
from reports.run.screen import case_screen
from reports.visible import shortened, visible, visible_line

__all__ = ["cause_entry", "corpus_case", "issue", "known_entry"]

_LONGEST_TITLE: Final = 200
_LONGEST_FILE: Final = 20_000
_END: Final = "END_OF_FILE"
_MOST_SIGNATURES: Final = 40
_ABOUT_PATHS: Final = "# The path of the case is to be given from the directory of this file.\n"


def issue(result: CaseResult, first: Finding, files: Mapping[str, str]) -> str:
    """Return an issue: what differs in words, what both engines printed, how it was found, and the files."""
    words = describe_signature(first.signature).replace("`", "")
    parts = [f"### {code(shortened(words, _LONGEST_TITLE))}\n", printed_sides(result, first), "\n"]
    parts.append(block(case_screen(result)))
    for name, text in files.items():
        parts.append(f"\n{code(name)}\n\n{block(shortened(text, _LONGEST_FILE))}")
    return "".join(parts)


def corpus_case(result: CaseResult, files: Mapping[str, str]) -> str:
    """Return commands that write the files of the case below corpus/regressions, or an empty text if that is
    impossible."""
    inside = {posixpath.normpath(name): text for name, text in files.items()}
    if not inside or any(name.startswith(("../", "/")) or name == ".." for name in inside):
        return ""
    return "".join(_write_commands(f"corpus/regressions/{result.identifier.strip('/')}", inside))


def _write_commands(directory: str, files: Mapping[str, str]) -> Iterator[str]:
    if any(visible(text) != text for text in files.values()):
        yield "# Characters that cannot be seen are written as \\u{...} here: put them back.\n"
    yield f"mkdir -p {' '.join(sorted({_quote_path(posixpath.dirname(f'{directory}/{name}')) for name in files}))}\n"
    for name, text in files.items():
        shown = visible(text)
        end = _END
        while end in shown:
            end += "_"
        line_end = "" if shown.endswith("\n") else "\n"
        yield f"cat > {_quote_path(f'{directory}/{name}')} <<'{end}'\n{shown}{line_end}{end}\n"


def _quote_path(path: str) -> str:
    """Quote a path so that it cannot be read as an option or lead out of its directory."""
    parts = [part for part in visible_line(path).split("/") if part not in ("", ".", "..")]
    return shlex.quote("/".join(parts))


def known_entry(result: CaseResult, finding: Finding) -> str:
    """Return an entry of known.yaml that documents the finding in every case. A person has to fill in class and
    reason."""
    return _entry_text(result, f"D-{finding.signature.digest}", _match(finding.signature))


def cause_entry(result: CaseResult, cause: Cause) -> str:
    """Return an entry of known.yaml that documents all ways in which a cause shows. `result` is that of its smallest
    case."""
    matches = [_match(signature) for signature in cause.signatures[:_MOST_SIGNATURES]]
    return _entry_text(result, f"D-{cause.identifier}", matches[0] if len(matches) == 1 else matches)


def _match(signature: Signature) -> dict[str, str]:
    return {
        "subject": visible_line(signature.subject),
        "operation": visible_line(signature.operation),
        "ruling": str(signature.ruling),
        "shape": visible_line(signature.shape),
        "kind": visible_line(signature.kind),
        **({"role": visible_line(signature.role)} if signature.role else {}),
    }


def _entry_text(result: CaseResult, name: str, match: object) -> str:
    entry: dict[str, object] = {
        "id": visible_line(name),
        "class": "bug",
        "reason": "say why this is so, and what is to become of it",
        "link": "say where it is written down",
        "case": visible_line(result.path),
        "match": match,
    }
    if result.changes:
        entry["changes"] = [visible_line(change) for change in result.changes]
    return _ABOUT_PATHS + yaml.safe_dump([entry], sort_keys=False, allow_unicode=True, width=110)
