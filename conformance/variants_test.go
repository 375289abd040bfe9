package conformance_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance"
)

// variants are servers that differ from the reference in ways that the interface
// leaves open. None may fail a check.
var variants = []struct {
	name  string
	layer func() layer
	warns string // a check that has to warn
}{
	{name: "/book 201", warns: "W-02@book", layer: after(func(c *call) {
		if c.ok("book") {
			c.status = http.StatusCreated
		}
	})},
	{name: "ids of 200 characters", layer: func() layer {
		const tail = "~Ab/9+=é"
		long := func(id any) string { return text(id) + strings.Repeat(tail, 20) }
		short := func(o object, key string) {
			if id, cut := strings.CutSuffix(text(o[key]), strings.Repeat(tail, 20)); cut {
				o[key] = id
			} else if text(o[key]) != "" && key == "journeyId" {
				o[key] = "no-such-" + id
			}
		}
		return func(c *call, next func()) {
			if c.req != nil {
				short(c.req, "journeyId")
				short(c.req, "userId")
			}
			next()
			for _, j := range c.journeys() {
				j["journeyId"] = long(j["journeyId"])
			}
			if c.ok("user") {
				c.reply["userId"] = long(c.reply["userId"])
			}
		}
	}},
	{name: "extra fields everywhere", layer: after(func(c *call) {
		if c.reply != nil {
			c.reply["x"] = object{"deep": []any{1, "a", nil}}
		}
		for _, j := range c.journeys() {
			j["vendor"] = object{"id": 7}
			if p, ok := j["pickup"].(object); ok {
				p["what3words"] = "a.b.c"
			}
		}
	})},
	{name: "minimal replies", layer: after(func(c *call) {
		if c.ok("book", "cancel", "status") {
			c.reply = object{"journeyId": c.reply["journeyId"], "status": c.reply["status"]}
		}
	})},
	{name: "starts at ACCEPTED", layer: eachJourney(func(j object) {
		if j["status"] == "HELD" {
			j["status"] = "ACCEPTED"
		}
	})},
	{name: "reallocation", layer: func() layer {
		m := newMemory()
		story := []string{"EN_ROUTE", "EN_ROUTE", "EN_ROUTE", "WAITING", "WAITING", "WAITING", "EN_ROUTE"}
		return func(c *call, next func()) {
			next()
			if c.ok("status") && c.reply["status"] == "HELD" {
				id := text(c.req["journeyId"])
				n, _ := m.get(id).(int)
				m.set(id, n+1)
				c.reply["status"] = story[min(n, len(story)-1)]
				if c.reply["status"] == "EN_ROUTE" {
					c.reply["driver"] = object{"name": "Ann", "phoneNumber": "+441134960001", "badgeNumber": "B" + text(id)[:1]}
					c.reply["vehicle"] = object{"description": "Blue Skoda", "registration": "AB12 CDE"}
				}
			}
		}
	}},
	{name: "unknown user 200 with a new id", layer: func() layer {
		return func(c *call, next func()) {
			if phone, is := strings.CutPrefix(text(c.req["userId"]), "new-"); is {
				c.req["userId"] = c.ask("user", object{"phoneNumber": phone})["userId"]
				if c.req["userId"] == nil { // now is the time to make the user
					made := c.ask("book", object{
						"name": "New", "phoneNumber": phone, "pickup": somewhere, "dropoffs": []any{somewhere},
						"pickupTime": time.Now().Add(time.Hour).Format(time.RFC3339),
					})
					c.req["userId"] = c.ask("user", object{"phoneNumber": phone})["userId"]
					c.ask("cancel", object{"userId": c.req["userId"], "journeyId": made["journeyId"]})
				}
			}
			next()
			phone := strings.TrimPrefix(text(c.req["phoneNumber"]), "+")
			if c.op == "user" && c.status == http.StatusNotFound {
				c.answer(http.StatusOK, object{"phoneNumber": phone, "name": ""})
			}
			if c.ok("user") {
				c.reply["userId"] = "new-" + phone
			}
		}
	}},
	{name: "price.type ESTIMATE", layer: eachJourney(func(j object) {
		if p, ok := j["price"].(object); ok {
			p["type"] = "ESTIMATE"
		}
	})},
	{name: "dates with +01:00", layer: dates(func(at time.Time) string {
		return at.In(time.FixedZone("", 3600)).Format(time.RFC3339)
	})},
	{name: "dates with fractions", layer: dates(func(at time.Time) string {
		return at.UTC().Format("2006-01-02T15:04:05.000Z")
	})},
	{name: "dates without a zone", warns: "STA-04", layer: dates(func(at time.Time) string {
		return at.UTC().Format("2006-01-02T15:04:05")
	})},
	{name: "activeBookings [] when none", layer: after(func(c *call) {
		if c.ok("user") && c.reply["activeBookings"] == nil {
			c.reply["activeBookings"] = []any{}
		}
	})},
	{name: "a cancelled journey is gone", warns: "CAN-02", layer: after(func(c *call) {
		if c.ok("status") && c.reply["status"] == "CANCELLED" {
			c.answer(http.StatusNotFound, object{"error": "gone"})
		}
	})},
}

// dates writes every date in another way.
func dates(write func(time.Time) string) func() layer {
	return eachJourney(func(j object) {
		if at, err := time.Parse(time.RFC3339, text(j["date"])); err == nil {
			j["date"] = write(at)
		}
	})
}

func requireSpared(t *testing.T, report *conformance.Report) {
	t.Helper()
	for _, c := range report.Checks {
		require.NotContains(t, []conformance.Outcome{conformance.Fail, conformance.Broken}, c.Outcome, "%s %s: %+v", c.ID, c.Operation, c.Findings)
	}
	require.Equal(t, conformance.ExitPass, report.ExitCode())
	require.Empty(t, report.Leftovers)
	require.Greater(t, report.Summary.Pass, 120)
}

func TestVariants(t *testing.T) {
	for _, v := range variants {
		t.Run(v.name, func(t *testing.T) {
			t.Parallel()
			ref := newReference(t)
			report := check(t, under(ref, v.layer), func(target *conformance.Target) { target.Advance = ref.advance })
			requireSpared(t, report)
			for id, c := range outcomes(report) {
				if v.warns != "" && strings.HasPrefix(id, v.warns) {
					require.Equal(t, conformance.Warn, c.Outcome, "%s %+v", id, c)
				}
			}
		})
	}
}

func TestAnotherVendorIsSpared(t *testing.T) {
	t.Parallel()
	requireSpared(t, check(t, newVendor(), nil))
}

func TestATenantPathIsSpared(t *testing.T) {
	t.Parallel()
	server := http.StripPrefix("/tenants/7/taxi", newVendor())
	report := check(t, server, func(target *conformance.Target) { target.URL += "/tenants/7/taxi/" })
	requireSpared(t, report)
}

func TestNullPeersAreRed(t *testing.T) {
	write := func(status int, media, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", media)
			w.WriteHeader(status)
			_, _ = w.Write([]byte(body))
		}
	}
	for _, row := range []struct {
		name string
		peer http.HandlerFunc
		cure string // what the preflight says; "": the run takes place
	}{
		{"200 {}", write(200, "application/json", "{}"), ""},
		{"404 to all", write(404, "application/json", `{"error":"not found"}`), "check the path"},
		{"HTML", write(200, "text/html", "<!doctype html><p>hello</p>"), "web site"},
		{"500 to all", write(500, "text/plain", "oops"), "log"},
		{"401 to all", write(401, "application/json", "{}"), "credentials"},
		{"echo", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(200)
			body := make([]byte, r.ContentLength)
			_, _ = r.Body.Read(body)
			_, _ = w.Write(body)
		}, ""},
		{"accept and close", func(w http.ResponseWriter, _ *http.Request) {
			conn, _, err := w.(http.Hijacker).Hijack()
			if err == nil {
				_ = conn.Close()
			}
		}, "does not speak HTTP"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			report, err := run(t, row.peer, nil)
			if row.cure != "" {
				var u *conformance.Unreachable
				require.ErrorAs(t, err, &u)
				require.Contains(t, err.Error(), row.cure)
				return
			}
			require.NoError(t, err)
			require.Equal(t, conformance.ExitFail, report.ExitCode())
			for _, c := range report.Checks {
				if c.Outcome == conformance.Pass {
					require.True(t, strings.HasPrefix(c.ID, "W-"), "%s is green for a server that does nothing: %+v", c.ID, c)
				}
				require.NotEqual(t, conformance.Broken, c.Outcome, "%s %s: %+v", c.ID, c.Operation, c.Findings)
			}
		})
	}
}
