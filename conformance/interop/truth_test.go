package interop_test

import (
	"bytes"
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

	"github.com/cabrank/cabrank/conformance/callingside/mutants"
	"github.com/cabrank/cabrank/conformance/callingside/rules"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
)

// together is a platform that calls a dispatch system, and what came of it: for each
// prediction that was tried, whether it worked.
type together struct {
	t      *testing.T
	vendor vendor
	line   *line
	drive  string
	worked map[string]bool
}

// run has the two do all that can be tried.
func runTogether(t *testing.T, vendorName, platformName string) map[string]bool {
	t.Helper()
	v := newVendor(t, vendorName, clock.Now)
	w := &together{t: t, vendor: v, line: &line{Handler: v}, worked: map[string]bool{}}
	server, ca := v.serve(t, w.line)
	p := httptest.NewServer(platformNamed(platformName))
	defer p.Close()
	w.drive = p.URL
	to, err := json.Marshal(mutants.ThirdParty{URL: server.URL, Authorization: "Bearer " + secret, CA: ca})
	require.NoError(t, err)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPut, p.URL+"/third-party", bytes.NewReader(to))
	require.NoError(t, err)
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	w.people()
	w.several()
	id := w.known()
	w.lost()
	if v.host != nil && id != "" {
		w.onTheWay(id)
	}
	return w.worked
}

// act has the platform act out a request; ok is false when it failed.
func (w *together) act(ask rules.Ask) (a rules.Answer, calls []seen, code int) {
	if ask.Channel == "" {
		ask.Channel = rules.ChannelVoice
	}
	before := len(w.line.since(0))
	body, err := json.Marshal(ask)
	require.NoError(w.t, err)
	req, err := http.NewRequestWithContext(w.t.Context(), http.MethodPost, w.drive, bytes.NewReader(body))
	require.NoError(w.t, err)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return a, w.line.since(before), 0
	}
	defer resp.Body.Close()
	_ = json.NewDecoder(resp.Body).Decode(&a) // empty: it failed
	return a, w.line.since(before), resp.StatusCode
}

// direct calls the dispatch system without the platform.
func (w *together) direct(op string, body object) (int, object) {
	text, err := json.Marshal(body)
	require.NoError(w.t, err)
	req := httptest.NewRequest(http.MethodPost, "/"+op, bytes.NewReader(text))
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer "+secret)
	rec := httptest.NewRecorder()
	w.vendor.ServeHTTP(rec, req)
	var told object
	_ = json.Unmarshal(rec.Body.Bytes(), &told) // nil: it is no object
	return rec.Code, told
}

// active counts a caller's bookings.
func (w *together) active(number string) int {
	_, told := w.direct("user", object{"phoneNumber": number})
	list, _ := told["activeBookings"].([]any)
	return len(list)
}

func place(n int) taxi.Address {
	return taxi.Address{Address: fmt.Sprintf("%d Fresh Street, Leeds LS1 4DY", n), Location: &taxi.Point{Longitude: -1.55, Latitude: 53.8 + float64(n)/10000}}
}

func booking(from string, n int) rules.Ask {
	at, to := place(n), place(n+50)
	return rules.Ask{Want: rules.WantBook, From: from, Pickup: &at, Dropoffs: []taxi.Address{to}, PickupTime: taxi.Time{Time: clock.Now().Add(7 * 24 * time.Hour).Truncate(time.Minute)}}
}

// plain is the same without a platform.
func plain(number string, n int) object {
	at, to := place(n), place(n+50)
	return object{"name": "Pat Plain", "phoneNumber": "+" + number, "pickup": at, "dropoffs": []any{to}, "pickupTime": clock.Now().Add(7 * 24 * time.Hour).UTC().Format(time.RFC3339)}
}

// make books without a platform, with a plus or without one.
func (w *together) make(number string, n int) bool {
	body := plain(number, n)
	code, _ := w.direct("book", body)
	if code/100 != 2 {
		body["phoneNumber"] = number
		code, _ = w.direct("book", body)
	}
	return code/100 == 2
}

// of returns the calls of an operation.
func of(op string, calls []seen) []seen {
	return slices.DeleteFunc(slices.Clone(calls), func(s seen) bool { return s.op != op })
}

func says(a rules.Answer, text string) bool {
	return strings.Contains(strings.Join(a.Said, "\n"), text)
}

// people are callers who are new, hidden or barred.
func (w *together) people() {
	const newcomer = "442079460177"
	ask := booking(newcomer, 1)
	ask.Name = "Nora Newcomer"
	a, _, _ := w.act(ask)
	w.worked["first-time"] = a.Outcome == rules.OutcomeCompleted && w.active(newcomer) == 1

	hidden := booking("", 2)
	hidden.Withheld = true
	_, calls, _ := w.act(hidden)
	w.worked["withheld"] = len(of("user", calls)) == 0

	a, calls, code := w.act(rules.Ask{Want: rules.WantCancel, From: newcomer, JourneyID: "no-such-journey-77"})
	for _, c := range calls {
		if c.code >= 400 && c.op != "config" {
			w.worked["refusals"] = code == http.StatusOK && len(a.Said) > 0
		}
	}
	if w.vendor.host == nil {
		return
	}
	for id, kind := range map[string]fixtures.PersonKind{"disabled": fixtures.PersonDisabled, "blacklisted": fixtures.PersonBlacklisted} {
		_, calls, _ := w.act(booking(string(person(kind)), 3))
		w.worked[id] = len(of("book", calls)) == 0
	}
}

// several is a caller with ten bookings.
func (w *together) several() {
	const number = "442079460188"
	for n := range 10 {
		if !w.make(number, 10+n) {
			return
		}
	}
	_, _, code := w.act(rules.Ask{Want: rules.WantOffer, From: number})
	w.worked["several"] = code == http.StatusOK && w.active(number) >= 10
}

// known is a caller whom the dispatch system knows, who books, follows, changes and
// cancels. It returns the id of a journey that is still under way.
func (w *together) known() string {
	const number = "442079460199"
	if !w.make(number, 30) {
		return ""
	}
	before := w.active(number)
	ask := booking(number, 31)
	a, calls, _ := w.act(ask)
	w.judgeBooking(number, before, ask, a, calls)
	made := of("book", calls)
	if len(made) == 0 || made[0].code/100 != 2 {
		return ""
	}
	id, _ := made[0].told["journeyId"].(string)
	if id == "" {
		return ""
	}
	w.follow(number, id)
	w.change(number, id)
	second, calls, _ := w.act(booking(number, 33))
	if made := of("book", calls); second.Outcome == rules.OutcomeCompleted && len(made) > 0 {
		other, _ := made[0].told["journeyId"].(string)
		a, _, _ := w.act(rules.Ask{Want: rules.WantCancel, From: number, JourneyID: other})
		_, user := w.direct("user", object{"phoneNumber": number})
		code, told := w.direct("status", object{"userId": user["userId"], "journeyId": other})
		w.worked["cancel"] = says(a, "cancelled") && !says(a, "not cancelled") && (told["status"] == "CANCELLED" || code/100 == 4)
	}
	return id
}

// judgeBooking judges what came of a booking by a known caller.
func (w *together) judgeBooking(number string, before int, ask rules.Ask, a rules.Answer, calls []seen) {
	now := w.active(number)
	w.worked["book"] = a.Outcome == rules.OutcomeCompleted && len(of("book", calls)) > 0
	w.worked["listed"] = w.worked["book"] && now == before+1
	if w.vendor.host != nil {
		w.worked["tls"] = len(calls) > 0
	}
	w.worked["auth"] = !slices.ContainsFunc(calls, func(c seen) bool { return c.code == http.StatusUnauthorized })
	w.worked["reach"] = w.arrived(calls)
	for _, c := range of("user", calls) {
		found, _ := c.told["phoneNumber"].(string)
		w.worked["lookup"] = c.code == http.StatusOK && strings.TrimPrefix(found, "+") == number && c.told["userId"] != nil
	}
	for _, c := range calls {
		if data, _ := c.told["data"].(object); data["skipDropOff"] == true {
			w.worked["skip-drop-off"] = a.Asked != nil && !slices.Contains(a.Asked, "dropoff")
		}
	}
	for _, c := range of("book", calls) {
		sent, _ := json.Marshal(c.sent["pickup"])
		want, _ := json.Marshal(ask.Pickup)
		w.worked["places"] = jsonEqual(sent, want)
		w.judgeForms(c)
	}
}

func jsonEqual(a, b []byte) bool {
	var x, y object
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && fmt.Sprint(x) == fmt.Sprint(y)
}

// arrived reports calls that came as the interface has them.
func (w *together) arrived(calls []seen) bool {
	ops := map[string]bool{}
	for _, c := range calls {
		if c.method != http.MethodPost || c.sent == nil {
			return false
		}
		ops[c.op] = true
	}
	return ops["config"] && ops["user"] && ops["book"]
}

// judgeForms finds out whether a refused booking was refused for how something in it is
// written: it is then taken when that is written in the other way.
func (w *together) judgeForms(c seen) {
	if c.code/100 == 2 {
		w.worked["numbers"], w.worked["times-sent"] = true, true
		return
	}
	other := maps.Clone(c.sent)
	phone, _ := c.sent["phoneNumber"].(string)
	other["phoneNumber"] = strings.TrimPrefix(phone, "+")
	if code, _ := w.direct("book", other); code/100 == 2 && phone != other["phoneNumber"] {
		w.worked["numbers"] = false
	}
	other = maps.Clone(c.sent)
	other["pickupTime"] = clock.Now().Add(7 * 24 * time.Hour).UTC().Format(time.RFC3339)
	if code, _ := w.direct("book", other); code/100 == 2 {
		w.worked["times-sent"] = false
	}
}

// follow reads a journey, and follows it by message.
func (w *together) follow(number, id string) {
	a, calls, code := w.act(rules.Ask{Want: rules.WantStatus, From: number, JourneyID: id})
	read := of("status", calls)
	w.worked["status"] = code == http.StatusOK && a.Outcome == rules.OutcomeCompleted && len(read) > 0 && read[0].code == http.StatusOK
	w.worked["ids"] = len(read) > 0 && !slices.ContainsFunc(read, func(c seen) bool { return c.sent["journeyId"] != id })
	if a, _, _ := w.act(rules.Ask{Want: rules.WantOffer, From: number, JourneyID: id}); a.Offered != nil {
		w.worked["active"] = slices.Contains(a.Offered, "status") && slices.Contains(a.Offered, "cancel")
	}
	_, calls, code = w.act(rules.Ask{Want: rules.WantStatus, From: number, JourneyID: id, Channel: rules.ChannelMessaging, FollowSeconds: 5})
	w.worked["messaging"] = code == http.StatusOK && w.worked["status"]
	if n := len(of("status", calls)); code == http.StatusOK && n > 0 {
		w.worked["polling"] = n <= 4 && w.worked["status"]
	}
}

// change changes the pickup.
func (w *together) change(number, id string) {
	_, user := w.direct("user", object{"phoneNumber": number})
	ref := object{"userId": user["userId"], "journeyId": id}
	_, was := w.direct("status", ref)
	before, to := w.active(number), place(32)
	_, calls, _ := w.act(rules.Ask{Want: rules.WantEdit, From: number, JourneyID: id, Pickup: &to})
	_, now := w.direct("status", ref)
	pickup, _ := now["pickup"].(object)
	if pickup == nil {
		return // it is not told
	}
	w.worked["edit"] = pickup["address"] == to.Address && w.active(number) == before
	for _, c := range of("book", calls) {
		w.worked["times-told"] = c.sent["pickupTime"] == was["date"]
	}
}

// lost is a caller whose booking is answered, and the answer lost.
func (w *together) lost() {
	const number = "442079460166"
	if !w.make(number, 40) {
		return
	}
	before := w.active(number)
	w.line.mu.Lock()
	w.line.drop = true
	w.line.mu.Unlock()
	_, calls, _ := w.act(booking(number, 41))
	if made := of("book", calls); len(made) > 0 && made[0].code/100 == 2 {
		w.worked["lost-answer"] = w.active(number) == before+1
	}
	w.line.mu.Lock()
	w.line.drop = false
	w.line.mu.Unlock()
}

// onTheWay has a journey go on until the driver has arrived, and looks at what the
// caller hears.
func (w *together) onTheWay(id string) {
	const number = "442079460199"
	if w.advance(id, taxi.EnRoute) != nil {
		return // the layer has ids of its own
	}
	a, calls, code := w.act(rules.Ask{Want: rules.WantStatus, From: number, JourneyID: id})
	if code == http.StatusOK && a.Said != nil {
		for about, words := range map[string]string{"eta": "It comes in about", "vehicle": "It is a ", "registration": "Its registration is ", "driver": "Your driver is "} {
			w.worked[about] = says(a, words)
		}
		for _, c := range of("status", calls) {
			driver, _ := c.told["driver"].(object)
			price, _ := c.told["price"].(object)
			w.worked["badge"] = driver != nil && says(a, fmt.Sprint(driver["badgeNumber"]))
			w.worked["price"] = price != nil && says(a, fmt.Sprint(price["value"]))
		}
		for _, c := range of("config", calls) {
			if data, _ := c.told["data"].(object); data["options"] != nil {
				w.worked["overrides"] = !says(a, "Your driver is ") && !says(a, "It is a ")
			}
		}
	}
	a, _, _ = w.act(rules.Ask{Want: rules.WantStatus, From: number, JourneyID: id, Channel: rules.ChannelMessaging})
	w.worked["location"] = slices.ContainsFunc(a.Shown, func(s rules.Shown) bool { return s.Kind == "location" })
	if w.advance(id, taxi.Arrived) != nil {
		return
	}
	if a, _, code := w.act(rules.Ask{Want: rules.WantOffer, From: number, JourneyID: id}); code == http.StatusOK && a.Offered != nil {
		w.worked["coming-now"] = slices.Contains(a.Offered, "comingNow")
		w.worked["call-driver"] = slices.Contains(a.Offered, "callDriver")
	}
}

func (w *together) advance(id string, to taxi.Status) error {
	return w.vendor.host.World().Clock().UntilStatus(w.t.Context(), taxi.JourneyID(id), to, 14*24*time.Hour)
}
