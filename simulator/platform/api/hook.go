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
	Priority int    `json:"priority"` // the lower, the earlier

	// Decision: how the credentials of an AuthType are told. The interface shows
	// only DISABLED.
	Name           string `json:"name,omitempty"`
	Endpoint       string `json:"endpoint,omitempty"` // what its owner calls the address
	Meta           string `json:"meta,omitempty"`     // whatever its owner wants to remember
	APIKeyName     string `json:"apiKeyName,omitempty"`
	APIKeyValue    string `json:"apiKeyValue,omitempty"`
	APISecretName  string `json:"apiSecretName,omitempty"`
	APISecretValue string `json:"apiSecretValue,omitempty"`
	Secret         string `json:"secret,omitempty"` // signs deliveries by Standard Webhooks: "whsec_" and base64
}

// The apps that a hook can be for.
const (
	AppFlow  = "flow.generic"  // is asked what to do with a call
	AppEvent = "event.generic" // is told what happens
)

// HookApps lists the values of app.
func HookApps() []string { return []string{AppFlow, AppEvent} }

// How a hook's endpoint wants to be convinced that it is the platform who calls.
const (
	AuthDisabled  = "DISABLED"
	AuthKey       = "KEY"        // header APIKeyName: APIKeyValue
	AuthKeySecret = "KEY_SECRET" // that, and header APISecretName: APISecretValue
	AuthBasic     = "BASIC_AUTH" // user APIKeyValue, password APISecretValue
)

// AuthTypes lists the values of authType.
func AuthTypes() []string { return []string{AuthDisabled, AuthKey, AuthKeySecret, AuthBasic} }

// Masked stands for a secret that is set. Secrets are never shown; one that
// comes back as Masked stays what it was.
const Masked = "***"

// SetID gives the hook its id.
func (h *Hook) SetID(id string) { h.ID = id }

// secrets are the fields that are never shown.
func (h *Hook) secrets() []*string {
	return []*string{&h.APIKeyValue, &h.APISecretValue, &h.Secret}
}

// Shown returns the hook as it may be shown.
func (h Hook) Shown() Hook {
	for _, s := range h.secrets() {
		if *s != "" {
			*s = Masked
		}
	}
	return h
}

// KeepSecrets puts the secrets of an earlier form where h has Masked. They belong to the
// origin of its address: for another one nothing is kept, since whoever may set the address
// would be sent them.
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
