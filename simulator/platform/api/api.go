// Package api is the contract of the voice platform: the requests, responses and errors
// of its REST API, its Voice API and its control API.
//
// Names of fields follow the interface. Where the interface leaves a question open, the
// answer here is marked "Decision", as it is in the OpenAPI documents of this package.
package api

// The roles of a user, which tokens contain in realm_access.roles.
const (
	RoleAdmin    = "OrganisationAdmin" // all operations
	RoleRecorder = "AdminRecorder"     // reads accounts, numbers and recordings
	RoleVoice    = "VoiceChannel"      // places calls, reads numbers
)

// Roles lists the roles.
func Roles() []string { return []string{RoleAdmin, RoleRecorder, RoleVoice} }

// Organisation owns accounts.
type Organisation struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// Named is an account or a number in a list.
type Named struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// Account is a customer of an organisation.
type Account struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	MBN    string `json:"mbn"` // main billing number: digits only, the default caller id
	Domain string `json:"domain"`
}

// Address is the address of an account.
type Address struct {
	Line1      string `json:"line1" limit:"required 0..256"`
	Line2      string `json:"line2" limit:"required 0..256"`
	Level1     string `json:"level1" limit:"required 0..256"`
	Level2     string `json:"level2" limit:"required 0..256"`
	PostalCode string `json:"postalCode" limit:"required 0..256"`
	Country    string `json:"country" limit:"required 0..256"`
}

// DDI is an inbound number; its name is the number, digits only.
type DDI struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// Token is the response of a login and of a refresh.
type Token struct {
	AccessToken      string `json:"access_token"`
	RefreshToken     string `json:"refresh_token"`
	ExpiresIn        int64  `json:"expires_in"`         // seconds. Decision: the interface shows no unit
	RefreshExpiresIn int64  `json:"refresh_expires_in"` // seconds, more than ExpiresIn
}

// Created is the response of an operation that created something. Decision: the interface
// shows no bodies of 201 responses.
type Created struct {
	ID     string `json:"id"`
	Status string `json:"status,omitempty"` // of a call: "queued"
}
