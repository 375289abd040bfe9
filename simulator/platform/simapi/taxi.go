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

// Taxi is the taxi plugin's settings of the accounts.
type Taxi struct {
	Records *records.Records
	Private bool // third parties may be on private networks

	read  sync.Map     // decoded settings, by account
	party atomic.Value // the base address that [Taxi.Trust] was given, a string
}

// Settings returns an account's settings of the plugin, or the defaults.
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
		return booking.Defaults(a.Name), true // cannot fail: the platform wrote them
	}
	t.read.Store(account, &taxiRead{row, s})
	return s, true
}

// taxiRead is a decoded row of settings, cached since each call needs it.
type taxiRead struct {
	row      *records.Row[json.RawMessage]
	settings booking.Settings
}

// Keep stores the settings of the taxi plugin.
func (t *Taxi) Keep(ctx context.Context, tx *records.Tx, account string, s booking.Settings) error {
	text, err := json.Marshal(s)
	if err != nil {
		return err
	}
	return t.Records.Taxi.Put(ctx, tx, account, account, text)
}

// Trust allows one third party to be on a private network; the previously allowed one no longer may.
func (t *Taxi) Trust(base string) { t.party.Store(base) }

// MayBePrivate reports whether a third party may be on a private network: the operator
// named it, or allows such addresses.
func (t *Taxi) MayBePrivate(base string) bool {
	named, _ := t.party.Load().(string)
	return t.Private || api.SameOrigin(base, named)
}
