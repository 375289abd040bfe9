package spoken

import "slices"

// PromptID is the name of a prompt, which is the name of its block in a prompt file.
type PromptID string

// The prompts of the conversation, in the order of its states.
const (
	Down         PromptID = "S0"         // the third party is unavailable
	TryAgain     PromptID = "S0.again"   // no person answers either
	Disabled     PromptID = "S2"         // booking is switched off for the caller
	NoVoice      PromptID = "S2.voice"   // booking by voice is switched off for everybody
	Welcome      PromptID = "S3"         // an unknown caller
	AskName      PromptID = "U1"         // of an unknown caller
	AskPickup    PromptID = "U2"         // of an unknown caller, or of one without a usual place
	AskStreet    PromptID = "U2.street"  // after a house number was entered
	Known        PromptID = "K1"         // a known caller without a booking
	OneBooked    PromptID = "K2"         // the menu after the status of the one booking
	SomeBooked   PromptID = "K3"         // a choice of bookings
	WherePick    PromptID = "B1"         // the pickup
	When         PromptID = "B1.when"    // now or later
	WhichDay     PromptID = "B1.day"     // today or tomorrow
	WhichTime    PromptID = "B1.time"    // four digits
	HowMany      PromptID = "B1.people"  // the number of people
	WhereTo      PromptID = "B2"         // the drop-off
	Elsewhere    PromptID = "B2.else"    // a drop-off that is not in the list
	Confirm      PromptID = "B3"         // the read-back before booking
	Reconfirm    PromptID = "B3.change"  // the read-back before changing a booking
	Booked       PromptID = "B4"         // the booking succeeded
	BookedHeld   PromptID = "B4.held"    // the booking for later succeeded
	Changed      PromptID = "B4.changed" // an edit was accepted
	NotBooked    PromptID = "B5"         // it was refused
	Unsure       PromptID = "B5.unsure"  // it is unknown whether it was booked
	Edit         PromptID = "E1"         // what to change
	TooLate      PromptID = "E1.late"    // too late to change
	AskCancel    PromptID = "C1"         // confirmation before cancelling
	Cancelled    PromptID = "C1.done"    // it is cancelled
	NotCancel    PromptID = "C1.refused" // it was not cancelled
	UnsureCancel PromptID = "C1.unsure"  // it is unknown whether it was cancelled
	Kept         PromptID = "C1.kept"    // the caller keeps the booking
	Arrived      PromptID = "A1"         // the menu of a taxi that has arrived
	DriverTold   PromptID = "N1"         // the driver has been told
	JustTold     PromptID = "N1.again"   // the driver has just been told
	NotReached   PromptID = "N1.missed"  // the driver could not be told
	ComingNow    PromptID = "N1.driver"  // what the driver hears
	Connecting   PromptID = "D1"         // connecting to the driver
	NoAnswer     PromptID = "D1.missed"  // the driver did not answer
	Hold         PromptID = "X0"         // a person is being called
	Nobody       PromptID = "X0.missed"  // no person answered
	NotHeard     PromptID = "X1"         // silence
	NotUnder     PromptID = "X1.match"   // words that were not understood
	Sorry        PromptID = "X1.sorry"   // likewise spoken ones, for the first time
	Example      PromptID = "X1.example" // likewise, for the second time
	TooLoud      PromptID = "X1.loud"    // likewise, where there is much noise
	DidYouSay    PromptID = "X1.say"     // words that may have been heard wrongly
	Wait         PromptID = "X1.wait"    // the third party is slow
	Goodbye      PromptID = "X2"         // the end
	Which        PromptID = "Q1"         // several places match equally well
	IsTime       PromptID = "Q3"         // confirmation of a time

	TellFare      PromptID = "F1"         // the fare of the booking
	NoFare        PromptID = "F1.unknown" // the fare is unknown
	TellETA       PromptID = "F2"         // how long a taxi takes now
	NoETA         PromptID = "F2.unknown" // the waiting time is unknown
	TellWhere     PromptID = "F3"         // where the taxi is
	TellCar       PromptID = "F4"         // the car that comes
	NoCar         PromptID = "F4.unknown" // the car is unknown
	TellDriver    PromptID = "F5"         // the driver's name
	TellBooking   PromptID = "F6"         // the details of the booking
	NoBooking     PromptID = "F6.none"    // there is no booking
	TellJob       PromptID = "F7"         // the job number
	CannotTell    PromptID = "F8"         // a question that cannot be answered
	AnythingElse  PromptID = "F9"         // after an answer
	UnknownPlace  PromptID = "P1"         // a place that is not known
	TimePast      PromptID = "T1"         // a time that has passed
	TimeFar       PromptID = "T2"         // a time that is too far ahead
	NothingBooked PromptID = "X2.nothing" // the caller wants no taxi
	Waiting       PromptID = "X1.hold"    // the caller asks for a moment
	WhatChange    PromptID = "B3.what"    // what to change in the trip that was read back
	WayThere      PromptID = "B3.there"   // a way back was told as well: only the way there is booked
	WayBack       PromptID = "B4.back"    // how the way back is booked
	TooMany       PromptID = "X0.more"    // more was told than one taxi: a person books it
)

// The status of a journey, and what is announced when it changes.
const (
	StatusHeld      PromptID = "ST.HELD"
	StatusWaiting   PromptID = "ST.WAITING"
	StatusAccepted  PromptID = "ST.ACCEPTED"
	StatusEnRoute   PromptID = "ST.EN_ROUTE"
	StatusArrived   PromptID = "ST.ARRIVED"
	StatusPOB       PromptID = "ST.POB"
	StatusComplete  PromptID = "ST.COMPLETE"
	StatusCancelled PromptID = "ST.CANCELLED"
	StatusOther     PromptID = "ST"           // a status that the interface does not know
	NewDriver       PromptID = "ST.newdriver" // the driver has changed
)

// What only a chat shows.
const (
	ChatLocation PromptID = "M1" // beside a location
	ChatEnd      PromptID = "M3" // the journey is no longer followed

	BookingButton PromptID = "button.booking" // one of several bookings
)

// StatusPrompt returns the prompt of a journey's status.
func StatusPrompt(status string) PromptID {
	id := PromptID("ST." + status)
	switch id {
	case StatusHeld, StatusWaiting, StatusAccepted, StatusEnRoute, StatusArrived, StatusPOB, StatusComplete, StatusCancelled:
		return id
	}
	return StatusOther
}

// PromptIDs lists the prompts of a complete prompt file.
func PromptIDs() []PromptID {
	ids := []PromptID{
		Down, TryAgain, Disabled, NoVoice, Welcome, AskName, AskPickup, AskStreet, Known, OneBooked, SomeBooked,
		WherePick, When, WhichDay, WhichTime, HowMany, WhereTo, Elsewhere, Confirm, Reconfirm, Booked, BookedHeld, Changed, NotBooked, Unsure,
		Edit, TooLate, AskCancel, Cancelled, NotCancel, UnsureCancel, Kept, Arrived, DriverTold, JustTold, NotReached, ComingNow,
		Connecting, NoAnswer, Hold, Nobody, NotHeard, NotUnder, Sorry, Example, TooLoud, DidYouSay, Wait, Goodbye, Which, IsTime,
		TellFare, NoFare, TellETA, NoETA, TellWhere, TellCar, NoCar, TellDriver, TellBooking, NoBooking, TellJob, CannotTell, AnythingElse,
		UnknownPlace, TimePast, TimeFar, NothingBooked, Waiting, WhatChange, WayThere, WayBack, TooMany,
		StatusHeld, StatusWaiting, StatusAccepted, StatusEnRoute, StatusArrived, StatusPOB, StatusComplete,
		StatusCancelled, StatusOther, NewDriver, ChatLocation, ChatEnd, BookingButton,
	}
	for _, c := range Choices() {
		ids = append(ids, c.label())
	}
	return ids
}

// Choice is an option of a menu: a key on the phone, a button in a chat.
type Choice string

// The choices.
const (
	ChooseBook       Choice = "book"       // a taxi now
	ChooseOther      Choice = "other"      // a different pickup or time
	ChooseAnother    Choice = "another"    // another taxi
	ChooseCancel     Choice = "cancel"     // cancel the booking
	ChooseKeep       Choice = "keep"       // do not cancel it
	ChooseChange     Choice = "change"     // change the booking, or what was just said
	ChooseStatus     Choice = "status"     // where is my taxi?
	ChoosePickup     Choice = "pickup"     // change the pickup
	ChooseDropoff    Choice = "dropoff"    // change the drop-off
	ChooseTime       Choice = "time"       // change the time
	ChooseNow        Choice = "now"        // as soon as possible
	ChooseLater      Choice = "later"      // at a time
	ChooseToday      Choice = "today"      // a time of today
	ChooseTomorrow   Choice = "tomorrow"   // a time of tomorrow
	ChooseElsewhere  Choice = "elsewhere"  // a place that is not in the list
	ChooseTellDriver Choice = "tellDriver" // the driver will be told where to
	ChooseSkip       Choice = "skip"       // no name
	ChooseYes        Choice = "yes"
	ChooseNo         Choice = "no"
	ChooseComingNow  Choice = "comingNow"  // tell the driver
	ChooseCallDriver Choice = "callDriver" // be connected to the driver
	ChoosePerson     Choice = "person"     // be connected to a person
)

// Choices lists every choice.
func Choices() []Choice {
	return []Choice{
		ChooseBook, ChooseOther, ChooseAnother, ChooseCancel, ChooseKeep, ChooseChange, ChooseStatus, ChoosePickup,
		ChooseDropoff, ChooseTime, ChooseNow, ChooseLater, ChooseToday, ChooseTomorrow, ChooseElsewhere,
		ChooseTellDriver, ChooseSkip, ChooseYes, ChooseNo, ChooseComingNow, ChooseCallDriver, ChoosePerson,
	}
}

// label returns the prompt with the text of a choice's button.
func (c Choice) label() PromptID { return PromptID("button." + string(c)) }

// slot returns the name of the slot with the choice's key.
func (c Choice) slot() string { return string(c) + "Key" }

// known reports whether a prompt exists.
func (id PromptID) known() bool { return slices.Contains(PromptIDs(), id) }
