// Package inbound has the common parts of this program's servers: the network of an address, limits of
// guesses and connections, files with an ETag, strict parsing of JSON, and streams of events.
package inbound

import (
	"crypto/rand"
	"errors"
	"mime"
	"net/netip"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
)

// RequestIDs returns a function that returns a new id for each request. The ids differ from
// those of other calls of RequestIDs, also after a restart and in another process.
func RequestIDs() func() string {
	prefix := rand.Text()[:10] + "-"
	var count atomic.Uint64
	return func() string { return prefix + strconv.FormatUint(count.Add(1), 10) }
}

// Network returns the network of an IP address without a port, for limits: the address itself for IPv4,
// and its /64 for IPv6, since one customer has all addresses of a /64.
func Network(address string) string {
	ip, err := netip.ParseAddr(address)
	if err != nil || ip.Unmap().Is4() {
		return address
	}
	prefix, err := ip.WithZone("").Prefix(64)
	if err != nil {
		return address
	}
	return prefix.String()
}

// SendsJSON reports whether a Content-Type is that of JSON in UTF-8. The charset is often left out or written without its
// hyphen, and what is no parameter ("application/json; UTF-8") says nothing.
func SendsJSON(contentType string) bool {
	if contentType == "application/json" {
		return true
	}
	media, params, err := mime.ParseMediaType(contentType)
	charset := strings.ToLower(params["charset"])
	if errors.Is(err, mime.ErrInvalidMediaParameter) { // then it has no params
		if found := charsetIn.FindStringSubmatch(strings.ToLower(contentType)); found != nil {
			charset = found[1]
		}
		err = nil
	}
	return err == nil && media == "application/json" && (charset == "" || charset == "utf-8" || charset == "utf8")
}

// charsetIn finds the charset in a Content-Type that has another, malformed parameter.
var charsetIn = regexp.MustCompile(`;\s*charset="?([^",; ]*)`)

// TakesJSON reports whether an Accept header allows JSON. It refuses only headers that name other types and not JSON.
func TakesJSON(accept []string) bool {
	all := strings.ToLower(strings.Join(accept, ","))
	for _, ok := range []string{"json", "*/*", "application/*"} {
		if strings.Contains(all, ok) {
			return true
		}
	}
	return strings.TrimSpace(all) == ""
}
