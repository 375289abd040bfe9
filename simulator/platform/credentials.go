package platform

import "github.com/cabrank/cabrank/simulator/platform/api"

// Credentials is all that a client needs to know of a platform: the file that
// 'cabrank platform --credentials-file' writes.
type Credentials struct {
	BaseURL      string               `json:"base_url"`
	VoiceBaseURL string               `json:"voice_base_url"`
	Organisation api.Organisation     `json:"organisation"`
	Users        []UserCredentials    `json:"users"`
	Accounts     []AccountCredentials `json:"accounts"`
}

// UserCredentials is somebody who may log in.
type UserCredentials struct {
	Username string   `json:"username"`
	Password string   `json:"password"`
	Roles    []string `json:"roles"`
}

// AccountCredentials is an account with what the Voice API takes: its id and its
// client id.
type AccountCredentials struct {
	api.Account
	ClientID string    `json:"client_id"`
	DDIs     []api.DDI `json:"ddis"`
}
