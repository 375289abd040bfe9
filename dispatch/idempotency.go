package dispatch

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/store"
)

// repeat is what tells a request that is sent again from a new one. A voice
// platform that heard no answer tries again, and the passenger wants one taxi.
type repeat struct {
	key         string   // Idempotency-Key; empty: none
	hash        [32]byte // SHA-256 of the body
	fingerprint [32]byte // the same, when equal bodies without a key are one booking too
}

// ReplayedHeader marks the answer to a request that an earlier one had made.
const ReplayedHeader = "Idempotent-Replayed"

// allowDuplicate lets a caller who means it book the same again at once.
func (r *repeat) allowDuplicate(data json.RawMessage) {
	if !bytes.Contains(data, []byte(`"allowDuplicate"`)) {
		return
	}
	var plugin struct {
		AllowDuplicate bool `json:"allowDuplicate"`
	}
	if json.Unmarshal(data, &plugin) == nil && plugin.AllowDuplicate {
		r.fingerprint = [32]byte{}
	}
}

// answered looks for the answer that an Idempotency-Key got before.
func (s *Service) answered(tx *txn, now time.Time, again repeat) (booked, error) {
	if again.key == "" {
		return booked{}, nil
	}
	reply, err := tx.Reply(again.key)
	switch {
	case errors.Is(err, store.ErrNotFound), err == nil && now.Sub(reply.At) > s.policy.KeepReplies:
		return booked{}, nil
	case err != nil:
		return booked{}, err
	case reply.Hash != again.hash:
		return booked{}, refuse(taxi.CodeIdempotencyKeyReused, "a key names one request; use a new key for a new booking")
	}
	b := booked{replayed: true, body: reply.Body}
	return b, json.Unmarshal(reply.Body, &b.journey)
}

// remember keeps the answer for its Idempotency-Key, in the booking's own
// change, so that there is never one without the other.
func (s *Service) remember(tx *txn, now time.Time, again repeat, b booked) error {
	if again.key == "" {
		return nil
	}
	body, err := json.Marshal(b.journey)
	if err != nil {
		return err
	}
	tx.PutReply(store.Reply{Key: again.key, Hash: again.hash, Status: http.StatusOK, Body: body, At: now})
	return nil
}

// inFlight knows which keys are being answered right now.
type inFlight struct {
	keys sync.Map
}

// begin claims a key; a request that comes while another with its key is being
// answered is refused rather than raced.
func (f *inFlight) begin(key string) (end func(), err error) {
	if key == "" {
		return func() {}, nil
	}
	if _, taken := f.keys.LoadOrStore(key, true); taken {
		return nil, refuse(taxi.CodeRequestInFlight, "a request with this Idempotency-Key is being answered")
	}
	return func() { f.keys.Delete(key) }, nil
}
