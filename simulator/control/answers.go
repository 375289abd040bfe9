package control

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"
	"sync/atomic"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// Answers selects which members the operations of a world return.
type Answers string

// The choices.
const (
	AnswersAll      Answers = ""         // all members
	AnswersRequired Answers = "required" // only the members that the interface requires
)

// answersOf holds the current [Answers] of a world.
type answersOf struct{ value atomic.Value }

func (a *answersOf) Load() Answers {
	v, _ := a.value.Load().(Answers)
	return v
}

func (a *answersOf) Store(v Answers) { a.value.Store(v) }

// required lists the members of each response that the interface requires. Those of a
// journey in /user and /status are the minimum that a third party must offer.
var required = map[string][]string{
	taxi.PathConfig: {"status"},
	taxi.PathUser:   {"userId", "phoneNumber", "name", "activeBookings"},
	taxi.PathBook:   {"journeyId", "status"},
	taxi.PathCancel: {"journeyId", "status"},
	taxi.PathStatus: requiredOfJourney,
}

var requiredOfJourney = []string{"journeyId", "date", "status", "pickup", "dropoffs"}

// answerRequired responds with the required members of next's response.
func answerRequired(w http.ResponseWriter, r *http.Request, next http.Handler) {
	members, known := required[r.URL.Path]
	if !known {
		next.ServeHTTP(w, r)
		return
	}
	whole := &kept{header: w.Header(), status: http.StatusOK}
	next.ServeHTTP(whole, r)
	text := whole.body.Bytes()
	if whole.status == http.StatusOK {
		text = only(text, members)
	}
	w.Header().Set("Content-Length", strconv.Itoa(len(text)))
	w.WriteHeader(whole.status)
	_, _ = w.Write(text) // the client may have disconnected
}

// only returns a JSON object with only the listed members, in the order of the list.
func only(text []byte, members []string) []byte {
	var whole map[string]json.RawMessage
	if json.Unmarshal(text, &whole) != nil {
		return text
	}
	var short bytes.Buffer
	short.WriteByte('{')
	for _, name := range members {
		value, ok := whole[name]
		if !ok {
			continue
		}
		if name == "activeBookings" {
			value = eachOnly(value, requiredOfJourney)
		}
		if short.Len() > 1 {
			short.WriteByte(',')
		}
		short.WriteString(strconv.Quote(name) + ":")
		short.Write(value)
	}
	short.WriteString("}\n")
	return short.Bytes()
}

// eachOnly applies [only] to each object of a list.
func eachOnly(text []byte, members []string) []byte {
	var all []json.RawMessage
	if json.Unmarshal(text, &all) != nil {
		return text
	}
	for i := range all {
		all[i] = only(all[i], members)
	}
	short, err := json.Marshal(all)
	if err != nil {
		return text
	}
	return short
}

// kept buffers a response.
type kept struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (k *kept) Header() http.Header            { return k.header }
func (k *kept) WriteHeader(status int)         { k.status = status }
func (k *kept) Write(text []byte) (int, error) { return k.body.Write(text) }
