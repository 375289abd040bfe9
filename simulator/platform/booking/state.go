package booking

// State is where a conversation is. The names are those of the state table in the
// project's documents.
type State string

// The states of a conversation.
const (
	Start         State = "S"         // nothing has been said
	Down          State = "S0"        // the third party cannot be asked
	Barred        State = "S1"        // the call is refused
	Disabled      State = "S2"        // booking is switched off
	Welcome       State = "S3"        // an unknown caller
	AskName       State = "U1"        // of an unknown caller
	AskPickup     State = "U2"        // of a caller without a usual place
	AskStreet     State = "U2.street" // of a house number
	Known         State = "K1"        // a known caller without a booking
	OneBooked     State = "K2"        // or the one that was chosen
	SomeBooked    State = "K3"        // several bookings
	WherePick     State = "B1"        // another pickup
	When          State = "B1.when"   // now or later
	WhichTime     State = "B1.time"   // four digits
	WhichDay      State = "B1.day"    // today or tomorrow
	WhereTo       State = "B2"        // the drop-off
	Elsewhere     State = "B2.else"   // a drop-off that is not in the list
	Confirm       State = "B3"        // before anything is booked
	Reconfirm     State = "B3.change" // before a booking is changed
	Booked        State = "B4"        // it is booked
	NotBooked     State = "B5"        // it was refused, or nobody knows
	Edit          State = "E1"        // what to change
	AskCancel     State = "C1"        // before anything is cancelled
	Cancellation  State = "C2"        // it is cancelled, or not
	ArrivedMenu   State = "A1"        // the taxi is outside
	TellingDriver State = "N1"        // the driver is being rung
	CallingDriver State = "D1"        // the caller talks to the driver
	Person        State = "X0"        // a person is rung
	WhichPlace    State = "Q1"        // several places are meant equally well
	IsTime        State = "Q3"        // is this time meant?
	Over          State = "X2"        // the conversation is over
)

// Question is something that a caller is asked for.
type Question string

// The questions.
const (
	AsksPickup  Question = "pickup"
	AsksDropoff Question = "dropoff"
	AsksTime    Question = "time"
	AsksName    Question = "name"
	AsksWhich   Question = "which"   // of several places or times is meant
	AsksConfirm Question = "confirm" // yes or no
	AsksMenu    Question = "menu"    // what the caller wants
)
