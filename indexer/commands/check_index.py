"""The command ``check-index``."""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from urllib.parse import quote

import click

from ..format import APPLICATION_ID, FEATURE, FORMAT, index_to_read, read_file_header
from .ending import EXIT_FAILED, NoIndexError

_MOST_FINDINGS = 50


@click.command("check-index")
@click.option("--index", "path", metavar="FILE", help="The index to check.")
@click.option(
    "--same-as", "other", metavar="OTHER", help="Compare with this index, by names rather than numbers."
)
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON.")
def check_index(path: str | None, other: str | None, as_json: bool) -> None:
    """Check a whole index for contradictions, or list how it differs from OTHER.

    The exit code is 1 when there are findings.
    """
    from ..check.contradictions import contradictions
    from ..check.differences import differences

    first = index_to_read(path)
    with _read_only(first) as connection:
        if other is None:
            findings = contradictions(connection, published=True)
        else:
            with _read_only(Path(other)) as second:
                _require_features(first, connection)
                _require_features(Path(other), second)
                findings = list(islice(differences(connection, second), 100_000))
    if as_json:
        import orjson

        click.echo(orjson.dumps({"index": str(first), "same_as": other, "findings": findings}))
    else:
        _print_findings(first, other, findings)
    if findings:
        sys.exit(EXIT_FAILED)


def _print_findings(path: Path, other: str | None, findings: list[str]) -> None:
    for finding in findings[:_MOST_FINDINGS]:
        click.echo(ascii(finding)[1:-1])
    if len(findings) > _MOST_FINDINGS:
        click.echo(f"... and {len(findings) - _MOST_FINDINGS} more (all with --json)")
    if not findings:
        click.echo(f"{path} " + (f"says the same as {other}" if other else "is sound"))


def _require_features(path: Path, connection: sqlite3.Connection) -> None:
    """Raise NoIndexError if an older oblist built the index at ``path``, which lacks what is compared."""
    ((feature,),) = connection.execute("SELECT value FROM meta WHERE name = 'feature'")
    if int(feature) < FEATURE:
        raise NoIndexError(
            f"{path}: feature {feature}; this oblist compares indexes of feature {FEATURE}. "
            "Rebuild it with: oblist index"
        )


@contextmanager
def _read_only(path: Path) -> Iterator[sqlite3.Connection]:
    """Connect to the index at ``path`` read-only; the failure says why it is not a usable index."""
    try:
        header = read_file_header(path)
    except OSError as error:
        raise NoIndexError(f"{path}: {error.strerror}. Build an index with: oblist index") from error
    if header is None or header.application_id != APPLICATION_ID:
        raise NoIndexError(f"{path}: not an oblist index. Build one with: oblist index")
    if header.user_version != FORMAT:
        raise NoIndexError(
            f"{path}: format {header.user_version}; this oblist checks format {FORMAT}. "
            "Rebuild it with: oblist index"
        )
    connection = sqlite3.connect(f"file:{quote(str(path.absolute()))}?mode=ro", uri=True)
    try:
        connection.execute("PRAGMA query_only = ON")
        connection.execute("PRAGMA trusted_schema = OFF")
        yield connection
    except sqlite3.DatabaseError as error:
        raise NoIndexError(f"{path}: damaged ({error}). Rebuild it with: oblist index") from error
    finally:
        connection.close()
