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

from ..format import (
    APPLICATION_ID,
    CATALOG_FORMAT,
    CATALOG_ID,
    FORMAT,
    build_command,
    index_to_read,
    read_file_header,
)
from .ending import EXIT_FAILED, NoIndexToCheckError

_MOST_FINDINGS = 50


@click.command("check-index")
@click.argument("file", required=False, metavar="[FILE]")
@click.option("--index", "path", metavar="FILE", help="The same as FILE.")
@click.option(
    "--same-as",
    "other",
    metavar="OTHER",
    help="Compare with this index; names must agree, internal numbers need not.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON.")
def check_index(file: str | None, path: str | None, other: str | None, as_json: bool) -> None:
    """Check an index or a catalog for contradictions; with --same-as, list how two indexes differ.

    Exit code 1: there are findings.
    """
    from ..catalog.file.publish import broken_rules
    from ..check.contradictions import contradictions, file_contradictions
    from ..check.damage import checksum_findings
    from ..check.differences import differences

    if file and path:
        raise click.UsageError(f"Give FILE or --index, not both: {file} and --index {path} were given.")
    first = index_to_read(file or path)
    if other and (_is_catalog(first) or _is_catalog(Path(other))):
        catalog = first if _is_catalog(first) else other
        raise click.UsageError(f"--same-as compares indexes, but {catalog} is a catalog.")
    with _read_only(first) as connection:
        if other is None:
            kind = "catalog" if _is_catalog(first) else "index"
            # What has been changed is not worth looking at any closer, and may not even be readable.
            findings = list(checksum_findings(first, connection, kind))
            if not findings and kind == "catalog":
                findings = [*file_contradictions(connection, kind), *broken_rules(connection)]
            elif not findings:
                findings = contradictions(connection)
        else:
            with _read_only(Path(other)) as second:
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
        click.echo(f"... and {len(findings) - _MOST_FINDINGS} more (--json lists all)")
    if not findings:
        click.echo(f"{path} " + (f"has the same contents as {other}" if other else "is sound"))


def _is_catalog(path: Path) -> bool:
    """Whether the file at ``path`` is a catalog of the format that this oblist reads."""
    try:
        header = read_file_header(path)
    except OSError:
        return False
    return header is not None and (header.application_id, header.user_version) == (CATALOG_ID, CATALOG_FORMAT)


@contextmanager
def _read_only(path: Path) -> Iterator[sqlite3.Connection]:
    """Connect to the index at ``path`` read-only; the failure says why it is not a usable index."""
    try:
        header = read_file_header(path)
    except OSError as error:
        raise NoIndexToCheckError(
            f"{path}: {error.strerror}. Build an index with: {build_command(path)}"
        ) from error
    kind = header.application_id if header else 0
    if header is None or kind not in (APPLICATION_ID, CATALOG_ID):
        raise NoIndexToCheckError(f"{path} is not an oblist index. Build one with: {build_command(path)}")
    is_index = kind == APPLICATION_ID
    expected, command = (
        (FORMAT, build_command(path)) if is_index else (CATALOG_FORMAT, "oblist catalog build")
    )
    if header.user_version != expected:
        raise NoIndexToCheckError(
            f"{path} has format {header.user_version}, but this oblist checks format {expected}. "
            f"Rebuild it with: {command}"
        )
    connection = sqlite3.connect(f"file:{quote(str(path.absolute()))}?mode=ro", uri=True)
    try:
        connection.execute("PRAGMA query_only = ON")
        connection.execute("PRAGMA trusted_schema = OFF")
        yield connection
    except sqlite3.DatabaseError as error:
        raise NoIndexToCheckError(f"{path}: damaged ({error}). Rebuild it with: {command}") from error
    finally:
        connection.close()
