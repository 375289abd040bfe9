package simulator

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/store"
)

// opPeople is the command that creates users; all other commands are the service's.
const opPeople = "people"

// beginRecording writes the header of the recording, if there is one, and connects the
// service and the records to it.
func (w *World) beginRecording(ctx context.Context, o *Options, serving *dispatch.Options) error {
	w.clientNow, w.callers = o.Wall, o.Callers
	if o.repetition != nil {
		w.clientNow, w.recorder.refused, w.callers = o.repetition.clientNow, o.repetition.refused, CallersByWall
	}
	if w.clientNow != nil {
		serving.ClientNow = w.clientClock
	}
	if o.Record == nil {
		return nil
	}
	known, err := resumed(ctx, w.records)
	if err != nil {
		return err
	}
	options, err := o.describe()
	if err != nil {
		return err
	}
	w.recorder.line(header{
		Version: recordingVersion, Seed: o.Seed, Start: w.now, Cars: len(o.Crews), Sweep: o.Sweep,
		Options: options, Resumed: known, Recipe: o.Recipe,
	})
	serving.Commands = w.record
	w.records = recordedRecords{w.records, w}
	return nil
}

// record writes a command to the recording, within its turn.
func (w *World) record(c dispatch.Command) {
	line := commandLine{
		At: momentOf(c.At), Op: string(c.Op), Wall: w.clientShown,
		Key: c.Key, Hash: c.Hash, Fingerprint: c.Fingerprint,
		Journey: c.Journey, User: c.User, Refused: c.Refused,
	}
	w.clientShown = 0
	switch c.Op {
	case dispatch.OpBook:
		line.Request = request(c.Book)
	case dispatch.OpCancel:
		line.Request = request(c.Ref)
	case dispatch.OpAdmit:
		line.Request = request(taxi.UserRequest{PhoneNumber: c.Phone})
	case dispatch.OpSystem:
		line.Request = request(c.System)
	}
	w.recorder.command(line)
}

// request encodes a request without changing its characters.
func request(v any) json.RawMessage {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil { // the service has checked every number
		return json.RawMessage("null")
	}
	return bytes.TrimSpace(text.Bytes())
}

// clientClock reads the client's clock in a turn, and reports whether the time that the
// client names is by that clock rather than by the world's. Its value is recorded, since
// a replay cannot know it.
func (w *World) clientClock(asked time.Time) (time.Time, bool) {
	at := w.clientNow()
	if at.IsZero() || w.clientNear(at) || !w.byWall(asked, at) { // zero: a replay in which the clocks were the same
		return time.Time{}, false
	}
	w.clientShown = momentOf(at)
	return w.clientShown.time(), true
}

// clientNear reports whether the client's clock and the world's show the same: at speed 1
// they do, unless the world has been advanced.
func (w *World) clientNear(at time.Time) bool {
	return w.time.speed == 1 && w.now.sub(momentOf(at)) < time.Second
}

// recordedRecords are the records of a world with a recording. The store may refuse a
// change for an external reason, such as a full disk. The recording notes that, and a
// replay refuses the same change.
type recordedRecords struct {
	Records
	world *World
}

// Apply implements [dispatch.Records].
func (r recordedRecords) Apply(fn func(*store.Tx) error) (store.Ticket, error) {
	n, err := r.next()
	if err != nil {
		return store.Ticket{}, err
	}
	ticket, err := r.Records.Apply(fn)
	if errors.Is(err, store.ErrUnavailable) {
		r.world.recorder.refusal(r.world.now, n)
	}
	return ticket, err
}

// next numbers a change, and refuses it if the recorded run had it refused.
func (r recordedRecords) next() (uint64, error) {
	w := r.world
	w.recorder.writes++
	if !w.recorder.refused[w.recorder.writes] {
		return w.recorder.writes, nil
	}
	w.recorder.refusal(w.now, w.recorder.writes)
	return w.recorder.writes, fmt.Errorf("%w, as it was", store.ErrUnavailable)
}

// resumed reports whether records are not empty: then the world depends on more than its
// recording.
func resumed(ctx context.Context, records Records) (bool, error) {
	if !records.LatestUpdate(ctx).IsZero() || len(records.AllLive()) > 0 {
		return true, nil
	}
	users, err := records.Users(ctx)
	return len(users) > 0, err
}

// describe hashes the options that affect the run. Roads are identified by some of their
// doors and the driving times between them.
func (o *Options) describe() (string, error) {
	described := struct {
		*Options
		Start, Wall, Speed, Record, Recipe, Log *struct{} `json:",omitempty"` // these do not affect it

		Assigner, Zone string
		Roads          []any
	}{Options: o, Assigner: fmt.Sprintf("%T%+v", o.Assigner, o.Assigner), Roads: sample(o.Roads)}
	if o.Policy != nil {
		described.Zone = o.Policy.PickupLocation.String()
	}
	text, err := json.Marshal(described)
	if err != nil {
		return "", fmt.Errorf("describe the options: %w", err)
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16]), nil
}

// sample lists some doors of roads, with the distances between them.
func sample(roads Roads) []any {
	const doors = 8
	list := []any{fmt.Sprintf("%T", roads), roads.Centre()}
	from := roads.Door(0)
	for n := range uint64(doors) {
		to := roads.Door(n * golden)
		length, took := roads.Drive(from, to)
		list = append(list, to, length, took)
		from = to
	}
	return list
}
