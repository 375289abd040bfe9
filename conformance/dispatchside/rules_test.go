package dispatchside_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside"
	"github.com/cabrank/cabrank/conformance/dispatchside/dispatchsidetest"
	"github.com/cabrank/cabrank/conformance/dispatchside/rules"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// tale is the traffic of one story, a call a second.
type tale struct {
	probe conformance.ProbeName
	calls []conformance.Exchange
}

// add makes a call and has it answered; one that is not sound has an intent, or is
// a try.
func (s *tale) add(op conformance.Operation, intent conformance.Intent, sound bool, code int, sent, told string) *tale {
	n := len(s.calls) + 1
	x := heard(n, 1000*n, op, sent, told)
	x.Probe, x.Intent, x.Sound, x.Response.Status = s.probe, intent, sound, code
	s.calls = append(s.calls, x)
	return s
}

func (s *tale) sound(op conformance.Operation, code int, sent, told string) *tale {
	return s.add(op, "", true, code, sent, told)
}

// method changes the method of the last call.
func (s *tale) method(name string) *tale {
	s.calls[len(s.calls)-1].Request.Method = name
	return s
}

const (
	hers     = `{"userId":"u1","journeyId":"j1"}`
	herPhone = `{"phoneNumber":"442079460001"}`
	noSuch   = `{"error":"no such journey"}`
	millLane = `{"address":"%d Mill Lane","location":{"longitude":2.1,"latitude":54.7}}`
)

// order asks for a journey from 1 Mill Lane by way of others.
func order(passenger string, members ...string) string {
	var stops []string
	for i := range 2 {
		stops = append(stops, fmt.Sprintf(millLane, i+2))
	}
	return `{"userId":"u1","name":"Ann","phoneNumber":"` + passenger + `","pickup":` + fmt.Sprintf(millLane, 1) +
		`,"dropoffs":[` + strings.Join(stops, ",") + `],"pickupTime":"2027-01-01T12:00:00Z"` + strings.Join(members, "") + `}`
}

// ann is /user's answer with a list of bookings, "": with none.
func ann(list string) string {
	if list != "" {
		list = `,"activeBookings":` + list
	}
	return `{"userId":"u1","phoneNumber":"442079460001","name":"Ann"` + list + `}`
}

func journey(id, status, more string) string {
	return fmt.Sprintf(`{"journeyId":%q,"status":%q%s}`, id, status, more)
}

// booked is a story in which Ann is known and has booked.
func booked(probe conformance.ProbeName) *tale {
	return (&tale{probe: probe}).
		sound(rules.OpUser, 200, herPhone, ann(`[]`)).
		sound(rules.OpBook, 200, order("442079460001"), journey("j1", "WAITING", ""))
}

const (
	none = conformance.NotVerified
	fail = conformance.Fail
	pass = conformance.Pass
	warn = conformance.Warn
)

// example is a story and what is to be made of it.
type example struct {
	told *tale
	want verdicts
}

type verdicts map[string]conformance.Outcome

func (e example) require(t *testing.T) {
	t.Helper()
	got := outcomes(e.told.calls...)
	for id, outcome := range e.want {
		require.Equal(t, outcome, got[id], id)
	}
}

// capped is a story of six bookings of which /user lists five.
func capped() *tale {
	told, list := booked("p"), []string{journey("j1", "WAITING", "")}
	for i := 2; i <= 6; i++ {
		here := strings.NewReplacer("Mill", fmt.Sprint("Mill", i))
		told.sound(rules.OpBook, 200, here.Replace(order("442079460001")), journey(fmt.Sprint("j", i), "WAITING", ""))
		list = append(list, journey(fmt.Sprint("j", i), "WAITING", ""))
	}
	return told.sound(rules.OpUser, 200, herPhone, ann("["+strings.Join(list[:5], ",")+"]"))
}

const onTheWay = `,"eta":{"value":5,"unit":"minutes"},"price":{"value":5,"currency":"GBP"}`

// right are stories of servers that do what the interface leaves open, and of those
// that are wrong next to it.
var right = map[string]example{
	"what has ended is refused with 400": {
		booked("minimum functionality").sound(rules.OpStatus, 200, hers, journey("j1", "WAITING", "")).
			sound(rules.OpCancel, 200, hers, journey("j1", "CANCELLED", "")).sound(rules.OpStatus, 400, hers, noSuch),
		verdicts{"JRN-02": pass, "CAN-02": warn, "STA-01": pass},
	},
	"what has ended crashes": {
		booked("minimum functionality").sound(rules.OpStatus, 200, hers, journey("j1", "WAITING", "")).
			sound(rules.OpCancel, 200, hers, journey("j1", "CANCELLED", "")).sound(rules.OpStatus, 500, hers, noSuch),
		verdicts{"JRN-02": fail, "CAN-02": fail},
	},
	"an unknown number is refused with 422": {
		(&tale{probe: "p"}).add(rules.OpUser, "", false, 422, herPhone, noSuch).
			sound(rules.OpBook, 200, order("442079460001", `,"data":{}`), journey("j1", "WAITING", "")).
			add(rules.OpUser, "", false, 200, herPhone, ann("")),
		verdicts{"USR-02": pass},
	},
	"every number is unknown": {
		(&tale{probe: "p"}).add(rules.OpUser, "", false, 422, herPhone, noSuch),
		verdicts{"USR-02": none},
	},
	"digits are refused to somebody who has booked": {
		(&tale{probe: "p"}).sound(rules.OpBook, 200, strings.Replace(order("442079460001"), `"userId":"u1",`, "", 1), journey("j1", "WAITING", "")).
			add(rules.OpUser, "", false, 400, herPhone, noSuch),
		verdicts{"USR-02": fail},
	},
	"another server answers on the port of plain http": {
		(&tale{probe: "plain http"}).sound(rules.OpConfig, 200, `{}`, `{"status":"OK"}`).
			add(rules.OpConfig, "plain-http", false, 200, `{}`, `<html>hello</html>`),
		verdicts{"W-01": none, "SEC-03": fail},
	},
	"a stranger cancels, and the journey is gone": {
		booked("p").add(rules.OpCancel, "foreign-user", false, 200, `{"userId":"u2","journeyId":"j1"}`, journey("j1", "CANCELLED", "")).
			sound(rules.OpStatus, 404, hers, noSuch).sound(rules.OpCancel, 404, hers, noSuch),
		verdicts{"CAN-06": fail, "STA-01": none, "CAN-01": none},
	},
	"an id with a space cancels, and the journey is gone": {
		booked("p").add(rules.OpCancel, "inexact-id", false, 200, `{"userId":"u1","journeyId":" j1"}`, journey(" j1", "CANCELLED", "")).
			sound(rules.OpStatus, 404, hers, noSuch).sound(rules.OpCancel, 404, hers, noSuch),
		verdicts{"CAN-11": fail, "STA-01": none, "CAN-01": none},
	},
	"DELETE cancels, and the journey is gone": {
		booked("p").add(rules.OpCancel, "method", false, 200, hers, journey("j1", "CANCELLED", "")).method(http.MethodDelete).
			sound(rules.OpStatus, 404, hers, noSuch).sound(rules.OpCancel, 404, hers, noSuch),
		verdicts{"W-07": fail, "STA-01": none, "CAN-01": none},
	},
	"no id at all cancels, and the journey is gone": {
		booked("p").add(rules.OpCancel, "", false, 200, `{"userId":"u1"}`, `{"status":"CANCELLED"}`).
			sound(rules.OpStatus, 404, hers, noSuch),
		verdicts{"CAN-07": fail, "STA-01": none},
	},
	"a list ends after five": {capped(), verdicts{"USR-13": fail, "USR-10": pass}},
	"a journey goes on by itself": {
		booked("p").sound(rules.OpUser, 200, herPhone, ann(`[]`)).sound(rules.OpCancel, 409, hers, noSuch).
			sound(rules.OpStatus, 200, hers, journey("j1", "COMPLETE", "")),
		verdicts{"USR-10": none, "CAN-01": none, "USR-18": none},
	},
	"a journey ends between two looks": {
		booked("p").sound(rules.OpUser, 200, herPhone, ann(`[`+journey("j1", "POB", "")+`]`)).
			sound(rules.OpUser, 200, herPhone, ann(`[]`)).sound(rules.OpStatus, 200, hers, journey("j1", "COMPLETE", "")),
		verdicts{"USR-18": pass, "USR-10": pass},
	},
	"a journey that is refused stands still": {
		booked("p").sound(rules.OpUser, 200, herPhone, ann(`[]`)).sound(rules.OpCancel, 409, hers, noSuch).
			sound(rules.OpStatus, 200, hers, journey("j1", "WAITING", "")),
		verdicts{"USR-10": fail, "CAN-01": fail},
	},
	"a text is there and empty": {
		booked("p").sound(rules.OpStatus, 200, hers,
			journey("j1", "ACCEPTED", `,"driver":{"name":"Percy","phoneNumber":"+447700900456","badgeNumber":""}`)),
		verdicts{"ENR-09": warn},
	},
	"null for what is no more": {
		booked("p").sound(rules.OpStatus, 200, hers, journey("j1", "EN_ROUTE", onTheWay)).
			sound(rules.OpStatus, 200, hers, journey("j1", "COMPLETE", `,"eta":null`)),
		verdicts{"STA-16": pass, "ENR-20": pass},
	},
	"null for what should stay": {
		booked("p").sound(rules.OpStatus, 200, hers, journey("j1", "EN_ROUTE", onTheWay)).
			sound(rules.OpStatus, 200, hers, journey("j1", "COMPLETE", `,"price":null`)),
		verdicts{"STA-16": fail},
	},
	"a refusal names the path that was called": {
		(&tale{probe: "p"}).sound(rules.OpStatus, 400, hers, `{"status":400,"path":"/app/status"}`),
		verdicts{"W-14": pass},
	},
}

func TestWhatIsRightIsNotFailed(t *testing.T) {
	t.Parallel()
	for name, row := range right {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			row.require(t)
		})
	}
}

var (
	friend = order("442079460999")
	edit   = order("442079460001", `,"journeyId":"j1"`)
	other  = strings.NewReplacer("u1", "u2", "0001", "0002").Replace(order("442079460001"))
	mine   = journey("j1", "WAITING", "")
	stray  = journey("j2", "WAITING", `,"date":"2027-01-01T12:00:00Z","pickup":`+fmt.Sprintf(strings.ReplaceAll(millLane, "Mill", "Hill"), 1))
)

// abandoned is a story in which Ann gives up on a booking and then looks.
func abandoned(lists ...string) *tale {
	told := booked("hung up").add(rules.OpBook, "hang-up", false, 0, strings.ReplaceAll(order("442079460001"), "Mill", "Hill"), "")
	told.calls[2].Response, told.calls[2].Err = nil, "context canceled"
	for _, list := range lists {
		told.sound(rules.OpUser, 200, herPhone, ann("["+list+"]"))
	}
	return told.sound(rules.OpCancel, 200, hers, journey("j1", "CANCELLED", ""))
}

// scant are stories in which a check has less to look at than it seems, and the
// same with enough.
var scant = map[string]example{
	"drop-offs are shown as []": {
		booked("p").sound(rules.OpStatus, 200, hers, journey("j1", "WAITING", `,"dropoffs":[]`)),
		verdicts{"BOK-07": fail, "STA-05": none},
	},
	"drop-offs are not shown": {
		booked("p").sound(rules.OpStatus, 200, hers, journey("j1", "WAITING", "")),
		verdicts{"BOK-07": none, "STA-05": none},
	},
	"the passenger is {}": {
		(&tale{probe: "p"}).sound(rules.OpUser, 200, herPhone, ann(`[]`)).
			sound(rules.OpBook, 200, friend, journey("j1", "WAITING", `,"passenger":{}`)),
		verdicts{"BOK-08": none},
	},
	"the passenger has a name": {
		(&tale{probe: "p"}).sound(rules.OpUser, 200, herPhone, ann(`[]`)).
			sound(rules.OpBook, 200, friend, journey("j1", "WAITING", `,"passenger":{"name":"Ann"}`)),
		verdicts{"BOK-08": pass},
	},
	"no list at all": {
		booked("p").sound(rules.OpBook, 200, edit, journey("j1", "WAITING", "")).
			sound(rules.OpBook, 200, other, journey("j2", "WAITING", "")).
			sound(rules.OpUser, 200, herPhone, ann("")),
		verdicts{"BOK-19": none, "USR-12": none},
	},
	"a list": {
		booked("p").sound(rules.OpBook, 200, edit, journey("j1", "WAITING", "")).
			sound(rules.OpBook, 200, other, journey("j2", "WAITING", "")).
			sound(rules.OpUser, 200, herPhone, ann(`[`+mine+`]`)),
		verdicts{"BOK-19": pass, "USR-12": pass},
	},
	"an abandoned booking is nowhere":   {abandoned(mine, mine), verdicts{"IDM-02": none}},
	"an abandoned booking is listed":    {abandoned(mine, mine+","+stray), verdicts{"IDM-02": pass}},
	"an abandoned booking comes undone": {abandoned(mine+","+stray, mine), verdicts{"IDM-02": fail}},
	"made of nothing, under userIds that change": {
		(&tale{probe: "bad"}).sound(rules.OpUser, 200, herPhone, ann(`[]`)).
			sound(rules.OpUser, 200, herPhone, strings.Replace(ann(`[]`), "u1", "u9", 1)).
			add(rules.OpBook, "BAD-01", false, 200, "", journey("j1", "WAITING", "")),
		verdicts{"BAD-01": fail},
	},
}

func TestNothingPassesUnseen(t *testing.T) {
	t.Parallel()
	for name, row := range scant {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			row.require(t)
		})
	}
}

// TestGivenPlacesAreNotMixedUp tests a server that serves a few places only and
// takes nobody from a place to itself.
func TestGivenPlacesAreNotMixedUp(t *testing.T) {
	oneAfterAnother(t)
	t.Parallel()
	trip := toTheAirport()
	report := check(t, refusingRoundTrips(dispatchsidetest.NewVendor(dispatchsidetest.None)), dispatchside.Target{Seed: 3, Places: []taxi.Address{trip.Pickup, trip.Dropoff}})
	for _, c := range report.Checks {
		if strings.HasPrefix(c.ID, "BOK-0") || strings.HasPrefix(c.ID, "JRN-") || c.ID == "BOK-15" {
			require.NotEqual(t, conformance.Fail, c.Outcome, "%s: %v", c.ID, c.Findings)
		}
	}
}

// TestABookingThatIsNotServedIsNoMistakeOfTheSuite has the first of two bookings
// refused.
func TestABookingThatIsNotServedIsNoMistakeOfTheSuite(t *testing.T) {
	t.Parallel()
	var bookings atomic.Int32
	server := dispatchsidetest.NewVendor(dispatchsidetest.None)
	report := check(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/book" && bookings.Add(1) <= 2 { // it is asked again once
			http.Error(w, `{"error":"busy"}`, http.StatusServiceUnavailable)
			return
		}
		server.ServeHTTP(w, r)
	}), dispatchside.Target{Seed: 3, Only: []string{"IDM-01"}})
	require.Equal(t, conformance.NotVerified, outcomeOf(report, "IDM-01"))
}

// refusingRoundTrips refuses bookings from a place to itself.
func refusingRoundTrips(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		var b taxi.BookRequest
		if err == nil && r.URL.Path == "/book" && json.Unmarshal(body, &b) == nil && b.Pickup != nil && len(b.Dropoffs) > 0 && b.Pickup.Address == b.Dropoffs[0].Address {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusUnprocessableEntity)
			_, _ = io.WriteString(w, `{"error":"you are there already"}`)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		h.ServeHTTP(w, r)
	})
}
