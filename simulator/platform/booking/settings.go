package booking

import (
	"maps"
	"slices"
	"strings"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/platform/booking/spoken"
)

// Settings are an account's settings of the taxi plugin. Decision: the interface says
// that details can be switched on or off, and not where.
type Settings struct {
	Firm     string `json:"firm" limit:"0..256"`             // the name in the welcome
	Language string `json:"language" limit:"0..35"`          // of the prompts, BCP 47
	Timezone string `json:"timezone" limit:"0..64"`          // IANA name, of spoken times
	Operator string `json:"operatorExtension" limit:"0..32"` // extension of a person; "": none

	Features    []taxi.Feature `json:"features" limit:"0..50"`
	Options     []taxi.Option  `json:"options" limit:"0..50"`
	SkipDropOff bool           `json:"skipDropOff"`
	Places      []Place        `json:"places" limit:"0..500"`

	Prompts map[string]string `json:"prompts,omitempty" limit:"0..20"` // prompt files by language, instead of the built-in ones

	ThirdParty string `json:"third_party_url,omitempty" limit:"0..2048"`  // "": none
	Auth       string `json:"third_party_auth,omitempty" limit:"0..4096"` // in the syntax of taxi.ParseAuth; a secret
	Roots      string `json:"third_party_ca,omitempty" limit:"0..61440"`  // PEM certificates to trust besides the system's
}

// MostPlaces limits the places of an account.
const MostPlaces = 500

// OptionBadge lets an end user hear the driver's badge number. Decision: the
// interface says that it can be switched on or off, and lists no option for it.
const OptionBadge taxi.Option = "badgeNumber"

// FeatureMessaging lets an end user book in a chat.
const FeatureMessaging taxi.Feature = "messaging"

// Defaults returns the settings of an account without settings: everything is on.
func Defaults(firm string) Settings {
	return Settings{
		Firm: firm, Language: "en-GB", Timezone: "Europe/London",
		Features: []taxi.Feature{taxi.FeatureVoice, FeatureMessaging},
		Options:  append(taxi.Options(), OptionBadge),
	}
}

// data returns the static configuration for /config.
func (s Settings) data() taxi.Settings {
	return taxi.Settings{Features: nonNil(s.Features), Options: nonNil(s.Options), SkipDropOff: &s.SkipDropOff}
}

func nonNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// allowed contains the settings for one request: the static ones, overridden by those of the third party.
type allowed struct{ taxi.Settings }

// channel reports whether a channel is switched on. Messaging is on if any feature but
// voice is: the interface expects the name of the messaging app there, and a third party
// does not know this one.
func (a allowed) channel(f taxi.Feature) bool {
	if f != FeatureMessaging {
		return slices.Contains(a.Features, f)
	}
	return slices.ContainsFunc(a.Features, func(app taxi.Feature) bool { return app != taxi.FeatureVoice })
}

func (a allowed) option(o taxi.Option) bool { return slices.Contains(a.Options, o) }
func (a allowed) skipDropOff() bool         { return a.SkipDropOff != nil && *a.SkipDropOff }

// prompts returns an account's prompts: its own, and the built-in ones for languages
// without own prompts.
func (d *Desk) prompts(s Settings) *spoken.Prompts {
	if len(s.Prompts) == 0 {
		return spoken.Builtin()
	}
	var text strings.Builder
	for _, language := range slices.Sorted(maps.Keys(s.Prompts)) {
		text.WriteString(language + "\x00" + s.Prompts[language] + "\x00")
	}
	key := text.String()
	if p, ok := d.custom.Get(key); ok {
		return p
	}
	own, err := spoken.Read(s.Prompts)
	if err != nil {
		d.opts.Log.Warn("prompts that an account has saved cannot be read; the built-in ones are used", "error", err) // an older version accepted them
		d.custom.Add(key, spoken.Builtin())
		return spoken.Builtin()
	}
	p := spoken.Builtin().With(own)
	d.custom.Add(key, p)
	return p
}

// CheckPrompts returns an error if prompt files are not valid.
func CheckPrompts(files map[string]string) error {
	_, err := spoken.Read(files)
	return err
}
