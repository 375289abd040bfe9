package simline

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// Script is what a person does on the phone, step by step. As JSON it is an array
// of objects with one key each ([ParseScript]):
//
//	[{"expect": "press 1"}, {"press": "1#"}, {"say": "the station"}, {"wait": "2s"}, {"hangup": true}]
type Script []Step

// Step is one step of a script; one of its fields is set.
type Step struct {
	Expect string // wait until this has been heard, in any case and spacing, for at most [Patience]
	Press  string // keys
	Say    string
	Wait   time.Duration
	Hangup bool
}

// Patience is how long a script waits for what it expects.
const Patience = 30 * time.Second

// Bounds of a script.
const (
	MaxSteps       = 500
	MaxScriptBytes = 64 << 10
	maxWait        = 4 * time.Hour
)

// ParseScript reads a script. The error says which step is wrong.
func ParseScript(data []byte) (Script, error) {
	if len(data) > MaxScriptBytes {
		return nil, fmt.Errorf("the script is longer than %d bytes", MaxScriptBytes)
	}
	var steps []struct {
		Expect *string `json:"expect"`
		Press  *string `json:"press"`
		Say    *string `json:"say"`
		Wait   *string `json:"wait"`
		Hangup *bool   `json:"hangup"`
	}
	if err := json.Unmarshal(data, &steps, json.RejectUnknownMembers(true)); err != nil {
		return nil, fmt.Errorf("the script is not an array of steps: %w", err)
	}
	if len(steps) > MaxSteps {
		return nil, fmt.Errorf("the script has more than %d steps", MaxSteps)
	}
	script := make(Script, len(steps))
	for i, s := range steps {
		var step Step
		given, wrong := 0, error(nil)
		for _, text := range []struct {
			from *string
			to   *string
		}{{s.Expect, &step.Expect}, {s.Press, &step.Press}, {s.Say, &step.Say}} {
			if text.from != nil {
				given++
				*text.to = *text.from
				if strings.TrimSpace(*text.from) == "" {
					wrong = errors.New("it is empty")
				}
			}
		}
		if s.Wait != nil {
			given++
			step.Wait, wrong = time.ParseDuration(*s.Wait)
			if wrong == nil && (step.Wait < 0 || step.Wait > maxWait) {
				wrong = fmt.Errorf("a wait is 0s to %s", maxWait)
			}
		}
		if s.Hangup != nil {
			given++
			step.Hangup = *s.Hangup
			if !step.Hangup {
				wrong = errors.New("hangup can only be true")
			}
		}
		if strings.Trim(step.Press, "0123456789*#") != "" {
			wrong = errors.New("keys are 0 to 9, * and #")
		}
		if given != 1 {
			wrong = errors.New("it must have exactly one of expect, press, say, wait and hangup")
		}
		if wrong != nil {
			return nil, fmt.Errorf("step %d of the script: %w", i+1, wrong)
		}
		script[i] = step
	}
	return script, nil
}

// Person returns a party that follows the script from the moment the line is
// answered; see [Actor].
func (s Script) Person(clock voice.Clock, done func(error)) *Actor {
	return &Actor{clock: clock, steps: s, done: done}
}
