package voice

import "strings"

// Target is the target of a call; exactly one of its pointers is set. In JSON the type's
// key is accepted in any case and written as here.
//
// Interface: the types phoneNumber, extension, Device and SipURI; the fields of
// the last two are not shown there.
type Target struct {
	PhoneNumber *PhoneNumber `json:"phoneNumber,omitempty" limit:"anycase"`
	Extension   *Extension   `json:"extension,omitempty" limit:"anycase"`
	Device      *Device      `json:"device,omitempty" limit:"anycase"`
	SIPURI      *SIPURI      `json:"sipUri,omitempty" limit:"anycase"`

	// Role is only for plugins in this process: the role of the target, such as "driver".
	// Events and transcripts show it instead of the address.
	Role string `json:"-"`
}

// PhoneNumber is a subscriber. The number may be in any notation; [Options.Route]
// interprets it.
type PhoneNumber struct {
	Number string `json:"number" limit:"required 1..40"` // at least one digit; digits, spaces, +, -, . and brackets, at most 40 characters
}

// Extension is a device of the account, by its extension.
type Extension struct {
	Extension  string `json:"extension" limit:"required 1..32"`
	OverrideTo string `json:"overrideTo,omitempty" limit:"1..128"` // replaces the user part of the called address
}

// Device is a device of the account, by its id.
type Device struct {
	ID string `json:"id" limit:"required 1..64"`
}

// SIPURI is any SIP address.
type SIPURI struct {
	URI      string            `json:"uri" limit:"required 1..512"`       // sip: or sips:, at most 512 characters
	Username string            `json:"username,omitempty" limit:"1..128"` // for digest authentication
	Password string            `json:"password,omitempty" limit:"1..128"`
	Headers  map[string]string `json:"headers,omitempty" limit:"0..20 of 0..512"` // at most 20, names X-…
}

// Address returns the number, extension, device id or SIP address of the target. It must
// not be shown, see [Target.Label].
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

// Label returns the target for a transcript: its role if it has one, and otherwise its
// address, in which all but the last three digits of a number are hidden.
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

// Shown returns the target for a list of calls: as [Target.Label], but with a complete
// extension or device id.
func (t Target) Shown() string {
	if t.Role == "" && (t.Extension != nil || t.Device != nil) {
		return t.Address()
	}
	return t.Label()
}

// MaskAddress is [Mask] for a number in any notation, or a SIP URI. Separators between
// the digits of a number are removed.
func MaskAddress(s string) string {
	user, host, isURI := strings.Cut(s, "@")
	if !isURI {
		return Mask(joined(s))
	}
	colon := strings.IndexByte(user, ':') + 1
	return Mask(user[:colon]) + Mask(joined(user[colon:])) + "@" + Mask(host)
}

// joined returns a number without its separators; other text is unchanged.
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

// Mask hides phone numbers: of each run of five or more digits, only the last three are
// shown. Shorter runs, such as an extension, stay.
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
