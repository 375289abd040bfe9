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

// idempotency identifies a repeated request. A voice platform that received no answer
// repeats its request, but the passenger wants one taxi.
type idempotency struct {
	key         string   // Idempotency-Key; empty: none
	hash        [32]byte // SHA-256 of the body
	fingerprint [32]byte // the same, if equal bodies without a key are one booking
}

// ReplayedHeader marks the answer of an earlier, equal request.
const ReplayedHeader = "Idempotent-Replayed"

// allowDuplicate lets a client make an equal booking at once, if the data requests it.
func (r *idempotency) allowDuplicate(data json.RawMessage) {
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

// earlierAnswer returns the stored answer for an Idempotency-Key; a zero result if there is none.
func (tx *txn) earlierAnswer(now time.Time, idem idempotency) (bookResult, error) {
	s := tx.service
	if idem.key == "" {
		return bookResult{}, nil
	}
	reply, err := tx.Reply(idem.key)
	switch {
	case errors.Is(err, store.ErrNotFound), err == nil && now.Sub(reply.At) > s.policy.KeepReplies:
		return bookResult{}, nil
	case err != nil:
		return bookResult{}, err
	case reply.Hash != idem.hash:
		return bookResult{}, refuse(taxi.CodeIdempotencyKeyReused, "a key names one request; use a new key for a new booking")
	}
	b := bookResult{replayed: true, body: reply.Body}
	return b, json.Unmarshal(reply.Body, &b.journey)
}

// keepAnswer stores the answer for its Idempotency-Key in the same transaction as the
// booking, so that neither exists without the other.
func (tx *txn) keepAnswer(now time.Time, idem idempotency, b bookResult) error {
	if idem.key == "" {
		return nil
	}
	body, err := json.Marshal(b.journey)
	if err != nil {
		return err
	}
	tx.PutReply(store.Reply{Key: idem.key, Hash: idem.hash, Status: http.StatusOK, Body: body, At: now})
	return nil
}

// inFlight holds the keys of the requests in progress.
type inFlight struct {
	keys sync.Map
}

// begin claims a key. A second request with the key is refused until the first is
// answered.
func (f *inFlight) begin(key string) (end func(), err error) {
	if key == "" {
		return func() {}, nil
	}
	if _, taken := f.keys.LoadOrStore(key, true); taken {
		return nil, refuse(taxi.CodeRequestInFlight, "a request with this Idempotency-Key is being answered")
	}
	return func() { f.keys.Delete(key) }, nil
}
