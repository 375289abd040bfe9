#!/usr/bin/env python3
"""A voice platform for taxi calls. It acts out a customer's call on request, and calls the dispatch system of a
third party (/config, /user, /book, /cancel, /status).

  python3 voice.py PORT THIRD_PARTY_URL        prints its drive address; PORT 0 takes a free port

Environment:
  TP_TOKEN       bearer token of the third party; or TP_BASIC user:password, TP_HEADER "Name: value",
                 TP_QUERY name=value
  TP_CA          PEM file of the authority to trust for https
  HOST           address to listen at (default 127.0.0.1)
  COUNTRY        country code for numbers in the national format (default 44)
  ZONE           time zone of callers, for times without an offset (default Europe/London)
  MBN            the platform's own number, the caller id of every call that it places (default +442079460000)
  MESSAGING_APP  the feature that stands for the messaging app (default messaging)
  POLL           seconds between two readings of a journey that is followed (default 2)
  BUG            1 to 15: one mistake, listed in platform_test.go
"""
import base64
import http.client
import http.server
import json
import math
import os
import re
import ssl
import sys
import threading
import time
import unicodedata
import urllib.parse
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

BUG = int(os.environ.get("BUG") or 0)
COUNTRY = os.environ.get("COUNTRY", "44")
ZONE = ZoneInfo(os.environ.get("ZONE", "Europe/London"))
MBN = os.environ.get("MBN", "+442079460000")
APP = os.environ.get("MESSAGING_APP", "messaging")
POLL = max(0.5, float(os.environ.get("POLL", "2")))
CALL_BUDGET = 52.0       # seconds; a drive request must be answered within 60
MAX_ANSWER = 1 << 20

OPTIONS = ["jobID", "vehicle", "vehicleReg", "eta", "driverName", "comingNow", "callDriver", "cancel"]
DEFAULTS = {"features": ["voice", APP], "options": list(OPTIONS), "skipDropOff": False}

OVER = ("COMPLETE", "CANCELLED")
EDITABLE = ("HELD", "WAITING", "ACCEPTED")
CANCELLABLE = ("HELD", "WAITING", "ACCEPTED", "EN_ROUTE", "ARRIVED")
SENTENCES = {
    "HELD": "Your booking is with the taxi office. No driver has been found yet.",
    "WAITING": "We are looking for a driver for you.",
    "ACCEPTED": "A driver has accepted your booking.",
    "EN_ROUTE": "Your taxi is on its way.",
    "ARRIVED": "Your taxi has arrived.",
    "POB": "The passenger is on board.",
    "COMPLETE": "The journey is complete.",
    "CANCELLED": "The booking has been cancelled.",
}


def log(*a):
    print(datetime.now().strftime("%H:%M:%S"), *a, file=sys.stderr, flush=True)


# ---------------------------------------------------------------- the third party

class Failure(Exception):
    """There was no usable answer. maybe: the request may have taken effect."""

    def __init__(self, why, maybe):
        super().__init__(why)
        self.maybe = maybe


class Refused(Exception):
    """The third party refused the request."""

    def __init__(self, code):
        super().__init__("refused with %d" % code)
        self.code = code


class ThirdParty:
    def __init__(self, url):
        u = urllib.parse.urlsplit(url)
        if u.scheme not in ("http", "https") or not u.hostname:
            raise SystemExit("not an address: " + url)
        self.tls, self.host, self.port = u.scheme == "https", u.hostname, u.port
        self.base, self.query = u.path.rstrip("/"), u.query
        self.headers = {"Content-Type": "application/json", "Accept": "application/json", "Connection": "close",
                        "User-Agent": "voice/1"}
        if os.environ.get("TP_TOKEN"):
            self.headers["Authorization"] = "Bearer " + os.environ["TP_TOKEN"]
        if os.environ.get("TP_BASIC"):
            self.headers["Authorization"] = "Basic " + base64.b64encode(os.environ["TP_BASIC"].encode()).decode()
        if os.environ.get("TP_HEADER"):
            name, _, value = os.environ["TP_HEADER"].partition(":")
            self.headers[name.strip()] = value.strip()
        if os.environ.get("TP_QUERY"):
            self.query = "&".join(q for q in (self.query, os.environ["TP_QUERY"]) if q)
        self.context = ssl.create_default_context(cafile=os.environ.get("TP_CA") or None) if self.tls else None

    def once(self, op, body, timeout):
        end = time.monotonic() + timeout
        kind = http.client.HTTPSConnection if self.tls else http.client.HTTPConnection
        more = {"context": self.context} if self.tls else {}
        c = kind(self.host, self.port, timeout=min(timeout, 5), **more)
        try:
            try:
                c.connect()
            except OSError as e:
                raise Failure("no connection: %s" % e, False)
            try:
                c.sock.settimeout(max(0.1, end - time.monotonic()))
                path = self.base + "/" + op + ("?" + self.query if self.query else "")
                c.request("POST", path, json.dumps(body, ensure_ascii=False).encode("utf-8"), self.headers)
                r = c.getresponse()
                data = b""
                while True:
                    left = end - time.monotonic()
                    if left <= 0:
                        raise TimeoutError("too slow")
                    if c.sock:
                        c.sock.settimeout(left)
                    part = r.read1(65536)
                    if not part:
                        break
                    data += part
                    if len(data) > MAX_ANSWER:
                        raise Failure("answer too large", True)
                if r.length:
                    raise Failure("answer cut off", True)
            except (OSError, http.client.HTTPException) as e:
                raise Failure("no answer: %r" % e, True)
            if r.status == 429 or r.status >= 500:
                f = Failure("answered %d" % r.status, r.status != 429)
                f.after = r.getheader("Retry-After")
                raise f
            if 400 <= r.status < 500:
                raise Refused(r.status)
            if not 200 <= r.status < 300:
                raise Failure("answered %d" % r.status, True)
        finally:
            c.close()
        try:
            out = json.loads(data.decode("utf-8-sig"), parse_constant=lambda _: None)
        except ValueError:
            raise Failure("answer is not JSON", True)
        except RecursionError:
            raise Failure("answer is too deep", True)
        if not isinstance(out, dict):
            raise Failure("answer is no object", True)
        return out

    def ask(self, op, body, end, timeout=10.0, repeatable=True, tries=2):
        """Sends a request, and sends it again after a failure if it can be repeated safely."""
        for n in range(1, tries + 1):
            left = end - time.monotonic()
            if left < 0.2:
                raise Failure("no time left", False)
            try:
                return self.once(op, body, min(timeout, left))
            except Failure as f:
                log(op, "try", n, f)
                if n == tries or (f.maybe and not repeatable):
                    raise
                pause = 0.3
                after = getattr(f, "after", None) or ""
                if after.isdigit():
                    pause = min(int(after), 5)
                time.sleep(min(pause, max(0, end - time.monotonic())))


# ---------------------------------------------------------------- small things

def text(v):
    """The value as one line of plain text, or None."""
    if isinstance(v, bool) or not isinstance(v, (str, int)):
        return None
    v = "".join(" " if unicodedata.category(c) in ("Cc", "Zl", "Zp") else c for c in str(v))
    return " ".join(v.split()) or None


def ident(v):
    """An id exactly as received, or None."""
    if isinstance(v, bool) or not isinstance(v, (str, int)):
        return None
    return str(v) if str(v).strip() else None


def number(v):
    if isinstance(v, (int, float)) and not isinstance(v, bool) and abs(v) < 1e15:
        return v
    return None


def e164(n):
    """Digits with the country code, or None if this is not a number."""
    n = re.sub(r"[\s\-.]", "", (n or "").replace("(0)", ""))
    n = re.sub(r"[()]", "", n)
    if n.startswith("+"):
        n = n[1:]
    elif n.startswith("00"):
        n = n[2:]
    elif n.startswith("0"):
        n = COUNTRY + n[1:]
    return n if re.fullmatch(r"[1-9]\d{6,14}", n, re.ASCII) else None


def parse_time(s):
    try:
        t = datetime.fromisoformat(s.strip())
    except (ValueError, AttributeError):
        return None
    return t if t.tzinfo else t.replace(tzinfo=ZONE)


def to_send(t):
    if BUG == 2:
        return t.strftime("%Y-%m-%dT%H:%M:%SZ")
    return t.isoformat(timespec="seconds").replace("+00:00", "Z")


def outgoing(s):
    if BUG == 13:
        return unicodedata.normalize("NFKD", s).encode("ascii", "ignore").decode()
    return s


def address(a):
    """An address with its location, ready to send, or None if a part is missing."""
    if not isinstance(a, dict) or not text(a.get("address")) or not isinstance(a.get("location"), dict):
        return None
    lon, lat = number(a["location"].get("longitude")), number(a["location"].get("latitude"))
    if lon is None or lat is None:
        return None
    return {"address": outgoing(a["address"]), "location": {"longitude": lon, "latitude": lat}}


def addresses(v):
    if not isinstance(v, list) or not v:
        return None
    out = [address(a) for a in v]
    return None if None in out else out


def status_of(j):
    return (text(j.get("status")) or "").upper()


UNITS = {"s": 1 / 60, "sec": 1 / 60, "secs": 1 / 60, "second": 1 / 60, "seconds": 1 / 60,
         "m": 1, "min": 1, "mins": 1, "minute": 1, "minutes": 1,
         "h": 60, "hr": 60, "hrs": 60, "hour": 60, "hours": 60}


def minutes(eta):
    """An ETA in whole minutes, rounded up, or None if it cannot be read."""
    if not isinstance(eta, dict):
        return None
    value, unit = number(eta.get("value")), (text(eta.get("unit")) or "").lower()
    if BUG == 9:
        unit = "minutes"
    if value is None or value < 0 or unit not in UNITS:
        return None
    return math.ceil(round(value * UNITS[unit], 6))


def spoken_minutes(m):
    if m >= 120:
        h, r = divmod(m, 60)
        return "%d hours" % h + (" and %s" % spoken_minutes(r) if r else "")
    return "1 minute" if m == 1 else "%d minutes" % m


CURRENCIES = {"GBP": "pounds", "EUR": "euros", "USD": "dollars", "CHF": "francs"}
TYPES = {"ESTIMATED": "is estimated at", "ESTIMATE": "is estimated at", "FIXED": "is fixed at",
         "MINIMUM": "is at least", "MAXIMUM": "is at most"}


def spoken_price(p):
    if not isinstance(p, dict):
        return None
    value, currency = number(p.get("value")), (text(p.get("currency")) or "").upper()
    if value is None or value < 0 or not currency:
        return None
    amount = "%d" % value if value == int(value) else "%.2f" % value
    unit = "pounds" if BUG == 10 else CURRENCIES.get(currency, currency)
    return "The fare %s %s %s." % (TYPES.get((text(p.get("type")) or "").upper(), "is"), amount, unit)


def without_numbers(s, phones):
    """Removes telephone numbers, wherever the third party wrote them."""
    for p in phones:
        digits = re.sub(r"\D", "", str(p or ""))
        if len(digits) >= 7:
            tail = r"[\s\-.()/]*".join(digits[-7:])
            s = re.sub(r"\+?[\d\s\-.()/]*" + tail, " ", s)
    return " ".join(s.split()).replace(" ,", ",").replace(" .", ".")


def merge_settings(*layers, base=DEFAULTS):
    merged = base if BUG == 11 else dict(base)
    for layer in layers:
        if isinstance(layer, dict):
            merged.update({k: v for k, v in layer.items() if v is not None})
    return merged


# ---------------------------------------------------------------- a call

class End(Exception):
    """The request is over."""


CURRENT = {}   # only BUG 14 uses it
RECENT = {}    # only BUG 8 uses it


class Call:
    def __init__(self, party, drive):
        self.party, self.drive = party, drive
        self.end = time.monotonic() + CALL_BUDGET
        self.want = drive.get("want")
        self.messaging = drive.get("channel") == "messaging"
        self.said, self.shown, self.asked, self.legs, self.offered = [], [], [], [], []
        self.outcome = "completed"
        self.about, self.trouble = None, False
        self.settings, self._user, self._phone, self.listed = {}, {}, None, []
        self.secrets = set()

    # -- who calls

    @property
    def user(self):
        return CURRENT.get("user", {}) if BUG == 14 else self._user

    @user.setter
    def user(self, u):
        self._user = u
        if BUG == 14:
            CURRENT["user"] = u

    @property
    def phone(self):
        return CURRENT.get("phone") if BUG == 14 else self._phone

    @phone.setter
    def phone(self, n):
        self._phone = n
        if BUG == 14:
            CURRENT["phone"] = n

    @property
    def user_id(self):
        return ident(self.user.get("userId"))

    # -- what the caller notices

    def say(self, s):
        s = without_numbers(s, self.secrets)
        if s:
            self.said.append(s)
            if self.messaging:
                self.shown.append({"kind": "text", "text": s})

    def ask(self, what, question):
        self.asked.append(what)
        self.say(question)

    def leg(self, to):
        caller_id = MBN
        if BUG == 12 and self.phone:
            caller_id = "+" + self.phone
        self.legs.append({"to": to, "callerId": caller_id})

    def person(self, why):
        if why:
            self.say(why)
        self.say("I am putting you through to a colleague.")
        self.leg("person")
        self.outcome = "person"
        raise End

    def option(self, name):
        o = self.settings.get("options")
        return name in o if isinstance(o, list) else True

    # -- the course of a call

    def run(self):
        try:
            self.begin()
            self.identify()
            journey = self.menu()
            {"offer": lambda j: None, "book": self.book, "edit": self.edit, "cancel": self.cancel,
             "status": self.status, "comingNow": self.coming_now, "callDriver": self.call_driver}[self.want](journey)
        except End:
            pass
        return {"outcome": self.outcome, "offered": self.offered, "asked": self.asked, "said": self.said,
                "shown": self.shown, "legs": self.legs}

    def begin(self):
        static = self.drive.get("settings")
        request = dict(DEFAULTS) if not isinstance(static, dict) else static
        try:
            config = self.party.ask("config", {"data": request}, self.end)
        except (Failure, Refused) as e:
            log("config:", e)
            self.person("I am sorry, our booking system is not available.")
        self.static = static
        self.config = config
        self.settings = merge_settings(static, config.get("data"))
        if (text(config.get("status")) or "").upper() in ("DOWN", "OFFLINE", "CLOSED", "UNAVAILABLE", "DISABLED", "MAINTENANCE"):
            self.person("I am sorry, our booking system is not available.")
        self.channel_on()

    def channel_on(self):
        features = self.settings.get("features")
        if not isinstance(features, list):
            return
        if self.messaging:
            on = any(f != "voice" for f in features)
        else:
            on = "voice" in features
        if not on:
            self.person(None)

    def identify(self):
        self.phone = None if self.drive.get("withheld") else e164(self.drive.get("from"))
        if not self.phone:
            self.person("I cannot see the number that you are calling from.")
        self.secrets.add(self.phone)
        try:
            user = self.party.ask("user", {"phoneNumber": self.phone}, self.end)
        except Refused as e:
            if e.code not in (404, 410):
                self.person("I am sorry, our booking system is not available.")
            user = {}
        except Failure:
            self.person("I am sorry, our booking system is not available.")
        self.user = user
        status = (text(user.get("status")) or "ENABLED").upper()
        if status == "BLACKLISTED":
            self.say("I am sorry, we cannot help you with this call. Goodbye.")
            self.outcome = "rejected"
            raise End
        if status == "DISABLED":
            self.person(None)
        if isinstance(user.get("data"), dict):
            self.settings = merge_settings(self.static, self.config.get("data"), user["data"])
            self.channel_on()
        bookings = user.get("activeBookings")
        self.listed = [j for j in bookings if isinstance(j, dict) and ident(j.get("journeyId")) and status_of(j) not in OVER] \
            if isinstance(bookings, list) else []
        far = datetime.max.replace(tzinfo=timezone.utc) - timedelta(days=2)
        self.listed.sort(key=lambda j: parse_time(j.get("date")) or far)

    def look(self, journey_id, tries=2):
        """Reads a journey, or returns None if there is no such journey."""
        if BUG == 8:
            known = RECENT.get(journey_id)
            if known and time.monotonic() - known[0] < 30:
                return known[1]
        try:
            j = self.party.ask("status", {"userId": self.user_id, "journeyId": journey_id}, self.end, tries=tries)
        except Refused as e:
            if e.code in (404, 410):
                return None
            raise Failure(str(e), False)
        if ident(j.get("journeyId")) != journey_id or not status_of(j):
            raise Failure("another journey was told", False)
        for who in ("driver", "passenger"):
            if isinstance(j.get(who), dict) and j[who].get("phoneNumber"):
                self.secrets.add(str(j[who]["phoneNumber"]))
        if BUG == 8:
            RECENT[journey_id] = (time.monotonic(), j)
        return j

    def driver_phone(self, j):
        d = j.get("driver")
        return text(d.get("phoneNumber")) if isinstance(d, dict) else None

    def may(self, what, j):
        s = status_of(j)
        if what == "edit":
            return s in EDITABLE
        if what == "cancel":
            return s in CANCELLABLE and self.option("cancel")
        if what == "status":
            return s not in OVER
        if what == "comingNow":
            return s == "ARRIVED" and bool(self.driver_phone(j)) and self.option("comingNow")
        if what == "callDriver":
            return s in ("ACCEPTED", "EN_ROUTE", "ARRIVED") and bool(self.driver_phone(j)) and self.option("callDriver")
        return False

    def menu(self):
        """Greets the caller, reads the booking and offers the first menu."""
        name = text(self.user.get("name"))
        self.say("Hello %s." % name if name else "Hello.")
        journey_id = ident(self.drive.get("journeyId"))
        if self.listed and (BUG == 15 or not journey_id):
            journey_id = ident(self.listed[0]["journeyId"])
        self.about = journey_id
        journey = None
        if journey_id and self.user_id:
            try:
                journey = self.look(journey_id)
            except Failure:
                self.trouble = True
                self.say("I cannot look at your booking at the moment.")
        self.offered = ["book"]
        if journey is not None and status_of(journey) not in OVER:
            self.offered += [w for w in ("status", "edit", "cancel", "comingNow", "callDriver") if self.may(w, journey)]
            if len(self.listed) > 1:
                self.say("You have %d bookings." % len(self.listed))
            self.tell(journey)
        words = {"book": "book a taxi", "status": "follow your taxi", "edit": "change your booking",
                 "cancel": "cancel your booking", "comingNow": "tell your driver that you are coming",
                 "callDriver": "speak to your driver"}
        self.say("You can " + ", or ".join(words[w] for w in self.offered) + ".")
        return journey

    def tell(self, j):
        """Says how a journey stands, as far as the settings allow."""
        s = status_of(j)
        self.say(SENTENCES.get(s, "I cannot say how your booking is doing."))
        if s in ("HELD", "WAITING", "ACCEPTED", "EN_ROUTE") and self.option("eta"):
            self.tell_eta(j)
        if s in OVER:
            return
        self.tell_details(j)
        self.show_location(j)

    def tell_eta(self, j):
        eta = j.get("eta")
        if BUG == 1 and not isinstance(eta, dict):
            eta = {"value": 0, "unit": "minutes"}
        m = minutes(eta)
        if m is not None:
            self.say("It is about %s away." % spoken_minutes(m) if m or BUG == 1 else "It is less than a minute away.")

    def tell_details(self, j):
        """Says what is known of car and driver, each fact once a call unless it changes."""
        before = set(self.said)
        for s in self.details(j):
            if s not in before:
                self.say(s)

    def details(self, j):
        vehicle = j.get("vehicle") if isinstance(j.get("vehicle"), dict) else {}
        driver = j.get("driver") if isinstance(j.get("driver"), dict) else {}
        if text(vehicle.get("description")) and self.option("vehicle"):
            yield "The car is a %s." % text(vehicle["description"])
        if text(vehicle.get("registration")) and self.option("vehicleReg"):
            yield "Its registration is %s." % text(vehicle["registration"])
        if text(driver.get("name")) and self.option("driverName"):
            badge = text(driver.get("badgeNumber"))
            yield "Your driver is %s%s." % (text(driver["name"]), ", badge number %s" % badge if badge else "")

    def show_location(self, j):
        p = j.get("location")
        if not self.messaging or not isinstance(p, dict):
            return
        lon, lat = number(p.get("longitude")), number(p.get("latitude"))
        if lon is None or lat is None or abs(lon) > 180 or abs(lat) > 90:
            return
        self.shown.append({"kind": "location", "longitude": lon, "latitude": lat})

    def tell_booking(self, answer):
        if self.option("jobID"):
            self.say("Your booking reference is %s." % ident(answer.get("journeyId")))
        if self.option("eta") and status_of(answer) not in ("ARRIVED", "POB"):
            self.tell_eta(answer)
        price = spoken_price(answer.get("price"))
        if price:
            self.say(price)

    # -- what callers want

    def when(self, told):
        """Returns the pickup time to send. A caller who asks for a time in the past is put through to a person."""
        if told is None:
            return to_send(datetime.now(timezone.utc) + timedelta(seconds=1))
        t = parse_time(told)
        if t is None:
            self.person("I did not understand the time.")
        if t < datetime.now(timezone.utc) - timedelta(minutes=1):
            self.person("That time has passed.")
        return to_send(t)

    def book(self, _):
        self.ask("pickup", "Where shall we pick you up?")
        pickup = address(self.drive.get("pickup"))
        if not pickup:
            self.person("I did not understand the address.")
        if self.settings.get("skipDropOff") is True:
            dropoffs = [pickup]
        else:
            self.ask("dropoff", "Where would you like to go?")
            dropoffs = addresses(self.drive.get("dropoffs"))
            if not dropoffs:
                self.person("I did not understand the address.")
        self.ask("time", "When would you like to go?")
        when = self.when(self.drive.get("pickupTime"))
        name = text(self.user.get("name"))
        if not name or self.drive.get("name"):
            self.ask("name", "What is the passenger's name?")
            name = text(self.drive.get("name")) or name
        if not name:
            self.person("I did not understand the name.")
        body = {"name": outgoing(name), "phoneNumber": self.phone, "pickup": pickup, "dropoffs": dropoffs, "pickupTime": when}
        if self.user_id:
            body["userId"] = self.user_id
        if text(self.drive.get("vehicleCategory")):
            body["vehicleCategory"] = self.drive["vehicleCategory"]
        before = {ident(j["journeyId"]) for j in self.listed}
        try:
            answer = self.party.ask("book", body, self.end, timeout=20, repeatable=BUG == 3, tries=3 if BUG == 3 else 2)
        except Refused:
            self.person("I am sorry, your taxi is not booked.")
        except Failure as f:
            answer = self.booked_after_all(body, before) if f.maybe else None
        if not answer or not ident(answer.get("journeyId")) or status_of(answer) in ("", "CANCELLED"):
            self.person("I am sorry, I could not make sure that your taxi is booked.")
        self.say("Your taxi is booked from %s." % text(pickup["address"]))
        self.tell_booking(answer)

    def booked_after_all(self, body, before):
        """Looks for a booking that was not answered among the caller's bookings. It is never sent twice."""
        time.sleep(min(1.0, max(0, self.end - time.monotonic())))
        try:
            user = self.party.ask("user", {"phoneNumber": self.phone}, self.end)
        except (Failure, Refused):
            return None
        found = user.get("activeBookings")
        for j in found if isinstance(found, list) else []:
            if not isinstance(j, dict) or not ident(j.get("journeyId")) or ident(j["journeyId"]) in before:
                continue
            there, then = address(j.get("pickup")), parse_time(j.get("date"))
            if there and there["address"] == body["pickup"]["address"] and then \
                    and abs((then - parse_time(body["pickupTime"])).total_seconds()) < 60 and status_of(j) not in OVER:
                return j
        return None

    def need(self, what, journey):
        """Returns the journey that the caller means, if what they want is possible for it."""
        if not self.about:
            self.person("I cannot find a booking of yours.")
        if journey is None:
            self.person(None if self.trouble else "I am sorry, I cannot find your booking.")
        if not self.may(what, journey):
            if what in ("comingNow", "callDriver"):
                self.say("I am sorry, that is not possible at the moment.")
                raise End
            self.person({"edit": "I am sorry, your booking cannot be changed here.",
                         "cancel": "I am sorry, your booking cannot be cancelled here."}[what])
        if len(self.listed) > 1 and not ident(self.drive.get("journeyId")):
            self.ask("which", "Which of your bookings do you mean?")
            self.person(None)
        return journey

    def edit(self, journey):
        j = self.need("edit", journey)
        listed = next((x for x in self.listed if ident(x["journeyId"]) == ident(j["journeyId"])), {})
        passenger = j.get("passenger") if isinstance(j.get("passenger"), dict) else listed.get("passenger")
        passenger = passenger if isinstance(passenger, dict) else {}
        if BUG == 5:
            passenger = {}
        told = self.drive
        self.ask("pickup", "Where shall we pick you up instead?")
        pickup = address(told.get("pickup")) if told.get("pickup") else address(j.get("pickup") or listed.get("pickup"))
        if BUG == 6 and address(j.get("pickup")):
            pickup = dict(address(j["pickup"]), address=pickup["address"]) if pickup else None
        dropoffs = addresses(told.get("dropoffs")) or addresses(j.get("dropoffs")) or addresses(listed.get("dropoffs"))
        if BUG == 4 and dropoffs:
            dropoffs = dropoffs[:1]
        if told.get("pickupTime"):
            when = self.when(told["pickupTime"])
        else:
            date = parse_time(j.get("date") or listed.get("date"))
            when = to_send(date) if date else None
        name = text(told.get("name")) or text(passenger.get("name")) or text(self.user.get("name"))
        phone = e164(str(passenger.get("phoneNumber") or "")) or self.phone
        if not (pickup and dropoffs and when and name):
            self.person("I am sorry, I cannot change your booking.")
        body = {"journeyId": ident(j["journeyId"]), "userId": self.user_id, "name": outgoing(name), "phoneNumber": phone,
                "pickup": pickup, "dropoffs": dropoffs, "pickupTime": when}
        category = text(told.get("vehicleCategory")) or text(j.get("vehicleCategory")) or text(listed.get("vehicleCategory"))
        if category:
            body["vehicleCategory"] = category
        try:
            answer = self.party.ask("book", body, self.end, timeout=15)
        except Refused:
            self.person("I am sorry, your booking was not changed. It stays as it was.")
        except Failure:
            self.person("I am sorry, I could not make sure that your booking is changed.")
        if not ident(answer.get("journeyId")) or status_of(answer) in ("", "CANCELLED"):
            self.person("I am sorry, I could not make sure that your booking is changed.")
        self.say("Your booking is changed. We pick you up from %s." % text(pickup["address"]))
        self.tell_booking(answer)

    def cancel(self, journey):
        j = self.need("cancel", journey)
        body = {"userId": self.user_id, "journeyId": ident(j["journeyId"])}
        try:
            answer = self.party.ask("cancel", body, self.end)
        except Refused:
            answer = {"journeyId": body["journeyId"]}
            if BUG != 7:
                self.person("I am sorry, your booking could not be cancelled.")
        except Failure:
            try:
                answer = self.look(body["journeyId"]) or {}
            except Failure:
                answer = {}
        if (status_of(answer) != "CANCELLED" or ident(answer.get("journeyId")) != body["journeyId"]) and BUG != 7:
            self.person("I am sorry, I could not make sure that your booking is cancelled.")
        self.say("Your booking is cancelled.")

    def status(self, journey):
        if not self.about:
            self.say("I cannot find a booking of yours.")
            return
        if journey is None:
            self.person(None if self.trouble else "I am sorry, I cannot find your booking.")
        last = (status_of(journey), minutes(journey.get("eta")), journey.get("location"))
        if status_of(journey) in OVER:
            self.tell(journey)
            return
        follow = number(self.drive.get("followSeconds")) or 0
        stop = min(time.monotonic() + follow, self.end - 3)
        lost = False
        while last[0] not in OVER:
            left = stop - time.monotonic()
            if left <= 0:
                break
            time.sleep(min(POLL, left))
            try:
                j = self.look(self.about, tries=1)
            except Failure:
                lost = True
                continue
            lost = False
            if j is None:
                self.person("I am sorry, I can no longer find your booking.")
            now = (status_of(j), minutes(j.get("eta")), j.get("location"))
            if now[0] != last[0]:
                self.tell(j)
            else:
                if now[1] != last[1] and now[0] in ("HELD", "WAITING", "ACCEPTED", "EN_ROUTE") and self.option("eta"):
                    self.tell_eta(j)
                if now[2] != last[2]:
                    self.show_location(j)
            last = now
        if lost:
            self.say("I cannot look at your booking at the moment.")

    def coming_now(self, journey):
        self.need("comingNow", journey)
        times = number(self.drive.get("times"))
        for n in range(int(times) if times is not None else 1):
            if n == 0:
                self.leg("driver")
                self.say("Your driver has been told that you are coming.")
            else:
                self.say("Your driver knows that you are coming.")

    def call_driver(self, journey):
        self.need("callDriver", journey)
        self.say("I am putting you through to your driver.")
        self.leg("driver")


# ---------------------------------------------------------------- the drive address

WANTS = ("book", "edit", "cancel", "status", "comingNow", "callDriver", "offer")


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    party = None
    timeout = 70

    def do_POST(self):
        try:
            length = int(self.headers.get("Content-Length") or 0)
        except ValueError:
            length = -1
        if not 0 <= length <= MAX_ANSWER:
            self.close_connection = True
            return self.reply(413, {"error": "too large"})
        data = self.rfile.read(length)
        if self.path.split("?")[0] != "/drive":
            return self.reply(404, {"error": "not found"})
        try:
            drive = json.loads(data)
        except ValueError:
            drive = None
        if not isinstance(drive, dict):
            return self.reply(400, {"error": "not a request"})
        if drive.get("want") not in WANTS or drive.get("channel", "voice") not in ("voice", "messaging"):
            return self.reply(501, {"error": "not supported"})
        try:
            out = Call(self.party, drive).run()
        except Exception as e:  # the platform goes on after a call that failed
            log("call failed:", repr(e))
            return self.reply(500, {"error": "the call failed"})
        log(drive.get("scene"), drive["want"], "->", out["outcome"])
        self.reply(200, out)

    def reply(self, code, body):
        data = json.dumps(body, ensure_ascii=False).encode()
        self.send_response(code)
        self.send_header("Content-Type", "application/json; charset=utf-8")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *a):
        pass


class Listener(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64


def main():
    if len(sys.argv) != 3:
        raise SystemExit("usage: python3 voice.py PORT THIRD_PARTY_URL")
    Handler.party = ThirdParty(sys.argv[2])
    server = Listener((os.environ.get("HOST", "127.0.0.1"), int(sys.argv[1])), Handler)
    print("http://%s:%d/drive" % server.server_address[:2], flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
