package dispatch

import (
	"bytes"
	"context"
	"encoding/json"
	"net"

	"golang.org/x/sync/semaphore"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// Limits for large answers being sent: clients that do not read them would fill the server's
// memory until the write deadline.
const (
	largeAnswer = 16 << 10 // bytes from which an answer counts
	mostLarge   = 32 << 20 // bytes of all of them
)

// roomKey is the context key of the counter for large answers.
type roomKey struct{}

// withRoom returns the base context of a server's requests, with the counter.
func withRoom(net.Listener) context.Context {
	return context.WithValue(context.Background(), roomKey{}, semaphore.NewWeighted(mostLarge))
}

// makeRoom counts a large answer until its request ends, and refuses it if the limit is
// exceeded.
func makeRoom(ctx context.Context, answer int64) error {
	room, _ := ctx.Value(roomKey{}).(*semaphore.Weighted)
	if room == nil || answer < largeAnswer || ctx.Done() == nil { // without Done the end of the request is unknown
		return nil
	}
	answer = min(answer, mostLarge)
	if !room.TryAcquire(answer) {
		return refuse(taxi.CodeServerBusy, "answers of %d MiB are being sent already, to clients that read slowly", mostLarge>>20)
	}
	context.AfterFunc(ctx, func() { room.Release(answer) })
	return nil
}

// userJSON is [Service.User] as JSON. Texts are written without HTML escapes, which would make
// some of them six times as long.
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

// sizeOf estimates the size of a user as JSON.
func sizeOf(u *taxi.EndUser) (size int64) {
	const journeyWithoutTexts = 600
	for i := range u.ActiveBookings {
		size += journeyWithoutTexts + int64(textBytes(&u.ActiveBookings[i]))
	}
	return size
}

// textBytes returns the size of a journey's texts that the caller chose.
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
