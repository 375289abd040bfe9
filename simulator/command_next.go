package simulator

import (
	"context"
	"errors"
	"fmt"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// MaxNextScripts is how many scripts may wait for a booking.
const MaxNextScripts = 500

// NextScriptOrder says what the driver of the next booking will do, so that it holds from
// the first moment of the journey. Several wait in line. The bookings of a town's residents
// take none.
type NextScriptOrder struct {
	Phone taxi.E164    `json:"phone,omitempty"` // of the passenger; "": whoever books next
	Steps []ScriptStep `json:"steps"`           // see [ScriptOrder]; none: the booking goes its own way, and takes the place in the line
}

func (*NextScriptOrder) name() string { return "script-next" }

// ScriptNext obeys a [NextScriptOrder]. It returns how many scripts wait for a booking.
func (w *World) ScriptNext(ctx context.Context, o NextScriptOrder) (waiting int, err error) {
	err = w.obey(ctx, &o, func() { waiting = len(w.nextScripts) })
	return waiting, err
}

func (o *NextScriptOrder) carryOut(_ context.Context, w *World) (outcome, error) {
	if err := checkScript(o.Steps, taxi.Waiting); err != nil && checkScript(o.Steps, taxi.Held) != nil {
		return outcome{}, err
	}
	if len(w.nextScripts) >= MaxNextScripts {
		return outcome{}, refuse(RefusedConflict, "", "%d scripts wait for a booking, which is the most", len(w.nextScripts))
	}
	next := *o
	next.Phone = o.Phone.Digits()
	w.nextScripts = append(w.nextScripts, next)
	return outcome{}, nil
}

type forgetScriptsOrder struct{}

func (*forgetScriptsOrder) name() string { return "forget-scripts" }

// ForgetScripts drops the scripts that wait for a booking.
func (w *World) ForgetScripts(ctx context.Context) error {
	return w.obey(ctx, &forgetScriptsOrder{}, nil)
}

func (*forgetScriptsOrder) carryOut(_ context.Context, w *World) (outcome, error) {
	w.nextScripts = nil
	return outcome{}, nil
}

// giveScript gives a new journey the first script that waits for it.
func (w *World) giveScript(n int32) {
	if len(w.nextScripts) == 0 || w.residentBooks {
		return
	}
	j := &w.jobs.all[n]
	for i := range w.nextScripts {
		next := w.nextScripts[i]
		if next.Phone != "" && next.Phone != j.journey.Passenger.PhoneNumber.Digits() {
			continue
		}
		w.nextScripts = append(w.nextScripts[:i:i], w.nextScripts[i+1:]...)
		if err := checkScript(next.Steps, j.journey.Status); err != nil {
			j.scriptStopped = told(err)
			return
		}
		w.beginScript(n, next.Steps)
		return
	}
}

// told is a refusal with where it is.
func told(err error) string {
	if r, ok := errors.AsType[*Refusal](err); ok && r.Field != "" {
		return fmt.Sprintf("%s: %s", r.Field, r.Detail)
	}
	return err.Error()
}
