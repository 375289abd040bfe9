package booking

// State is a state of a conversation. The names are those of the state table in the
// documentation.
type State string

// The states of a conversation.
const (
	Start         State = "S"         // before the first step
	Down          State = "S0"        // the third party is unavailable
	Barred        State = "S1"        // the call is refused
	Disabled      State = "S2"        // booking is switched off
	Welcome       State = "S3"        // an unknown caller
	AskName       State = "U1"        // of an unknown caller
	AskPickup     State = "U2"        // of a caller without a usual place
	AskStreet     State = "U2.street" // for a house number
	Known         State = "K1"        // a known caller without a booking
	OneBooked     State = "K2"        // also one selected from several
	SomeBooked    State = "K3"        // several bookings
	WherePick     State = "B1"        // another pickup
	When          State = "B1.when"   // now or later
	WhichTime     State = "B1.time"   // four digits
	WhichDay      State = "B1.day"    // today or tomorrow
	HowMany       State = "B1.people" // the number of people, if several were spoken of
	WhereTo       State = "B2"        // the drop-off
	Elsewhere     State = "B2.else"   // a drop-off that is not in the list
	Confirm       State = "B3"        // the read-back before booking
	Reconfirm     State = "B3.change" // the read-back before changing a booking
	Booked        State = "B4"        // booked
	NotBooked     State = "B5"        // refused, or the result is unknown
	Edit          State = "E1"        // what to change
	AskCancel     State = "C1"        // confirmation before cancelling
	Cancellation  State = "C2"        // the result of a cancellation
	ArrivedMenu   State = "A1"        // the taxi is outside
	TellingDriver State = "N1"        // the driver is being called
	CallingDriver State = "D1"        // the caller talks to the driver
	Person        State = "X0"        // a person is being called
	WhichPlace    State = "Q1"        // several places match equally well
	IsTime        State = "Q3"        // confirmation of a time
	Over          State = "X2"        // the conversation is over
)

// Question is what the platform can ask the caller for.
type Question string

// The questions.
const (
	AsksPickup  Question = "pickup"
	AsksDropoff Question = "dropoff"
	AsksTime    Question = "time"
	AsksPeople  Question = "people"
	AsksName    Question = "name"
	AsksWhich   Question = "which"   // one of several places or times
	AsksConfirm Question = "confirm" // yes or no
	AsksMenu    Question = "menu"    // what the caller wants
)
