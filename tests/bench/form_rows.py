"""check_form, in process: on forms of the indexed libraries, each judged in its package."""

from __future__ import annotations

import random
import statistics
import sys
from functools import partial
from pathlib import Path

from rich.console import Console
from rich.table import Table

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent.parent))

from timing import milliseconds

from oblist.query import open_index
from oblist.query.check.form import check_form
from support.forms.drawn import drawn_forms

FORMS = 1000
SEED = 20


def add_forms(table: Table, index: Path) -> None:
    """Measure the first call on an open index, and then one call for each of many forms."""
    forms = list(drawn_forms(index))
    drawn = random.Random(SEED).sample(forms, min(FORMS, len(forms)))
    with open_index(index) as opened:
        first, *times = [milliseconds(partial(check_form, opened, one.text, one.package)) for one in drawn]
    times.sort()
    table.add_row(
        "11", f"check_form, {len(times):,} forms", f"p50 {statistics.median(times):.1f} ms", "20 ms"
    )
    table.add_row(
        "", "  95 of 100, and the longest", f"{times[len(times) * 95 // 100]:.1f}, {times[-1]:.1f} ms", ""
    )
    table.add_row("", "  the first, which reads the packages", f"{first:.1f} ms", "")


if __name__ == "__main__":
    rows = Table("row", "what", "median", "bar")
    add_forms(rows, Path(sys.argv[1]))
    Console().print(rows)
