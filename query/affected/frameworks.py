"""Test frameworks, and the calls that make them run some of their tests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TestFramework:
    """A framework: the home packages of its macros, the macros that define tests, and what runs tests.

    ``run`` has ``{}`` for the names, quoted as a list if ``takes_list``; otherwise there is a call for each.
    ``defines_functions`` is whether each test is a function of its name, and ``parent_first`` whether a list
    in place of a name has the parent first, then the name.
    """

    __test__ = False  # pytest takes it for a test

    name: str
    packages: tuple[str, ...]
    macros: tuple[str, ...]
    run: str
    takes_list: bool = True
    defines_functions: bool = False
    parent_first: bool = False

    def calls(self, names: Sequence[str]) -> list[str]:
        """The calls that run tests of these names."""
        if self.takes_list:
            return [self.run.format(f"'({' '.join(names)})")]
        return [self.run.format(name) for name in names]


_PARACHUTE = ("PARACHUTE", "ORG.SHIRAKUMO.PARACHUTE")
FRAMEWORKS = (
    TestFramework("fiveam", ("IT.BESE.FIVEAM",), ("TEST", "DEF-TEST"), "(fiveam:run! {})"),
    TestFramework("parachute", _PARACHUTE, ("DEFINE-TEST",), "(parachute:test {})", parent_first=True),
    TestFramework("rove", ("ROVE/CORE/TEST",), ("DEFTEST",), "(rove:run-test '{})", False),
    TestFramework(
        "lisp-unit2",
        ("LISP-UNIT2",),
        ("DEFINE-TEST",),
        "(lisp-unit2:run-tests :tests {})",
        defines_functions=True,
    ),
    TestFramework("lisp-unit", ("LISP-UNIT",), ("DEFINE-TEST",), "(lisp-unit:run-tests {})"),
    TestFramework("1am", ("1AM",), ("TEST",), "(1am:run {})", defines_functions=True),
    TestFramework("try", ("TRY",), ("DEFTEST",), "(try:try {})", defines_functions=True),
    TestFramework("fiasco", ("FIASCO",), ("DEFTEST",), "({})", False, defines_functions=True),
    TestFramework(
        "stefil", ("HU.DWIM.STEFIL", "STEFIL"), ("DEFTEST",), "({})", False, defines_functions=True
    ),
    TestFramework("rt", ("REGRESSION-TEST", "SB-RT"), ("DEFTEST",), "(rt:do-test '{})", False),
    TestFramework("clunit", ("CLUNIT", "CLUNIT2"), ("DEFTEST",), "(clunit:run-test '{})", False),
    # LIFT runs a test case by its suite and its name, and a suite by its name, which its tests begin with.
    TestFramework("lift", ("LIFT",), ("DEFTEST", "ADDTEST"), "(lift:run-tests :suite '{})", False),
)
"""The frameworks, by the home packages of their macros."""
OWN = TestFramework("own", (), (), "({})", False)
"""Stands for what runs the tests that macros of the project itself define."""
