package booking_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/platform"
	"github.com/cabrank/cabrank/simulator/platform/booking/robot"
	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// drives serves a platform over HTTP, with clocks 60 times as fast as real time, and returns a function that posts to
// /sim/v1/drive.
func drives(t *testing.T, p *party) func(ask string) (int, robot.Result) {
	t.Helper()
	return drivesAt(t, p, 60)
}

// drivesAt is drives with clocks of another speed.
func drivesAt(t *testing.T, p *party, times float64) func(ask string) (int, robot.Result) {
	t.Helper()
	clock := voice.NewWall(time.Now, times)
	w := newTown(t, p.url, func(o *platform.Options) { o.Now, o.Line, o.Work = clock.Now, clock, clock })
	server := httptest.NewServer(w.handler)
	t.Cleanup(server.Close)
	return func(ask string) (int, robot.Result) {
		resp, err := http.Post(server.URL+"/sim/v1/drive", "application/json", strings.NewReader(ask))
		require.NoError(t, err)
		defer resp.Body.Close()
		var d robot.Result
		require.NoError(t, json.NewDecoder(resp.Body).Decode(&d))
		return resp.StatusCode, d
	}
}

// raw returns replies with JSON bodies.
func raw(bodies ...string) []reply {
	var list []reply
	for _, b := range bodies {
		list = append(list, reply{Body: json.RawMessage(b)})
	}
	return list
}

const (
	fresh = `{"address":"7 Nonce Road 8f3a, Otterbridge, ZT1 2AB","location":{"longitude":2.1,"latitude":54.7}}`
	goal  = `{"address":"9 Station Parade 8f3a, Otterbridge, ZT1 2AC","location":{"longitude":2.1001,"latitude":54.7001}}`
	known = `{"userId":"u-1","phoneNumber":"442079460002","name":"Desmond Achebe"}`
	bound = `,"pickup":{"address":"1 Old Road","location":{"longitude":2,"latitude":54}},"dropoffs":[{"address":"2 Old Road","location":{"longitude":2,"latitude":54.1}}],"date":"2035-01-01T10:00:00Z"`
)

// journey returns a journey with a status and a driver.
func journey(status string) string {
	return `{"journeyId":"j/7","status":"` + status + `"` + bound + `,"driver":{"name":"Sam Okafor","phoneNumber":"447700900123","badgeNumber":"4471"},` +
		`"vehicle":{"description":"White Prius","registration":"ZT21 KBD"},"location":{"longitude":2.05,"latitude":54.01}}`
}

// booked returns a known customer with bookings.
func booked(journeys ...string) []reply {
	return raw(`{"userId":"u-1","phoneNumber":"442079460002","name":"Desmond","activeBookings":[` + strings.Join(journeys, ",") + `]}`)
}

// world returns a third party that knows the customer and one journey.
func world(t *testing.T, status string, change map[string][]reply) *party {
	t.Helper()
	answers := map[string][]reply{
		"/config": raw(`{"status":"OK"}`), "/user": raw(known), "/status": raw(journey(status)),
		"/book": raw(`{"journeyId":"j/7","status":"WAITING"}`), "/cancel": raw(`{"journeyId":"j/7","status":"CANCELLED"}`),
	}
	maps.Copy(answers, change)
	return newParty(t, answers)
}

// TestDriveReportsTheOutcome checks the outcome, the requests to the third party and the prompts for each kind of request to
// /sim/v1/drive, by voice and in a chat.
func TestDriveReportsTheOutcome(t *testing.T) {
	later := time.Now().Add(75 * time.Hour).UTC().Truncate(time.Minute).Format(time.RFC3339)
	soon := time.Now().Add(26 * time.Hour).UTC().Truncate(time.Minute).Format(time.RFC3339)
	for name, row := range map[string]struct {
		status string
		change map[string][]reply
		ask    string // members besides from and channel
		paths  string
		want   robot.Outcome
		offers string
		sent   map[string]string // members of the last /book
		says   string
		silent string // that must not be said
	}{
		"offer": {
			status: "ARRIVED", ask: `"want":"offer","journeyId":"j/7"`, paths: "config user status",
			want: "completed", offers: "book cancel status comingNow callDriver", says: "outside", silent: "7700",
		},
		"book in three days": {
			ask: `"want":"book","name":"Nora Newcomer","pickup":` + fresh + `,"dropoffs":[` + goal + `],"pickupTime":"` + later + `","vehicleCategory":"ESTATE"`, paths: "config user book",
			want: "completed", offers: "book", says: "booked",
			sent: map[string]string{"pickup": fresh, "dropoffs": "[" + goal + "]", "name": `"Nora Newcomer"`, "vehicleCategory": `"ESTATE"`, "userId": `"u-1"`, "pickupTime": later},
		},
		"book tomorrow": {
			ask: `"want":"book","pickup":` + fresh + `,"dropoffs":[` + goal + `],"pickupTime":"` + soon + `"`, paths: "config user book",
			want: "completed", offers: "book", says: "booked", sent: map[string]string{"pickupTime": soon, "name": `"Desmond Achebe"`},
		},
		"book now, two stops": {
			ask: `"want":"book","pickup":` + fresh + `,"dropoffs":[` + fresh + `,` + goal + `]`, paths: "config user book",
			want: "completed", offers: "book", says: "booked", sent: map[string]string{"dropoffs": "[" + fresh + "," + goal + "]"},
		},
		"book by somebody unknown": {
			change: map[string][]reply{"/user": {{Status: 404}}},
			ask:    `"want":"book","name":"Nora Newcomer","pickup":` + fresh + `,"dropoffs":[` + goal + `]`, paths: "config user book",
			want: "completed", offers: "book", says: "booked", sent: map[string]string{"name": `"Nora Newcomer"`},
		},
		"book without a drop-off": {
			ask: `"want":"book","pickup":` + fresh + `,"dropoffs":[` + goal + `],"settings":{"features":["voice","messaging"],"options":[],"skipDropOff":true}`, paths: "config user book",
			want: "completed", offers: "book", says: "booked", sent: map[string]string{"dropoffs": "[" + fresh + "]"},
		},
		"book in the past": {
			ask: `"want":"book","pickup":` + fresh + `,"pickupTime":"2020-01-01T10:00:00Z"`, paths: "config user",
			want: "person", offers: "book", silent: "is booked",
		},
		"edit everything": {
			status: "HELD", ask: `"want":"edit","journeyId":"j/7","pickup":` + fresh + `,"dropoffs":[` + goal + `],"pickupTime":"` + later + `"`, paths: "config user status book",
			want: "completed", offers: "book edit cancel status", says: "changed",
			sent: map[string]string{"pickup": fresh, "dropoffs": "[" + goal + "]", "pickupTime": later},
		},
		"cancel": {
			status: "WAITING", ask: `"want":"cancel","journeyId":"j/7"`, paths: "config user status cancel",
			want: "completed", offers: "book edit cancel status", says: "is cancelled",
		},
		"status": {
			status: "EN_ROUTE", ask: `"want":"status","journeyId":"j/7"`, paths: "config user status",
			want: "completed", offers: "book cancel status callDriver", says: "Sam Okafor", silent: "7700",
		},
		"barred": {
			change: map[string][]reply{"/user": raw(`{"userId":"u-1","phoneNumber":"442079460002","name":"Victor","status":"BLACKLISTED"}`)},
			ask:    `"want":"book","pickup":` + fresh, paths: "config user", want: "rejected", offers: "",
		},
		"withheld": {ask: `"want":"book","withheld":true,"pickup":` + fresh, paths: "config", want: "person", offers: ""},
	} {
		for _, channel := range []string{"voice", "messaging"} {
			t.Run(name+" "+channel, func(t *testing.T) {
				t.Parallel()
				p := world(t, row.status, row.change)
				status, got := drives(t, p)(`{"scene":"x","from":"442079460002","channel":"` + channel + `",` + row.ask + `}`)
				require.Equal(t, http.StatusOK, status)
				require.Equal(t, row.want, got.Outcome, "%+v", got)
				if channel == "voice" {
					require.Equal(t, "["+row.offers+"]", fmt.Sprint(got.Offered))
				}
				require.Equal(t, row.paths, p.paths())
				text := strings.Join(got.Said, " ")
				require.Contains(t, text, row.says)
				if row.silent != "" {
					require.NotContains(t, text, row.silent)
				}
				for member, want := range row.sent {
					if strings.HasSuffix(member, "Time") {
						var at time.Time
						require.NoError(t, json.Unmarshal(p.last("/book")[member], &at))
						require.Equal(t, want, at.UTC().Format(time.RFC3339))
						continue
					}
					require.JSONEq(t, want, string(p.last("/book")[member]), member)
				}
				if channel == "voice" && got.Outcome == "person" {
					require.NotEmpty(t, got.Legs)
					require.Equal(t, "person", got.Legs[len(got.Legs)-1].To)
				}
			})
		}
	}
}

// TestDriveRingsTheDriver checks that "coming now" and "call the driver" ring the driver once, if the status of the
// journey allows it, and that no number of the customer or driver is shown.
func TestDriveRingsTheDriver(t *testing.T) {
	for name, row := range map[string]struct {
		ask    string
		status string
		legs   int
		to     string
	}{
		"coming now":                {`"want":"comingNow"`, "ARRIVED", 1, "driver"},
		"coming now, three presses": {`"want":"comingNow","times":3`, "ARRIVED", 1, "driver"},
		"coming now too early":      {`"want":"comingNow"`, "EN_ROUTE", 0, ""},
		"call the driver":           {`"want":"callDriver"`, "EN_ROUTE", 1, "driver"},
		"call the driver too early": {`"want":"callDriver"`, "ACCEPTED", 0, ""},
	} {
		for _, channel := range []string{"voice", "messaging"} {
			t.Run(name+" "+channel, func(t *testing.T) {
				t.Parallel()
				p := world(t, row.status, nil)
				_, got := drives(t, p)(`{"from":"442079460002","channel":"` + channel + `","journeyId":"j/7",` + row.ask + `}`)
				require.Equal(t, robot.Completed, got.Outcome, "%+v", got)
				drivers := 0
				for _, leg := range got.Legs {
					require.Contains(t, []string{"driver", "user"}, leg.To)
					require.NotContains(t, leg.CallerID, "2079460002")
					require.NotContains(t, leg.CallerID, "7700900123")
					require.NotEmpty(t, leg.CallerID)
					if leg.To == "driver" {
						drivers++
					}
				}
				require.Equal(t, row.legs, drivers, "%+v", got)
			})
		}
	}
}

// TestDriveFollowsAJourney checks that a customer who follows a journey hears of each status and of a new driver, and
// in a chat gets the location of the taxi once for each status.
func TestDriveFollowsAJourney(t *testing.T) {
	replies := raw(journey("ACCEPTED"), journey("ACCEPTED"), `{"journeyId":"j/7","status":"WAITING"}`, strings.ReplaceAll(journey("EN_ROUTE"), "Sam Okafor", "Ada Nkemelu"), journey("COMPLETE"))
	for _, channel := range []string{"voice", "messaging"} {
		t.Run(channel, func(t *testing.T) {
			t.Parallel()
			p := world(t, "", map[string][]reply{"/status": slices.Clone(replies)})
			// Whoever follows leaves after 45 s, whatever has been answered by then: at 60 times real time that is soon.
			_, got := drivesAt(t, p, 10)(`{"from":"442079460002","channel":"` + channel + `","journeyId":"j/7","want":"status","followSeconds":45}`)
			require.Equal(t, robot.Completed, got.Outcome, "%+v", got)
			text := strings.Join(got.Said, " ")
			for _, word := range []string{"Sam Okafor", "finding a driver", "Ada Nkemelu", "on its way", "finished"} {
				require.Contains(t, text, word)
			}
			places := 0
			for _, s := range got.Shown {
				if s.Kind == "location" {
					places++
					require.NotNil(t, s.Latitude)
				}
			}
			if channel == "messaging" {
				require.Equal(t, 2, places)
				require.Equal(t, 5, strings.Count(p.paths(), "status"), "none after the end")
			}
		})
	}
}

// TestInvalidDriveRequestsAreRefused checks that invalid requests to /sim/v1/drive are refused with the pointer of the invalid
// member.
func TestInvalidDriveRequestsAreRefused(t *testing.T) {
	w := newTown(t, "")
	for ask, pointer := range map[string]string{
		`{"want":"fly"}`: `/want is not one of book, edit, cancel, status, comingNow, callDriver, offer"`,
		`{}`:             "/want is required",
		`{"want":"book","from":"+44 20 7946 <b>"}`:               "/from is not a phone number",
		`{"want":"book","channel":"pigeon"}`:                     "/channel",
		`{"want":"book","pickup":7}`:                             "/pickup",
		`{"want":"book","dropoffs":[{}]}`:                        "/dropoffs",
		`{"want":"book","pickupTime":"noon"}`:                    "/pickupTime",
		`{"want":"book","times":-1}`:                             "/times",
		`{"want":"book","followSeconds":"x"}`:                    "/followSeconds",
		`{"want":"book","settings":{"features":7,"options":[]}}`: "/settings/features",
		`{"want":"book","colour":"red"}`:                         "/colour",
	} {
		status, body := w.ask(http.MethodPost, "/sim/v1/drive", ask)
		require.Equal(t, http.StatusBadRequest, status, ask)
		require.Contains(t, string(body), `"`+pointer, "%s: %s", ask, body)
	}
}

// TestADriverIsRungOnceForTwoCallers checks that the driver is rung once if a customer presses "coming now" on two
// telephones at the same time, and that both are told the result.
func TestADriverIsRungOnceForTwoCallers(t *testing.T) {
	p := world(t, "ARRIVED", map[string][]reply{"/user": booked(journey("ARRIVED"))})
	w := newTown(t, p.url, onLine)
	const script = `[{"expect":"coming now, press 1"},{"press":"1"},{"expect":"one moment"},{"expect":"I have told the driver"},{"hangup":true}]`
	for range 2 {
		w.dial("442079460002", script)
	}
	w.line.Run(time.Hour)
	var driver, told int
	for _, c := range w.calls() {
		if c.Direction == voice.Outbound {
			driver++
		}
		told += strings.Count(written(c), "I have told the driver")
	}
	require.Equal(t, 1, driver)
	require.Equal(t, 2, told)
}
