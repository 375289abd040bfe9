package control

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"
	"sync/atomic"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// Answers says how much the operations of a world tell.
type Answers string

// How much is told.
const (
	AnswersAll      Answers = ""         // all there is
	AnswersRequired Answers = "required" // what the interface requires, and nothing more
)

// answersOf is how much is told at present.
type answersOf struct{ value atomic.Value }

func (a *answersOf) Load() Answers {
	v, _ := a.value.Load().(Answers)
	return v
}

func (a *answersOf) Store(v Answers) { a.value.Store(v) }

// required is the members of each answer that the interface requires. Those of a journey
// in /user and /status are the minimum that a third party must offer.
var required = map[string][]string{
	taxi.PathConfig: {"status"},
	taxi.PathUser:   {"userId", "phoneNumber", "name", "activeBookings"},
	taxi.PathBook:   {"journeyId", "status"},
	taxi.PathCancel: {"journeyId", "status"},
	taxi.PathStatus: requiredOfJourney,
}

var requiredOfJourney = []string{"journeyId", "date", "status", "pickup", "dropoffs"}

// answerRequired answers a request with what the interface requires of next's answer.
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
	_, _ = w.Write(text) // an error means that the client is gone
}

// only is a JSON object with some of its members, in the order of the list.
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

// eachOnly is a list of JSON objects with some of their members.
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

// kept is an answer that is kept until it is whole.
type kept struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (k *kept) Header() http.Header            { return k.header }
func (k *kept) WriteHeader(status int)         { k.status = status }
func (k *kept) Write(text []byte) (int, error) { return k.body.Write(text) }
