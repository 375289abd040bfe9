package simulator

import "strings"

// kind is a set of vehicle categories.
type kind uint8

const (
	saloon kind = 1 << iota
	estate
	executive
	mpv
	minibus
	accessible
	anyKind = saloon | estate | executive | mpv | minibus | accessible
)

// kindOf is what a car of a category is.
func kindOf(category string) kind {
	switch strings.ToLower(category) {
	case "estate":
		return estate
	case "executive":
		return executive
	case "mpv":
		return mpv
	case "minibus":
		return minibus
	case "accessible":
		return accessible
	default:
		return saloon
	}
}

// kindsFor is which cars may take a job that asks for a category. Decision: a
// larger or better car may stand in for a plain one, nothing else; a word that
// is no category here is served by any car.
func kindsFor(category string) kind {
	switch strings.ToLower(category) {
	case "saloon":
		return saloon | estate | executive
	case "estate":
		return estate | mpv
	case "executive":
		return executive
	case "mpv":
		return mpv | minibus
	case "minibus":
		return minibus
	case "accessible":
		return accessible
	default:
		return anyKind
	}
}
