package control

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/fault"
	"github.com/cabrank/cabrank/simulator/host"
	"github.com/cabrank/cabrank/store"
)

// Calls of a [Server].
var (
	ListFaults = Call[url.Values, Faults]{get("listFaults", "/faults", "The rules, in the order in which they are applied", listFaults)}
	AddFault   = Call[fault.Rule, fault.Listed]{post("addFault", "/faults", "Add a fault rule", addFault).of("Rule").created().refuses(http.StatusConflict).
			more("The first rule that matches a request decides. A rule without a number of times and without an end lasts fifteen minutes.")}
	ClearFaults        = Call[url.Values, None]{del("clearFaults", "/faults", "Remove all rules", clearFaults).says("all rules are removed")}
	ReadFaultCatalogue = Call[url.Values, FaultCatalogue]{get("faultCatalogue", "/faults/catalogue", "The faults, with examples of their parameters", faultCatalogue)}
	ReadFault          = Call[url.Values, fault.Listed]{get("readFault", "/faults/{id}", "A rule, with its remaining hits and time", getFault)}
	ChangeFault        = Call[jsontext.Value, fault.Listed]{patch("changeFault", "/faults/{id}", "Change a rule (JSON merge patch, RFC 7396)", changeFault).of("RuleChange").refuses(http.StatusConflict)}
	RemoveFault        = Call[url.Values, None]{del("removeFault", "/faults/{id}", "Remove a rule", removeFault).says("the rule is removed")}
)

// Codes of problems of faults.
const (
	codeFaultNotFound taxi.Code = "fault-not-found" // 404
	codeFaultTaken    taxi.Code = "fault-id-taken"  // 409
	codeTooManyFaults taxi.Code = "too-many-faults" // 409
)

// Faults lists the rules in the order in which they are applied.
type Faults struct {
	Faults []fault.Listed `json:"faults"`
}

func listFaults(c *call) (Faults, error) { return Faults{c.box.faults.List()}, nil }

func addFault(c *call, text jsontext.Value) (added fault.Listed, err error) {
	rule, err := fault.Read(text)
	if err == nil {
		added, err = c.box.faults.Add(rule)
	}
	return added, c.faultsKept(err)
}

func clearFaults(c *call) (None, error) {
	c.box.faults.Clear()
	return None{}, c.box.memory.wait(c)
}

// FaultCatalogue lists the faults.
type FaultCatalogue struct {
	Faults []fault.Fault `json:"faults"`
}

func faultCatalogue(*call) (FaultCatalogue, error) {
	return FaultCatalogue{fault.Catalogue()}, nil
}

func getFault(c *call) (fault.Listed, error) {
	f, err := c.box.faults.Get(c.path("id"))
	return f, faultProblem(err)
}

func changeFault(c *call, change jsontext.Value) (fault.Listed, error) {
	f, err := c.box.faults.Change(c.path("id"), change)
	return f, c.faultsKept(err)
}

func removeFault(c *call) (None, error) {
	return None{}, c.faultsKept(c.box.faults.Remove(c.path("id")))
}

// faultsKept converts the error of a change of the rules; after a change without an error
// it waits until that is stored.
func (c *call) faultsKept(err error) error {
	if err != nil {
		return faultProblem(err)
	}
	return c.box.memory.wait(c)
}

// faultProblem converts an error of a fault set to a problem; nil stays nil.
func faultProblem(err error) error {
	wrong, isRule := errors.AsType[*fault.RuleError](err)
	switch {
	case err == nil:
		return nil
	case isRule:
		p := taxi.NewProblem(http.StatusUnprocessableEntity, taxi.CodeValidationFailed, "%v", err)
		p.Errors = wrong.Fields
		return p
	case errors.Is(err, fault.ErrUnknown):
		return taxi.NewProblem(http.StatusNotFound, codeFaultNotFound, "%v", err)
	case errors.Is(err, fault.ErrTaken):
		return taxi.NewProblem(http.StatusConflict, codeFaultTaken, "%v", err)
	case errors.Is(err, fault.ErrFull):
		return taxi.NewProblem(http.StatusConflict, codeTooManyFaults, "%v", err)
	}
	return err
}

// newFaults creates the fault set of a sandbox, without rules.
func (s *Server) newFaults(box *sandbox) *fault.Set {
	return fault.New(fault.Options{
		Now: box.Now, Wall: s.options.Now, Seed: box.Gate.Latest().Config().Seed, World: behind{box, s}, NoMagic: s.options.NoMagic,
		PhoneOf: func(ctx context.Context, id taxi.UserID) taxi.E164 {
			user, err := box.Gate.Latest().Records().User(ctx, id)
			if err != nil {
				return ""
			}
			return user.PhoneNumber
		},
		Changed: s.keepsFaults(box),
		Told: func(e fault.Event) {
			box.Events.Publish(EventFault, e)
			box.metrics.Met(e)
			s.log.Info("fault", "what", e.What, "id", e.ID, "fault", e.Fault, "operation", e.Op, "sandbox", box.Name)
			if box.Name == "" && s.options.FaultTold != nil {
				s.options.FaultTold(e)
			}
		},
	})
}

// Faults returns the fault set of the main world.
func (s *Server) Faults() *fault.Set { return boxOf(s.worlds.Main()).faults }

// behind gives the faults of a sandbox access to its world.
type behind struct {
	box    *sandbox
	server *Server
}

// Visit implements [fault.World].
func (b behind) Visit(ctx context.Context, do func(*host.Host) error) error {
	visit, err := b.box.Gate.Enter(ctx)
	if err != nil {
		return err
	}
	defer visit.Leave()
	return do(visit.Host)
}

// Restart implements [fault.World].
func (b behind) Restart(ctx context.Context, keep bool) error {
	var kept error // the gate opens again: the old world continues
	err := b.box.Gate.Change(func(h *host.Host) error {
		if keep {
			kept = h.Restart(ctx)
			return nil
		}
		now := h.World().Clock().Now()
		return h.Reset(ctx, host.Reset{Start: &now})
	})
	if errors.Is(err, store.ErrUnavailable) {
		b.server.worlds.Reopen(b.box.World)
	}
	return errors.Join(kept, err)
}

// Calls of a [Server].
var (
	ListMagic   = Call[url.Values, Magic]{get("listMagic", "/magic", "The meaning of the last three digits of callers' numbers", listMagic).answers("MagicNumbers")}
	DefineMagic = Call[fault.Do, fault.Magic]{put("defineMagic", "/magic/{number}", "Assign a fault to a number", defineMagic)}
)

// Magic lists the meaning of the last three digits of callers' numbers.
type Magic struct {
	Base    string        `json:"base"`  // prefix of the numbers
	Alias   string        `json:"alias"` // alternative prefix, from 200 on
	Numbers []fault.Magic `json:"numbers" schema:"type: [array, 'null']"`
}

func listMagic(c *call) (Magic, error) {
	return Magic{fault.MagicBase, fault.MagicAlias, c.box.faults.Magic()}, nil
}

// defineMagic assigns a fault to a number from 900 to 999.
func defineMagic(c *call, do fault.Do) (fault.Magic, error) {
	number, err := strconv.Atoi(c.path("number"))
	if err != nil {
		return fault.Magic{}, taxi.NewProblem(http.StatusNotFound, codeFaultNotFound, "a magic number has three digits, 900 to 999")
	}
	m, err := c.box.faults.Define(number, do)
	return m, c.faultsKept(err)
}
