package simapi

import (
	"context"
	"encoding/json"
	"sync"
	"sync/atomic"

	"github.com/cabrank/cabrank/simulator/platform/api"
	"github.com/cabrank/cabrank/simulator/platform/booking"
	"github.com/cabrank/cabrank/simulator/platform/records"
)

// Taxi is what accounts have set for the taxi plugin.
type Taxi struct {
	Records *records.Records
	Private bool // third parties may be on private networks

	read  sync.Map     // settings as they were read, by account
	party atomic.Value // the base address that [Taxi.Trust] was given, a string
}

// Settings are what an account has set for the plugin, or the defaults.
func (t *Taxi) Settings(account string) (booking.Settings, bool) {
	a, known := t.Records.Account(account)
	if !known {
		return booking.Settings{}, false
	}
	row, set := t.Records.Taxi.Get(account, account)
	if !set {
		return booking.Defaults(a.Name), true
	}
	if read, ok := t.read.Load(account); ok && read.(*taxiRead).row == row {
		return read.(*taxiRead).settings, true
	}
	s := booking.Defaults(a.Name)
	if json.Unmarshal(row.Value, &s) != nil {
		return booking.Defaults(a.Name), true // what is kept was written by us
	}
	t.read.Store(account, &taxiRead{row, s})
	return s, true
}

// taxiRead is a row of settings that has been read: each call needs them.
type taxiRead struct {
	row      *records.Row[json.RawMessage]
	settings booking.Settings
}

// Keep keeps the settings of the taxi plugin.
func (t *Taxi) Keep(ctx context.Context, tx *records.Tx, account string, s booking.Settings) error {
	text, err := json.Marshal(s)
	if err != nil {
		return err
	}
	return t.Records.Taxi.Put(ctx, tx, account, account, text)
}

// Trust names a third party that may be on a private network; the one before may not any more.
func (t *Taxi) Trust(base string) { t.party.Store(base) }

// MayBePrivate reports a third party that may be on a private network: it is where the one is
// that the operator named, or the operator has allowed such addresses.
func (t *Taxi) MayBePrivate(base string) bool {
	named, _ := t.party.Load().(string)
	return t.Private || api.SameOrigin(base, named)
}
