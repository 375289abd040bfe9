"""What a platform's tests look like. Put your platform in place of book."""

import http.client

import pytest

from conftest import Refused, call

CALLER = "442079460020"


def book(taxis, key=None):
    """Book a taxi for now, as your platform would."""
    station, hospital = [
        {"address": p["address"], "location": p["location"]}
        for kind in ("station", "hospital")
        for p in call("GET", f"{taxis.url}/places")["places"]
        if p["kind"] == kind
    ][:2]
    booking = {
        "name": "Hester Vane",
        "phoneNumber": CALLER,
        "pickup": station,
        "dropoffs": [hospital],
        "pickupTime": taxis.control("GET", "/clock")["now"],
    }
    return call("POST", f"{taxis.url}/book", booking, {"Idempotency-Key": key} if key else None)


def test_the_taxi_comes(taxis):
    journey = book(taxis)
    taxis.advance(until={"journey": journey["journeyId"], "status": "ARRIVED"})
    assert taxis.journeys(CALLER)[0]["status"] == "ARRIVED"
    taxis.verify({"op": "book", "times": 1})


def test_a_lost_answer_books_one_taxi(taxis):
    taxis.fault("commit-then-drop", "book")
    with pytest.raises((OSError, http.client.HTTPException)):
        book(taxis, "once")
    book(taxis, "once")
    assert len(taxis.journeys(CALLER)) == 1
    assert len(taxis.wait(op="book", count=2)) == 2


def test_a_busy_office_says_when_to_come_back(taxis):
    taxis.fault("status", "book", status=503, retryAfter="30s")
    with pytest.raises(Refused) as refused:
        book(taxis)
    assert refused.value.status == 503
