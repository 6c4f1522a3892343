"""Sources are unpacked as they were packed, and nothing is written outside the folder made for them."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path

import pytest

from oblist.indexer.catalog.making.sent import SourcesError, packed, unpacked


def test_files_come_back_with_their_dates_and_whether_they_can_be_run(tmp_path: Path) -> None:
    sources = tmp_path / "sources"
    (sources / "src").mkdir(parents=True)
    files = [sources / "a.lisp", sources / "src" / "run.sh"]
    for path in files:
        path.write_text(f"; {path.name}\n")
    files[1].chmod(0o755)
    unpacked(packed(sources, files), tmp_path / "new")
    for path in files:
        new = tmp_path / "new" / path.relative_to(sources)
        assert new.read_text() == path.read_text()
        assert new.stat().st_mode & 0o111 == path.stat().st_mode & 0o111
        assert abs(new.stat().st_mtime - path.stat().st_mtime) < 1


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("../out.lisp", tarfile.REGTYPE),
        ("/tmp/out.lisp", tarfile.REGTYPE),
        ("src/../../out.lisp", tarfile.REGTYPE),
        ("link.lisp", tarfile.SYMTYPE),
        ("hard.lisp", tarfile.LNKTYPE),
        ("pipe", tarfile.FIFOTYPE),
    ],
)
def test_what_is_no_file_of_the_sources_is_refused(name: str, kind: bytes, tmp_path: Path) -> None:
    contents = io.BytesIO()
    with tarfile.open(fileobj=contents, mode="w:gz") as archive:
        member = tarfile.TarInfo(name)
        member.type, member.linkname = kind, "/etc/passwd"
        archive.addfile(member)
    with pytest.raises(SourcesError, match="which is not a file in their folder"):
        unpacked(contents.getvalue(), tmp_path / "new")
    assert list(tmp_path.iterdir()) == [tmp_path / "new"] and not list((tmp_path / "new").iterdir())
