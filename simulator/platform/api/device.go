package api

import "encoding/json"

// Device is a node of a voice flow.
type Device struct {
	ID         string      `json:"id"`
	Type       string      `json:"type"`
	Name       string      `json:"name"`
	Extension  string      `json:"extension"`
	SIPGateway *SIPGateway `json:"sipGateway,omitempty"` // when Type is TypeSIPGateway
	StartRoute *StartRoute `json:"startRoute,omitempty"` // when Type is TypeRouteStart
	Plugin     *Plugin     `json:"plugin,omitempty"`     // when Type is TypePlugin

	// Other holds the members of a device of an unknown type, unchanged. Such a device is
	// stored; calls cannot pass it.
	Other map[string]json.RawMessage `json:"-"`
}

// The types of devices that calls can pass. Decision: PLUGIN is this project's name for a
// device that calls a flow hook.
const (
	TypeSIPGateway = "SIP_GATEWAY"
	TypeRouteStart = "ROUTE_START"
	TypePlugin     = "PLUGIN"
)

// Hangup, in place of a device id, ends the call.
const Hangup = "HANGUP"

// Limits of ringing and talking, in seconds. Decision: the interface shows none.
const (
	LeastRing, MostRing = 3, 180
	LeastTalk, MostTalk = 60, 14400
)

// SIPGateway calls a telephone system on its trunks.
type SIPGateway struct {
	RingTime    int      `json:"ringTime"`    // seconds, 3 to 180
	MaxCallTime int      `json:"maxCallTime"` // seconds, 60 to 14400
	Record      bool     `json:"record"`
	Trunks      []string `json:"trunks"`
	Present     string   `json:"present"` // PresentPassThrough, PresentPrivacy or a number
	CountryCode string   `json:"countryCode"`
	OnComplete  string   `json:"onComplete"`
	OnFail      string   `json:"onFail"`
	OnNoAnswer  string   `json:"onNoAnswer"`
	OnBusy      string   `json:"onBusy"`
}

// The number that the called party sees. Decision: the interface shows only pass-through.
const (
	PresentPassThrough = "pass-through"
	PresentPrivacy     = "privacy" // none
)

// StartRoute is where calls to numbers enter a flow.
type StartRoute struct {
	DDIs      []string `json:"ddis"`
	ConnectTo string   `json:"connectTo"`
}

// Plugin asks a flow hook, turn by turn, how to continue the call.
type Plugin struct {
	Plugin      string `json:"plugin"` // the id of a hook whose app is AppFlow, or PluginTaxi
	Data        string `json:"data,omitempty"`
	RingTime    int    `json:"ringTime"`
	MaxCallTime int    `json:"maxCallTime"`
	Present     string `json:"present"`
	CountryCode string `json:"countryCode"`
	OnTransfer  string `json:"onTransfer"`
	OnError     string `json:"onError"`
	OnComplete  string `json:"onComplete"`
	OnFail      string `json:"onFail"`
	OnNoAnswer  string `json:"onNoAnswer"`
	OnBusy      string `json:"onBusy"`
}

// PluginTaxi is the built-in plugin that books taxis.
const PluginTaxi = "taxi"

// SetID sets the id of the device.
func (d *Device) SetID(id string) { d.ID = id }

// Encode encodes the device as JSON: its own members, then the unknown ones.
func (d Device) Encode() ([]byte, error) {
	own, err := json.Marshal(d)
	if err != nil || len(d.Other) == 0 {
		return own, err
	}
	rest, err := json.Marshal(d.Other)
	if err != nil {
		return nil, err
	}
	return append(append(own[:len(own)-1], ','), rest[1:]...), nil
}

// Trunk is an authorised address of a customer's own telephone system.
type Trunk struct {
	ID           string `json:"id"`
	IP           string `json:"ip"`
	Port         int    `json:"port"` // Decision: 5060 when absent
	Vendor       string `json:"vendor"`
	CallerFormat string `json:"callerFormat"` // FormatE164P when absent
	CalledFormat string `json:"calledFormat"`
	Description  string `json:"description"`
	Zone         string `json:"zone"`
	CountryCode  string `json:"countryCode"` // two letters
}

// The formats of numbers for a trunk. Decision: the interface shows no values.
const (
	FormatE164     = "e164"     // digits, 442079460000
	FormatE164P    = "e164p"    // with a plus sign, +442079460000
	FormatNational = "national" // as dialled within the trunk's country, 02079460000
)

// TrunkFormats lists the values of callerFormat and calledFormat.
func TrunkFormats() []string { return []string{FormatE164, FormatE164P, FormatNational} }

// SetID sets the id of the trunk.
func (t *Trunk) SetID(id string) { t.ID = id }
