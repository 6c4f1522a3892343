"""The store: a folder, or anything that fsspec writes; the same catalog, and slices that can be fetched."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import boto3
import pytest
import s3fs

from oblist.indexer.catalog.build import CatalogRequest, build_catalog
from oblist.indexer.catalog.making.orders import ReleaseLimits
from oblist.indexer.catalog.store.backends import StoreError, backend_at
from oblist.indexer.catalog.store.results import Store
from oblist.indexer.check.differences import differences
from oblist.query.catalog import open_slice
from oblist.query.errors import ReleaseError
from support.builds.shared_code import share_code
from support.builds.small_sbcl import small_sbcl
from support.catalogs.cluster import cluster
from support.catalogs.comparing import (
    MORE,
    PLAIN,
    assert_equal,
    build,
    copy_of_results,
    opened,
    places_of,
    reference,
    rows,
    slices,
)
from support.catalogs.libraries import SECONDS, libraries
from support.catalogs.seeds import MEGABYTES, seed_place
from support.command_line import run_main

_ACCOUNT = {"AWS_ACCESS_KEY_ID": "tests", "AWS_SECRET_ACCESS_KEY": "tests", "AWS_DEFAULT_REGION": "us-east-1"}


@pytest.fixture
def bucket(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The URL of a bucket on a server that speaks the protocol of S3."""
    program = "from moto.server import ThreadedMotoServer as Server\nimport sys\n"
    program += "server = Server(ip_address='127.0.0.1', port=0, verbose=False)\nserver.start()\n"
    program += "print(server.get_host_and_port()[1], flush=True)\nsys.stdin.read()\n"
    with subprocess.Popen(
        [sys.executable, "-W", "ignore", "-c", program],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as server:
        assert server.stdout is not None and server.stdin is not None
        url = f"http://127.0.0.1:{int(server.stdout.readline())}"
        for name, value in {**_ACCOUNT, "AWS_ENDPOINT_URL": url}.items():
            monkeypatch.setenv(name, value)
        boto3.client("s3", endpoint_url=url, region_name="us-east-1").create_bucket(Bucket="lisp")
        # Connections are kept, each for its URL and account; an earlier test spoke to a server that is gone.
        s3fs.S3FileSystem.clear_instance_cache()
        backend_at.cache_clear()
        yield "s3://lisp/catalogs"
        server.stdin.close()


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache for this process alone, in which slices are made whose store is elsewhere."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    share_code(tmp_path / "cache")


@pytest.mark.usefixtures("own_cache")
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
def test_a_bucket_holds_the_same_catalog(
    tmp_path: Path, bucket: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    seed_place(libraries().folder, bucket)
    build(PLAIN, tmp_path / "far", "--store", bucket)
    whole = reference(PLAIN)
    assert_equal(whole, tmp_path / "far.db", with_slices=False)
    addresses = [address for _, address in slices(tmp_path / "far.db")]
    assert all(address.startswith(f"{bucket}/slices/") for address in addresses) and len(addresses) > 3
    made_again = json.loads(build(PLAIN, tmp_path / "far", "--store", bucket, "--json"))
    assert (made_again["made"], made_again["cached"]) == (0, len(PLAIN))

    # A question fetches a slice, from the store that the user names and from no other.
    catalog = tmp_path / "far.db"
    for named in (None, "s3://other", f"{bucket}x", "s3://lisp/catal"):
        monkeypatch.delenv("OBLIST_STORE", raising=False)
        if named:
            monkeypatch.setenv("OBLIST_STORE", named)
        with pytest.raises(ReleaseError, match="set OBLIST_STORE to the address of that store"):
            open_slice("shapes@1.0", catalog)
    monkeypatch.setenv("OBLIST_STORE", bucket)
    mine = next(path for place, path in slices(whole) if place.endswith("/shapes-1.0/shapes.asd"))
    for _ in range(2):  # fetched, then kept
        with open_slice("shapes@1.0", catalog) as index, opened(index.path) as far, opened(mine) as near:
            assert list(differences(far, near)) == []
    asked = run_main("describe", "circumference", "--release", "shapes@1.0", f"--catalog={catalog}")
    assert asked.output.startswith("SHAPES::CIRCUMFERENCE [FUNCTION]"), asked.errors


@pytest.mark.usefixtures("own_cache")
def test_a_store_in_memory(tmp_path: Path) -> None:
    """The catalog is written from the extracts: slices may be gone, or in storage that is slow to read."""
    request = CatalogRequest(places_of(PLAIN), limits=ReleaseLimits(SECONDS, MEGABYTES))
    seed_place(libraries().folder, "memory://catalogs")
    store = Store.at("memory://catalogs")
    works = build_catalog(tmp_path / "memory.db", store, small_sbcl(), request, command="tests")
    assert len(works) == len(PLAIN)
    assert_equal(reference(PLAIN), tmp_path / "memory.db", with_slices=False)
    names = store.place.names("slices")
    assert len(names) == len(works) + 1 == len(store.place.names("rows"))
    for name in names:
        if not name.startswith("sbcl-"):
            store.place.remove(f"slices/{name}")
    again = build_catalog(tmp_path / "again.db", store, small_sbcl(), request, command="tests")
    assert all(one.outcome is not None and one.outcome.cached for one in again)
    assert_equal(tmp_path / "memory.db", tmp_path / "again.db", with_slices=False)


def test_a_release_brings_nothing_of_what_was_compiled_for_another(tmp_path: Path) -> None:
    """A base may be made by one task, which compiles what is in it, and used by the next."""
    request = CatalogRequest(
        places_of(["first/tool", "first/with-tool"]), limits=ReleaseLimits(SECONDS, MEGABYTES)
    )
    found = "SELECT key, symbols, definitions FROM releases WHERE name = 'with-tool'"
    ((key, *counts),) = rows(libraries().catalog, found)
    assert counts == [0, 1], "the package"
    store = copy_of_results(tmp_path / "store")  # without what was compiled
    (store / "reports" / f"{key}.json").unlink()
    shutil.rmtree(store / "surveys")  # that of with-tool loads the tool, and compiles it
    works = build_catalog(tmp_path / "two.db", Store.at(store), small_sbcl(), request, command="tests")
    assert [one.release.name for one in works if one.outcome and not one.outcome.cached] == ["with-tool"]
    assert rows(tmp_path / "two.db", found) == [(key, *counts)]
    assert (store / "fasls" / str(key)).is_dir()
    assert not [path for path in (store / "fasls" / str(key)).rglob("*.fasl") if path.stem == "tool"]


@pytest.mark.full
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
def test_workers_elsewhere_need_nothing_but_a_bucket(tmp_path: Path, bucket: str) -> None:
    """Neither the sources nor the store are on their machines."""
    seed_place(libraries().folder, bucket)
    with cluster(tmp_path / "cluster", workers=0) as workers:
        for number in range(2):
            workers.add_worker(f"worker-{number}", without=libraries().sources)
        options = ("--store", bucket, "--scheduler", workers.address, "--send-sources")
        build(MORE, tmp_path / "far", *options)
    assert_equal(reference(MORE), tmp_path / "far.db", with_slices=False)


@pytest.mark.parametrize("location", ["{folder}/store", "memory://backend"])
def test_what_is_written_is_read(tmp_path: Path, location: str) -> None:
    store = Store.at(location.format(folder=tmp_path))
    place = store.place
    assert place.read("surveys/1.json") is None and store.read("surveys", "1") is None
    assert place.names("surveys") == set() and not place.exists("surveys/1.json")
    store.write("surveys", "1", {"a": ["b"]})
    assert store.read("surveys", "1") == {"a": ["b"]}
    store.keep("surveys/2.json", lambda: b"first")
    store.keep("surveys/2.json", lambda: b"second")
    assert place.read("surveys/2.json") == b"first"
    assert store.read("surveys", "2") is None, "not JSON: as good as none"
    assert place.names("surveys") == {"1.json", "2.json"}
    (tmp_path / "new").write_bytes(b"slice")
    place.put(tmp_path / "new", "slices/x.db")
    assert place.get("slices/x.db", tmp_path / "copy") and not place.get("slices/y.db", tmp_path / "none")
    assert (tmp_path / "copy").read_bytes() == b"slice"
    local = store.local("slices/x.db", tmp_path / "here")
    assert local is not None and local.read_bytes() == b"slice"
    assert store.local("slices/y.db", tmp_path / "here") is None
    place.remove("surveys/1.json")
    place.remove("surveys/1.json")
    assert place.names("surveys") == {"2.json"}


def test_a_store_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match=r"file/store/surveys/1.json in the store cannot be read or written"):
        Store.at(tmp_path / "file" / "store").write("surveys", "1", {})
    with pytest.raises(StoreError, match="no-such-scheme://x"):
        Store.at("no-such-scheme://x").write("surveys", "1", {})
