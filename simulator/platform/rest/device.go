package rest

import (
	"cmp"
	"encoding/json"
	"net/netip"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/cabrank/cabrank/simulator/platform/api"
	"github.com/cabrank/cabrank/simulator/platform/records"
)

func (p *API) devices() resource[api.Device] {
	return resource[api.Device]{
		name: "device", table: p.Records.Devices, read: readDevice,
		setID: func(d *api.Device, id string) { d.ID = id },
		fit:   p.fitDevice,
	}
}

// readDevice parses a device. A device of an unknown type is stored with all its members;
// in a known type, unknown members are refused.
func readDevice(a *records.Account, errs *api.Errors, members api.Members) api.Device {
	parts := map[string]jsontext.Value{}
	for _, name := range []string{"sipGateway", "startRoute", "plugin"} {
		parts[name] = members[name]
		delete(members, name)
	}
	var d api.Device
	errs.Take("", members, &d)
	if strings.Trim(d.Extension, "0123456789*#") != "" {
		errs.Add("/extension", "wants digits, * and #")
	}
	part := func(name string, into any) {
		if raw := parts[name]; raw == nil || raw.Kind() == 'n' {
			errs.Add("/"+name, "is required by the type")
		} else {
			errs.Bind("/"+name, raw, into)
		}
		delete(parts, name)
	}
	known := true
	switch strings.ToUpper(d.Type) {
	case api.TypeSIPGateway:
		g := &api.SIPGateway{RingTime: api.MostRing, MaxCallTime: api.MostTalk}
		d.Type, d.SIPGateway = api.TypeSIPGateway, g
		part("sipGateway", g)
		settle(a, errs, "/sipGateway", &g.Present, &g.CountryCode, &g.OnComplete, &g.OnFail, &g.OnNoAnswer, &g.OnBusy)
	case api.TypeRouteStart:
		d.Type, d.StartRoute = api.TypeRouteStart, &api.StartRoute{}
		part("startRoute", d.StartRoute)
		endings(&d.StartRoute.ConnectTo)
	case api.TypePlugin:
		g := &api.Plugin{RingTime: api.MostRing, MaxCallTime: api.MostTalk}
		d.Type, d.Plugin = api.TypePlugin, g
		part("plugin", g)
		settle(a, errs, "/plugin", &g.Present, &g.CountryCode, &g.OnTransfer, &g.OnError, &g.OnComplete, &g.OnFail, &g.OnNoAnswer, &g.OnBusy)
	default:
		known = false
	}
	for name, raw := range parts {
		if raw != nil {
			members[name] = raw
		}
	}
	if known {
		errs.Unknown("", members)
		return d
	}
	d.Other = map[string]json.RawMessage{}
	for name, raw := range members {
		d.Other[name] = json.RawMessage(raw)
	}
	return d
}

// settle sets the defaults of members that devices have in common, and checks those that depend on the account.
func settle(a *records.Account, errs *api.Errors, at string, present, country *string, exits ...*string) {
	settleCountry(a, errs, at+"/countryCode", country)
	endings(exits...)
	for _, known := range []string{api.PresentPassThrough, api.PresentPrivacy} {
		if strings.EqualFold(cmp.Or(*present, api.PresentPassThrough), known) {
			*present = known
			return
		}
	}
	if _, err := api.ParseNumber(*present, a.Country); err != nil {
		errs.Add(at+"/present", "is neither %s, %s nor a phone number", api.PresentPassThrough, api.PresentPrivacy)
	}
}

// endings normalises the exits that end a call to "HANGUP"; an absent exit becomes one.
func endings(exits ...*string) {
	for _, to := range exits {
		if *to == "" || api.Ends(*to) {
			*to = api.Hangup
		}
	}
}

// settleCountry checks a two-letter country code, in any case; an absent one becomes that of the account.
func settleCountry(a *records.Account, errs *api.Errors, at string, country *string) {
	*country = cmp.Or(*country, a.Country)
	if !api.IsCountry(strings.ToUpper(*country)) {
		errs.Add(at, "is not the two-letter code of a country")
	}
}

// fitDevice checks that everything that a device refers to exists, that no other device
// has its extension or numbers, and that its flow ends.
func (p *API) fitDevice(a *records.Account, d, _ *api.Device, errs *api.Errors) error {
	var others []api.Device
	for _, row := range p.Records.Devices.List(a.ID) {
		if row.ID != d.ID {
			others = append(others, row.Value)
		}
	}
	p.named(a, d, errs)
	api.CheckFlow(*d, api.Depth(d.ID, append(others, *d)), func(id string) (api.Device, bool) {
		i := slices.IndexFunc(others, func(o api.Device) bool { return o.ID == id })
		if i < 0 {
			return api.Device{}, false
		}
		return others[i], true
	}, errs.Add)
	if err := errs.Err(); err != nil {
		return err
	}
	return checkConflicts(d, others)
}

// named checks the trunks, numbers and hooks that a device refers to.
func (p *API) named(a *records.Account, d *api.Device, errs *api.Errors) {
	if d.SIPGateway != nil {
		for i, id := range d.SIPGateway.Trunks {
			if _, known := p.Records.Trunks.Get(a.ID, id); !known {
				errs.Add(api.Element("/sipGateway/trunks", i), "is not a trunk of this account")
			}
		}
	}
	if d.StartRoute != nil {
		for i, id := range d.StartRoute.DDIs {
			if n, known := p.Records.DDI(id); !known || n.Account != a.ID {
				errs.Add(api.Element("/startRoute/ddis", i), "is not the id of a number of this account")
			}
		}
	}
	if d.Plugin != nil && d.Plugin.Plugin != api.PluginTaxi {
		if h, known := p.Records.Hooks.Get(a.ID, d.Plugin.Plugin); !known || h.Value.App != api.AppFlow {
			errs.Add("/plugin/plugin", "is neither a hook of this account with the app %s nor %s", api.AppFlow, api.PluginTaxi)
		}
	}
}

// checkConflicts refuses a device with an extension or number that another device has.
func checkConflicts(d *api.Device, others []api.Device) error {
	for _, other := range others {
		if d.Extension != "" && other.Extension == d.Extension {
			return api.Conflict("/extension", "is the extension of device %s", other.ID)
		}
		if d.StartRoute == nil || other.StartRoute == nil {
			continue
		}
		for i, id := range d.StartRoute.DDIs {
			if slices.Contains(other.StartRoute.DDIs, id) {
				return api.Conflict(api.Element("/startRoute/ddis", i), "is mapped to device %s already", other.ID)
			}
		}
	}
	return nil
}

func (p *API) trunks() resource[api.Trunk] {
	return resource[api.Trunk]{
		name: "trunk", table: p.Records.Trunks, read: readTrunk,
		setID: func(t *api.Trunk, id string) { t.ID = id },
		fit: func(*records.Account, *api.Trunk, *api.Trunk, *api.Errors) error {
			return nil // a trunk refers to nothing
		},
	}
}

// readTrunk parses a trunk. Decision: everything except ip has a default, and unknown
// members are refused.
func readTrunk(a *records.Account, errs *api.Errors, members api.Members) api.Trunk {
	t := api.Trunk{Port: 5060, CallerFormat: api.FormatE164P, CalledFormat: api.FormatE164P}
	errs.Take("", members, &t)
	errs.Unknown("", members)
	settleCountry(a, errs, "/countryCode", &t.CountryCode)
	t.Description = cmp.Or(t.Description, "SIP Trunk")
	if addr, err := netip.ParseAddr(t.IP); t.IP != "" && (err != nil || addr.Zone() != "" || addr.IsUnspecified() || addr.IsMulticast()) {
		errs.Add("/ip", "is not the IP address of a host")
	}
	return t
}
