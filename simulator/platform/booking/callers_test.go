package booking_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
	"github.com/cabrank/cabrank/simulator/platform"
	"github.com/cabrank/cabrank/simulator/platform/simapi"
	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// caller is a caller with a goal and the words that they would use. A file of fixtures/callers is an array of them;
// README.md there explains the members.
type caller struct {
	ID       string
	Language string
	Kind     string
	Caller   string // "known" or "unknown"
	Booking  *wanted
	Goal     struct {
		Outcome string
		wanted
		People json.RawMessage // a number, or "none": no number may be sent
		Stops  []string        // nil: those that the caller speaks of do not count
		Told   string
	}
	Opening string
	Answers map[string][]string
	Never   string
}

// wanted is a trip in a file of callers.
type wanted struct{ Pickup, Dropoff, When string }

// callersNow is the time of the calls: Monday, 2 March 2026, half past two.
var callersNow = time.Date(2026, 3, 2, 14, 30, 0, 0, time.UTC)

// london is the callers' time zone.
var london, _ = time.LoadLocation("Europe/London")

// usualPickup is the place of an earlier pickup of known callers.
const usualPickup = "University of Otterbridge"

// outcome is the result of a call.
type outcome struct {
	got        bool // what the caller wanted
	wrong      bool // a taxi that nobody wanted
	questions  int
	turns      int // answers
	silent     int // parts of a trip that were read back and not said, or said and not read back
	why        string
	transcript string
}

// plays sets the answers of the third party for a caller, whom it knows or not.
func (p *party) plays(c caller) {
	answers := knowing()
	if c.Booking != nil {
		answers = knowing(c.Booking.journey())
	}
	answers["/config"] = raw(`{"status":"OK","eta":{"value":6,"unit":"minutes"}}`)
	if c.Caller != "known" {
		answers["/user"] = []reply{{Status: http.StatusNotFound}}
	}
	p.answer(answers)
}

// journey returns the existing booking; if it is for now, the taxi is on its way.
func (b *wanted) journey() map[string]any {
	at := moment(b.When)
	j := map[string]any{
		"journeyId": "J-1", "status": "HELD", "date": at.Format(time.RFC3339), "pickup": place(b.Pickup), "dropoffs": []any{place(b.Dropoff)},
		"price": map[string]any{"value": 6.1, "currency": "GBP", "type": "ESTIMATED"},
	}
	if b.When == "now" {
		j["status"], j["eta"] = "EN_ROUTE", map[string]any{"value": 4, "unit": "minutes"}
		j["driver"] = map[string]any{"name": "Sam Okafor", "phoneNumber": "447700900123", "badgeNumber": "4471"}
		j["vehicle"] = map[string]any{"description": "White Toyota Prius", "registration": "ZT21 KBD"}
		j["location"] = map[string]any{"longitude": 2.09, "latitude": 54.70}
	}
	return j
}

// place returns the address of a place of the town, or of a house in one of its streets.
func place(name string) taxi.Address {
	known := platform.PlacesOf(fixtures.Places())
	for _, p := range known {
		if p.Name == name {
			return p.Address
		}
	}
	number, street, _ := strings.Cut(name, " ")
	for _, p := range known {
		if p.Street && p.Name == street {
			return p.At(number)
		}
	}
	return taxi.Address{Address: name}
}

// moment parses the "when" of a file of callers.
func moment(when string) time.Time {
	var minutes int
	switch n, _ := fmt.Sscanf(when, "+%dm", &minutes); {
	case when == "now" || when == "":
		return callersNow
	case n == 1:
		return callersNow.Add(time.Duration(minutes) * time.Minute)
	}
	at, err := time.ParseInLocation("2006-01-02 15:04", when, london)
	if err != nil {
		return time.Time{}
	}
	return at
}

var callers = flag.String("callers", "", "a file of callers in place of those of fixtures/callers")

// manner is how callers answer when no answer is left in the file.
type manner int

// The manners.
const (
	asWritten manner = iota // they say the last answer again, once, and hang up
	patient                 // they repeat what they want
	attentive               // likewise, and they correct a read-back that is not what they want
)

// TestCallersGetTheTaxiTheyWant checks that no caller in fixtures/callers gets a taxi that they do not want, and that at least as many
// callers of each file as before get what they want.
func TestCallersGetTheTaxiTheyWant(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../../fixtures/callers/*.json")
	require.NoError(t, err)
	if *callers != "" {
		files = []string{*callers}
	}
	require.NotEmpty(t, files)
	all := 0
	for _, n := range reached {
		all += n
	}
	require.Greater(t, float64(all), leastOfAll)
	if testing.Short() { // with the race detector: the others share no more memory
		files = files[:1]
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".json"), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			total := judgeCallers(t, decoded[[]caller](t, text), asWritten)
			require.GreaterOrEqual(t, total, reached[strings.TrimSuffix(filepath.Base(file), ".json")])
		})
	}
}

// leastServed is the share of the callers of a file who get what they want, and reached how many of a file did when it or the
// grammar was last changed: no fewer do now, and all together are leastOfAll.
const (
	leastServed = 0.9
	leastOfAll  = 0.96 * 2_393
)

var reached = map[string]int{"build": 134, "dictation": 113, "hurry": 115, "mixed": 222, "dictation2": 122, "hurry2": 113, "third": 74, "dictation4": 109, "hurry4": 107, "dictation5": 106, "hurry5": 102, "dictation6": 112, "hurry6": 109, "dictation7": 112, "hurry7": 111, "both8": 216, "city": 126, "fourth": 116, "shift": 115}

// TestPatientCallersGetTheTaxiTheyWant checks the same with callers who repeat what they want when they are asked again, and with
// callers who also correct a wrong read-back.
func TestPatientCallersGetTheTaxiTheyWant(t *testing.T) {
	if testing.Short() {
		t.Skip("TestCallersGetTheTaxiTheyWant shares the same memory")
	}
	t.Parallel()
	files, err := filepath.Glob("../../../fixtures/callers/*.json")
	require.NoError(t, err)
	if *callers != "" {
		files = []string{*callers}
	} else {
		files = files[:2]
	}
	for name, how := range map[string]manner{"patient": patient, "attentive": attentive} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, file := range files {
				text, err := os.ReadFile(file)
				require.NoError(t, err)
				judgeCallers(t, decoded[[]caller](t, text), how)
			}
		})
	}
}

func judgeCallers(t *testing.T, callers []caller, how manner) int {
	p := newParty(t, nil)
	towns := map[string]*town{}
	served, wrong, questions, turns, silent := map[string]int{}, 0, 0, 0, 0
	all := map[string]int{}
	for i, c := range callers {
		w := towns[c.Language]
		if w == nil {
			w = newTown(t, p.url, func(o *platform.Options) { o.Now = func() time.Time { return callersNow } })
			w.set("language", map[string]string{"en": `"en-GB"`, "de": `"de-DE"`}[c.Language])
			towns[c.Language] = w
		}
		got := c.call(t, w, p, fmt.Sprintf("4420794%05d", 60100+i), how)
		kind := c.Language + " " + c.Kind
		all[kind]++
		questions, turns, silent = questions+got.questions, turns+got.turns, silent+got.silent
		if got.got {
			served[kind]++
			if got.questions > 0 {
				t.Logf("%s was asked %d questions in vain:\n%s", c.ID, got.questions, got.transcript)
			}
		} else {
			t.Logf("%s did not get what they wanted: %s\n%s", c.ID, got.why, got.transcript)
		}
		if got.wrong {
			wrong++
			t.Errorf("%s: A WRONG TAXI: %s", c.ID, got.why)
		}
	}
	total := 0
	for _, kind := range slices.Sorted(maps.Keys(all)) {
		t.Logf("%-20s %d of %d", kind, served[kind], all[kind])
		total += served[kind]
	}
	t.Logf("%d of %d callers got what they wanted, %d wrong taxis, %.2f questions a call that were asked in vain, %.2f answers a call, %d silent doubts", total, len(callers), wrong,
		float64(questions)/float64(len(callers)), float64(turns)/float64(len(callers)), silent)
	require.Zero(t, wrong)
	require.GreaterOrEqual(t, float64(total)/float64(len(callers)), leastServed)
	return total
}

// call lets a caller call and answer until no answer is left.
func (c caller) call(t *testing.T, w *town, p *party, from string, how manner) outcome {
	p.plays(c)
	if c.Caller == "known" && c.Booking == nil { // they were picked up at their usual place before
		v := w.call(from, `[{"wait":"3s"},{"say":"from `+usualPickup+` to the Town Hall right now"},{"wait":"12s"},{"say":"yes"},{"wait":"1m"}]`)
		require.Len(t, p.bodies("/book"), 1, said(v))
		p.plays(c)
	}
	id := w.attach(fmt.Sprintf(`{"from":%q,"to":"taxi"}`, from))
	return c.talk(t, w, p, id, how)
}

// talk says the opening, and then the next answer to each question.
func (c caller) talk(t *testing.T, w *town, p *party, id string, how manner) outcome {
	var o outcome
	used := map[string]int{}
	again := map[string]bool{}
	act := func(body string) {
		status, answer := w.ask(http.MethodPost, "/sim/v1/phones/"+id, body)
		require.Equal(t, http.StatusNoContent, status, "%s", answer)
	}
	say := func(text string) {
		body, _ := json.Marshal(map[string]string{"say": text})
		act(string(body))
	}
	listened, repeated := 0, map[string]int{}
	for turn := range 30 {
		var v simapi.PhoneView
		for range 90 {
			w.line.Advance(500 * time.Millisecond)
			if v = w.phone(id); v.Status == "over" || len(v.Listens) > listened {
				break
			}
		}
		if v.Status == "over" || len(v.Listens) == listened {
			break
		}
		listened = len(v.Listens)
		if turn == 0 {
			say(c.Opening)
			continue
		}
		o.turns++
		asks := askedFor(v)
		text, ok := "", false
		if how == attentive && slices.Contains(asks, "confirm") {
			if wrong := c.corrects(v); wrong != "" && repeated["confirm"] < 2 {
				repeated["confirm"]++
				say(wrong)
				continue
			}
		}
		for _, a := range asks {
			if used[a] < len(c.Answers[a]) {
				text, ok = c.Answers[a][used[a]], true
				used[a]++
				break
			}
		}
		if !ok && c.Goal.Outcome == "told" && c.isTold(v) {
			break
		}
		if !ok && how != asWritten {
			for _, a := range asks {
				if want := c.repeats(a); want != "" && repeated[a] < 2 {
					text, ok = want, true
					repeated[a]++
					break
				}
			}
			o.questions++
		} else if !ok {
			o.questions++
			for _, a := range asks {
				if n := len(c.Answers[a]); n > 0 && !again[a] {
					text, ok, again[a] = c.Answers[a][n-1], true, true
					break
				}
			}
		}
		if !ok {
			o.why = fmt.Sprintf("was asked for %v", asks)
			act(`{"hangup":true}`)
			break
		}
		say(text)
	}
	w.line.Run(time.Minute)
	v := w.phone(id)
	if v.Status != "over" {
		act(`{"hangup":true}`)
		w.line.Run(time.Minute)
		v = w.phone(id)
	}
	c.judge(&o, p, v)
	o.silent = c.silent(p)
	for _, l := range v.Transcript {
		o.transcript += fmt.Sprintf("    %-8s %-6s %s\n", l.Party, l.Kind, l.Text)
	}
	return o
}

func askedFor(v simapi.PhoneView) []string {
	text, _ := json.Marshal(v.Listens[len(v.Listens)-1].Asks)
	var asks []string
	_ = json.Unmarshal(text, &asks)
	return asks
}

// judge compares the requests to the third party with what the caller wanted.
func (c caller) judge(o *outcome, p *party, v simapi.PhoneView) {
	booked, cancelled := p.bodies("/book"), len(p.bodies("/cancel"))
	rang := slices.ContainsFunc(v.Transcript, func(l voice.Line) bool { return l.Kind == voice.LineRing })
	fail := func(format string, args ...any) {
		o.got, o.why = false, strings.TrimSpace(o.why+" "+fmt.Sprintf(format, args...))
	}
	o.got = true
	for _, b := range booked {
		_, edit := b["journeyId"]
		switch {
		case c.Goal.Outcome != "booked" && c.Goal.Outcome != "changed", edit != (c.Goal.Outcome == "changed"):
			o.wrong = true
			fail("booked what nobody wanted: %v", stringOf(b))
		default:
			if why := c.differs(b); why != "" {
				o.wrong = true
				fail("%s", why)
			}
		}
	}
	if cancelled > 0 && c.Goal.Outcome != "cancelled" {
		o.wrong = true
		fail("cancelled what was wanted")
	}
	switch c.Goal.Outcome {
	case "booked", "changed":
		if len(booked) != 1 {
			fail("%d bookings", len(booked))
		}
	case "cancelled":
		if cancelled != 1 {
			fail("%d cancellations", cancelled)
		}
	case "person":
		if !rang {
			fail("no person was rung")
		}
	case "told":
		if !c.isTold(v) {
			fail("was not told %s", c.Goal.Told)
		}
	}
}

// isTold reports whether the caller has heard what they wanted to know.
func (c caller) isTold(v simapi.PhoneView) bool {
	text := strings.ToLower(said(v))
	return slices.ContainsFunc(tells[c.Goal.Told], func(word string) bool { return strings.Contains(text, word) })
}

// tells contains the words of which an answer must have one.
var tells = map[string][]string{
	"fare": {"fare", "price", "fahrpreis"}, "eta": {"minute"}, "car": {"prius"}, "time": {" at ", " um "}, "when": {" at ", " um "}, "where": {"away", "entfernt", "outside"},
	"booking": {"booked for", "bestellt"},
}

// differs returns how a booking differs from what the caller wanted; "": it does not.
func (c caller) differs(b map[string]json.RawMessage) string {
	var pickup taxi.Address
	var dropoffs []taxi.Address
	var at time.Time
	var data struct{ People int }
	_ = json.Unmarshal(b["pickup"], &pickup)
	_ = json.Unmarshal(b["dropoffs"], &dropoffs)
	_ = json.Unmarshal(b["pickupTime"], &at)
	_ = json.Unmarshal(b["data"], &data)
	var list []string
	if want := place(c.Goal.Pickup).Address; pickup.Address != want {
		list = append(list, fmt.Sprintf("from %s, not %s", pickup.Address, c.Goal.Pickup))
	}
	if n := len(dropoffs); n == 0 || dropoffs[n-1].Address != place(c.Goal.Dropoff).Address || !c.stopsAt(dropoffs[:n-1]) {
		list = append(list, fmt.Sprintf("to %v, not %s", dropoffs, c.Goal.Dropoff))
	}
	if want := moment(c.Goal.When); at.Sub(want).Abs() > 5*time.Minute {
		list = append(list, fmt.Sprintf("at %s, not %s", at.Format("Mon 15:04"), want.Format("Mon 15:04")))
	}
	if want, said := c.people(); said && data.People != want {
		list = append(list, fmt.Sprintf("for %d people, not %d", data.People, want))
	}
	return strings.Join(list, "; ")
}

// stopsAt reports whether the stops of a booking are those that the caller wants, or if the file does not list them,
// whether the caller names each.
func (c caller) stopsAt(stops []taxi.Address) bool {
	if c.Goal.Stops != nil {
		return slices.EqualFunc(stops, c.Goal.Stops, func(a taxi.Address, name string) bool { return a.Address == place(name).Address })
	}
	spoken := strings.ToLower(strings.Join(append(slices.Concat(slices.Collect(maps.Values(c.Answers))...), c.Opening), " "))
	return !slices.ContainsFunc(stops, func(a taxi.Address) bool {
		name, _, _ := strings.Cut(strings.ToLower(a.Address), ",")
		words := strings.Fields(strings.NewReplacer("otterbridge", "", "town hall", "hall rathaus", "station", "station bahnhof", "hospital", "hospital krankenhaus").Replace(name))
		named := slices.ContainsFunc(words, func(w string) bool { return len(w) > 3 && strings.Contains(spoken, w) })
		return !named || a.Address == place(c.Goal.Pickup).Address || a.Address == place(c.Goal.Dropoff).Address
	})
}

func stringOf(b map[string]json.RawMessage) string {
	text, _ := json.Marshal(b)
	return string(text)
}

// people returns the number of people to be sent, and whether the file says it.
func (c caller) people() (n int, said bool) {
	switch text := string(c.Goal.People); text {
	case "":
		return 0, false
	case `"none"`, "null":
		return 0, true
	default:
		n, err := strconv.Atoi(strings.Trim(text, `"`))
		return n, err == nil && n > 0
	}
}

// repeats returns what a patient caller says when they are asked again.
func (c caller) repeats(asked string) string {
	english := c.Language == "en"
	at := func(when string) string {
		var minutes int
		if n, _ := fmt.Sscanf(when, "+%dm", &minutes); n == 1 {
			return map[bool]string{true: fmt.Sprintf("in %d minutes", minutes), false: fmt.Sprintf("in %d Minuten", minutes)}[english]
		}
		if when == "now" {
			return map[bool]string{true: "now", false: "sofort"}[english]
		}
		t := moment(when)
		return map[bool]string{true: t.Format("on 2/1/2006 at 15:04"), false: t.Format("am 2.1.2006 um 15:04 Uhr")}[english]
	}
	switch asked {
	case "pickup":
		return c.Goal.Pickup
	case "dropoff":
		return c.Goal.Dropoff
	case "time":
		return at(c.Goal.When)
	case "people":
		n, _ := c.people()
		return strconv.Itoa(max(n, 1))
	case "confirm":
		if c.Goal.Outcome == "booked" || c.Goal.Outcome == "changed" || c.Goal.Outcome == "cancelled" {
			return map[bool]string{true: "yes", false: "ja"}[english]
		}
	}
	return ""
}

// corrects returns what an attentive caller says to a wrong read-back; "": it is right.
func (c caller) corrects(v simapi.PhoneView) string {
	if c.Goal.Outcome != "booked" && c.Goal.Outcome != "changed" {
		return ""
	}
	text, _ := json.Marshal(v.Listens[len(v.Listens)-1].Frame)
	var f struct {
		Pickup     *struct{ Formatted string }
		Dropoffs   []struct{ Formatted string }
		PickupTime time.Time
		Now        bool
		People     int
	}
	if json.Unmarshal(text, &f) != nil || f.Pickup == nil || len(f.Dropoffs) == 0 || f.PickupTime.IsZero() {
		return ""
	}
	no := map[string]string{"en": "no, ", "de": "nein, "}[c.Language]
	from, to := map[string]string{"en": "from ", "de": "von "}[c.Language], map[string]string{"en": "to ", "de": "nach "}[c.Language]
	var wrong []string
	if f.Pickup.Formatted != place(c.Goal.Pickup).Address {
		wrong = append(wrong, from+c.Goal.Pickup)
	}
	if f.Dropoffs[len(f.Dropoffs)-1].Formatted != place(c.Goal.Dropoff).Address {
		wrong = append(wrong, to+c.Goal.Dropoff)
	}
	if f.PickupTime.Sub(moment(c.Goal.When)).Abs() > 5*time.Minute {
		wrong = append(wrong, c.repeats("time"))
	}
	if n, said := c.people(); said && n > 0 && f.People != n {
		wrong = append(wrong, map[string]string{"en": "for %d people", "de": "für %d Personen"}[c.Language])
		wrong[len(wrong)-1] = fmt.Sprintf(wrong[len(wrong)-1], n)
	}
	if len(wrong) == 0 {
		return ""
	}
	return no + strings.Join(wrong, " ")
}

// silent returns the number of bookings with a number of people although the caller named none, or without one
// although they named it.
func (c caller) silent(p *party) int {
	n := 0
	want, said := c.people()
	for _, b := range p.bodies("/book") {
		var data struct{ People int }
		_ = json.Unmarshal(b["data"], &data)
		if data.People > 0 && said && want == 0 || data.People == 0 && want > 0 {
			n++
		}
	}
	return n
}
