package store

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// readBody decodes a journey's body. It has a fast path, ten times faster than
// encoding/json, for the form that [Snapshot.JSON] writes; other bodies go to encoding/json.
// Opening a database with many live journeys spends most of its time here.
func readBody(body []byte, words *words, j *taxi.Journey) error {
	r := bodyReader{rest: body, words: words}
	if r.journey(j) && len(r.rest) == 0 && utf8.Valid(body) {
		return nil
	}
	*j = taxi.Journey{}
	return json.Unmarshal(body, j)
}

// words stores the texts of many bodies. Texts shared by many bodies are stored once; the
// others are stored one after another in large blocks, since separate allocations need a
// third more memory. The zero value is ready for use; nil allocates each text separately.
type words struct {
	known map[string]string
	sheet *strings.Builder
}

const (
	mostWords = 1 << 12 // maximum of shared texts
	sheetSize = 1 << 12 // retained as long as one of its texts
)

// shared returns a text that many bodies share.
func (w *words) shared(b []byte) string {
	if w == nil {
		return string(b)
	}
	if s, known := w.known[string(b)]; known {
		return s
	}
	s := w.text(b)
	if len(w.known) < mostWords {
		if w.known == nil {
			w.known = make(map[string]string)
		}
		w.known[s] = s
	}
	return s
}

// text returns a text that is not shared.
func (w *words) text(b []byte) string {
	if w == nil || len(b) > sheetSize/4 {
		return string(b)
	}
	if w.sheet == nil || w.sheet.Len()+len(b) > sheetSize {
		w.sheet = new(strings.Builder) // existing texts refer to the old one
		w.sheet.Grow(sheetSize)
	}
	from := w.sheet.Len()
	w.sheet.Write(b)
	return w.sheet.String()[from:]
}

// bodyReader parses a restricted form of JSON: no white space, no escapes, no unknown
// members. Its methods report whether the input has that form.
type bodyReader struct {
	rest  []byte
	words *words
	parts *bodyParts
}

// bodyParts holds the usual pointer targets of a journey in one allocation.
type bodyParts struct {
	eta       taxi.ETA
	price     taxi.Price
	pickup    taxi.Address
	dropoffs  [1]taxi.Address
	from, to  taxi.Point // their locations
	passenger taxi.Passenger
}

func (r *bodyReader) take(c byte) bool {
	if len(r.rest) == 0 || r.rest[0] != c {
		return false
	}
	r.rest = r.rest[1:]
	return true
}

// object reads an object, member by member.
func (r *bodyReader) object(member func(name []byte) bool) bool {
	if !r.take('{') {
		return false
	}
	for {
		name, ok := r.raw()
		if !ok || !r.take(':') || !member(name) {
			return false
		}
		if !r.take(',') {
			return r.take('}')
		}
	}
}

// raw reads a string.
func (r *bodyReader) raw() ([]byte, bool) {
	if !r.take('"') {
		return nil, false
	}
	for i, c := range r.rest {
		switch {
		case c == '"':
			s := r.rest[:i]
			r.rest = r.rest[i+1:]
			return s, true
		case c == '\\', c < ' ':
			return nil, false
		}
	}
	return nil, false
}

// text reads an unshared string, shared one that many bodies share.
func text[S ~string](r *bodyReader, to *S) bool {
	b, ok := r.raw()
	*to = S(r.words.text(b))
	return ok
}

func shared[S ~string](r *bodyReader, to *S) bool {
	b, ok := r.raw()
	*to = S(r.words.shared(b))
	return ok
}

// number reads digits with an optional decimal point.
func (r *bodyReader) number(to *float64) bool {
	n, point := 0, false
	if len(r.rest) > 0 && r.rest[0] == '-' {
		n++
	}
	first := n
	for ; n < len(r.rest); n++ {
		c := r.rest[n]
		if c == '.' && !point && n > first {
			point = true
		} else if c < '0' || c > '9' {
			break
		}
	}
	digits := r.rest[:n]
	if n == first || digits[n-1] == '.' || n > first+1 && digits[first] == '0' && digits[first+1] != '.' {
		return false
	}
	r.rest = r.rest[n:]
	v, err := strconv.ParseFloat(string(digits), 64)
	*to = v
	return err == nil
}

// once reads an object member that must not be repeated.
func once[T any](to **T, place *T, read func(*T) bool) bool {
	if *to != nil {
		return false
	}
	*to = place
	return read(place)
}

func (r *bodyReader) journey(j *taxi.Journey) bool {
	r.parts = new(bodyParts)
	return r.object(func(name []byte) bool {
		switch string(name) {
		case "journeyId":
			return text(r, &j.JourneyID)
		case "status":
			return shared(r, &j.Status)
		case "date":
			return r.date(&j.Date)
		case "eta":
			return once(&j.ETA, &r.parts.eta, r.eta)
		case "price":
			return once(&j.Price, &r.parts.price, r.price)
		case "pickup":
			return once(&j.Pickup, &r.parts.pickup, func(a *taxi.Address) bool { return r.address(a, &r.parts.from) })
		case "dropoffs":
			return j.Dropoffs == nil && r.addresses(&j.Dropoffs)
		case "passenger":
			return once(&j.Passenger, &r.parts.passenger, r.passenger)
		}
		return false // journeys with a car are rare enough for the slow path
	})
}

func (r *bodyReader) date(to *taxi.Time) bool {
	from := r.rest
	text, ok := r.raw()
	return ok && to.UnmarshalJSON(from[:len(text)+2]) == nil
}

func (r *bodyReader) eta(e *taxi.ETA) bool {
	return r.object(func(name []byte) bool {
		switch string(name) {
		case "value":
			return r.number(&e.Value)
		case "unit":
			return shared(r, &e.Unit)
		}
		return false
	})
}

func (r *bodyReader) price(p *taxi.Price) bool {
	return r.object(func(name []byte) bool {
		switch string(name) {
		case "value":
			return r.number(&p.Value)
		case "currency":
			return shared(r, &p.Currency)
		case "type":
			return shared(r, &p.Type)
		}
		return false
	})
}

func (r *bodyReader) address(a *taxi.Address, location *taxi.Point) bool {
	return r.object(func(name []byte) bool {
		switch string(name) {
		case "address":
			return shared(r, &a.Address)
		case "location":
			return once(&a.Location, location, r.point)
		}
		return false
	})
}

func (r *bodyReader) point(p *taxi.Point) bool {
	return r.object(func(name []byte) bool {
		switch string(name) {
		case "longitude":
			return r.number(&p.Longitude)
		case "latitude":
			return r.number(&p.Latitude)
		}
		return false
	})
}

func (r *bodyReader) addresses(to *[]taxi.Address) bool {
	if !r.take('[') {
		return false
	}
	all, location := r.parts.dropoffs[:0], &r.parts.to
	for {
		var a taxi.Address
		if !r.address(&a, location) {
			return false
		}
		if all = append(all, a); !r.take(',') {
			*to = all
			return r.take(']')
		}
		location = new(taxi.Point)
	}
}

func (r *bodyReader) passenger(p *taxi.Passenger) bool {
	return r.object(func(name []byte) bool {
		switch string(name) {
		case "phoneNumber":
			return text(r, &p.PhoneNumber)
		case "name":
			return shared(r, &p.Name)
		}
		return false
	})
}
