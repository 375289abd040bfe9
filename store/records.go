package store

import (
	"encoding/json"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// Journey is a booking as dispatch remembers it: the wire type and the facts
// that never go on the wire. The place and the live ETA of a moving car are not
// stored; they are computed from [Drive] at reading, so Location stays nil here.
//
// Times are kept to the millisecond in UTC, those of the wire type as they are
// written there, so that a record reads the same before and after a restart.
type Journey struct {
	taxi.Journey

	Serial      uint64          // 1, 2, 3, … in order of creation, from [Tx.NextSerial]
	UserID      taxi.UserID     // the user who booked it
	Category    string          // the vehicle category asked for; "" for any
	PluginData  json.RawMessage // what /book sent in data; nil when nothing
	CreatedAt   time.Time       // by the world's clock
	UpdatedAt   time.Time       // by the world's clock; dispatch sets it at each change
	AskedAt     time.Time       // the pickup time that was asked for, where another was given; zero otherwise
	ReleasedAt  time.Time       // when the search for a car last started; zero before that
	ArrivedAt   time.Time       // when the car reached the pickup; zero before
	Contacts    int32           // how often the driver at the pickup tried to reach the passenger
	Revision    int32           // +1 at each change; an offer made for an older revision is void
	Fingerprint [32]byte        // SHA-256 of the body that created it; zero when none
	VehicleID   string          // the car that has it; "" when none
	DriverID    string          // the driver of that car; "" when none
	Drive       *Drive          // the drive under way, so that a restarted world resumes it
}

// Drive is one drive from a place to another, with the meter's reading at its start.
// A car that stands has a drive to where it is.
type Drive struct {
	From, To         taxi.Point
	Departs, Arrives time.Time
	Stop             int   // which drop-off it leads to, counted from 0; with the passenger on board
	Meter            Meter // zero until the passenger is on board
}

// Meter is a taximeter's reading.
type Meter struct {
	Pence  int64 `json:"pence"`
	Driven int64 `json:"driven"` // millimetres
	Stood  int64 `json:"stood"`  // milliseconds
}

// User is a customer. ActiveBookings is always empty here: they are the live
// journeys, read with [Store.Live].
type User struct {
	taxi.EndUser

	CreatedAt time.Time // by the world's clock
	SeenAt    time.Time // when the user last mattered, see [Store.Prune]; dispatch sets it
}

// Reply is the stored answer to a request that carried an Idempotency-Key.
type Reply struct {
	Key    string
	Hash   [32]byte // SHA-256 of the request's body: the same key with another body is another request
	Status int      // HTTP status of the answer
	Body   []byte   // the answer's body
	At     time.Time
}

// stamp cuts a time down to what is stored, so that memory and disk agree.
func stamp(t time.Time) time.Time { return time.UnixMilli(t.UnixMilli()).UTC() }

// stamp cuts all of a journey's times. Its drive may be shared, so it is replaced.
func (j *Journey) stamp() {
	j.CreatedAt, j.UpdatedAt = stamp(j.CreatedAt), stamp(j.UpdatedAt)
	j.AskedAt = stamp(j.AskedAt)
	j.ReleasedAt, j.ArrivedAt = stamp(j.ReleasedAt), stamp(j.ArrivedAt)
	if j.Drive == nil {
		return
	}
	if departs, arrives := stamp(j.Drive.Departs), stamp(j.Drive.Arrives); departs != j.Drive.Departs || arrives != j.Drive.Arrives {
		drive := *j.Drive
		drive.Departs, drive.Arrives = departs, arrives
		j.Drive = &drive
	}
}
