package api

import "encoding/json"

// Device is a node of a voice flow.
type Device struct {
	ID         string      `json:"id"`
	Type       string      `json:"type" limit:"required 1..64"`
	Name       string      `json:"name" limit:"required 1..256"`
	Extension  string      `json:"extension" limit:"0..32"`
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
	MostRing = 180
	MostTalk = 14400
)

// SIPGateway calls a telephone system on its trunks.
type SIPGateway struct {
	RingTime    int      `json:"ringTime" limit:"3..180"`       // seconds
	MaxCallTime int      `json:"maxCallTime" limit:"60..14400"` // seconds
	Record      bool     `json:"record"`
	Trunks      []string `json:"trunks" limit:"required 1..10 of 1..256 distinct"`
	Present     string   `json:"present" limit:"0..40"` // PresentPassThrough, PresentPrivacy or a number
	CountryCode string   `json:"countryCode" limit:"0..16"`
	OnComplete  string   `json:"onComplete" limit:"0..256"`
	OnFail      string   `json:"onFail" limit:"0..256"`
	OnNoAnswer  string   `json:"onNoAnswer" limit:"0..256"`
	OnBusy      string   `json:"onBusy" limit:"0..256"`
}

// The number that the called party sees. Decision: the interface shows only pass-through.
const (
	PresentPassThrough = "pass-through"
	PresentPrivacy     = "privacy" // none
)

// StartRoute is where calls to numbers enter a flow.
type StartRoute struct {
	DDIs      []string `json:"ddis" limit:"required 1..1000 of 1..256 distinct"`
	ConnectTo string   `json:"connectTo" limit:"required 0..256"`
}

// Plugin asks a flow hook, turn by turn, how to continue the call.
type Plugin struct {
	Plugin      string `json:"plugin" limit:"required 1..256"` // the id of a hook whose app is AppFlow, or PluginTaxi
	Data        string `json:"data,omitempty" limit:"0..4096"`
	RingTime    int    `json:"ringTime" limit:"3..180"`
	MaxCallTime int    `json:"maxCallTime" limit:"60..14400"`
	Present     string `json:"present" limit:"0..40"`
	CountryCode string `json:"countryCode" limit:"0..16"`
	OnTransfer  string `json:"onTransfer" limit:"0..256"`
	OnError     string `json:"onError" limit:"0..256"`
	OnComplete  string `json:"onComplete" limit:"0..256"`
	OnFail      string `json:"onFail" limit:"0..256"`
	OnNoAnswer  string `json:"onNoAnswer" limit:"0..256"`
	OnBusy      string `json:"onBusy" limit:"0..256"`
}

// PluginTaxi is the built-in plugin that books taxis.
const PluginTaxi = "taxi"

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
	IP           string `json:"ip" limit:"required 1..64"`
	Port         int    `json:"port" limit:"1..65535"` // Decision: 5060 when absent
	Vendor       string `json:"vendor" limit:"0..64"`
	CallerFormat string `json:"callerFormat" oneOf:"e164,e164p,national"` // FormatE164P when absent
	CalledFormat string `json:"calledFormat" oneOf:"e164,e164p,national"`
	Description  string `json:"description" limit:"0..256"`
	Zone         string `json:"zone" limit:"0..64"`
	CountryCode  string `json:"countryCode" limit:"0..16"` // two letters
}

// The formats of numbers for a trunk. Decision: the interface shows no values.
const (
	FormatE164     = "e164"     // digits, 442079460000
	FormatE164P    = "e164p"    // with a plus sign, +442079460000
	FormatNational = "national" // as dialled within the trunk's country, 02079460000
)
