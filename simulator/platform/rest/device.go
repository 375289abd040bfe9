package rest

import (
	"net/netip"
	"slices"
	"strings"

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
func readDevice(a *records.Account, o *api.Object) api.Device {
	defer o.Done()
	d := api.Device{
		Type:      o.Text("type", 64),
		Name:      o.Text("name", api.Longest),
		Extension: o.OptionalText("extension", 32),
	}
	if strings.Trim(d.Extension, "0123456789*#") != "" {
		o.Add("extension", "wants digits, * and #")
	}
	switch strings.ToUpper(d.Type) {
	case api.TypeSIPGateway:
		d.Type, d.SIPGateway = api.TypeSIPGateway, readGateway(a, part(o, "sipGateway"))
	case api.TypeRouteStart:
		d.Type, d.StartRoute = api.TypeRouteStart, readStart(part(o, "startRoute"))
	case api.TypePlugin:
		d.Type, d.Plugin = api.TypePlugin, readPlugin(a, part(o, "plugin"))
	default:
		d.Other = o.Rest()
	}
	return d
}

// part returns the required object for a device's type; nil if it is absent.
func part(o *api.Object, name string) *api.Object {
	inner := o.Object(name)
	if !o.Has(name) {
		o.Add(name, "is required by the type")
	}
	return inner
}

// Limits of the lists of a device.
const (
	mostTrunks = 10
	mostDDIs   = 1000
)

func readGateway(a *records.Account, o *api.Object) *api.SIPGateway {
	if o == nil {
		return nil
	}
	defer o.Done()
	return &api.SIPGateway{
		RingTime:    o.Int("ringTime", api.MostRing, api.LeastRing, api.MostRing),
		MaxCallTime: o.Int("maxCallTime", api.MostTalk, api.LeastTalk, api.MostTalk),
		Record:      o.Bool("record", false),
		Trunks:      o.Texts("trunks", mostTrunks, api.Longest),
		Present:     readPresent(o, a.Country),
		CountryCode: readCountry(o, a.Country),
		OnComplete:  readExit(o, "onComplete"),
		OnFail:      readExit(o, "onFail"),
		OnNoAnswer:  readExit(o, "onNoAnswer"),
		OnBusy:      readExit(o, "onBusy"),
	}
}

func readStart(o *api.Object) *api.StartRoute {
	if o == nil {
		return nil
	}
	defer o.Done()
	if !o.Has("connectTo") {
		o.Add("connectTo", "is required")
	}
	return &api.StartRoute{DDIs: o.Texts("ddis", mostDDIs, api.Longest), ConnectTo: readExit(o, "connectTo")}
}

func readPlugin(a *records.Account, o *api.Object) *api.Plugin {
	if o == nil {
		return nil
	}
	defer o.Done()
	return &api.Plugin{
		Plugin:      o.Text("plugin", api.Longest),
		Data:        o.OptionalText("data", 4096),
		RingTime:    o.Int("ringTime", api.MostRing, api.LeastRing, api.MostRing),
		MaxCallTime: o.Int("maxCallTime", api.MostTalk, api.LeastTalk, api.MostTalk),
		Present:     readPresent(o, a.Country),
		CountryCode: readCountry(o, a.Country),
		OnTransfer:  readExit(o, "onTransfer"),
		OnError:     readExit(o, "onError"),
		OnComplete:  readExit(o, "onComplete"),
		OnFail:      readExit(o, "onFail"),
		OnNoAnswer:  readExit(o, "onNoAnswer"),
		OnBusy:      readExit(o, "onBusy"),
	}
}

// readExit parses where a call continues; absent means that it ends.
func readExit(o *api.Object, name string) string {
	to := o.OptionalText(name, api.Longest)
	if to == "" || api.Ends(to) {
		return api.Hangup
	}
	return to
}

// readPresent parses which number the called party sees.
func readPresent(o *api.Object, country string) string {
	given := o.OptionalText("present", 40)
	for _, known := range []string{api.PresentPassThrough, api.PresentPrivacy} {
		if strings.EqualFold(given, known) {
			return known
		}
	}
	if given == "" {
		return api.PresentPassThrough
	}
	if _, err := api.ParseNumber(given, country); err != nil {
		o.Add("present", "is neither %s, %s nor a phone number", api.PresentPassThrough, api.PresentPrivacy)
	}
	return given
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
	return clash(d, others)
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

// clash refuses a device with an extension or number that another device has.
func clash(d *api.Device, others []api.Device) error {
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
func readTrunk(a *records.Account, o *api.Object) api.Trunk {
	defer o.Done()
	t := api.Trunk{
		IP:           o.Text("ip", 64),
		Port:         o.Int("port", 5060, 1, 65535),
		Vendor:       o.OptionalText("vendor", 64),
		CallerFormat: o.Choice("callerFormat", api.FormatE164P, api.TrunkFormats()...),
		CalledFormat: o.Choice("calledFormat", api.FormatE164P, api.TrunkFormats()...),
		Description:  o.OptionalText("description", api.Longest),
		Zone:         o.OptionalText("zone", 64),
		CountryCode:  readCountry(o, a.Country),
	}
	if t.Description == "" {
		t.Description = "SIP Trunk"
	}
	if addr, err := netip.ParseAddr(t.IP); t.IP != "" && (err != nil || addr.Zone() != "" || addr.IsUnspecified() || addr.IsMulticast()) {
		o.Add("ip", "is not the IP address of a host")
	}
	return t
}

// readCountry parses a two-letter country code in any case.
func readCountry(o *api.Object, fallback string) string {
	country := o.OptionalText("countryCode", 16)
	if country == "" {
		return fallback
	}
	if !api.IsCountry(strings.ToUpper(country)) {
		o.Add("countryCode", "is not the two-letter code of a country")
	}
	return country
}
