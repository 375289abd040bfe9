// Package operations calls a dispatch system on behalf of somebody on the phone.
//
// It has a client of its own beside [taxi.Client], which is strict: that one
// refuses an answer that is not what the interface describes, which is right for a
// vendor's tests. Here a caller waits. An answer with two fields is taken, so is
// one with an eta of "5" in quotes, a driver of null or a status nobody has heard
// of: each field is read by itself, and one that cannot be read is absent. Ids go
// back byte for byte as they came.
//
// What it is strict about is what could book a taxi twice or tell a stranger's
// secrets: /book and /cancel are sent once, a reply about another journey is not
// taken, redirects are not followed, and a Retry-After is kept to.
package operations
