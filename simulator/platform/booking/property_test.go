package booking_test

import (
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/platform/booking"
)

// The numbers that must never be heard.
const (
	callerNumber = "442079460001"
	driverNumber = "441134960007"
)

// ugly contains answers of good and bad third parties.
var ugly = map[string][]string{
	"/config": {
		`{"status":"OK"}`, `{"status":"OK"}`, `{"status":"BUSY","eta":{"value":"7","unit":"mins"},"data":{"skipDropOff":true}}`, `{"status":null,"data":{"options":["eta",5]}}`,
		`{"data":{"language":"de"}}`, `{"status":"CLOSED"}`, `500`, `<html>`, `[]`,
	},
	"/user": {
		`{"userId":"u-1","name":"Rosalind","phoneNumber":"442079460001","activeBookings":[J]}`,
		`{"userId":"u-1","name":"Rosalind","activeBookings":[J,K]}`, `{"userId":"u-1","name":"","activeBookings":[J,K,null,{"journeyId":"L"}]}`,
		`{"userId":"u-1","name":"<b>020 7946 0001</b>"}`, `{"userId":9,"name":"call +44 20 7946 0001 now"}`, `{"name":"nobody"}`, `404`, `500`, `{"userId":`,
		`{"userId":"u","name":"x","status":"DISABLED"}`, `{"userId":"u","name":"x","status":"BLACKLISTED"}`,
	},
	"/status": {`S`, `S`, `S`, `S`, `{"journeyId":"other","status":"ARRIVED"}`, `{"status":"ARRIVED"}`, `404`, `502`, `null`, ``},
	"/book":   {`{"journeyId":"J-9","status":"WAITING"}`, `{"journeyId":"01134960007","status":"HELD"}`, `{"journeyId":null}`, `{"status":"WAITING"}`, `409`, `500`, `{"journeyId":"K"`, `{"journeyId":"J","status":"WAITING"}`},
	"/cancel": {`C`, `C`, `{"journeyId":"other","status":"CANCELLED"}`, `{"status":"CANCELLED"}`, `409`, `503`, `"yes"`},
}

// ugliest replaces the letters in an answer of ugly by bookings with many numbers in them.
func ugliest(text, journey string, status string) string {
	driver := `{"name":"ring zero one one three, four nine six, double zero oh seven","phoneNumber":"+` + driverNumber + `","badgeNumber":"01134960007"}`
	body := `{"journeyId":"ID","status":"` + status + `","date":"2026-11-24T11:00:00Z","pickup":{"address":"0113 496 0007 Mill Lane","location":{"longitude":2.1,"latitude":54.7}},` +
		`"dropoffs":[{"address":"The Station"}],"driver":` + driver + `,"vehicle":{"description":"+441134960007","registration":"0113 4960007"},"passenger":{"name":"x","phoneNumber":"` + callerNumber + `"}}`
	return strings.NewReplacer("J]", strings.Replace(body, "ID", "J", 1)+"]", "[J,", "["+strings.Replace(body, "ID", "J", 1)+",",
		"K", strings.Replace(body, "ID", "K", 1)).Replace(strings.NewReplacer(
		"S", "").Replace(map[bool]string{true: strings.Replace(body, "ID", journey, 1), false: ""}[text == "S"]) + map[bool]string{true: `{"journeyId":"` + journey + `","status":"CANCELLED"}`, false: ""}[text == "C"] +
		map[bool]string{true: "", false: text}[text == "S" || text == "C"])
}

// TestRandomCallersFollowTheStateTable checks random callers with random answers of the third party: each transition is in the state table,
// each document is valid, at most one /book is sent, and no number is said.
func TestRandomCallersFollowTheStateTable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var books int
		var drawing sync.Mutex // several answers are on their way at once
		chance := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "answers"), 1))
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			var asked struct{ JourneyID string }
			_ = json.NewDecoder(r.Body).Decode(&asked)
			drawing.Lock()
			if r.URL.Path == taxi.PathBook {
				books++
			}
			list, all := ugly[r.URL.Path], taxi.Statuses()
			text, status := list[chance.IntN(len(list))], all[chance.IntN(len(all))]
			drawing.Unlock()
			if len(text) == 3 && text[0] >= '4' {
				w.WriteHeader(map[string]int{"404": 404, "409": 409, "500": 500, "502": 502, "503": 503}[text])
				return
			}
			_, _ = w.Write([]byte(ugliest(text, asked.JourneyID, string(status))))
		}))
		defer server.Close()
		clock := morning
		desk := deskOf(server.URL, func(o *booking.Options, settings *booking.Settings) {
			o.Now = func() time.Time { return clock }
			o.Ring = func(r booking.Ring) error {
				heardBy(t, r.Say)
				r.Done(rapid.Bool().Draw(t, "told"))
				return nil
			}
			settings.Operator, settings.SkipDropOff = rapid.SampledFrom([]string{"", "100"}).Draw(t, "operator"), rapid.Bool().Draw(t, "skip")
			at := &taxi.Point{Longitude: 2, Latitude: 54}
			settings.Places = []booking.Place{
				{Name: "The Station", Address: taxi.Address{Address: "Station Road", Location: at}},
				{Name: "Mill Lane", Street: true, Address: taxi.Address{Address: "Mill Lane", Location: at}},
				{Name: "Mill Pond", Address: taxi.Address{Address: "Mill Pond", Location: at}},
			}
		})
		defer desk.Close()
		desk.Follow(func(from, to booking.State) {
			if !booking.Leads(from, to) {
				t.Fatalf("%s led to %s, which the table does not say", from, to)
			}
		})
		s := desk.Session(booking.Customer{Account: "a", Number: callerNumber, Channel: taxi.FeatureVoice})
		step := s.Begin(t.Context())
		for range 14 {
			clock = clock.Add(5 * time.Second)
			heardBy(t, step.Said)
			if err := s.Document(step).Check(); err != nil {
				t.Fatal(err)
			}
			if !slices.Contains(booking.States(), step.State) {
				t.Fatalf("no such state: %s", step.State)
			}
			step = s.Hear(t.Context(), input(t))
		}
		if books > 1 {
			t.Fatalf("%d times /book in one call", books)
		}
	})
}

var keys = rapid.SampledFrom([]string{"1", "2", "3", "4", "0", "*", "14#", "#", "1830", "0000", "9"})

var words = rapid.SampledFrom([]string{
	"yes", "no", "a taxi please", "cancel my taxi", "change it", "where is my taxi", "coming now", "call the driver", "person", "mill", "14 Mill Lane",
	"the station", "tomorrow at eight", "half past", "now", "a taxi from the station to mill pond at nine tonight", "zzz", "keep it", "repeat",
})

func input(t *rapid.T) booking.Input {
	switch rapid.IntRange(0, 9).Draw(t, "kind") {
	case 0:
		return booking.Input{}
	case 1:
		return booking.Input{Noise: true}
	case 2:
		return booking.Input{Reached: rapid.SampledFrom([]booking.Reached{booking.ReachedThem, booking.ReachedNobody}).Draw(t, "reached")}
	case 3, 4, 5:
		return booking.Input{Words: words.Draw(t, "words"), Confidence: rapid.Float64Range(0, 1).Draw(t, "confidence")}
	}
	return booking.Input{Keys: keys.Draw(t, "keys")}
}

var figures = strings.NewReplacer(
	"zero", "0", "oh", "0", "one", "1", "two", "2", "three", "3", "four", "4", "five", "5", "six", "6", "seven", "7", "eight", "8", "nine", "9",
	"null", "0", "eins", "1", "zwei", "2", "drei", "3", "vier", "4", "fünf", "5", "sechs", "6", "sieben", "7", "acht", "8", "neun", "9",
)

var doubled = regexp.MustCompile(`(double|doppel)[ -]?(\d)`)

// heardBy checks that no prompt contains a number or the remains of a template.
func heardBy(t *rapid.T, said []string) {
	text := strings.ToLower(strings.Join(said, " "))
	for _, never := range []string{"undefined", "<nil>", "%!", "<b>"} {
		if strings.Contains(text, never) {
			t.Fatalf("%q is said in %q", never, text)
		}
	}
	digits := doubled.ReplaceAllString(figures.Replace(text), "$2$2")
	digits = regexp.MustCompile(`[^0-9]`).ReplaceAllString(digits, "")
	for _, number := range []string{callerNumber, driverNumber} {
		if strings.Contains(digits, number[4:]) {
			t.Fatalf("%s is said in %q", number, text)
		}
	}
}
