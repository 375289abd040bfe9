package rules

import (
	"slices"

	"github.com/cabrank/cabrank/conformance"
)

// Specification returns every requirement of the bookable-taxi interface in its
// order.
func Specification() []conformance.Clause { return slices.Clone(specification) }

// callersSide is the reason why some clauses have no check.
const callersSide = "binds the platform that calls, not the server under test"

// The sections of the interface about taxis.
const (
	sectionService    = "What the service does"
	sectionObjects    = "Taxi integration objects"
	sectionStates     = "States and transitions"
	sectionOperations = "Taxi integration operations"
	sectionRest       = "Authentication, events, errors, limits, versioning"
)

func tested(section, text string, checks ...string) conformance.Clause {
	return conformance.Clause{Section: section, Text: text, Checks: checks}
}

func excluded(section, text, why string) conformance.Clause {
	return conformance.Clause{Section: section, Text: text, Excluded: why}
}

// ambiguous marks a clause that leaves an ambiguity.
func ambiguous(id string, c conformance.Clause) conformance.Clause {
	c.Ambiguity = id
	return c
}

var specification = []conformance.Clause{
	excluded(sectionService, "The service acts as a client of a third-party dispatch system through five operations.", callersSide),
	excluded(sectionService, "Optional data in the dispatch responses progressively enriches what the end user sees; a location message is sent when a location is present.", callersSide),
	ambiguous("A14", tested(sectionService, `When a driver has arrived and a driver phone number is present, the end user is offered a "Coming Now" action.`, "ENR-18")),
	excluded(sectionService, "Coming Now, driver name, badge number, vehicle description and registration can each be switched on or off per customer.", callersSide),
	excluded(sectionService, "No phone number is ever exposed to the end user or to the driver.", callersSide),

	ambiguous("A2", tested(sectionObjects, "Journey: journeyId (string), status (string), date (ISO 8601 date-time), pickup (Address) and dropoffs (array of Address) are required.", "STA-01", "STA-02", "STA-03", "STA-04", "STA-05", "BOK-09", "W-17")),
	tested(sectionObjects, "Journey: passenger (may differ from the end user).", "BOK-08", "STA-14"),
	ambiguous("A15", tested(sectionObjects, "ETA: value (number, required), unit (string, e.g. minutes, required).", "ENR-01", "CFG-04", "ENR-03")),
	ambiguous("A3", tested(sectionObjects, "Price: value (number, required), currency (string, required), type (ESTIMATED, FIXED, MINIMUM, MAXIMUM; a sample uses ESTIMATE).", "ENR-04", "ENR-05", "ENR-06")),
	tested(sectionObjects, "Address: address (string, full address including postcode, required), location (Point, required).", "STA-05", "BOK-33"),
	tested(sectionObjects, "Passenger: phoneNumber (string, required), name (string, required).", "STA-14"),
	tested(sectionObjects, "Vehicle: description (string, required), registration (string, required).", "ENR-08"),
	tested(sectionObjects, "Driver: name (string, required), phoneNumber (string, required), badgeNumber (string, required).", "ENR-09", "ENR-10"),
	tested(sectionObjects, `Point: longitude (number, "x", required), latitude (number, "y", required).`, "ENR-12", "ENR-13", "BOK-32"),
	tested(sectionObjects, "End user: userId, phoneNumber and name (strings) are required.", "USR-01"),
	ambiguous("A10", tested(sectionObjects, "End user: status is ENABLED, DISABLED or BLACKLISTED.", "USR-06", "USR-14")),
	ambiguous("A9", tested(sectionObjects, "End user: data has features (array of strings), options (array of strings), skipDropOff (boolean).", "USR-07", "CFG-06")),
	tested(sectionObjects, "End user: activeBookings is an array of Journey objects.", "USR-08"),
	tested(sectionObjects, "Features values: voice, and the name of a messaging-app channel. Options values: jobID, vehicle, vehicleReg, eta, driverName, comingNow, callDriver, cancel.", "CFG-07"),

	tested(sectionStates, "Journey statuses: HELD, WAITING, ACCEPTED, EN_ROUTE, ARRIVED, POB, COMPLETE.", "STA-02", "BOK-05", "JRN-06"),
	tested(sectionStates, "The cancel operation returns status CANCELLED, so CANCELLED is also a journey status.", "CAN-01", "STA-02"),
	ambiguous("A7", tested(sectionStates, "Transitions for journey and end-user statuses: not shown.", "JRN-07", "JRN-08")),

	ambiguous("A1", tested(sectionOperations, "All are POST to {third_party_url}, JSON in and out.", "W-01", "W-03", "W-07", "JRN-01")),
	excluded(sectionOperations, "/config is called at the start of each customer request.", callersSide),
	tested(sectionOperations, "/config request: data (object, optional; features, options, skipDropOff, other fields).", "CFG-02", "CFG-03"),
	ambiguous("A15", tested(sectionOperations, "/config response: status (string, required, current system status).", "CFG-01", "CFG-13")),
	tested(sectionOperations, "/config response: eta (ETA, optional), data (object, optional).", "CFG-04", "CFG-05", "CFG-06", "CFG-09"),
	ambiguous("A9", excluded(sectionOperations, "/config: fields returned overwrite the static configuration.", callersSide)),
	tested(sectionOperations, "/user request: phoneNumber (required, E.164 format, digits without plus sign); data (object, optional).", "USR-02", "USR-20"),
	ambiguous("A5", tested(sectionOperations, "/user response: End user object (userId, phoneNumber, name required).", "USR-01", "USR-03", "USR-04", "USR-05", "USR-15")),
	ambiguous("A16", tested(sectionOperations, "/book: when journeyId is present, the booking is edited; null or absent creates a booking.", "BOK-01", "BOK-02", "BOK-15", "BOK-16", "BOK-17", "BOK-18", "BOK-19", "BOK-20", "JRN-04")),
	tested(sectionOperations, "/book: userId is optional (if known).", "BOK-01", "BOK-36", "JRN-05"),
	ambiguous("A4", tested(sectionOperations, "/book: name (passenger) and phoneNumber (E.164) are required.", "BOK-24", "BOK-25", "BOK-34")),
	ambiguous("A8", tested(sectionOperations, "/book: pickup (Address), dropoffs (array of Address, at least 1) and pickupTime (ISO 8601 date-time) are required.", "BOK-07", "BOK-10", "BOK-11", "BOK-26", "BOK-27", "BOK-28", "BOK-29")),
	ambiguous("A15", tested(sectionOperations, "/book: vehicleCategory (string, optional), data (object, arbitrary plugin data, optional).", "BOK-03", "BOK-14", "BOK-35")),
	tested(sectionOperations, "/book response: journeyId (string, required), status (string, required), further Journey fields allowed.", "BOK-01", "BOK-04", "BOK-05", "BOK-09"),
	ambiguous("A13", tested(sectionOperations, "/book of the same booking twice: not shown.", "IDM-01")),
	tested(sectionOperations, "/cancel request: userId and journeyId (strings, required).", "CAN-01", "CAN-06", "CAN-07"),
	ambiguous("A12", tested(sectionOperations, "/cancel response: journeyId and status (CANCELLED) are required, further fields allowed.", "CAN-01", "CAN-02", "CAN-03")),
	ambiguous("A11", tested(sectionOperations, "/cancel late, when the car is there or the journey over: not shown.", "CAN-08", "JRN-13")),
	tested(sectionOperations, "/status request: userId and journeyId (strings, required); response: Journey object, journeyId and status required.", "STA-01", "STA-02", "STA-06"),
	tested(sectionOperations, "Minimum functionality: get user details, book a journey, cancel a journey, get the status of a journey.", "JRN-01", "JRN-02"),
	tested(sectionOperations, "Minimum end-user details: user id, phone number, name, and active journeys each with id, status, date, pickup and drop-off locations.", "USR-09", "USR-10", "JRN-03"),
	ambiguous("A2", excluded(sectionOperations, "Richer responses yield richer end-user experience; partial responses are accepted.", callersSide)),

	tested(sectionRest, "Authentication of calls to the third party is chosen by the third party.", "SEC-04", "SEC-05", "SEC-06"),
	excluded(sectionRest, "The taxi integration defines no events; it is request/response only.", "there is nothing to test"),
	ambiguous("A6", tested(sectionRest, "Error status codes, error body shape and error codes: not shown.", "W-14")),
	excluded(sectionRest, "Rate limits, payload-size limits, field bounds and maximum counts: not shown.", "the interface sets none; unusually large input of the suite is judged as robustness"),
	excluded(sectionRest, "Versioning and deprecation of the taxi integration: not shown.", "the interface sets none"),
}

// Ambiguities returns the list of the questions that the interface leaves open.
func Ambiguities() []conformance.Ambiguity { return slices.Clone(ambiguities) }

var ambiguities = []conformance.Ambiguity{
	{ID: "A1", Question: "Which HTTP status do the five operations answer with?", Accepted: "200 is expected; 201, 202 and other 2xx are a warning.", Checks: []string{"W-02"}},
	{ID: "A2", Question: "The Journey table makes date, pickup and dropoffs required; the /status line asks for journeyId and status, and partial responses are accepted.", Accepted: "/status without them is a warning.", Checks: []string{"STA-03"}},
	{ID: "A3", Question: "The price types list ESTIMATED, a sample says ESTIMATE.", Accepted: "Both mean the same.", Checks: []string{"ENR-06"}},
	{ID: "A4", Question: `phoneNumber of /book is "E.164": with or without a plus sign? /user says digits only. In replies it is open.`, Accepted: "Both forms are sent and both are accepted; numbers are compared by their digits.", Checks: []string{"BOK-34", "USR-03"}},
	{ID: "A5", Question: "What does /user answer for a number that it does not know?", Accepted: "404, a new user, or 200 with other particulars.", Checks: []string{"USR-15"}},
	{ID: "A6", Question: "Which error codes and bodies are there?", Accepted: "Any 4xx with any body; 5xx, silence and a false success are not.", Checks: []string{"W-14"}},
	{ID: "A7", Question: "Which status may follow which?", Accepted: "Any order; a step back is read as a reallocation. Only COMPLETE and CANCELLED are final.", Checks: []string{"JRN-07", "JRN-08"}},
	{ID: "A8", Question: "dropoffs has at least one entry, and skipDropOff may be true.", Accepted: "Empty dropoffs are expected to be refused; skipDropOff is for the platform.", Checks: []string{"BOK-29"}},
	{ID: "A9", Question: "Which wins: the static settings, the data of /config, or the data of /user? For how long?", Accepted: "Only the types are judged.", Checks: []string{"CFG-05", "CFG-06", "USR-07"}},
	{ID: "A10", Question: "What do DISABLED and BLACKLISTED keep an end user from?", Accepted: "A booking by such a user is tried, and the answer recorded.", Checks: []string{"BOK-38", "USR-14"}},
	{ID: "A11", Question: "May a journey be cancelled at ARRIVED, POB or COMPLETE?", Accepted: "Cancelled or refused; /status must agree with the answer.", Checks: []string{"CAN-08", "JRN-13"}},
	{ID: "A12", Question: "What does /status answer after CANCELLED?", Accepted: "CANCELLED, or that there is no such journey (a warning).", Checks: []string{"CAN-02"}},
	{ID: "A13", Question: "Is the same /book sent twice one journey or two?", Accepted: "Either.", Checks: []string{"IDM-01"}},
	{ID: "A14", Question: `How does "Coming Now" reach the driver?`, Accepted: "Only driver.phoneNumber at ARRIVED is judged.", Checks: []string{"ENR-18"}},
	{ID: "A15", Question: "What are the values of the system status, eta.unit and vehicleCategory?", Accepted: "Any text; it is recorded.", Checks: []string{"CFG-13", "ENR-03", "BOK-14"}},
	{ID: "A16", Question: "Does an edit carry the whole booking, or only what changes?", Accepted: "The whole booking is sent, as in the table of required fields.", Checks: []string{"BOK-20"}},
}
