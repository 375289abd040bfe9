// Package vary changes the responses of the five operations within the limits of the
// interface, so that clients do not depend on one form: dispatch systems of other vendors
// will use others.
//
//	server := vary.Handler(world, vary.Mild, seed)
//
// No variation is an error, and the conformance suite reports none; package fault injects
// errors. At [Mild], which should not affect any client, a response may have
//
//   - its members in another order,
//   - a member that the interface does not define,
//   - a date at another offset, or with a fraction: the same instant, still RFC 3339, as
//     this project's contract promises,
//   - no status for a user who is enabled, and an empty list of bookings where there was none.
//
// At [Rich] there is more of each, and
//
//   - journeys without a passenger, a price or its type, an ETA, a driver and vehicle or a
//     location, which clients have to do without; /config without an ETA,
//   - answers to /book and /cancel with the journey's id and status alone,
//   - unknown members inside of other objects, of every type of JSON,
//   - numbers such as 5.0 for 5, the price type ESTIMATE, which a sample of the interface
//     spells so, JSON over several lines, strings with escapes, a Content-Type with a charset.
//
// At this level, the ids of a world may also have another form, which package host
// selects by the seed: they are created in that form, not changed afterwards.
//
// # What is never changed
//
// No member becomes null: the interface gives a type for each member, and null is none of
// them. The data of a user or of /config is not changed, since each member of it is a
// setting. Error responses are not changed, since the interface does not show them. The
// status of a user who may not book is not removed, nor are the bookings of a user, which
// a third party must offer.
//
// # Repeatability
//
// The form of a response depends only on the seed, the operation and the response itself,
// not on a counter or a clock. Identical requests at the same times of a world's clock
// get identical responses, even with concurrent requests, and a repeated request gets the
// same response. The missing members of a journey depend on the seed and its id: they are
// missing in every response and at every status, since a client would take a price that
// disappears for a change. Only the short responses of /book and /cancel have fewer
// members.
//
// Ids depend on the seed, and must not reveal it. Therefore the seed is hashed first:
// responses reveal nothing about it, except that the form of the ids at [Rich] reveals
// the seed modulo three.
package vary
