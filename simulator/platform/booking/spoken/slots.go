package spoken

import (
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// Slots is what a prompt may speak of, as the third party, the caller or the
// settings gave it: nothing is cleaned or spoken out yet. A zero field is absent.
// What is switched off for a customer is left out by who fills the slots.
type Slots struct {
	Firm string // the taxi firm
	Name string // of the caller

	Pickup  string    // an address
	Dropoff string    // an address
	Stops   []string  // addresses on the way to the drop-off, in order
	ForNow  bool      // the pickup is as soon as possible; When is then not looked at
	When    time.Time // the pickup's time
	Places  []string  // names or addresses to choose from; at most four are offered
	House   string    // a house number as it was keyed
	Streets bool      // a house number may be keyed, since there are streets to choose from
	Taxis   []Taxi    // bookings to choose from; at most three are offered
	Count   int       // of bookings
	People  int       // 0: nobody has said
	Heard   string    // the name of a place that nobody knows, as it was heard
	Usual   string    // where the caller usually is, or goes, an address

	// Aloud is a conversation in words: no keys are offered.
	Aloud bool

	Fare         *taxi.Price
	ETA          *taxi.ETA
	JobID        taxi.JourneyID
	Vehicle      string // its description
	Registration string
	Driver       string // the name
	Badge        string
	Distance     float64 // metres from the taxi to the pickup

	// Keys are the choices on offer. The key of a place or a booking in a list
	// is its number and need not be given.
	Keys map[Choice]string
}

// Taxi is a booking in a list.
type Taxi struct {
	When   time.Time
	Pickup string
}

// Bounds of a menu, and of what is said of one thing.
const (
	MostChoices = 4 // in one menu
	MostTaxis   = 3 // with a person as the fourth choice

	longestName    = 60 // characters
	longestAddress = 80
)

// The names of slots in prompt files, apart from the choices' keys.
const (
	slotFirm         = "firm"
	slotName         = "name"
	slotPickup       = "pickup"
	slotDropoff      = "dropoff"
	slotStops        = "stops" // with a comma between two
	slotPhone        = "phone" // "phone" where the prompt is spoken, nothing in a chat
	slotNow          = "now"   // "now" or nothing
	slotWhen         = "when"
	slotHouse        = "house"
	slotStreets      = "streets" // "streets" or nothing
	slotCount        = "count"
	slotHeard        = "heard"
	slotUsual        = "usual"
	slotPeople       = "people"
	slotBrief        = "brief" // "brief" where a job number is left out, which nobody writes down
	slotKeys         = "keys"  // "keys" where keys are offered, nothing in a chat and to who speaks
	slotFare         = "fare"
	slotETA          = "eta"
	slotJobID        = "jobID"
	slotJobEnd       = "jobEnd" // of a job number that is too long to be spoken
	slotVehicle      = "vehicle"
	slotRegistration = "registration"
	slotDriver       = "driver"
	slotBadge        = "badge"
	slotDistance     = "distance"
)
