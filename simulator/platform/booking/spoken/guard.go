package spoken

import (
	"slices"
	"strings"
	"sync"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// Guard removes phone numbers that must never be said or shown: those of the caller, the
// passenger and the driver. The zero value has no numbers. It is safe for concurrent use.
type Guard struct {
	mu      sync.Mutex
	numbers []string // digits
}

// window is how many consecutive digits of a number must not be said. Shorter runs may be
// part of something else.
const (
	window         = 7
	shortestNumber = 4
)

// NewGuard returns a guard of these numbers.
func NewGuard(numbers ...taxi.E164) *Guard {
	g := &Guard{}
	g.Add(numbers...)
	return g
}

// Add adds numbers, in any notation.
func (g *Guard) Add(numbers ...taxi.E164) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, n := range numbers {
		digits := digitsOf(string(n))
		if len(digits) >= shortestNumber && !slices.Contains(g.numbers, digits) {
			g.numbers = append(g.numbers, digits)
		}
	}
}

// AddJourney adds the numbers of a journey.
func (g *Guard) AddJourney(j taxi.Journey) {
	if j.Driver != nil {
		g.Add(j.Driver.PhoneNumber)
	}
	if j.Passenger != nil {
		g.Add(j.Passenger.PhoneNumber)
	}
}

// Caught reports whether a text contains one of the numbers, or most of one: with or
// without spaces and country code, in digits of any script or in words ("oh seven double
// seven").
func (g *Guard) Caught(text string) bool {
	return slices.ContainsFunc(digitRuns(text), g.secret)
}

// Mask returns a text with the numbers removed.
func (g *Guard) Mask(text string) string {
	for _, run := range slices.Backward(digitRuns(text)) {
		if g.secret(run) {
			text = text[:run.from] + text[run.to:]
		}
	}
	return text
}

// clean masks a slot. The result is empty if the slot contained only a number.
func (g *Guard) clean(text string) string {
	if g == nil || text == "" {
		return text
	}
	masked := g.Mask(text)
	if masked == text {
		return text
	}
	masked = strings.Trim(strings.Join(strings.Fields(masked), " "), " +()-/.,:;")
	if !strings.ContainsFunc(masked, speakable) {
		return ""
	}
	return masked
}

// secret reports whether a run of digits is one of the guarded numbers, or contains most of one.
func (g *Guard) secret(run digitRun) bool {
	if g == nil {
		return false
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.ContainsFunc(g.numbers, func(number string) bool {
		size := min(window, len(number))
		for i := 0; i+size <= len(run.digits); i++ {
			if strings.Contains(number, run.digits[i:i+size]) {
				return true
			}
		}
		return false
	})
}

// digitsOf returns the digits of a number.
func digitsOf(number string) string {
	return strings.Map(func(r rune) rune {
		if v, ok := digitValue(r); ok {
			return '0' + rune(v)
		}
		return -1
	}, number)
}
