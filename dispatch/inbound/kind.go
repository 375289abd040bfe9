package inbound

import "github.com/go-json-experiment/json/jsontext"

// KindName returns the name of a kind of JSON values in messages.
func KindName(k jsontext.Kind) string {
	switch k {
	case 'n':
		return "null"
	case 't', 'f':
		return "a boolean"
	case '"':
		return "a string"
	case '0':
		return "a number"
	case '{':
		return "an object"
	case '[':
		return "an array"
	default:
		return "that"
	}
}
