"""The pages that list places say what the questions answer, with links to each place and name."""

from __future__ import annotations

from urllib.parse import urldefrag

import pytest

from support.pages.browsing import BASE, Pages, Seen
from support.projects.audit_sample import audit_sample, marked_findings
from support.projects.edit_sites_sample import edit_sites_sample
from support.projects.slots_sample import marked, slots_sample


def lines_linked(page: Seen, file: str) -> list[int]:
    """The lines of a source file that a page leads to, in order, each as often as it does."""
    urls = [urldefrag(link) for link in page.links if file in link]
    return sorted(int(url.fragment.removeprefix("L")) for url in urls if url.fragment.startswith("L"))


def test_the_page_of_a_slot_leads_to_its_places_and_the_class_to_that_page() -> None:
    with Pages(slots_sample()[0]) as pages:
        page = pages.page("slot/slots-sample/person/name")
        assert set(lines_linked(page, "slots-sample~2Elisp")) == {line for line, _ in marked("name")}
        assert {"defines", "overrides", "initializes", "reads", "writes", "binds"} <= set(page.ids)
        assert f"{BASE}/symbol/slots-sample/person-name" in page.links
        assert "perhaps" in page.text
        for url in ("class/slots-sample/person", "symbol/slots-sample/person"):
            assert f"{BASE}/slot/slots-sample/person/name" in pages.page(url).links
        missing = pages.response(f"{BASE}/slot/slots-sample/person/no-such-slot")
        assert missing.status_code == 404 and "has no slot no-such-slot" in missing.text


def test_the_page_of_an_edit_leads_to_each_place_to_touch() -> None:
    with Pages(edit_sites_sample()[0]) as pages:
        page = pages.page("edit-sites/sites-sample/area")
        assert {"definition", "method", "call", "next-method", "template", "documentation"} <= set(page.ids)
        assert lines_linked(page, "checks~2Elisp") == [2, 2]
        assert f"{BASE}/edit-sites/sites-sample/area" in pages.page("symbol/sites-sample/area").links
        assert "edit-sites" not in str(pages.page("symbol/sites-sample/square").links)


def test_the_audit_leads_to_each_finding() -> None:
    with Pages(audit_sample()[0]) as pages:
        assert f"{BASE}/audit" in pages.page("home").links
        page = pages.page("audit?part=system:audit-sample")
        assert set(lines_linked(page, "audit-sample~2Elisp")) == {line for line, _ in marked_findings()}
        assert {one.rstrip("?") for _, one in marked_findings()} <= set(page.ids)
        assert "uncertain: " in page.text
        only = pages.page("audit?part=system:audit-sample&only=unused")
        assert "unused" in only.ids and "initarg" not in only.ids
        assert pages.response(f"{BASE}/audit?part=no-such-part").status_code == 404


def test_what_one_part_uses_of_another_is_a_page_that_packages_lead_to() -> None:
    with Pages(audit_sample()[0]) as pages:
        page = pages.page("uses?users=project&used=package:audit-library")
        assert f"{BASE}/symbol/audit-library/library-function" in page.links
        linked = pages.page("package/audit-library").links
        assert f"{BASE}/uses?users=project&used=package%3AAUDIT-LIBRARY" in linked
        nothing = pages.page("uses?users=package:audit-library&used=package:audit-sample")
        assert "None." in nothing.text and "uses no name of" in nothing.text


def test_the_outline_leads_to_each_definition() -> None:
    with Pages(slots_sample()[0]) as pages:
        assert f"{BASE}/outline?part=system%3Aslots-sample" in pages.page("system/slots-sample").links
        page = pages.page("outline?part=slots-sample")
        assert f"{BASE}/symbol/slots-sample/person" in page.links
        assert "left out: accessors and others that class definitions make" in page.text
        everything = pages.page("outline?part=slots-sample&accessors=1")
        assert len(everything.links) > len(page.links) and "left out" not in everything.text
        assert "None." in pages.page("outline?part=slots-sample&kind=macro&offset=900").text
        assert pages.response(f"{BASE}/outline?part=no-such-part").status_code == 404


@pytest.mark.parametrize("url", ["slot/slots-sample/person/name", "edit-sites/slots-sample/person-name"])
def test_they_come_as_json_too(url: str) -> None:
    with Pages(slots_sample()[0]) as pages:
        answer = pages.response(f"{BASE}/{url}.json").json()
    assert answer["total"] == len(answer.get("places") or answer["sites"]) > 3
