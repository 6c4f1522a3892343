"""Plans: what is to be loaded for a release, and under which key the result belongs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..store.results import key_of, rows_name, slice_name
from .orders import LoadReport, Needed, Order, Plan, SliceOrder, SliceOutcome, Survey

_WEAK = "weakly-depends-on"
_UNKNOWN = Needed(None)
_Reports = Mapping[str, LoadReport]


def survey_plan(order: Order, outcomes: Sequence[SliceOutcome]) -> Plan:
    """The plan of a survey, after the ``outcomes`` of what its definitions need."""
    return _plan("survey", order, outcomes, order.first, {})


def slice_plan(order: SliceOrder, outcomes: Sequence[SliceOutcome]) -> Plan:
    """The plan of a slice, after the ``outcomes`` of what the release depends on."""
    reports = {one.definition: one.report for one in outcomes}
    omitted = _omitted(order, reports)
    base = tuple(
        one
        for one in order.base
        if _loads(one, order.needed, reports) and not order.needed.get(one, _UNKNOWN).circular
    )
    return _plan("slice", order.order, outcomes, base, omitted)


def _plan(
    kind: str, order: Order, outcomes: Sequence[SliceOutcome], base: tuple[str, ...], omitted: dict[str, str]
) -> Plan:
    known: dict[str, tuple[str, str]] = {}
    for one in outcomes:
        known |= one.closure
    known |= {one.definition: (one.key, one.identity) for one in outcomes}
    closure = {name: known.get(name, ("", contents)) for name, contents in order.closure}
    identities = sorted(identity for _, identity in closure.values())
    terms = order.terms
    about = (str(order.definition), order.contents, base, identities, terms.tests, omitted)
    compiled = tuple(key for key, _ in closure.values() if key)
    return Plan(key_of(kind, terms.compiler, *about), base, compiled, closure, omitted)


def _loads(system: str, needed: Mapping[str, Needed], reports: _Reports) -> bool:
    """Whether a system loads, or comes with SBCL."""
    one = needed.get(system, _UNKNOWN)
    if one.release is None:
        return one.at_hand
    report = reports.get(one.release)
    return report is None or (report.state != "failed" and system not in report.failures)


def _omitted(order: SliceOrder, reports: _Reports) -> dict[str, str]:
    """The systems of the release that cannot load, because what they depend on did not, and why."""
    omitted: dict[str, str] = {}
    while True:
        more = {
            name: reason
            for name, dependencies in order.systems.items()
            if name not in omitted
            for relation, needed in dependencies
            if relation != _WEAK and (reason := _why_not(needed, omitted, order.needed, reports))
        }
        if not more:
            return omitted
        omitted |= more


def _why_not(
    system: str, omitted: Mapping[str, str], needed: Mapping[str, Needed], reports: _Reports
) -> str | None:
    if system in omitted:
        return f"It depends on {system}, which did not load either."
    release = needed.get(system, _UNKNOWN).release
    if release is None or _loads(system, needed, reports):
        return None
    report = reports[release]
    reason = report.failures.get(system) or next(iter(report.failures.values()), "")
    return f"It depends on {system}, which did not load{f': {reason}' if reason else '.'}"


def known_survey(order: Order, plan: Plan) -> Survey | None:
    """The survey that the store has, if it has one; raises StoreError."""
    value = order.terms.store.read("surveys", plan.key)
    return None if value is None else Survey.of(value)


def known_outcome(order: Order, plan: Plan) -> SliceOutcome | None:
    """The outcome that the store has, if the slice is there and need not be made again; raises StoreError."""
    store = order.terms.store
    value = store.read("reports", plan.key)
    if value is None or value["transient"]:
        return None
    parts = (slice_name(order.name, plan.key), rows_name(plan.key))
    if store.folder and not all(store.place.exists(name) for name in parts):  # somebody has tidied up
        return None
    return SliceOutcome(
        str(order.definition), plan.key, plan.key, LoadReport(**value), plan.closure, cached=True
    )
