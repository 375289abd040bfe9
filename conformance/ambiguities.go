package conformance

import "slices"

// Ambiguities returns the register of what the interface leaves open.
func Ambiguities() []Ambiguity { return slices.Clone(ambiguities) }

var ambiguities = []Ambiguity{
	{"A1", "Which HTTP status do the five operations answer with?", "200 is expected; 201, 202 and other 2xx are a warning.", []string{"W-02"}},
	{"A2", "The Journey table makes date, pickup and dropoffs required; the /status line asks for journeyId and status, and partial responses are accepted.", "/status without them is a warning.", []string{"STA-03"}},
	{"A3", "The price types list ESTIMATED, a sample says ESTIMATE.", "Both are read alike.", []string{"ENR-06"}},
	{"A4", `phoneNumber of /book is "E.164": with or without a plus sign? /user says digits only. In replies it is open.`, "Both forms are sent and both are accepted; numbers are compared by their digits.", []string{"BOK-34", "USR-03"}},
	{"A5", "What does /user answer for a number that it does not know?", "404, a new user, or 200 with other particulars.", []string{"USR-15"}},
	{"A6", "Which error codes and bodies are there?", "Any 4xx with any body; 5xx, silence and a false success are not.", []string{"W-14"}},
	{"A7", "Which status may follow which?", "Any order; what goes backwards is read as a reallocation. Only COMPLETE and CANCELLED are final.", []string{"JRN-07", "JRN-08"}},
	{"A8", "dropoffs has at least one entry, and skipDropOff may be true.", "Empty dropoffs are expected to be refused; what skipDropOff changes is the platform's affair.", []string{"BOK-29"}},
	{"A9", "Which wins: the static settings, the data of /config, or the data of /user? For how long?", "Only the types are judged.", []string{"CFG-05", "CFG-06", "USR-07"}},
	{"A10", "What do DISABLED and BLACKLISTED keep an end user from?", "A booking by such a user is tried, and the answer recorded.", []string{"BOK-38", "USR-14"}},
	{"A11", "May a journey be cancelled at ARRIVED, POB or COMPLETE?", "Cancelled or refused; /status has to agree with the answer.", []string{"CAN-08", "JRN-13"}},
	{"A12", "What does /status answer after CANCELLED?", "CANCELLED, or that there is no such journey (a warning).", []string{"CAN-02"}},
	{"A13", "Is the same /book sent twice one journey or two?", "Either.", []string{"IDM-01"}},
	{"A14", `How does "Coming Now" reach the driver?`, "Only driver.phoneNumber at ARRIVED is judged.", []string{"ENR-18"}},
	{"A15", "What are the words of the system status, eta.unit and vehicleCategory?", "Any text; it is recorded.", []string{"CFG-13", "ENR-03", "BOK-14"}},
	{"A16", "Does an edit carry the whole booking, or only what changes?", "The whole booking is sent, as the table of required fields has it.", []string{"BOK-20"}},
}
