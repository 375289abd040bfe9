package phoning

import (
	"fmt"
	"io"
	"strings"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/simulator/platform"
	"github.com/cabrank/cabrank/simulator/platform/access"
)

// banner prints the settings, the addresses and commands to try.
func (f *platformFlags) banner(w io.Writer, s *served) {
	kept := "in memory, gone when it stops (--db keeps it)"
	if f.db != "" {
		kept = f.db
	}
	c := s.credentials.now()
	fmt.Fprintf(w, "cabrank platform %s: %s, %d accounts, calls ×%g\n", cli.Version(), c.Organisation.Name, len(c.Accounts), f.speed)
	fmt.Fprintf(w, "  base_url         %s  (REST API under /api/v1, Voice API POST /channels/voice)\n", s.url)
	fmt.Fprintf(w, "  OpenAPI          %s/openapi/rest.yaml  (also voice.yaml and sim.yaml)\n", s.url)
	fmt.Fprintf(w, "  database         %s\n", kept)
	if s.controlToken != "" && f.controlToken == "" {
		fmt.Fprintf(w, "  control token    %s  (header X-Cabrank-Control, for /sim/v1)\n", s.controlToken)
	}
	f.sip.banner(w, s)
	f.thirdParty.banner(w, s.url)
	f.credentials(w, c, s.url)
	fmt.Fprintf(w, "  try              %s\n", f.tryLine(c.Accounts[0], s.url))
	fmt.Fprintf(w, "  or               cabrank call --as 201%s, and place a call to {\"extension\":{\"extension\":\"201\"}}\n", platformFlag(s.url))
}

// credentials says where the credentials are. New ones that are in no file are printed
// once; of older ones the database has only hashes, so they cannot be shown.
func (f *platformFlags) credentials(w io.Writer, c platform.Credentials, url string) {
	if f.credentialsFile != "" {
		fmt.Fprintf(w, "  credentials      %s\n", f.credentialsFile)
	} else {
		printKnown(w, c)
	}
	users, accounts := c.Unknown()
	if len(users)+len(accounts) == 0 {
		return
	}
	fmt.Fprintln(w, "  not known here   the database holds hashes only; the credentials are those that were printed, or written, when it was new")
	for _, u := range users {
		fmt.Fprintf(w, "    for a new one  cabrank platform user password '%s'%s\n", u, platformFlag(url))
	}
	for _, a := range accounts {
		fmt.Fprintf(w, "    for a new one  cabrank platform account client '%s'%s\n", a, platformFlag(url))
	}
}

// printKnown prints the credentials that are known.
func printKnown(w io.Writer, c platform.Credentials) {
	for _, u := range c.Users {
		if u.Password != "" {
			fmt.Fprintf(w, "  user             %s %s  (%s)\n", u.Username, u.Password, strings.Join(u.Roles, ", "))
		}
	}
	for _, a := range c.Accounts {
		if a.ClientID != "" {
			fmt.Fprintf(w, "  account          %s %s  (%s, for the Voice API)\n", a.ID, a.ClientID, a.Name)
		}
	}
}

// tryLine is a curl command that places a minimal call. It does not contain credentials
// that are in a file.
func (f *platformFlags) tryLine(a access.AccountCredentials, url string) string {
	user, trust := "ACCOUNT_ID:CLIENT_ID", ""
	if f.credentialsFile == "" && a.ClientID != "" {
		user = a.ID + ":" + a.ClientID
	}
	if f.certFile != "" {
		trust = " --cacert " + f.certFile
	}
	return fmt.Sprintf(`curl%s -u %s -H 'Content-Type: application/json' %s/channels/voice -d `+
		`'{"target":{"phoneNumber":{"number":"+442079460001"}},"verbs":[{"say":{"text":["Hello."]}}]}'`, trust, user, url)
}

func platformFlag(url string) string {
	if url == defaultURL {
		return ""
	}
	return " --platform " + url
}
