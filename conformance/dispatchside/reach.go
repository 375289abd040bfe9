package dispatchside

import (
	"context"
	"slices"
	"time"

	"github.com/cabrank/cabrank/conformance"
)

// Reach makes only the preflight of a run, without bookings: it waits for a server that is
// starting, as long as the target allows, and returns the steps. The error is that of
// [Run].
func Reach(ctx context.Context, target Target) ([]conformance.Step, error) {
	target, err := target.withDefaults()
	if err != nil {
		return nil, err
	}
	r, err := reach(ctx, target)
	if err != nil {
		return nil, err
	}
	return r.Steps, nil
}

// reach returns a new run whose server has passed the preflight. While it waits for the server it
// reports no steps, and then those of the last preflight.
func reach(ctx context.Context, target Target) (*run, error) {
	const again = time.Second / 2
	began := target.Now()
	for {
		patient := target.since(began)+again < target.Wait
		if r, err := reachOnce(ctx, target, patient); err == nil || !patient || ctx.Err() != nil || !comingUp(r.Steps) {
			return r, err
		}
		target.Pause(ctx, again)
	}
}

// reachOnce makes one preflight of a new run. With Target.Wait, the steps are reported at its end,
// and not if patient is true and it is tried again.
func reachOnce(ctx context.Context, target Target, patient bool) (*run, error) {
	r := newRun(target)
	r.probes = chosen(target.Only)
	r.teller = r.newTeller()
	r.done = progress{teller: r.teller, stage: conformance.StageProbes, all: len(r.probes), left: r.left}
	if target.Wait > 0 {
		r.Config.Heard = nil
	}
	r.started = target.Now()
	err := r.preflight(ctx)
	if target.Wait > 0 {
		r.reportSteps(target, err, patient)
	}
	r.Config.Heard = target.Preflight
	return r, err
}

// reportSteps reports the steps of a finished preflight. The last step says how long the
// run waited.
func (r *run) reportSteps(target Target, err error, patient bool) {
	late := err != nil && comingUp(r.Steps)
	if late && !patient && len(r.Steps) > 0 {
		last := &r.Steps[len(r.Steps)-1] // the error has the same steps
		last.Detail += " (not reached within " + target.Wait.String() + ")"
	}
	if target.Preflight == nil || late && patient {
		return
	}
	for _, s := range r.Steps {
		target.Preflight(s)
	}
}

// comingUp reports whether a preflight failed as with a server that is still starting: at the name,
// at the connection, or because only a gateway answers.
func comingUp(steps []conformance.Step) bool {
	last := steps[max(len(steps)-1, 0):]
	return len(last) == 0 || !last[0].OK && slices.Contains([]string{"DNS", "TCP", "HTTP"}, last[0].Name)
}
