// Package api is the contract of the voice platform: what its REST API, its
// Voice API and its control API say and are told, and how they refuse.
//
// Names of fields follow the interface. What the interface leaves open is
// decided here and marked "Decision"; the OpenAPI documents of this package mark
// the same decisions for readers who are not Go programmers.
package api

// The roles that a user may have, as tokens carry them under
// realm_access.roles.
const (
	RoleAdmin    = "OrganisationAdmin" // everything
	RoleRecorder = "AdminRecorder"     // reads accounts, numbers and recordings
	RoleVoice    = "VoiceChannel"      // places calls, reads numbers
)

// Roles lists the roles there are.
func Roles() []string { return []string{RoleAdmin, RoleRecorder, RoleVoice} }

// Organisation is who owns accounts.
type Organisation struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// Named is how a list shows an account or a number.
type Named struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// Account is one customer of an organisation.
type Account struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	MBN    string `json:"mbn"` // main billing number: digits only, the default caller id
	Domain string `json:"domain"`
}

// Address is where an account is at home.
type Address struct {
	Line1      string `json:"line1"`
	Line2      string `json:"line2"`
	Level1     string `json:"level1"`
	Level2     string `json:"level2"`
	PostalCode string `json:"postalCode"`
	Country    string `json:"country"`
}

// DDI is an inbound number; its name is the number, digits only.
type DDI struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// Token is the answer to a login and to a refresh.
type Token struct {
	AccessToken      string `json:"access_token"`
	RefreshToken     string `json:"refresh_token"`
	ExpiresIn        int64  `json:"expires_in"`         // seconds. Decision: the interface shows no unit
	RefreshExpiresIn int64  `json:"refresh_expires_in"` // seconds, more than ExpiresIn
}

// Created is the answer to an operation that made something. Decision: the
// interface shows no bodies of 201 answers.
type Created struct {
	ID     string `json:"id"`
	Status string `json:"status,omitempty"` // of a call: "queued"
}
