"""A dispatch system for each test: a world of its own, whose clock stands still.

It takes the server of CABRANK_URL, or starts one for the session. Nothing but pytest and
the standard library is needed, and a cabrank on the path if one is to be started.
"""

import json
import os
import subprocess
import time
import urllib.error
import urllib.request

import pytest


class Refused(Exception):
    """An answer that is no success, with its status and its problem document."""

    def __init__(self, status, problem):
        super().__init__(f"{status}: {problem.get('detail', problem)}")
        self.status, self.problem = status, problem


def call(method, url, body=None, headers=None):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json", **(headers or {})}, method=method)
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            text = answer.read()
    except urllib.error.HTTPError as error:
        text = error.read()
        try:
            problem = json.loads(text)
        except ValueError:
            problem = {"detail": text.decode(errors="replace")}
        raise Refused(error.code, problem) from None
    return json.loads(text) if text else None


class Taxis:
    """A world. Give its url to your platform, as the third party's address."""

    def __init__(self, url):
        self.url = url

    def control(self, method, path, body=None):
        """Make a call of control, see /_control/v1/openapi.json."""
        return call(method, f"{self.url}/_control/v1{path}", body)

    def advance(self, **how):
        """Move the clock: by="15m", to="2026-06-01T09:00:00Z" or until={"journey": "latest", "status": "ARRIVED"}."""
        return self.control("POST", "/clock/advance", how)

    def fault(self, kind, op, times=1, **parameters):
        """Have something go wrong, as 'cabrank fault catalogue' lists it."""
        rule = {"match": {"op": op}, "window": {"times": times}, "do": {"kind": kind, **parameters}}
        return self.control("POST", "/faults", rule)["id"]

    def wait(self, count=1, timeout="10s", **match):
        """Wait until the platform has asked, and return the requests."""
        return self.control("POST", "/requests/wait", {"match": match, "count": count, "timeout": timeout})["requests"]

    def verify(self, *expect, in_order=True):
        """Say which requests there were: {"op": "book", "times": 1}."""
        return self.control("POST", "/verify", {"expect": list(expect), "inOrder": in_order})

    def journeys(self, phone):
        return self.control("GET", f"/journeys?phone={phone}")["journeys"]


@pytest.fixture(scope="session")
def cabrank(tmp_path_factory):
    """The address of a server."""
    if os.environ.get("CABRANK_URL"):
        yield os.environ["CABRANK_URL"]
        return
    url = tmp_path_factory.mktemp("cabrank") / "url"
    server = subprocess.Popen(["cabrank", "serve", "--listen", "127.0.0.1:0", "--url-file", url, "--log", "off"], stdout=subprocess.DEVNULL)
    while not url.exists() or not url.read_text():
        assert server.poll() is None, "cabrank serve has ended"
        time.sleep(0.02)
    yield url.read_text().strip()
    server.terminate()
    server.wait()


def problem(world, request):
    """Why a request was refused: the code of the problem document, and what it says."""
    if request.get("status", 200) < 400:
        return ""
    body = (world.control("GET", f"/requests/{request['id']}").get("answer") or {}).get("body") or {}
    return f"{body.get('code', '')} {body.get('detail', '')}".strip()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    """Add what was asked to the report of a test that failed."""
    report = (yield).get_result()
    world = getattr(item, "funcargs", {}).get("taxis")
    if report.failed and world:
        asked = world.control("GET", "/requests?brief&limit=20")["requests"]
        lines = [f"{r['id']:4}  /{r['op']} {r.get('status', 'no answer')}  {problem(world, r)}  {r['verdict']}" for r in asked]
        report.sections.append(("what was asked", "\n".join(lines)))


@pytest.fixture
def taxis(cabrank):
    """A world of the test's own, at eight on a Monday morning.

    A platform asks the clock of its own machine when it books for now. "callers": "wall" has the
    world take times by that clock: in half an hour is half an hour of the world. With "world" it
    takes them as they are written, for a platform that is given the world's clock.
    """
    clock = {"mode": "manual", "now": "2026-06-01T08:00:00Z", "callers": "wall"}
    made = call("POST", f"{cabrank}/_control/v1/sandboxes", {"clock": clock})
    yield Taxis(made["thirdPartyUrl"])
    call("DELETE", f"{cabrank}/_control/v1/sandboxes/{made['name']}")
