package api

import (
	"net/url"
	"strings"
)

// Hook is an endpoint of a third party.
type Hook struct {
	ID       string `json:"id"`
	App      string `json:"app"`
	URL      string `json:"url"`
	AuthType string `json:"authType"`
	Method   string `json:"method"`
	Priority int    `json:"priority"` // lower numbers are called first

	// Decision: the members for the credentials of an AuthType. The interface shows only
	// DISABLED.
	Name           string `json:"name,omitempty"`
	Endpoint       string `json:"endpoint,omitempty"` // the owner's name for the address
	Meta           string `json:"meta,omitempty"`     // any note of the owner
	APIKeyName     string `json:"apiKeyName,omitempty"`
	APIKeyValue    string `json:"apiKeyValue,omitempty"`
	APISecretName  string `json:"apiSecretName,omitempty"`
	APISecretValue string `json:"apiSecretValue,omitempty"`
	Secret         string `json:"secret,omitempty"` // signs deliveries by Standard Webhooks: "whsec_" and base64
}

// The apps that a hook can be for.
const (
	AppFlow  = "flow.generic"  // is asked how to handle a call
	AppEvent = "event.generic" // receives events
)

// HookApps lists the values of app.
func HookApps() []string { return []string{AppFlow, AppEvent} }

// How the platform authenticates itself to a hook.
const (
	AuthDisabled  = "DISABLED"
	AuthKey       = "KEY"        // header APIKeyName: APIKeyValue
	AuthKeySecret = "KEY_SECRET" // also header APISecretName: APISecretValue
	AuthBasic     = "BASIC_AUTH" // user APIKeyValue, password APISecretValue
)

// AuthTypes lists the values of authType.
func AuthTypes() []string { return []string{AuthDisabled, AuthKey, AuthKeySecret, AuthBasic} }

// Masked stands for a secret that is set. Secrets are never shown; if a client sends
// Masked, the secret is unchanged.
const Masked = "***"

// SetID sets the id of the hook.
func (h *Hook) SetID(id string) { h.ID = id }

// secrets are the fields that are never shown.
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
