package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/store/sqlitedb"
)

// Journey is a stored booking: the wire type and internal fields that are never sent. The
// position and the live ETA of a moving car are not stored; they are computed from [Drive]
// when the journey is read, so Location is nil here.
//
// Times are stored in UTC with milliseconds, those of the wire type as they are sent, so
// that a record reads the same before and after a restart.
type Journey struct {
	taxi.Journey

	Serial      uint64          // 1, 2, 3, … in order of creation, from [Tx.NextSerial]
	UserID      taxi.UserID     // the user who booked it
	Category    string          // the requested vehicle category; "" for any
	PluginData  json.RawMessage // data of the /book request; nil if absent
	CreatedAt   time.Time       // on the world's clock
	UpdatedAt   time.Time       // on the world's clock; dispatch sets it at each change
	AskedAt     time.Time       // the requested pickup time, if the stored one differs; zero otherwise
	ReleasedAt  time.Time       // when the search for a car last started; zero before that
	ArrivedAt   time.Time       // when the car reached the pickup; zero before
	Contacts    int32           // how often the driver at the pickup tried to reach the passenger
	Revision    int32           // +1 at each change; an offer made for an older revision is void
	Fingerprint [32]byte        // SHA-256 of the body that created it; zero when none
	VehicleID   string          // the assigned car; "" if none
	DriverID    string          // the driver of that car; "" if none
	Drive       *Drive          // the current drive, so that a restarted world resumes it
}

// Drive is one drive from one place to another, with the meter's reading at its start. A
// standing car has a drive to its own position.
type Drive struct {
	From, To         taxi.Point
	Departs, Arrives time.Time
	Stop             int   // index of the drop-off that it leads to, with the passenger on board
	Meter            Meter // zero until the passenger is on board
}

// Meter is a taximeter's reading.
type Meter struct {
	Pence  int64 `json:"pence"`
	Driven int64 `json:"driven"` // millimetres
	Stood  int64 `json:"stood"`  // milliseconds
}

// User is a customer. ActiveBookings is always empty here; read them with
// [Store.Live].
type User struct {
	taxi.EndUser

	CreatedAt time.Time // on the world's clock
	SeenAt    time.Time // for [Store.Prune]: when the user was last active; dispatch sets it
}

// Reply is the stored answer to a request with an Idempotency-Key.
type Reply struct {
	Key    string
	Hash   [32]byte // SHA-256 of the request's body, to detect a key used for another request
	Status int      // HTTP status of the answer
	Body   []byte   // the answer's body
	At     time.Time
}

// stamp truncates a time to the stored precision, so that memory and disk agree.
func stamp(t time.Time) time.Time { return time.UnixMilli(t.UnixMilli()).UTC() }

// stamp truncates all times of a journey. The drive may be shared, so it is replaced.
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

// ErrNotFound means that there is no such record.
var ErrNotFound = errors.New("not found")

// ErrUnavailable means that the database cannot store changes at present: the disk is full
// or broken, the queue to it is full, another process has the world, or the store is closed.
// If [Store.Apply] returns it, nothing was changed.
var ErrUnavailable = errors.New("store unavailable")

// ErrUnknown means that a change was made but may be lost: the disk refused it or did not
// answer in time, and it may become durable later.
var ErrUnknown = errors.New("not known whether it was kept")

// ErrFenced means that another process has taken the world over, or removed it, so that this
// store can write nothing any more. It wraps [ErrUnavailable].
var ErrFenced = fmt.Errorf("%w: another process has the world", ErrUnavailable)

// Damage is the error of a record that cannot be read: lists omit the record, and reading it
// fails with this error. Its id is not used again.
type Damage = sqlitedb.Damage
