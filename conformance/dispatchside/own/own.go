// Package own implements a vendor's own checks: a small JSON file defines requirements for members of a
// journey beyond the interface.
package own

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside/rules"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
)

// A Rule is one of a vendor's own checks: a requirement for one member, in every reply that has the member.
type Rule struct {
	check  conformance.Check
	member []string // names of nested members, from the journey or the /user reply on
	want   string
	fits   func(jsonvalue.Value) bool
}

// Check returns the check as shown in reports.
func (o Rule) Check() conformance.Check { return o.check }

// Judge applies the rules to valid calls and to traffic of other clients, and returns the findings.
// It skips invalid and unusual calls, since their answers may only repeat what was sent.
func Judge(own []Rule, history []*conformance.Exchange) []conformance.FiledFinding {
	var checks []conformance.Check
	for _, o := range own {
		checks = append(checks, o.check)
	}
	found := conformance.NewFindings(conformance.IndexChecks(checks))
	for _, x := range history {
		if !x.Succeeded() || !x.Sound && x.Probe != "" {
			continue
		}
		shown := rules.Journeys(x)
		if x.Operation == rules.OpUser {
			shown = append(shown, x.Reply())
		}
		for _, o := range own {
			o.judge(shown, x, &found)
		}
	}
	return found.Filed
}

func (o Rule) judge(shown []jsonvalue.Value, x *conformance.Exchange, found *conformance.Findings) {
	for _, v := range shown {
		for _, name := range o.member {
			v = v.At(name)
		}
		switch fits := o.fits(v); {
		case !v.Given():
		case fits:
			found.Pass(o.check.ID, x)
		case o.check.Level == conformance.Must:
			found.Fail(o.check.ID, conformance.Describe(v, o.want), o.want, v, x)
		default:
			found.Warn(o.check.ID, conformance.Describe(v, o.want), o.want, v, x)
		}
	}
}

// entry is one entry of the JSON file of checks.
type entry struct {
	ID, Member, Level, Says string
	Pattern                 string
	OneOf, CallingCodes     []string
	Min, Max                *float64
}

// Limits for the JSON file of checks.
const (
	mostBytes  = 64 << 10
	mostChecks = 100
)

// Read reads the rules from JSON, {"checks":[…]}. An error starts with the JSON Pointer of the wrong value.
func Read(r io.Reader) ([]Rule, error) {
	in, seen := jsonvalue.NewReader(r, mostBytes), map[string]bool{}
	var own []Rule
	err := in.Members(func(name string) error {
		if name != "checks" || seen[name] {
			return fmt.Errorf("/%s: want the member checks, once", jsonvalue.EscapePointer(name))
		}
		seen[name] = true
		return in.Elements(func() error {
			o, err := readEntry(in, len(own))
			if err != nil {
				return fmt.Errorf("/checks/%d%w", len(own), err)
			}
			if slices.ContainsFunc(own, func(other Rule) bool { return other.check.ID == o.check.ID }) {
				return fmt.Errorf("/checks/%d/id: %s is used twice", len(own), o.check.ID)
			}
			own = append(own, o)
			if len(own) > mostChecks {
				return fmt.Errorf("/checks: want at most %d", mostChecks)
			}
			return nil
		})
	})
	var more json.RawMessage
	switch {
	case err != nil:
		return nil, err
	case len(own) == 0:
		return nil, errors.New("/checks: want at least one check")
	case !errors.Is(in.Value(&more), io.EOF):
		return nil, errors.New("there is text after the object")
	}
	return own, nil
}

// readEntry reads one entry and returns its rule; n is its index. An error starts with the pointer of the wrong member within
// the entry.
func readEntry(in *jsonvalue.Reader, n int) (o Rule, err error) {
	var e entry
	into := map[string]any{
		"id": &e.ID, "member": &e.Member, "level": &e.Level, "says": &e.Says, "pattern": &e.Pattern,
		"oneOf": &e.OneOf, "callingCodes": &e.CallingCodes, "min": &e.Min, "max": &e.Max,
	}
	err = in.Members(func(name string) error {
		to, free := into[name]
		if !free {
			return fmt.Errorf("/%s: unknown or repeated member", jsonvalue.EscapePointer(name))
		}
		delete(into, name)
		if err := in.Value(to); err != nil {
			return fmt.Errorf("/%s: %w", name, err)
		}
		return nil
	})
	if err != nil {
		if !strings.HasPrefix(err.Error(), "/") {
			err = fmt.Errorf(": %w", err)
		}
		return o, err
	}
	e.ID = cmp.Or(e.ID, fmt.Sprintf("OWN-%02d", n+1))
	return e.rule()
}

// The patterns of a check's id, of a member's path and of a calling code.
var (
	idForm      = regexp.MustCompile(`^[A-Z][A-Z0-9]{1,11}-[0-9]{2,3}$`)
	memberForm  = regexp.MustCompile(`^[A-Za-z]\w{0,39}(\.[A-Za-z]\w{0,39}){0,3}$`)
	callingCode = regexp.MustCompile(`^[1-9][0-9]{0,6}$`)
)

// rule checks an entry and returns the rule that it describes.
func (e entry) rule() (o Rule, err error) {
	level, known := map[string]conformance.Level{"fail": conformance.Must, "warning": conformance.Robustness}[e.Level]
	switch {
	case !idForm.MatchString(e.ID) || isFamily(e.ID):
		return o, fmt.Errorf("/id: want letters and a number that no check of the suite has, such as OWN-01, got %q", e.ID)
	case !memberForm.MatchString(e.Member):
		return o, fmt.Errorf("/member: want a member of a journey such as journeyId or driver.phoneNumber, got %q", e.Member)
	case !known:
		return o, fmt.Errorf("/level: want warning or fail, got %q", e.Level)
	}
	o.member = strings.Split(e.Member, ".")
	if o.want, o.fits, err = e.requirement(); err != nil {
		return o, err
	}
	o.check = conformance.Check{
		ID: e.ID, Level: level, Operations: []conformance.Operation{rules.OpJourney}, Clause: "the vendor's own rule", Own: true,
		Needs: e.Member + " in a reply", Requirement: cmp.Or(e.Says, e.Member+": "+o.want+"."),
		Why: "The vendor requires it; the interface does not.", Hint: "Meet the rule, or change it in the file of --own.",
	}
	if o.member[0] == "driver" || o.member[0] == "vehicle" {
		o.check.Aid = conformance.AidAdvance
	}
	return o, nil
}

// isFamily reports whether the prefix of an id, such as BOK, is one that the suite itself uses.
func isFamily(id string) bool {
	family, _, _ := strings.Cut(id, "-")
	return slices.ContainsFunc(rules.Catalogue(), func(c conformance.Check) bool { return strings.HasPrefix(c.ID, family+"-") })
}

// requirement returns the requirement of an entry in words and as a function. The error says that the entry has none, several
// or an invalid one.
func (e entry) requirement() (want string, fits func(jsonvalue.Value) bool, err error) {
	asked := 0
	for _, given := range []bool{e.Pattern != "", e.OneOf != nil, e.CallingCodes != nil, e.Min != nil || e.Max != nil} {
		if given {
			asked++
		}
	}
	switch {
	case asked != 1:
		return "", nil, errors.New(": want one of pattern, oneOf, callingCodes, and min or max")
	case e.Pattern != "":
		_, err := regexp.Compile(e.Pattern) // separately: an extra parenthesis would close the group around it
		whole, anchored := regexp.Compile(`^(?:` + e.Pattern + `)$`)
		if err = cmp.Or(err, anchored); err != nil {
			return "", nil, fmt.Errorf("/pattern: %w", err)
		}
		return "string, matching " + e.Pattern, func(v jsonvalue.Value) bool { return v.IsText() && whole.MatchString(v.Text()) }, nil
	case len(e.OneOf) > 0:
		return "string, one of " + strings.Join(e.OneOf, ", "), func(v jsonvalue.Value) bool { return v.IsText() && slices.Contains(e.OneOf, v.Text()) }, nil
	case e.OneOf != nil:
		return "", nil, errors.New("/oneOf: want at least one text")
	case e.CallingCodes != nil:
		return e.ofRegions()
	case e.Min != nil && e.Max != nil && *e.Min > *e.Max:
		return "", nil, errors.New("/min: it is more than max")
	}
	return e.inRange()
}

// ofRegions returns the requirement that a value is a telephone number with one of the calling codes.
func (e entry) ofRegions() (want string, fits func(jsonvalue.Value) bool, err error) {
	for i, code := range e.CallingCodes {
		if !callingCode.MatchString(code) {
			return "", nil, fmt.Errorf("/callingCodes/%d: want digits such as 44, got %q", i, code)
		}
	}
	if len(e.CallingCodes) == 0 {
		return "", nil, errors.New("/callingCodes: want at least one")
	}
	return "string, a number that starts with +" + strings.Join(e.CallingCodes, " or +"), func(v jsonvalue.Value) bool {
		digits := strings.TrimPrefix(jsonvalue.Digits(v.Text()), "00")
		return slices.ContainsFunc(e.CallingCodes, func(code string) bool { return strings.HasPrefix(digits, code) })
	}, nil
}

// inRange returns the requirement that a value is a number between the limits of the entry.
func (e entry) inRange() (want string, fits func(jsonvalue.Value) bool, err error) {
	want = "number"
	if e.Min != nil {
		want += fmt.Sprintf(", %v or more", *e.Min)
	}
	if e.Max != nil {
		want += fmt.Sprintf(", %v or less", *e.Max)
	}
	return want, func(v jsonvalue.Value) bool {
		n := v.Number()
		return v.IsNumber() && (e.Min == nil || n >= *e.Min) && (e.Max == nil || n <= *e.Max)
	}, nil
}
