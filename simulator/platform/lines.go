package platform

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"

	"github.com/cabrank/cabrank/simulator/platform/api"
	"github.com/cabrank/cabrank/simulator/platform/calls"
	"github.com/cabrank/cabrank/simulator/platform/phones"
	"github.com/cabrank/cabrank/simulator/platform/records"
	"github.com/cabrank/cabrank/simulator/platform/sip"
	"github.com/cabrank/cabrank/simulator/platform/voice"
	"github.com/cabrank/cabrank/simulator/platform/voice/soundline"
)

// SIP configures the SIP server, which serves real telephones and trunks.
type SIP struct {
	Address             string // to listen on; empty: all lines are simulated
	External            bool   // other machines may be called, and call
	FirstPort, LastPort uint16 // for sound; 0: as usual
}

// ErrLines means that the address for real telephone lines cannot be listened on.
var ErrLines = errors.New("no telephone can call")

// lines are the real telephone lines.
type lines struct {
	p      *Platform
	server *sip.Server
}

// realLines returns the real telephone lines for calls; nil: there is no SIP server.
func (p *Platform) realLines() calls.Lines {
	if p.opts.SIP.Address == "" {
		return nil
	}
	p.lines = &lines{p: p}
	return p.lines
}

// closeLines closes the SIP server, and with it the lines that calls have left open.
func (p *Platform) closeLines() error {
	if p.lines == nil || p.lines.server == nil {
		return nil
	}
	return p.lines.server.Close()
}

// openLines starts the SIP server.
func (p *Platform) openLines(ctx context.Context) (err error) {
	line := soundline.Options{Clock: p.opts.Line, Speaker: p.opts.Speaker, Comfort: true, Phase: soundline.Spread(), Lost: -1}
	p.lines.server, err = sip.Listen(ctx, sip.Options{
		Address: p.opts.SIP.Address, External: p.opts.SIP.External, FirstPort: p.opts.SIP.FirstPort, LastPort: p.opts.SIP.LastPort,
		Clock: p.opts.Line, Random: p.chance, Exchange: p.lines, Log: p.log,
		Line: func(wire soundline.Wire) voice.Leg { return soundline.New(wire, line) },
	})
	if err != nil {
		return fmt.Errorf("%w: %w", ErrLines, err)
	}
	return nil
}

// SIPAddress returns the address on which the platform listens for telephones and trunks, and whether it does.
func (p *Platform) SIPAddress() (address netip.AddrPort, listens bool) {
	if p.lines == nil || p.lines.server == nil {
		return address, false
	}
	return p.lines.server.Address(), true
}

// sipServer returns the address of the SIP server as text, or "" if there is none.
func (p *Platform) sipServer() string {
	address, listens := p.SIPAddress()
	if !listens {
		return ""
	}
	return address.String()
}

// Trunk reports whether an IP address belongs to a trunk.
func (l *lines) Trunk(address netip.Addr) bool { return len(l.trunksAt(address)) > 0 }

func (l *lines) trunksAt(address netip.Addr) []*records.Row[api.Trunk] {
	return l.p.records.Trunks.Find(func(t api.Trunk) bool {
		at, err := netip.ParseAddr(t.IP)
		return err == nil && at.Unmap() == address
	})
}

// Phone returns the telephone that logs in as a user.
func (l *lines) Phone(user string) (sip.Phone, bool) {
	row, known := l.p.records.Phone(user)
	if !known {
		return sip.Phone{}, false
	}
	return sip.Phone{User: row.ID, Secret: row.Value.Secret}, true
}

// Call implements [sip.Exchange]: it handles an incoming call.
func (l *lines) Call(from sip.Caller, leg voice.Leg) error {
	if from.User != "" {
		phone, known := l.p.records.Phone(from.User)
		if !known {
			return &voice.Failure{Cause: voice.CauseOf(403), Reason: "the telephone is gone"}
		}
		return l.failure(l.enter(phone.Account, phone.Value.Number, phone.Value.Extension, from.Called, leg))
	}
	var err error = api.Refuse(api.CodeNotFound, "no trunk of that address")
	for _, trunk := range l.trunksAt(from.Trunk) {
		caller, bad := l.p.numbers.Read(from.Number, trunk.Value.CountryCode)
		name := "+" + caller
		if bad != nil {
			caller, name = "", ""
		}
		if err = l.enter(trunk.Account, caller, name, from.Called, leg); !missing(err) {
			break
		}
	}
	return l.failure(err)
}

// enter handles a call to an extension or a number of an account. number is the number of the caller, and name is
// what a called extension sees of them.
func (l *lines) enter(account, number, name, called string, leg voice.Leg) error {
	id := l.p.calls.NewID()
	if err := l.p.calls.ReceiveExtension(id, leg, account, name, called); !missing(err) {
		return err
	}
	a, _ := l.p.records.Account(account)
	digits, err := l.p.numbers.Read(called, a.Country)
	if err != nil {
		return err
	}
	if ddi, known := l.p.records.Number(digits); !known || ddi.Account != account {
		return api.Refuse(api.CodeNotFound, "no such number")
	}
	return l.p.calls.Receive(id, leg, number, digits)
}

// missing reports whether an error means that the called number or extension does not exist.
func missing(err error) bool {
	problem, ok := errors.AsType[*api.Problem](err)
	return ok && problem.Code == api.CodeNotFound
}

// failure converts an error to the failure with which the call is refused.
func (l *lines) failure(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, api.ErrEmergency):
		return &voice.Failure{Cause: voice.CauseOf(403), Reason: err.Error()}
	case errors.Is(err, api.ErrNotANumber) || missing(err):
		return &voice.Failure{Cause: voice.CauseUnrouted, Reason: err.Error()}
	}
	return err
}

// trunkAt returns the address of a trunk; if it does not exist any more, one that cannot be called.
func (l *lines) trunkAt(far phones.Far) netip.AddrPort {
	row, known := l.p.records.Trunks.Get(far.Account, far.Address)
	if !known {
		return netip.AddrPort{}
	}
	address, _ := netip.ParseAddr(row.Value.IP)
	return netip.AddrPortFrom(address.Unmap(), uint16(row.Value.Port))
}

// Leads reports whether a real line leads to a far end.
func (l *lines) Leads(far phones.Far) bool {
	switch far.Kind {
	case phones.SIP:
		return true
	case phones.Trunk:
		return l.trunkAt(far) != l.server.Address() // a trunk of a new database may have this one
	case phones.Extension, phones.Number:
		_, known := l.userAt(far)
		return known
	}
	return false
}

// userAt returns the user of the telephone at a far end.
func (l *lines) userAt(far phones.Far) (user string, known bool) {
	if far.Kind == phones.Extension {
		row, known := l.p.records.PhoneOf(far.Account, far.Address)
		if !known {
			return "", false
		}
		return row.ID, true
	}
	found := l.p.records.Phones.Find(func(p records.Phone) bool { return p.Number == far.Address })
	if len(found) == 0 {
		return "", false
	}
	return found[0].ID, true
}

// Reach returns the route to a far end over a real line.
func (l *lines) Reach(far phones.Far) voice.Route {
	return func(voice.Offer) voice.Leg {
		leg, err := l.server.Dial(l.destination(far))
		if err != nil {
			l.p.log.Warn("sip: no line", slog.Any("error", err))
			return nil
		}
		return leg
	}
}

func (l *lines) destination(far phones.Far) sip.Destination {
	to := sip.Destination{From: far.From, To: far.To}
	switch far.Kind {
	case phones.Trunk:
		to.Trunk = l.trunkAt(far)
	case phones.SIP:
		to.URI, to.Login = far.Address, far.Login
	default:
		to.User, _ = l.userAt(far)
	}
	return to
}
