package rules

import (
	"slices"

	"github.com/cabrank/cabrank/conformance"
)

// Ambiguities returns the register of what the interface leaves open.
func Ambiguities() []conformance.Ambiguity { return slices.Clone(ambiguities) }

var ambiguities = []conformance.Ambiguity{
	{ID: "A1", Question: "Which HTTP status do the five operations answer with?", Accepted: "200 is expected; 201, 202 and other 2xx are a warning.", Checks: []string{"W-02"}},
	{ID: "A2", Question: "The Journey table makes date, pickup and dropoffs required; the /status line asks for journeyId and status, and partial responses are accepted.", Accepted: "/status without them is a warning.", Checks: []string{"STA-03"}},
	{ID: "A3", Question: "The price types list ESTIMATED, a sample says ESTIMATE.", Accepted: "Both are read alike.", Checks: []string{"ENR-06"}},
	{ID: "A4", Question: `phoneNumber of /book is "E.164": with or without a plus sign? /user says digits only. In replies it is open.`, Accepted: "Both forms are sent and both are accepted; numbers are compared by their digits.", Checks: []string{"BOK-34", "USR-03"}},
	{ID: "A5", Question: "What does /user answer for a number that it does not know?", Accepted: "404, a new user, or 200 with other particulars.", Checks: []string{"USR-15"}},
	{ID: "A6", Question: "Which error codes and bodies are there?", Accepted: "Any 4xx with any body; 5xx, silence and a false success are not.", Checks: []string{"W-14"}},
	{ID: "A7", Question: "Which status may follow which?", Accepted: "Any order; what goes backwards is read as a reallocation. Only COMPLETE and CANCELLED are final.", Checks: []string{"JRN-07", "JRN-08"}},
	{ID: "A8", Question: "dropoffs has at least one entry, and skipDropOff may be true.", Accepted: "Empty dropoffs are expected to be refused; what skipDropOff changes is the platform's affair.", Checks: []string{"BOK-29"}},
	{ID: "A9", Question: "Which wins: the static settings, the data of /config, or the data of /user? For how long?", Accepted: "Only the types are judged.", Checks: []string{"CFG-05", "CFG-06", "USR-07"}},
	{ID: "A10", Question: "What do DISABLED and BLACKLISTED keep an end user from?", Accepted: "A booking by such a user is tried, and the answer recorded.", Checks: []string{"BOK-38", "USR-14"}},
	{ID: "A11", Question: "May a journey be cancelled at ARRIVED, POB or COMPLETE?", Accepted: "Cancelled or refused; /status has to agree with the answer.", Checks: []string{"CAN-08", "JRN-13"}},
	{ID: "A12", Question: "What does /status answer after CANCELLED?", Accepted: "CANCELLED, or that there is no such journey (a warning).", Checks: []string{"CAN-02"}},
	{ID: "A13", Question: "Is the same /book sent twice one journey or two?", Accepted: "Either.", Checks: []string{"IDM-01"}},
	{ID: "A14", Question: `How does "Coming Now" reach the driver?`, Accepted: "Only driver.phoneNumber at ARRIVED is judged.", Checks: []string{"ENR-18"}},
	{ID: "A15", Question: "What are the words of the system status, eta.unit and vehicleCategory?", Accepted: "Any text; it is recorded.", Checks: []string{"CFG-13", "ENR-03", "BOK-14"}},
	{ID: "A16", Question: "Does an edit carry the whole booking, or only what changes?", Accepted: "The whole booking is sent, as the table of required fields has it.", Checks: []string{"BOK-20"}},
}
