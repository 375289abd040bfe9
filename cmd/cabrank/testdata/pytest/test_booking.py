"""What a platform's tests look like. Put your platform in place of book."""

import http.client
from datetime import datetime, timezone

import pytest

from conftest import Refused, call

CALLER = "442079460020"


def booking(taxis):
    """What your platform would send for a taxi now. It asks the clock of its machine."""
    station, hospital = [
        {"address": p["address"], "location": p["location"]}
        for kind in ("station", "hospital")
        for p in call("GET", f"{taxis.url}/places")["places"]
        if p["kind"] == kind
    ][:2]
    return {
        "name": "Hester Vane",
        "phoneNumber": CALLER,
        "pickup": station,
        "dropoffs": [hospital],
        "pickupTime": datetime.now(timezone.utc).isoformat(timespec="seconds"),
    }


def book(taxis, booking, key=None):
    return call("POST", f"{taxis.url}/book", booking, {"Idempotency-Key": key} if key else None)


def test_the_taxi_comes(taxis):
    journey = book(taxis, booking(taxis))
    taxis.advance(until={"journey": journey["journeyId"], "status": "ARRIVED"})
    assert taxis.journeys(CALLER)[0]["status"] == "ARRIVED"
    taxis.verify({"op": "book", "times": 1})


def test_a_lost_answer_books_one_taxi(taxis):
    taxis.fault("commit-then-drop", "book")
    wanted = booking(taxis)
    with pytest.raises((OSError, http.client.HTTPException)):
        book(taxis, wanted, "once")
    book(taxis, wanted, "once")
    assert len(taxis.journeys(CALLER)) == 1
    assert len(taxis.wait(op="book", count=2)) == 2


def test_a_busy_office_says_when_to_come_back(taxis):
    taxis.fault("status", "book", status=503, retryAfter="30s")
    with pytest.raises(Refused) as refused:
        book(taxis, booking(taxis))
    assert refused.value.status == 503
