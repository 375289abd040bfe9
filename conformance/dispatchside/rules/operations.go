package rules

import "github.com/cabrank/cabrank/conformance"

// The five operations, and OpJourney for verdicts about several of them.
const (
	OpConfig  conformance.Operation = "config"
	OpUser    conformance.Operation = "user"
	OpBook    conformance.Operation = "book"
	OpCancel  conformance.Operation = "cancel"
	OpStatus  conformance.Operation = "status"
	OpJourney conformance.Operation = "journey"
)

// Operations lists the five operations in the order in which a phone call uses them.
func Operations() []conformance.Operation {
	return []conformance.Operation{OpConfig, OpUser, OpBook, OpCancel, OpStatus}
}

// Harms lists the kinds of harm that a failed check can do, and whether they are grave.
func Harms() []conformance.HarmInfo {
	return []conformance.HarmInfo{{Harm: "passenger", Grave: true}, {Harm: "privacy", Grave: true}, {Harm: "money", Grave: true}, {Harm: "operator"}}
}

// The tiers: the minimum of the interface, and what richer replies enable.
const (
	TierCore      conformance.Tier = "books, follows and cancels a taxi"
	TierETA       conformance.Tier = "hears how long it will be"
	TierPrice     conformance.Tier = "hears what it costs"
	TierVehicle   conformance.Tier = "knows which car to look for"
	TierDriver    conformance.Tier = "knows who drives"
	TierMap       conformance.Tier = "sees the car on a map"
	TierComingNow conformance.Tier = "can say Coming Now"
)

// clauseOurs is the clause of requirements that the interface does not have.
const clauseOurs = "required by this suite; the interface does not say"

// NameCustomers is the reason, with advice, for a server that books only for users whom it knows.
const NameCustomers = "the server books only for numbers that it knows, and knew none of the invented ones: name two of its customers"
