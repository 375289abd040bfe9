"""An odd but right third party of the bookable-taxi interface. Standard library only."""
import json, sys, time, threading, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

LONG = ("J/ü/%2F?#" * 20)[:120]
MOVES = ["HELD", "WAITING", "ACCEPTED", "EN_ROUTE", "ARRIVED", "POB", "COMPLETE"]
DRIVER = {"name": "Ağnes \"Aggie\" O'Neil & Söhne", "phoneNumber": "447700900123", "badgeNumber": "B/7"}
def at(name, lon=-0.1, lat=51.5): return {"address": name, "location": {"longitude": lon, "latitude": lat}}
def when(minutes): return (datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(minutes=minutes)).strftime("%Y-%m-%dT%H:%M:%S.123456+00:00")
lock = threading.Lock()
J = {}       # (userId, journeyId) -> journey
U = {}       # phone -> user
n = {"book": 0, "all": 0}
LOG = open(sys.argv[1], "a", buffering=1)

def user(phone, uid, name, **more): U[phone] = dict(userId=uid, phoneNumber=phone, name=name, **more)
def journey(uid, jid, status, **more):
    j = dict(journeyId=jid, status=status, date=when(15), pickup=at("1 Old Street, EC1V 9HX"), dropoffs=[at("King's Cross, N1 9AL")]); j.update(more); J[(uid, jid)] = j
P = "4420794600"
user(P+"01", "007", "Ann Other", x_unknown={"deep": [1, None]}); journey("007", "007", "WAITING", eta={"value": 7.5, "unit": "minutes"}, fooBar=None)
user(P+"02", "u2", "<speak>Bob <break time='9s'/></speak>")
user(P+"03", "u/3 ü", "Zoë 🚕🎉 Smith", status=None, data=None, activeBookings=None)
user(P+"04", "4", "שרה כהן"); journey("4", LONG, "HELD", driver=DRIVER, vehicle={"description": "Black <b>cab</b> & more", "registration": "AB12 CDE"}, eta={"value": 120, "unit": "seconds"}, price={"value": 12.3456, "currency": "EUR", "type": "MINIMUM"}, location={"longitude": -0.12, "latitude": 51.51})
user(P+"05", "5", "Driver Waiter", status="ENABLED"); journey("5", "0", "ARRIVED", driver=DRIVER, vehicle={"description": "Toyota", "registration": "X1"}, eta={"value": 0, "unit": "min"})
user(P+"06", "6", "Five Hundred")
user(P+"08", "8", "Rate Limited"); 
user(P+"09", "9", "null"); journey("9", "null", "EN_ROUTE", eta=None, driver=dict(DRIVER, name="Call me on 07700 900123"), vehicle=None, price=None, location=None, passenger=None)
user(P+"10", "10", "Part", activeBookings=[{"journeyId": "p1", "status": "ACCEPTED"}]); J[("10", "p1")] = {"journeyId": "p1", "status": "ACCEPTED"}
user(P+"11", "11", "Many"); [journey("11", "m%d" % i, "WAITING", date=when(60*i+10)) for i in range(5)]
user(P+"12", "12", "Hold On", status="DISABLED")
user(P+"13", "13", "Bad", status="BLACKLISTED")
user(P+"14", "14", "En Route Driver"); journey("14", "e1", "EN_ROUTE", driver=DRIVER, eta={"value": 3, "unit": "minutes"})
user(P+"15", "15", "")
user(P+"16", "16", "Strange Status"); journey("16", "s1", "DISPATCHED_SOON")
user(P+"17", "17", "07700900999")
user(P+"18", "18", "Mover Two"); journey("18", "mv", "EN_ROUTE", driver=DRIVER)
MOVER = {("4", LONG), ("18", "mv")}
PROFILE = {}   # set with POST /_set
seen429 = {}

class H(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def log_message(self, *a): pass
    def answer(self, code, body=None, **head):
        raw = b"" if body is None else json.dumps(body, ensure_ascii=False).encode()
        LOG.write("    %d %s\n" % (code, raw.decode()[:400]))
        self.send_response(code); self.send_header("Content-Type", "application/json"); self.send_header("Content-Length", str(len(raw)))
        for k, v in head.items(): self.send_header(k.replace("_", "-"), v)
        self.end_headers(); self.wfile.write(raw)
    def do_POST(self):
        raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.path == "/_set": PROFILE.clear(); PROFILE.update(json.loads(raw)); return self.answer(200, {})
        LOG.write("%s %s %s\n" % (time.strftime("%H:%M:%S"), self.path, raw.decode()))
        b = json.loads(raw)
        with lock:
            n["all"] += 1
        if PROFILE.get("slow"): time.sleep(PROFILE["slow"] if self.path == "/config" else 0)
        if self.path == "/config": return self.answer(200, PROFILE.get("config", {"status": "OK", "later": [None]}))
        if self.path == "/user":
            if b["phoneNumber"] == P+"08" and seen429.setdefault(b["phoneNumber"], 0) < 1:
                seen429[b["phoneNumber"]] += 1
                return self.answer(429, {"error": "slow down"}, Retry_After="1")
            u = U.get(b["phoneNumber"])
            if not u: return self.answer(404, {"message": "none"})
            u = dict(u)
            if "activeBookings" not in u:
                js = [j for (uid, _), j in J.items() if uid == u["userId"] and j["status"] not in ("COMPLETE", "CANCELLED")]
                if js: u["activeBookings"] = js
            return self.answer(200, u)
        uid = b.get("userId")
        if self.path == "/book":
            with lock:
                if b.get("journeyId"):
                    j = J.get((uid, b["journeyId"]))
                    if not j: return self.answer(404, {})
                    j.update(date=b["pickupTime"], pickup=b["pickup"], dropoffs=b["dropoffs"]); return self.answer(200, {"journeyId": j["journeyId"], "status": j["status"]})
                n["book"] += 1; jid = "B/%d ü" % n["book"]
                key = uid or "anon:" + b["phoneNumber"]
                J[(key, jid)] = {"journeyId": jid, "status": "WAITING", "date": b["pickupTime"], "pickup": b["pickup"], "dropoffs": b["dropoffs"]}
            if uid == "6": return self.answer(500, {"oops": "07700900123"})
            if b["phoneNumber"] == P+"08" and not seen429.get("book"):
                seen429["book"] = 1; return self.answer(429, {}, Retry_After="2")
            return self.answer(200, {"journeyId": jid, "status": "WAITING"})
        j = J.get((uid, b.get("journeyId")))
        if not j: return self.answer(404, {"error": "no such journey"})
        if self.path == "/cancel":
            j["status"] = "CANCELLED"; return self.answer(200, {"journeyId": j["journeyId"], "status": "CANCELLED"})
        if self.path == "/status":
            out = dict(j)
            if (uid, j["journeyId"]) in MOVER and j["status"] in MOVES[:-1]: j["status"] = MOVES[MOVES.index(j["status"]) + 1]
            return self.answer(200, out)
        self.answer(404, {})
class S(ThreadingHTTPServer): daemon_threads = True
server = S(("127.0.0.1", 0), H)
print(server.server_address[1], flush=True)
server.serve_forever()
