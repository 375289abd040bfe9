package simapi

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cabrank/cabrank/simulator/platform/api"
	"github.com/cabrank/cabrank/simulator/platform/booking"
	"github.com/cabrank/cabrank/simulator/platform/calls"
	"github.com/cabrank/cabrank/simulator/platform/phones"
	"github.com/cabrank/cabrank/simulator/platform/rest"
	"github.com/cabrank/cabrank/simulator/platform/voice"
	"github.com/cabrank/cabrank/simulator/platform/voice/simline"
)

// PhoneView is a simulated telephone in the control API.
type PhoneView struct {
	phones.View
	Call *calls.View `json:"call,omitempty"` // its call, once that is over
}

// longestWait limits how long a long-polling request may wait.
const longestWait = 30 * time.Second

// attachPhone attaches a simulated telephone: one that calls a number of the platform, or
// one that waits for a call.
func (p *API) attachPhone(r *rest.Request) (rest.Reply, error) {
	var in struct {
		From      string          `json:"from" limit:"0..40"`
		To        string          `json:"to" limit:"0..40"`
		Account   string          `json:"account" limit:"0..256"`
		Extension string          `json:"extension" limit:"0..32"`
		Role      string          `json:"role" limit:"0..32"`
		Number    string          `json:"number" limit:"0..40"`
		Trunk     string          `json:"trunk" limit:"0..256"`
		Script    json.RawMessage `json:"script"`
	}
	errs := r.Bind(&in)
	places := map[phones.Kind]string{phones.Extension: in.Extension, phones.Role: in.Role, phones.Number: in.Number, phones.Trunk: in.Trunk}
	script := readScript(errs, in.Script)
	maps.DeleteFunc(places, func(_ phones.Kind, address string) bool { return address == "" })
	var phone *phones.Phone
	var err error
	switch {
	case in.To != "" && len(places) == 0:
		phone, err = p.callingPhone(in.From, in.To, in.Account, script, errs)
	case in.To == "" && len(places) == 1:
		phone, err = p.waitingPhone(p.placeOf(in.Account, places, errs), script, errs)
	default:
		errs.Add("/to", "wants exactly one of to, extension, number, trunk and role")
		err = errs.Err()
	}
	if errors.Is(err, phones.ErrTooMany) {
		err = api.Refuse(api.CodeTooManyCalls, "too many phones are attached")
	}
	if err != nil {
		return rest.Reply{}, err
	}
	view := phone.View(0)
	return rest.Reply{Status: http.StatusCreated, Location: "/sim/v1/phones/" + view.ID, Body: PhoneView{View: view}}, nil
}

func (p *API) callingPhone(from, to, account string, script simline.Script, errs *api.Errors) (*phones.Phone, error) {
	from, to = p.parties(from, to, account, errs)
	if err := errs.Err(); err != nil {
		return nil, err
	}
	id := p.Calls.NewID()
	return p.Phones.Caller(id, from, to, script, func(leg voice.Leg) error { return p.Calls.Receive(id, leg, from, to) })
}

// parties parses the numbers of the caller and of the called party; the word taxi stands for the number that the taxi
// plugin answers.
func (p *API) parties(from, to, account string, errs *api.Errors) (caller, called string) {
	caller = callerOf(from, errs)
	if to != api.PluginTaxi {
		return caller, digits("/to", to, errs)
	}
	called, answered := p.taxiNumber(p.accountOf(account, errs))
	if !answered && errs.Err() == nil {
		errs.Add("/to", "no number of the account is answered by the taxi plugin")
	}
	return caller, called
}

func (p *API) waitingPhone(at phones.Far, script simline.Script, errs *api.Errors) (*phones.Phone, error) {
	if err := errs.Err(); err != nil {
		return nil, err
	}
	return p.Phones.Attach(at, script)
}

// roles are the roles of people whom the taxi plugin calls.
var roles = []string{booking.RoleDriver, booking.RolePerson, booking.RoleUser}

// placeOf returns the far end at which a phone waits for calls.
func (p *API) placeOf(account string, places map[phones.Kind]string, errs *api.Errors) phones.Far {
	for kind, address := range places {
		switch kind {
		case phones.Number:
			at := phones.Far{Kind: kind, Address: digits("/number", address, errs)}
			if _, ours := p.Records.Number(at.Address); ours {
				errs.Add("/number", "is a number of this platform: a call to it enters its flow and rings nobody else")
			}
			return at
		case phones.Trunk:
			at := phones.Far{Kind: kind, Account: p.accountOf(account, errs), Address: address}
			if _, known := p.Records.Trunks.Get(at.Account, address); !known {
				errs.Add("/trunk", "is no trunk of the account")
			}
			return at
		case phones.Role:
			if !slices.Contains(roles, address) {
				errs.Add("/role", "wants one of %s", strings.Join(roles, ", "))
			}
			return phones.Far{Kind: kind, Account: p.accountOf(account, errs), Address: address}
		default:
			return phones.Far{Kind: kind, Account: p.accountOf(account, errs), Address: address}
		}
	}
	return phones.Far{}
}

func digits(pointer, number string, errs *api.Errors) string {
	read, err := api.ParseNumber(number, api.HomeCountry)
	if err != nil {
		errs.Add(pointer, "%s", err)
	}
	return read
}

// callerOf parses the number of a caller or writer; "" and "anonymous" are withheld
// numbers.
func callerOf(number string, errs *api.Errors) string {
	if number == "" || number == voice.Anonymous {
		return ""
	}
	return digits("/from", number, errs)
}

// accountOf returns the id of the account with this id or name; for "" that of the first account.
func (p *API) accountOf(named string, errs *api.Errors) string {
	for _, o := range p.Records.Organisations() {
		for _, a := range p.Records.Accounts(o.ID) {
			if named == "" || a.ID == named || strings.EqualFold(a.Name, named) {
				return a.ID
			}
		}
	}
	errs.Add("/account", "is neither the id nor the name of an account")
	return ""
}

// readScript parses the script of a phone.
func readScript(errs *api.Errors, raw []byte) simline.Script {
	if raw == nil {
		return nil
	}
	script, err := simline.ParseScript(raw)
	if err != nil {
		errs.Add("/script", "%s", err)
	}
	return script
}

// news waits until the version differs from the one in the request; without one, it returns at once.
func news(r *rest.Request, wait func(ctx context.Context, version int)) {
	if version, err := strconv.Atoi(r.C.Query("version")); err == nil {
		ctx, cancel := r.Wait(longestWait)
		defer cancel()
		wait(ctx, version)
	}
}

// getPhone returns the state of a phone. With version, it waits for changes since that
// version.
func (p *API) getPhone(r *rest.Request) (rest.Reply, error) {
	phone, known := p.Phones.Phone(r.C.Param("id"))
	if !known {
		return rest.Reply{}, api.Refuse(api.CodeNotFound, "no such phone")
	}
	news(r, phone.Wait)
	from, _ := strconv.Atoi(r.C.Query("from"))
	view := PhoneView{View: phone.View(from)}
	if view.Result != nil {
		over := calls.PastView(*view.Result)
		view.Call = &over
	}
	return rest.OK(view), nil
}

// actOnPhone performs an action on a phone; one member of the request selects it.
func (p *API) actOnPhone(r *rest.Request) (rest.Reply, error) {
	phone, known := p.Phones.Phone(r.C.Param("id"))
	if !known {
		return rest.Reply{}, api.Refuse(api.CodeNotFound, "no such phone")
	}
	var do struct {
		Press  string `json:"press" limit:"0..200"`
		Say    string `json:"say" limit:"0..1000"`
		Answer bool   `json:"answer"`
		Hangup bool   `json:"hangup"`
	}
	errs := r.Bind(&do)
	if strings.Trim(do.Press, "0123456789*#") != "" {
		errs.Add("/press", "keys are 0 to 9, * and #")
	}
	if err := errs.Err(); err != nil {
		return rest.Reply{}, err
	}
	if do.Answer {
		phone.Answer()
	}
	if do.Press != "" {
		phone.Press(do.Press)
	}
	if do.Say != "" {
		if err := phone.Say(do.Say); err != nil {
			return rest.Reply{}, api.Refuse(api.CodeLimit, "%s", err)
		}
	}
	if do.Hangup {
		phone.Hangup()
	}
	return rest.NoContent, nil
}

// taxiNumber returns the first number of an account that the taxi plugin answers.
func (p *API) taxiNumber(account string) (string, bool) {
	for _, n := range p.Records.DDIs(account) {
		for _, row := range p.Records.Devices.List(account) {
			d := row.Value
			if d.StartRoute == nil || !slices.Contains(d.StartRoute.DDIs, n.ID) || api.Ends(d.StartRoute.ConnectTo) {
				continue
			}
			next, known := p.Records.Devices.Get(account, d.StartRoute.ConnectTo)
			if known && next.Value.Plugin != nil && next.Value.Plugin.Plugin == api.PluginTaxi {
				return n.Name, true
			}
		}
	}
	return "", false
}
