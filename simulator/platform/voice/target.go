package voice

import "strings"

// Target is whom a call is placed to; one of its pointers is set. On the wire
// the type's key is read in any case and written as here.
//
// Interface: the types phoneNumber, extension, Device and SipURI; the fields of
// the last two are not shown there.
type Target struct {
	PhoneNumber *PhoneNumber `json:"phoneNumber,omitempty"`
	Extension   *Extension   `json:"extension,omitempty"`
	Device      *Device      `json:"device,omitempty"`
	SIPURI      *SIPURI      `json:"sipUri,omitempty"`

	// Role is for plugins in this process only: who the target is, such as
	// "driver". Where it is set, events and transcripts show it instead of the
	// address.
	Role string `json:"-"`
}

// PhoneNumber is a subscriber. The number may be written as people write it;
// what it comes to is for [Options.Route] to say.
type PhoneNumber struct {
	Number string `json:"number"` // at least one digit; digits, spaces, +, -, . and brackets, at most 40 characters
}

// Extension is a device of the account by its extension.
type Extension struct {
	Extension  string `json:"extension"`            // 1 to 32 characters
	OverrideTo string `json:"overrideTo,omitempty"` // replaces the user part of the called address
}

// Device is a device of the account by its id.
type Device struct {
	ID string `json:"id"` // 1 to 64 characters
}

// SIPURI is any SIP address.
type SIPURI struct {
	URI      string            `json:"uri"`                // sip: or sips:, at most 512 characters
	Username string            `json:"username,omitempty"` // for digest authentication
	Password string            `json:"password,omitempty"`
	Headers  map[string]string `json:"headers,omitempty"` // at most 20, names X-…
}

// The canonical keys of the target types.
const (
	TargetPhoneNumber = "phoneNumber"
	TargetExtension   = "extension"
	TargetDevice      = "device"
	TargetSIPURI      = "sipUri"
)

// Address is what the target names: a number, an extension, a device's id or a
// SIP address. It is not for show, see [Target.Label].
func (t Target) Address() string {
	switch {
	case t.PhoneNumber != nil:
		return t.PhoneNumber.Number
	case t.Extension != nil:
		return t.Extension.Extension
	case t.Device != nil:
		return t.Device.ID
	case t.SIPURI != nil:
		return t.SIPURI.URI
	}
	return ""
}

// Label is the target as a transcript may show it: its role where it has one,
// and otherwise its address with all but the last three digits of a number
// hidden.
func (t Target) Label() string {
	switch {
	case t.Role != "":
		return t.Role
	case t.Extension != nil:
		return "extension " + t.Extension.Extension
	case t.Device != nil:
		return "device " + t.Device.ID
	}
	return MaskAddress(t.Address())
}

// Shown is the target as a list of calls may show it: as [Target.Label], with an extension or the
// id of a device as it is.
func (t Target) Shown() string {
	if t.Role == "" && (t.Extension != nil || t.Device != nil) {
		return t.Address()
	}
	return t.Label()
}

// MaskAddress is [Mask] for a number, however it is written, or a SIP URI. A number loses the
// characters that separate its digits.
func MaskAddress(s string) string {
	user, host, isURI := strings.Cut(s, "@")
	if !isURI {
		return Mask(joined(s))
	}
	colon := strings.IndexByte(user, ':') + 1
	return Mask(user[:colon]) + Mask(joined(user[colon:])) + "@" + Mask(host)
}

// joined is a number without the characters that separate its digits, and other text as it is.
func joined(s string) string {
	const separators = " \u00a0-./()[]"
	if strings.Trim(s, separators+"+0123456789") != "" {
		return s
	}
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(separators, r) {
			return -1
		}
		return r
	}, s)
}

// Mask hides what identifies a subscriber: every digit of a run of five or more
// but the last three. Shorter runs, such as an extension, stay.
func Mask(s string) string {
	masked := []byte(s)
	for from := 0; from < len(s); {
		length := strings.IndexFunc(s[from:], func(r rune) bool { return r < '0' || r > '9' })
		if length < 0 {
			length = len(s) - from
		}
		for i := from; length >= 5 && i < from+length-3; i++ {
			masked[i] = '*'
		}
		from += length + 1
	}
	return string(masked)
}
