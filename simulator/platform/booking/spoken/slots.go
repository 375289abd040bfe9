package spoken

import (
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// Slots contains the data for a prompt, unchanged from the third party, the caller or the
// settings. A zero field is absent. Data that are switched off for a customer must be
// left out.
type Slots struct {
	Firm string // the taxi firm
	Name string // of the caller

	Pickup     string    // an address
	Dropoff    string    // an address
	Stops      []string  // addresses on the way to the drop-off, in order
	ForNow     bool      // the pickup is as soon as possible; When is ignored
	When       time.Time // the pickup's time
	Number     bool      // the number of a house of Places[0] is asked for
	Unsure     bool      // the ends may have been heard wrongly
	Arrival    time.Time // when the caller has to be there
	WhichDay   bool      // a day was said that was not understood
	PickupTime bool      // a time was said that is not that of the pickup
	Places     []string  // names or addresses to choose from; at most four are offered
	House      string    // a house number as it was entered
	Streets    bool      // a house number can be entered, since there are streets to choose from
	Taxis      []Taxi    // bookings to choose from; at most three are offered
	Count      int       // of bookings
	People     int       // 0: unknown
	Needs      []Need    // what comes along
	Heard      string    // the name of an unknown place, as it was heard
	Usual      string    // the caller's usual address

	// Aloud is a conversation in words: no keys are offered.
	Aloud bool

	Fare         *taxi.Price
	ETA          *taxi.ETA
	JobID        taxi.JourneyID
	Vehicle      string // its description
	Registration string
	Driver       string // name of the driver
	Badge        string
	Distance     float64 // metres from the taxi to the pickup

	// Keys are the keys of the offered choices. The key of a place or a booking in a list
	// is its number and need not be set.
	Keys map[Choice]string
}

// Need is what comes along, or has to be in the car.
type Need string

// The needs.
const (
	NeedWheelchair Need = "wheelchair"
	NeedDog        Need = "dog"
	NeedLuggage    Need = "luggage"
	NeedChildSeat  Need = "childSeat"
	NeedPushchair  Need = "pushchair"
)

// Taxi is a booking in a list.
type Taxi struct {
	When   time.Time
	Pickup string
}

// Limits of a menu, and of single values.
const (
	MostChoices = 4 // in one menu
	MostTaxis   = 3 // with a person as the fourth choice

	longestName    = 60 // characters
	longestAddress = 80
)

// The names of slots in prompt files, besides the keys of choices.
const (
	slotFirm         = "firm"
	slotName         = "name"
	slotPickup       = "pickup"
	slotDropoff      = "dropoff"
	slotStops        = "stops" // with a comma between two
	slotPhone        = "phone" // "phone" if the prompt is spoken, empty in a chat
	slotNow          = "now"   // "now" or empty
	slotWhen         = "when"
	slotArrival      = "arrival"
	slotUnsure       = "unsure"     // "unsure" or empty
	slotNumber       = "number"     // "number" or empty
	slotWhichDay     = "whichDay"   // "whichDay" or empty
	slotPickupTime   = "pickupTime" // "pickupTime" or empty
	slotHouse        = "house"
	slotStreets      = "streets" // "streets" or empty
	slotCount        = "count"
	slotHeard        = "heard"
	slotUsual        = "usual"
	slotPeople       = "people"
	slotNeeds        = "needs"
	slotBrief        = "brief" // "brief" if the job number is left out because nobody writes it down
	slotKeys         = "keys"  // "keys" if keys are offered, empty in a chat and for a caller who speaks
	slotFare         = "fare"
	slotETA          = "eta"
	slotJobID        = "jobID"
	slotJobEnd       = "jobEnd" // the end of a job number that is too long to be spoken
	slotVehicle      = "vehicle"
	slotRegistration = "registration"
	slotDriver       = "driver"
	slotBadge        = "badge"
	slotDistance     = "distance"
)
