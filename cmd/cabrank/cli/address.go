package cli

import (
	"net/url"
	"strconv"
	"strings"
)

// CheckAddress returns an error if the base address of a flag is not valid; the error
// shows the right form. An address that may contain a secret is not repeated in it.
func CheckAddress(flag, address string) error {
	if isAddress(address) {
		return nil
	}
	if strings.ContainsAny(address, "@?") {
		return UsageError("%s is not an address; want http://host/path or https://host/path", flag)
	}
	whole := "http://" + address
	if strings.Contains(address, "://") || !isAddress(whole) {
		whole = "http://host/path"
	}
	return UsageError("%s %s is not an address; want %s, or https://", flag, strconv.Quote(address), whole)
}

func isAddress(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != ""
}
