package conformance

import (
	"net/http"
	"strings"
)

// Operation is the part of an interface that a verdict is about. An operation that is
// called is a word, "hello" for POST /hello, or a method and a path, "POST
// /account/{id}/ddi", where a name in braces matches any path segment.
type Operation string

// Route returns the method and the path below the base address by which an
// operation is called.
func (o Operation) Route() (method, path string) {
	if method, path, ok := strings.Cut(string(o), " "); ok {
		return method, path
	}
	return http.MethodPost, "/" + string(o)
}

// Path returns the second half of [Operation.Route].
func (o Operation) Path() string {
	_, path := o.Route()
	return path
}

// matches reports whether a request calls the operation; base is the part of the request's path before the
// operation's own.
func (o Operation) matches(method, path string) (base string, ok bool) {
	if want, _, both := strings.Cut(string(o), " "); both && want != method {
		return "", false
	}
	asked := strings.Split(strings.TrimRight(path, "/"), "/")
	names := strings.Split(strings.Trim(o.Path(), "/"), "/")
	first := len(asked) - len(names)
	if first < 0 {
		return "", false
	}
	for i, name := range names {
		got := asked[first+i]
		isPlaceholder := strings.HasPrefix(name, "{") && strings.HasSuffix(name, "}")
		if got != name && (!isPlaceholder || got == "") {
			return "", false
		}
	}
	return strings.TrimRight(strings.Join(asked[:first], "/"), "/"), true
}
