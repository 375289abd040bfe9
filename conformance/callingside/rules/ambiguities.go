package rules

import "github.com/cabrank/cabrank/conformance"

// Ambiguities are the questions that the interface leaves open for the calling side. Every
// reading is accepted.
func Ambiguities() []conformance.Ambiguity {
	return []conformance.Ambiguity{
		{ID: "A3", Question: "The enumeration of price.type has ESTIMATED, a sample ESTIMATE.", Accepted: "A platform must accept both.", Checks: []string{"P-68"}},
		{ID: "A4", Question: "phoneNumber of /book is E.164, without saying whether with a plus.", Accepted: "Both.", Checks: []string{"P-08"}},
		{ID: "A5", Question: "What /user answers for an unknown number.", Accepted: "The scenes answer 404.", Checks: []string{"P-43"}},
		{ID: "A8", Question: "dropoffs has at least one entry, and skipDropOff asks for none.", Accepted: "Anything in dropoffs; an empty list is a warning.", Checks: []string{"P-08", "P-34"}},
		{ID: "A9", Question: "Which of the data of /config and of /user wins, and whether data of /user changes static settings.", Accepted: "Either; differences between them fail no check.", Checks: []string{"P-21", "P-22", "P-23"}},
		{ID: "A10", Question: "What DISABLED and BLACKLISTED mean.", Accepted: "Neither may book.", Checks: []string{"P-37", "P-38"}},
		{ID: "A14", Question: "How Coming Now reaches the driver.", Accepted: "Any way; a leg is judged if there is one.", Checks: []string{"P-51"}},
		{ID: "A15", Question: "Which words status of /config, eta.unit and vehicleCategory may have.", Accepted: "Any.", Checks: []string{"P-35", "P-68"}},
		{ID: "A16", Question: "Whether an edit carries the whole booking.", Accepted: "The required fields stay required.", Checks: []string{"P-12"}},
	}
}
