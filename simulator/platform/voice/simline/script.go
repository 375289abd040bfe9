package simline

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/cabrank/cabrank/dispatch/inbound"
	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// Script is what a person does on the phone, step by step. As JSON it is an array
// of objects with one key each ([ParseScript]):
//
//	[{"expect": "press 1"}, {"press": "1#"}, {"say": "the station"}, {"wait": "2s"}, {"hangup": true}]
type Script []Step

// Step is one step of a script; one of its fields is set.
type Step struct {
	Expect string // wait until this text has been heard, in any case and spacing, for at most [Patience]
	Press  string // keys
	Say    string
	Wait   time.Duration
	Hangup bool
}

// How long a script waits for an expected text: see [Actor.patience].
const (
	Patience     = 30 * time.Second
	wallPatience = 5 * time.Second
)

// Limits of a script.
const (
	maxSteps       = 500
	maxScriptBytes = 64 << 10
	maxWait        = 4 * time.Hour
)

// ParseScript parses a script. Its error names the invalid step.
func ParseScript(data []byte) (Script, error) {
	if len(data) > maxScriptBytes {
		return nil, fmt.Errorf("the script is longer than %d bytes", maxScriptBytes)
	}
	var steps []wireStep
	if err := (inbound.Reading{Known: true}).Decode(data, &steps); err != nil {
		return nil, fmt.Errorf("the script is not an array of steps: %w", err)
	}
	if len(steps) > maxSteps {
		return nil, fmt.Errorf("the script has more than %d steps", maxSteps)
	}
	script := make(Script, len(steps))
	for i, s := range steps {
		var err error
		if script[i], err = s.step(); err != nil {
			return nil, fmt.Errorf("step %d of the script: %w", i+1, err)
		}
	}
	return script, nil
}

// wireStep is a step in JSON; absent members are nil.
type wireStep struct {
	Expect *string `json:"expect"`
	Press  *string `json:"press"`
	Say    *string `json:"say"`
	Wait   *string `json:"wait"`
	Hangup *bool   `json:"hangup"`
}

// step validates a step.
func (s wireStep) step() (Step, error) {
	given := 0
	for _, there := range []bool{s.Expect != nil, s.Press != nil, s.Say != nil, s.Wait != nil, s.Hangup != nil} {
		if there {
			given++
		}
	}
	switch {
	case given != 1:
		return Step{}, errors.New("it must have exactly one of expect, press, say, wait and hangup")
	case s.Expect != nil:
		return Step{Expect: *s.Expect}, notBlank(*s.Expect)
	case s.Say != nil:
		return Step{Say: *s.Say}, notBlank(*s.Say)
	case s.Press != nil:
		if strings.Trim(*s.Press, "0123456789*#") != "" {
			return Step{}, errors.New("keys are 0 to 9, * and #")
		}
		return Step{Press: *s.Press}, notBlank(*s.Press)
	case s.Wait != nil:
		wait, err := time.ParseDuration(*s.Wait)
		if err == nil && (wait < 0 || wait > maxWait) {
			err = fmt.Errorf("a wait is 0s to %s", maxWait)
		}
		return Step{Wait: wait}, err
	case !*s.Hangup:
		return Step{}, errors.New("hangup can only be true")
	}
	return Step{Hangup: true}, nil
}

func notBlank(text string) error {
	if strings.TrimSpace(text) == "" {
		return errors.New("it is empty")
	}
	return nil
}

// Person returns a party that performs the script from the moment the line is answered;
// see [Actor].
func (s Script) Person(clock voice.Clock, done func(error)) *Actor {
	return &Actor{clock: clock, steps: s, done: done}
}
