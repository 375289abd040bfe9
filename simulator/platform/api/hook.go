package api

import (
	"net/url"
	"strings"
)

// Hook is an endpoint of a third party.
type Hook struct {
	ID       string `json:"id"`
	App      string `json:"app" limit:"required 1..64" oneOf:"flow.generic,event.generic"`
	URL      string `json:"url" limit:"required 1..2048"`
	AuthType string `json:"authType" oneOf:"DISABLED,KEY,KEY_SECRET,BASIC_AUTH"`
	Method   string `json:"method" oneOf:"POST"`
	Priority int    `json:"priority" limit:"0..1000000"` // lower numbers are called first

	// Decision: the members for the credentials of an AuthType. The interface shows only
	// DISABLED.
	Name           string `json:"name,omitempty" limit:"0..256"`
	Endpoint       string `json:"endpoint,omitempty" limit:"0..256"` // the owner's name for the address
	Meta           string `json:"meta,omitempty" limit:"0..4096"`    // any note of the owner
	APIKeyName     string `json:"apiKeyName,omitempty" limit:"0..64"`
	APIKeyValue    string `json:"apiKeyValue,omitempty" limit:"0..1024"`
	APISecretName  string `json:"apiSecretName,omitempty" limit:"0..64"`
	APISecretValue string `json:"apiSecretValue,omitempty" limit:"0..1024"`
	Secret         string `json:"secret,omitempty" limit:"0..128"` // signs deliveries by Standard Webhooks: "whsec_" and base64
}

// The apps that a hook can be for.
const (
	AppFlow  = "flow.generic"  // is asked how to handle a call
	AppEvent = "event.generic" // receives events
)

// How the platform authenticates itself to a hook.
const (
	AuthDisabled  = "DISABLED"
	AuthKey       = "KEY"        // header APIKeyName: APIKeyValue
	AuthKeySecret = "KEY_SECRET" // also header APISecretName: APISecretValue
	AuthBasic     = "BASIC_AUTH" // user APIKeyValue, password APISecretValue
)

// Masked stands for a secret that is set. Secrets are never shown; if a client sends
// Masked, the secret is unchanged.
const Masked = "***"

// secrets returns pointers to the fields that contain secrets.
func (h *Hook) secrets() []*string {
	return []*string{&h.APIKeyValue, &h.APISecretValue, &h.Secret}
}

// Shown returns the hook with its secrets masked.
func (h Hook) Shown() Hook {
	for _, s := range h.secrets() {
		if *s != "" {
			*s = Masked
		}
	}
	return h
}

// KeepSecrets restores the earlier secrets where h has Masked. They belong to the origin
// of the hook's address: for another origin they are not restored, since a client that
// may set the address could otherwise have them sent there.
func (h *Hook) KeepSecrets(earlier Hook) {
	if !SameOrigin(h.URL, earlier.URL) {
		return
	}
	old := earlier.secrets()
	for i, s := range h.secrets() {
		if *s == Masked {
			*s = *old[i]
		}
	}
}

// SameOrigin reports whether two http or https addresses have the same scheme, host and
// port.
func SameOrigin(one, other string) bool {
	a, errA := url.Parse(one)
	b, errB := url.Parse(other)
	return errA == nil && errB == nil && a.Host != "" && strings.EqualFold(a.Scheme, b.Scheme) &&
		strings.EqualFold(a.Hostname(), b.Hostname()) && portOf(a) == portOf(b)
}

func portOf(u *url.URL) string {
	switch {
	case u.Port() != "":
		return u.Port()
	case strings.EqualFold(u.Scheme, "https"):
		return "443"
	}
	return "80"
}
