// Package operations calls a dispatch system on behalf of a caller.
//
// Its client is more tolerant than [taxi.Client], which refuses any response that does
// not conform to the interface, as a vendor's tests should. Here a caller is waiting. A
// response with only two members is accepted, and so is one with an eta of "5" in quotes,
// a null driver or an unknown status: each member is parsed separately, and an invalid
// one counts as absent. Ids are returned byte for byte.
//
// It is strict where a mistake could book a taxi twice or reveal another customer's data:
// /book and /cancel are sent once, a response about another journey is refused, redirects
// are not followed, and Retry-After is respected.
package operations
