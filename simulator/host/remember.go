package host

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/store"
)

// The keys in the records of what [Deps].Remember stores. The key for the time of the clock is
// metaClock.
const (
	metaOrders = "orders" // orders for later, see [simulator.Keeper]
	metaPace   = "pace"   // a pace
	metaSystem = "system" // the /config settings
)

// memory stores in the records what a world otherwise has only in memory.
type memory struct{ records *store.Store }

// KeepOrders implements [simulator.Keeper].
func (m memory) KeepOrders(text []byte) (store.Ticket, error) {
	return m.records.QueueMeta(metaOrders, string(text))
}

// KeepTime implements [simulator.Keeper].
func (m memory) KeepTime(now time.Time) (store.Ticket, error) {
	return m.records.QueueMeta(metaClock, milliseconds(now))
}

// milliseconds formats a time as it is stored under metaClock.
func milliseconds(at time.Time) string { return strconv.FormatInt(at.UnixMilli(), 10) }

// pace is the stored speed of a clock, with the clock that callers use.
type pace struct {
	Speed   int               `json:"speed"`
	Callers simulator.Callers `json:"callers"`
}

// recallPace sets the stored speed, callers' clock and time in the options; mu is held.
func (h *Host) recallPace() {
	o := &h.options
	is := pace{o.Speed, o.Callers}
	if h.recall(metaPace, &is) {
		o.Speed, o.Callers = is.Speed, is.Callers
	}
	stopped := h.stoppedAt()
	switch {
	case stopped.IsZero():
	case h.deps.Remember && o.Speed == 0, stopped.After(o.Start): // time never runs back
		o.Start = stopped
	}
}

// recallWorld sets the stored orders for later and /config settings in the options; mu is held.
func (h *Host) recallWorld() {
	if !h.deps.Remember {
		return
	}
	o := &h.options
	o.Keep, o.Standing = memory{h.records}, nil
	if text, kept := h.records.Meta(metaOrders); kept {
		o.Standing = json.RawMessage(text)
	}
	var system taxi.ConfigResponse
	if h.recall(metaSystem, &system) {
		o.System = system
	}
}

// recall decodes the value stored under a key, and reports whether there is one. A value that
// cannot be decoded is logged, and counts as none.
func (h *Host) recall(key string, to any) bool {
	text, kept := h.records.Meta(key)
	if !kept || !h.deps.Remember {
		return false
	}
	if err := json.Unmarshal([]byte(text), to); err != nil {
		if h.deps.Log != nil {
			h.deps.Log.Error("a setting of the world is that of the configuration: the database's cannot be read", "setting", key, "error", err)
		}
		return false
	}
	return true
}

// remember stores a value durably under a key, if [Deps].Remember is set; mu is held.
func (h *Host) remember(ctx context.Context, key string, value any) error {
	if !h.deps.Remember {
		return nil
	}
	text, err := json.Marshal(value)
	if err == nil {
		err = h.records.SetMeta(ctx, key, string(text))
	}
	if err != nil {
		return fmt.Errorf("keep the setting %q of the world: %w", key, err)
	}
	return nil
}

// rememberPace stores the clock's speed, callers' clock and time; mu is held.
func (h *Host) rememberPace(ctx context.Context) error {
	if !h.deps.Remember {
		return nil
	}
	clock := h.World().Clock().Read()
	if err := h.rememberTime(clock); err != nil {
		return err
	}
	return h.remember(ctx, metaPace, pace{clock.Speed, clock.Callers})
}

// rememberTime stores the time of the clock, from which a clock that stands still
// continues. It does not wait for the disk: a later change does.
func (h *Host) rememberTime(clock simulator.Reading) error {
	now := milliseconds(clock.Now)
	if is, _ := h.records.Meta(metaClock); !h.deps.Remember || is == now {
		return nil
	}
	_, err := h.records.QueueMeta(metaClock, now)
	return err
}

// rememberAll stores the settings of a world that was restored from a saved one.
func (h *Host) rememberAll(ctx context.Context) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if err := h.rememberPace(ctx); err != nil {
		return err
	}
	return h.remember(ctx, metaSystem, h.World().Service().System())
}

// SetCallers sets which clock callers use when they name a time.
func (h *Host) SetCallers(ctx context.Context, mean simulator.Callers) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.World().Clock().SetCallers(mean)
	return h.rememberPace(ctx)
}

// SetSystem replaces the /config settings.
func (h *Host) SetSystem(ctx context.Context, system taxi.ConfigResponse) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	service := h.World().Service()
	service.SetSystem(system)
	return h.remember(ctx, metaSystem, service.System())
}
