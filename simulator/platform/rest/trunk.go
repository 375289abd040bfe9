package rest

import (
	"net/netip"
	"strings"

	"github.com/cabrank/cabrank/simulator/platform/api"
	"github.com/cabrank/cabrank/simulator/platform/records"
)

func (p *API) trunks() resource[api.Trunk] {
	return resource[api.Trunk]{
		name: "trunk", table: p.Records.Trunks, read: readTrunk,
		setID: func(t *api.Trunk, id string) { t.ID = id },
		fit: func(*records.Account, *api.Trunk, *api.Trunk, *api.Errors) error {
			return nil // a trunk refers to nothing
		},
	}
}

// readTrunk reads a trunk. Decision: everything but ip has a default, and a
// member that is not a trunk's is refused.
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

// readCountry reads a two-letter country code in either case.
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
