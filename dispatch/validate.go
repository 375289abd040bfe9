package dispatch

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/geo"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// Limits on what a client may send, in characters unless said otherwise.
const (
	maxID       = 256
	maxName     = 256
	maxAddress  = 1000
	maxCategory = 64
	maxTexts    = 16 << 10 // bytes of the name and all addresses together
	maxData     = 16 << 10 // bytes
)

// fieldErrors collects the errors of a body by field, so that the client receives all of
// them in one answer.
type fieldErrors struct {
	list []taxi.FieldError
}

func (f *fieldErrors) add(pointer, code, format string, args ...any) {
	f.addError(taxi.FieldError{Pointer: pointer, Code: code, Detail: fmt.Sprintf(format, args...)})
}

// addError adds an error, at most one for each field: a field of the wrong type is not also
// reported as missing, nor are its members.
func (f *fieldErrors) addError(e taxi.FieldError) {
	for _, known := range f.list {
		if known.Pointer == e.Pointer || within(known.Pointer, e.Pointer) || within(e.Pointer, known.Pointer) {
			return
		}
	}
	if len(f.list) < maxFieldErrors {
		f.list = append(f.list, e)
	}
}

// within reports whether a pointer points into the value of another pointer.
func within(pointer, outer string) bool {
	inner, found := strings.CutPrefix(pointer, outer)
	return found && strings.HasPrefix(inner, "/")
}

// err returns the refusal for the errors collected, or nil.
func (f *fieldErrors) err() error {
	if len(f.list) == 0 {
		return nil
	}
	return refuseFields(f.list)
}

// text checks a string that must not be blank.
func (f *fieldErrors) text(pointer, s string, most int) {
	if strings.TrimFunc(s, isUnseen) == "" {
		f.add(pointer, "required", "is required")
		return
	}
	f.optionalText(pointer, s, most)
}

// isUnseen reports whether nobody sees a character: it is a space, a blank pattern of Braille, or has no width.
func isUnseen(r rune) bool {
	return unicode.IsSpace(r) || r == '\u2800' || unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point)
}

// isVisibleASCII reports whether a text is visible ASCII that does not start with a space.
// Such a text can only be too long, so checking it needs no pointer.
func isVisibleASCII(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return s != "" && s[0] != ' '
}

// optionalText checks a string that may be empty.
func (f *fieldErrors) optionalText(pointer, s string, most int) {
	if utf8.RuneCountInString(s) > most {
		f.add(pointer, "range", "is longer than %d characters", most)
	}
	for _, c := range s {
		if c < ' ' && c != '\n' && c != '\t' || c >= 0x7f && c < 0xa0 {
			f.add(pointer, "format", "contains control character U+%04X", c)
			return
		}
	}
}

// data checks plugin data: an object of a limited size. It returns the data without
// white space, so that an edit with other white space changes nothing.
func (f *fieldErrors) data(pointer string, raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 || string(raw) == "null" { // the same as absent
		return nil
	}
	if len(raw) > maxData {
		f.add(pointer, "range", "is larger than %d bytes", maxData)
	}
	if raw[0] != '{' {
		f.add(pointer, "type", "wants an object")
	}
	var plain bytes.Buffer
	if err := json.Compact(&plain, raw); err != nil {
		f.add(pointer, "format", "is not JSON")
		return raw
	}
	return plain.Bytes()
}

// address checks an address with its location.
func (f *fieldErrors) address(pointer string, a *taxi.Address) {
	if a == nil {
		f.add(pointer, "required", "is required")
		return
	}
	if !isVisibleASCII(a.Address) || len(a.Address) > maxAddress {
		f.text(pointer+"/address", a.Address, maxAddress)
	}
	switch {
	case a.Location == nil:
		f.add(pointer+"/location", "required", "is required")
	case !(math.Abs(a.Location.Latitude) <= 90):
		f.add(pointer+"/location/latitude", "range", "%v is not between -90 and 90", a.Location.Latitude)
	case !(math.Abs(a.Location.Longitude) <= 180):
		f.add(pointer+"/location/longitude", "range", "%v is not between -180 and 180", a.Location.Longitude)
	case *a.Location == taxi.Point{}:
		// 0, 0 is in the sea near Ghana: a geocoder failed.
		f.add(pointer+"/location", string(taxi.CodeAddressUnknown), "is 0, 0, which is what a failed look-up gives")
	}
}

// ref checks the ids of a user and a journey.
func (f *fieldErrors) ref(r taxi.JourneyRef) {
	f.text("/userId", string(r.UserID), maxID)
	f.text("/journeyId", string(r.JourneyID), maxID)
}

// validateBooking checks everything in a /book body that does not need the records or the
// clock. It converts the phone number, the time and the data to their stored
// forms.
func (s *Service) validateBooking(r *taxi.BookRequest, f *fieldErrors) {
	if r.JourneyID != nil {
		f.text("/journeyId", string(*r.JourneyID), maxID)
	}
	f.optionalText("/userId", string(r.UserID), maxID)
	f.text("/name", r.Name, maxName)
	r.PhoneNumber = s.phone(r.PhoneNumber, f)
	f.address("/pickup", r.Pickup)
	s.dropoffs(r.Dropoffs, f)
	if r.PickupTime.IsZero() {
		f.add("/pickupTime", "required", "is required")
	}
	r.PickupTime = taxi.At(r.PickupTime.In(s.policy.PickupLocation).Truncate(time.Millisecond))
	f.optionalText("/vehicleCategory", r.VehicleCategory, maxCategory)
	if !s.policy.hasCategory(r.VehicleCategory) {
		f.add("/vehicleCategory", string(taxi.CodeUnknownVehicleCategory),
			"is not one of %s", strings.Join(s.policy.Categories, ", "))
	}
	r.Data = f.data("/data", r.Data)
	f.texts(r)
	s.inArea(r, f)
}

// texts limits the total size of a booking's texts, which each answer about its journey repeats.
// Texts of visible ASCII always fit.
func (f *fieldErrors) texts(r *taxi.BookRequest) {
	n := len(r.Name)
	if r.Pickup != nil {
		n += len(r.Pickup.Address)
	}
	for i := range r.Dropoffs {
		if n += len(r.Dropoffs[i].Address); n > maxTexts {
			f.add(dropoffPointer(i)+"/address", "range", "makes the texts of this booking longer than %d bytes together", maxTexts)
			return
		}
	}
}

// phone checks a required phone number and returns its digits.
func (s *Service) phone(n taxi.E164, f *fieldErrors) taxi.E164 {
	const at = "/phoneNumber"
	if strings.TrimSpace(string(n)) == "" {
		f.add(at, "required", "is required")
		return n
	}
	digits, err := s.phones.read(n)
	if err != nil {
		f.add(at, string(taxi.CodePhoneInvalid), "%s", err)
	}
	return digits
}

func (s *Service) dropoffs(list []taxi.Address, f *fieldErrors) {
	switch n := len(list); {
	case n == 0:
		f.add("/dropoffs", "required", "wants at least one address")
	case n > s.policy.MaxDropoffs:
		f.add("/dropoffs", string(taxi.CodeTooManyDropoffs), "has %d addresses, at most %d are driven", n, s.policy.MaxDropoffs)
	default:
		for i := range list {
			f.address(dropoffPointer(i), &list[i])
		}
	}
}

// dropoffPointer returns the pointer to a drop-off; index 0 is the usual case.
func dropoffPointer(i int) string {
	if i == 0 {
		return "/dropoffs/0"
	}
	return "/dropoffs/" + strconv.Itoa(i)
}

// inArea checks that the pickup is in the service area.
func (s *Service) inArea(r *taxi.BookRequest, f *fieldErrors) {
	if s.policy.AreaRadius <= 0 || r.Pickup == nil || r.Pickup.Location == nil {
		return
	}
	if d := metres(s.area, *r.Pickup.Location); d > s.policy.AreaRadius {
		f.add("/pickup/location", string(taxi.CodeOutsideServiceArea),
			"is %.0f km from the middle of the area, which reaches %.0f km", d/1000, s.policy.AreaRadius/1000)
	}
}

// pickupTime checks the requested time against the caller's clock, and converts it to the
// service's clock: as far ahead here as it is there, so that a later request is never
// served earlier.
func (s *Service) pickupTime(now time.Time, at taxi.Time, clock callersClock) (taxi.Time, error) {
	theirs, other := clock.read(at)
	if !other {
		theirs = now
	}
	var f fieldErrors
	switch ahead := at.Sub(theirs); {
	case ahead < -s.policy.PastTolerance:
		f.add("/pickupTime", string(taxi.CodePickupInPast), "%s is past; it is %s now",
			at.Format(time.RFC3339), theirs.Format(time.RFC3339))
	case ahead > s.policy.MaxAhead:
		f.add("/pickupTime", string(taxi.CodePickupTooFarAhead), "is more than %.0f days ahead", s.policy.MaxAhead.Hours()/24)
	case other:
		at = taxi.At(now.Add(ahead).Truncate(time.Millisecond).In(at.Location()))
	}
	return at, f.err()
}

// callersClock returns the time on the caller's clock; nil, or false: it is the service's
// own.
type callersClock func(asked time.Time) (time.Time, bool)

func (c callersClock) read(asked taxi.Time) (time.Time, bool) {
	if c == nil {
		return time.Time{}, false
	}
	return c(asked.Time)
}

// metres returns the distance between two points on the ground.
func metres(a, b taxi.Point) float64 {
	return geo.Distance(orb.Point{a.Longitude, a.Latitude}, orb.Point{b.Longitude, b.Latitude})
}
