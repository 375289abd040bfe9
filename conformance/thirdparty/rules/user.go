package rules

import "github.com/cabrank/cabrank/conformance"

var userChecks = []conformance.Check{
	{
		ID: "USR-01", Level: conformance.Must, Clause: clauseEndUser, Needs: "a served /user call",
		Requirement: "userId, phoneNumber, name: string, required.",
		Why:         "Without a userId nothing can be cancelled or followed.",
		Hint:        "Send all three as non-empty JSON strings.",
	},
	{
		ID: "USR-02", Level: conformance.Must, Clause: clauseUser, Needs: "an end user whom the server knows", Aid: conformance.AidNumbers,
		Requirement: "phoneNumber: string, required, E.164 format, digits without plus sign.",
		Why:         "It is the only form in which the platform asks.",
		Hint:        "Look users up by digits alone.",
	},
	{
		ID: "USR-03", Level: conformance.Should, Clause: clauseEndUser, Needs: "a served /user call",
		Requirement: "The phoneNumber returned denotes the number asked for.",
		Why:         "Somebody else's number means somebody else's bookings.",
		Hint:        "Return the number of the user that was asked for.",
	},
	{
		ID: "USR-04", Level: conformance.Should, Clause: clauseUser, Needs: "two served /user calls for one number",
		Requirement: "To identify an end user: one number gives one userId, call after call.",
		Why:         "A userId that changes loses the caller's journeys between two calls.",
		Hint:        "Store the userId with the user; do not make one for each reply.",
	},
	{
		ID: "USR-05", Level: conformance.Should, Clause: clauseUser, Needs: "two end users whom the server knows", Aid: conformance.AidNumbers,
		Requirement: "To identify an end user: two numbers give two userIds.",
		Why:         "Two people with one id can cancel each other's taxis.",
		Hint:        "Give each user an id of their own.",
	},
	{
		ID: "USR-06", Level: conformance.Must, Clause: clauseEndUser, Needs: "a status in a /user reply",
		Requirement: "status: string: ENABLED, DISABLED, BLACKLISTED.",
		Why:         "An unknown word leaves the platform guessing whether the caller may book.",
		Hint:        "Use exactly these spellings, or leave status out.",
	},
	{
		ID: "USR-07", Level: conformance.Must, Clause: clauseEndUser, Needs: "data in a /user reply",
		Requirement: "data: object with features (array of strings), options (array of strings), skipDropOff (boolean).",
		Why:         "Settings of the wrong type switch the wrong things on or off.",
		Hint:        "Send string arrays and a real boolean, or leave data out.",
	},
	{
		ID: "USR-08", Level: conformance.Must, Clause: clauseEndUser, Needs: "activeBookings in a /user reply",
		Requirement: "activeBookings: array of Journey objects.",
		Why:         "The caller's own journeys cannot be read.",
		Hint:        "Send an array of objects; [] or nothing when there are none.",
	},
	{
		ID: "USR-09", Level: conformance.Must, Clause: clauseMinimum, Needs: "an active booking in a /user reply",
		Requirement: "Active journeys each with journey id, status, pickup date/time, pickup location, drop-off location(s).",
		Why:         `"Which booking do you mean?" can only be asked with time and place at hand.`,
		Hint:        "Send journeyId, status, date, pickup and dropoffs with each active booking.",
	},
	{
		ID: "USR-10", Level: conformance.Must, Clause: clauseMinimum, Needs: "a /user reply after a booking of that user",
		Requirement: "Minimum end-user details: … and active journeys: a journey just booked is among them.",
		Why:         "A caller who rings back a minute later hears that there is no booking.",
		Hint:        "Read activeBookings from where /book wrote, not from a cache or replica.",
	},
	{
		ID: "USR-11", Level: conformance.Should, Clause: clauseEndUser, Needs: "a booking in a /user reply, or a journey that ended",
		Requirement: "activeBookings: CANCELLED and COMPLETE journeys are not active.",
		Why:         "Callers are offered to cancel taxis that they cancelled yesterday.",
		Hint:        "Leave finished journeys out of activeBookings.",
	},
	{
		ID: "USR-12", Level: conformance.Robustness, Clause: clauseEndUser, Needs: "/user replies while another end user has bookings",
		Requirement: "A reply never lists another end user's booking.",
		Why:         "Where somebody will be picked up, and when, is nobody else's business.",
		Hint:        "Select bookings by the user's id.",
	},
	{
		ID: "USR-13", Level: conformance.Robustness, Clause: clauseEndUser, Needs: "an end user with ten active bookings",
		Requirement: "All active bookings are listed, when there are ten of them, too.",
		Why:         "A care home books ten taxis; none may vanish behind a page limit.",
		Hint:        "Do not page activeBookings.",
	},
	{
		ID: "USR-14", Level: conformance.Should, Clause: clauseEndUser, Needs: "numbers of a DISABLED and a BLACKLISTED user",
		Requirement: "status: DISABLED and BLACKLISTED are told for users who are.",
		Why:         "A barred caller would be led through a booking that is then refused.",
		Hint:        "Return the status of the user.",
	},
	{
		ID: "USR-15", Level: conformance.Observed, Clause: clauseUser,
		Requirement: "What a number unknown to the server is answered is not shown; it is recorded.",
		Why:         "First-time callers are common.",
		Hint:        "404 lets the platform ask for the name; creating the user is as good.",
	},
	{
		ID: "USR-16", Level: conformance.Robustness, Clause: clauseUser,
		Requirement: "An unknown number is answered cleanly: no 5xx, no HTML, no hang.",
		Why:         "Every first-time caller would hear an error.",
		Hint:        "Answer 404 with a small JSON body, or create the user.",
	},
	{
		ID: "USR-17", Level: conformance.Robustness, Clause: clauseUser, Needs: "an end user whom the server knows", Aid: conformance.AidNumbers,
		Requirement: "A number with plus, spaces, 00 or in national form is refused or normalised, never another user's.",
		Why:         "A sloppy number must not open somebody else's account.",
		Hint:        "Normalise before looking up, or refuse with 4xx.",
	},
	{
		ID: "USR-18", Level: conformance.Robustness, Needs: "repeated /user calls with nothing between them",
		Requirement: "Reading is free of side effects: twenty calls give the same user and bookings.",
		Why:         "A look-up that books, moves or forgets something cannot be repeated safely.",
		Hint:        "Do not write in /user beyond creating an unknown user once.",
	},
	{
		ID: "USR-19", Level: conformance.Robustness, Clause: clauseUser,
		Requirement: "Numbers of 7 and 15 digits are E.164 and accepted; one of 16 is refused cleanly.",
		Why:         "Visitors from small and large countries ring too.",
		Hint:        "Check for 7 to 15 digits, not for the local length.",
	},
	{
		ID: "USR-20", Level: conformance.Robustness, Clause: clauseUser, Needs: "an end user whom the server knows", Aid: conformance.AidNumbers,
		Requirement: "data absent, null, {} or with unknown keys is accepted.",
		Why:         "The platform's plugin data differs from customer to customer.",
		Hint:        "Ignore what you do not know in data.",
	},
}
