// Package vary writes the answers of the five operations in other ways that the
// interface allows, so that a client is not made for one spelling of them: dispatch
// systems of other vendors will have another.
//
//	server := vary.Handler(world, vary.Mild, seed)
//
// Nothing here is a mistake, and the conformance suite finds none; what is wrong on
// request is in package fault. At [Mild], which no client should notice, an answer may have
//
//   - its members in another order,
//   - a member that the interface does not know,
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
// The ids of a world may have another form there, too, which package host chooses by the
// seed: they are given so, and not written otherwise afterwards.
//
// # What is left as it is
//
// Nothing becomes null: the interface gives a type for each member, and null is none of
// them. What is in data of a user or of /config means what it did: each member there
// switches something. Refusals stay as they are, as the interface does not
// show them. The status of a user who may not book stays, and so do the bookings of a
// user, which a third party must offer.
//
// # The same again
//
// How an answer is written follows from the seed, the operation and the answer itself, and
// from nothing else: no count and no clock. The same world that is asked the same at the
// same times of its clock answers the same bytes, however many ask at once, and a request
// that is sent again is answered as before. Which members a journey lacks follows from the
// seed and its id: it lacks them in every answer and at every status, since who sees a
// price go takes that for a change. The short answers of /book and /cancel alone say less.
//
// Ids follow from the seed, and whoever knows one must not know the other. So it goes
// through a hash first: no answer tells anything of the seed, but that the form of the ids
// at [Rich] tells what is left of it when it is divided by three.
package vary
