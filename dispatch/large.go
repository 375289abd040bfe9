package dispatch

import (
	"bytes"
	"context"
	"encoding/json"
	"net"

	"golang.org/x/sync/semaphore"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// Large answers that a server sends at a time: clients that do not read them would fill its memory
// until the write deadline.
const (
	largeAnswer = 16 << 10 // bytes from which on an answer counts
	mostLarge   = 32 << 20 // bytes of all of them
)

// roomKey is where requests find what is left for large answers.
type roomKey struct{}

// withRoom is the context of all requests to a server.
func withRoom(net.Listener) context.Context {
	return context.WithValue(context.Background(), roomKey{}, semaphore.NewWeighted(mostLarge))
}

// makeRoom counts an answer among those that are being sent, until its request is over. It refuses
// a large one that is too much.
func makeRoom(ctx context.Context, answer int64) error {
	room, _ := ctx.Value(roomKey{}).(*semaphore.Weighted)
	if room == nil || answer < largeAnswer || ctx.Done() == nil { // without Done nobody says when it is over
		return nil
	}
	answer = min(answer, mostLarge)
	if !room.TryAcquire(answer) {
		return refuse(taxi.CodeServerBusy, "answers of %d MiB are being sent already, to clients that read slowly", mostLarge>>20)
	}
	context.AfterFunc(ctx, func() { room.Release(answer) })
	return nil
}

// userJSON is [Service.User] for the wire. Texts are written as they are: the escapes for HTML
// would make some of them six times as long.
func (s *Service) userJSON(ctx context.Context, r taxi.UserRequest, f *fieldErrors) (json.RawMessage, error) {
	u, err := s.user(ctx, r, f)
	if err != nil {
		return nil, err
	}
	if err := makeRoom(ctx, sizeOf(&u)); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err = e.Encode(u)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// sizeOf is how long a user is on the wire, about.
func sizeOf(u *taxi.EndUser) (size int64) {
	const journeyWithoutTexts = 600
	for i := range u.ActiveBookings {
		size += journeyWithoutTexts + int64(textBytes(&u.ActiveBookings[i]))
	}
	return size
}

// textBytes is how long the texts are that a caller chose for a journey.
func textBytes(j *taxi.Journey) (n int) {
	if j.Pickup != nil {
		n += len(j.Pickup.Address)
	}
	for i := range j.Dropoffs {
		n += len(j.Dropoffs[i].Address)
	}
	if j.Passenger != nil {
		n += len(j.Passenger.Name)
	}
	return n
}
