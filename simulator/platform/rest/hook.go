package rest

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"golang.org/x/net/http/httpguts"

	"github.com/cabrank/cabrank/simulator/platform/api"
	"github.com/cabrank/cabrank/simulator/platform/records"
)

func (p *API) hookResource() resource[records.Hook] {
	return resource[records.Hook]{
		name: "hook", table: p.Records.Hooks, read: readHook,
		setID: func(h *records.Hook, id string) { h.ID = id },
		fit:   p.fitHook,
	}
}

// readHook parses a hook. Decision: the defaults are authType DISABLED and method POST,
// and unknown members are refused.
func readHook(_ *records.Account, errs *api.Errors, members api.Members) records.Hook {
	h := api.Hook{AuthType: api.AuthDisabled, Method: http.MethodPost}
	errs.Take("", members, &h)
	errs.Unknown("", members)
	u, err := url.Parse(h.URL)
	if h.URL != "" && (err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.User != nil || u.Fragment != "" || strings.Contains(h.URL, " ") || !isPort(u.Port())) {
		errs.Add("/url", "wants an absolute http or https address without user, fragment and blanks, with a port from 1 to 65535 or none")
	}
	return records.Hook{Hook: h}
}

// isPort reports whether a connection can be made to the port of an address.
func isPort(port string) bool {
	n, err := strconv.ParseUint(port, 10, 16)
	return port == "" || err == nil && n > 0
}

// mostEventHooks limits the event hooks of an account: each event is stored and sent for
// every one of them.
const mostEventHooks = 20

// fitHook restores masked secrets, and checks that the hook has the credentials of its
// authType.
func (p *API) fitHook(a *records.Account, h, earlier *records.Hook, errs *api.Errors) error {
	if earlier != nil {
		h.KeepSecrets(earlier.Hook)
	}
	if h.App == api.AppEvent && (earlier == nil || earlier.App != api.AppEvent) && p.eventHooks(a.ID) >= mostEventHooks {
		return api.Refuse(api.CodeLimit, "at most %d event hooks", mostEventHooks)
	}
	for _, s := range []struct{ pointer, value string }{
		{"/apiKeyValue", h.APIKeyValue}, {"/apiSecretValue", h.APISecretValue}, {"/secret", h.Secret},
	} {
		if s.value == api.Masked {
			errs.Add(s.pointer, "is what a secret looks like from outside: there is none to keep for this address; give it again")
		}
	}
	needs := authNeeds[h.AuthType]
	needed(errs, needs.key, "/apiKeyName", h.APIKeyName)
	needed(errs, needs.key || needs.basic, "/apiKeyValue", h.APIKeyValue)
	needed(errs, needs.secret, "/apiSecretName", h.APISecretName)
	needed(errs, needs.secret || needs.basic, "/apiSecretValue", h.APISecretValue)
	headerName(errs, "/apiKeyName", h.APIKeyName)
	headerName(errs, "/apiSecretName", h.APISecretName)
	headerValue(errs, "/apiKeyValue", h.APIKeyValue)
	headerValue(errs, "/apiSecretValue", h.APISecretValue)
	if h.Secret != "" && !signingSecret(h.Secret) {
		errs.Add("/secret", "wants whsec_ and 24 to 64 bytes in base64")
	}
	return nil
}

// eventHooks counts the event hooks of an account.
func (p *API) eventHooks(account string) (n int) {
	for _, row := range p.Records.Hooks.List(account) {
		if row.Value.App == api.AppEvent {
			n++
		}
	}
	return n
}

// authNeeds lists the credentials of each authType.
var authNeeds = map[string]struct{ key, secret, basic bool }{
	api.AuthKey:       {key: true},
	api.AuthKeySecret: {key: true, secret: true},
	api.AuthBasic:     {basic: true},
}

func needed(errs *api.Errors, need bool, pointer, value string) {
	if need && value == "" {
		errs.Add(pointer, "is required by the authType")
	}
}

// ours are headers that a hook's credentials must not replace.
var ours = map[string]bool{
	"Host": true, "Content-Length": true, "Content-Type": true, "Content-Encoding": true, "Connection": true,
	"Transfer-Encoding": true, "Te": true, "Trailer": true, "Upgrade": true, "Keep-Alive": true,
	"Webhook-Id": true, "Webhook-Timestamp": true, "Webhook-Signature": true,
}

func headerName(errs *api.Errors, pointer, name string) {
	switch {
	case name == "":
	case !httpguts.ValidHeaderFieldName(name):
		errs.Add(pointer, "is not the name of an HTTP header")
	case ours[http.CanonicalHeaderKey(name)]:
		errs.Add(pointer, "is a header that the platform sets itself")
	}
}

func headerValue(errs *api.Errors, pointer, value string) {
	if !httpguts.ValidHeaderFieldValue(value) || strings.ContainsAny(value, "\n\t") {
		errs.Add(pointer, "cannot stand in an HTTP header")
	}
}

func signingSecret(s string) bool {
	encoded, ok := strings.CutPrefix(s, "whsec_")
	raw, err := base64.StdEncoding.DecodeString(encoded)
	return ok && err == nil && len(raw) >= 24 && len(raw) <= 64
}
