package dispatchtest

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
	"github.com/cabrank/cabrank/simulator/fault"
)

// Person returns the first person of a kind, such as [fixtures.PersonDisabled], and fails the
// test if there is none. ([fixtures.PersonUnknown] has a name and a number, and calls for the
// first time.)
func (f *Fake) Person(kind fixtures.PersonKind) fixtures.Person {
	f.t.Helper()
	i := slices.IndexFunc(f.people, func(p fixtures.Person) bool { return p.Kind == kind })
	if i < 0 {
		f.t.Fatalf("dispatchtest: it knows nobody who is %q", kind)
	}
	return f.people[i]
}

// Place returns the address of a place of the town by its kind or a part of its name, such
// as "station" or "airport", and fails the test if there is none.
func (f *Fake) Place(name string) taxi.Address {
	f.t.Helper()
	places := f.places()
	for _, means := range []func(dispatch.Place) bool{
		func(p dispatch.Place) bool { return strings.EqualFold(p.Name, name) || strings.EqualFold(p.Kind, name) },
		func(p dispatch.Place) bool { return strings.Contains(strings.ToLower(p.Name), strings.ToLower(name)) },
	} {
		if i := slices.IndexFunc(places, means); i >= 0 {
			return places[i].Address
		}
	}
	f.t.Fatalf("dispatchtest: the town has no place %q", name)
	return taxi.Address{}
}

// places reads the list of places over HTTP.
func (f *Fake) places() []dispatch.Place {
	f.t.Helper()
	resp, err := f.client.Get(f.url + "/places")
	if err != nil {
		f.t.Fatalf("dispatchtest: %v", err)
	}
	defer resp.Body.Close()
	var list dispatch.Gazetteer
	if err := json.NewDecoder(resp.Body).Decode(&list); err != nil || resp.StatusCode != http.StatusOK {
		f.t.Fatalf("dispatchtest: /places: %s: %v", resp.Status, err)
	}
	return list.Places
}

// Book makes a booking over HTTP, as a caller would, and fails the test if it is refused.
// Missing fields of r get defaults: an ordinary person, from the station to the hospital, now
// on the callers' clock. A platform under test makes its own bookings; Book is for journeys
// that exist before it calls, and for tests of what follows a booking.
func (f *Fake) Book(r taxi.BookRequest) taxi.Journey {
	f.t.Helper()
	if r.PhoneNumber == "" {
		somebody := f.Person(fixtures.PersonOrdinary)
		r.PhoneNumber = somebody.PhoneNumber
		if r.Name == "" {
			r.Name = somebody.Name
		}
	}
	if r.Pickup == nil {
		station := f.Place("station")
		r.Pickup = &station
	}
	if r.Dropoffs == nil {
		r.Dropoffs = []taxi.Address{f.Place("hospital")}
	}
	if r.PickupTime.IsZero() {
		r.PickupTime = taxi.At(f.now())
	}
	j, err := f.Client(taxi.ClientOptions{Auth: f.auth}).Book(f.t.Context(), r)
	if err != nil {
		f.t.Fatalf("dispatchtest: book: %v", err)
	}
	return j
}

// Faults is the list of rules of package fault for calls of the platform under test, initially
// empty. If the test fails, each rule and each request that it hit are logged. The rules also
// apply to [Fake.Book].
type Faults struct {
	t   testing.TB
	set *fault.Set
}

// Add appends a rule, and returns it with its id and its defaults. The test fails if the rule is invalid, or if
// another rule has its id.
func (f *Faults) Add(r fault.Rule) fault.Listed {
	f.t.Helper()
	added, err := f.set.Add(r)
	if err != nil {
		f.t.Fatalf("dispatchtest: the rule: %v", err)
	}
	return added
}

// List returns the rules in the order in which they are tried, including ended ones, with the
// number of requests that each has hit.
func (f *Faults) List() []fault.Listed { return f.set.List() }

// Remove removes a rule. The test fails if there is none with that id.
func (f *Faults) Remove(id string) {
	f.t.Helper()
	if err := f.set.Remove(id); err != nil {
		f.t.Fatalf("dispatchtest: %v", err)
	}
}

// Clear removes all rules; ids start again from the first.
func (f *Faults) Clear() { f.set.Clear() }
