package dispatch

import (
	"reflect"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/cabrank/cabrank/dispatch/inbound"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// maxFieldErrors is how many errors of one body are listed at most.
const maxFieldErrors = 16

// strict reads the bodies of requests. Unknown members are ignored. A point is wrong as a whole.
var strict = inbound.Reading{Example: `{"phoneNumber": "…"}`, Options: strictPoints, Whole: reflect.TypeFor[taxi.Point]()}

// decode reads a request body strictly: one JSON object, no duplicate names, no
// bad UTF-8, nothing behind it; unknown fields are ignored. It returns the
// fields of the wrong type, if any, with in holding the rest.
func decode[In any](body []byte, in *In) (mistyped []taxi.FieldError, err error) {
	if encoding := taxi.EncodingOf(body); encoding != "" {
		return nil, refuse(taxi.CodeMalformedJSON, "the body is %s, want plain UTF-8, in which JSON is sent (RFC 8259, 8.1)", encoding)
	}
	faults, err := strict.Read(body, in)
	if err != nil {
		return nil, refuse(taxi.CodeMalformedJSON, "%v", err)
	}
	for _, f := range faults {
		mistyped = append(mistyped, taxi.FieldError(f))
	}
	return mistyped, nil
}

// strictPoints requires both coordinates of a point. A missing one would otherwise
// become 0, which is a place.
var strictPoints = json.WithUnmarshalers(json.UnmarshalFromFunc(func(d *jsontext.Decoder, p *taxi.Point) error {
	var read struct {
		Longitude *float64 `json:"longitude"`
		Latitude  *float64 `json:"latitude"`
	}
	if err := json.UnmarshalDecode(d, &read); err != nil {
		return err
	}
	switch {
	case read.Longitude == nil:
		return inbound.Missing("longitude")
	case read.Latitude == nil:
		return inbound.Missing("latitude")
	}
	*p = taxi.Point{Longitude: *read.Longitude, Latitude: *read.Latitude}
	return nil
}))
