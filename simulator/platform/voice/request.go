package voice

import "encoding/json"

// Anonymous stands for a withheld number.
const Anonymous = "anonymous"

// Request is a voice call request: it dials the target and, once that is
// answered, runs the verbs ([ParseRequest]).
//
// Interface: "Voice call request (both call-creation endpoints)".
type Request struct {
	CallerID string     `json:"callerId,omitempty" limit:"0..40"` // a number with leading +, or "anonymous"; blank: the account's default
	Tag      *Tag       `json:"tag,omitempty"`
	Target   CallTarget `json:"target" limit:"required"`
	Verbs    Document   `json:"verbs" limit:"required"`
}

// CallTarget is the target of a call request.
type CallTarget struct {
	Target
	Timeout int `json:"timeout,omitempty" limit:"5..180"` // seconds of ringing, 5 to 180; default 30
}

// Tag is data of the owner for a call. Every event and turn of the call contains it.
type Tag struct {
	// Data contains strings, numbers, booleans and nulls, unchanged: at most 20 of them,
	// 4 KiB in all.
	Data map[string]json.RawMessage `json:"data,omitempty" limit:"0..20"`
}
