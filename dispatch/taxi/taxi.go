// Package taxi is the bookable-taxi contract: the messages that a voice platform and a
// dispatch system exchange when a person books a taxi by phone.
//
// A platform identifies the caller (/user), books, edits, cancels and follows
// journeys (/book, /cancel, /status), and asks at the start of each customer
// request for the state of the dispatch system (/config). All five are POST with
// JSON in and out; the [Dispatcher] interface is the same five as Go methods.
// A [Client] is a Dispatcher that calls a server; the reference server
// in package dispatch is a Dispatcher that answers.
//
// The types follow three rules. Optional objects are pointers, so that absent and
// empty differ. Values of open sets (statuses, price types, options) are named
// strings with constants, so that an unknown value survives decoding and can be
// reported. Unknown fields are ignored when decoding and never added when encoding.
//
// The package needs only the standard library, so that vendors can use it in
// their own servers and tests. The written contract is openapi.yaml
// ([OpenAPI]). "Clause" in a comment marks a requirement of the published
// interface; "decision" marks a choice of this project where the interface
// defines nothing.
package taxi

import (
	"context"
	_ "embed" // the document
	"encoding/json"
)

//go:embed openapi.yaml
var openAPI string

// OpenAPI returns the contract as an OpenAPI 3.1 document in YAML.
func OpenAPI() []byte { return []byte(openAPI) }

// The five paths below a third party's base address. Clause: "Taxi integration
// operations"; all are POST.
const (
	PathConfig = "/config"
	PathUser   = "/user"
	PathBook   = "/book"
	PathCancel = "/cancel"
	PathStatus = "/status"
)

// Dispatcher is the bookable-taxi interface: what the voice platform calls and
// the dispatch system implements. A refusal is a [*Problem]; any other error
// means that the outcome is unknown.
type Dispatcher interface {
	// Config is called at the start of each customer request and says whether
	// the system is up and which settings it overrides.
	Config(context.Context, ConfigRequest) (ConfigResponse, error)
	// User identifies an end user by phone number, with their active journeys.
	User(context.Context, UserRequest) (EndUser, error)
	// Book creates a journey, or edits the one whose id is given. The answer
	// carries at least the journey's id and status.
	Book(context.Context, BookRequest) (Journey, error)
	// Cancel ends a journey; the answer's status is CANCELLED.
	Cancel(context.Context, JourneyRef) (Journey, error)
	// Status reads a journey.
	Status(context.Context, JourneyRef) (Journey, error)
}

// JourneyID names a journey for as long as the dispatch system remembers it.
// It is opaque: clients send it back exactly as received.
type JourneyID string

// UserID names an end user of the dispatch system. It is opaque.
type UserID string

// E164 is a phone number in E.164 form. Clause: /user takes digits without a plus sign;
// elsewhere the interface says only "E.164", so both forms are accepted.
type E164 string

// Digits returns the number without its plus sign, the form /user takes.
func (n E164) Digits() E164 {
	if n != "" && n[0] == '+' {
		return n[1:]
	}
	return n
}

// International returns the number with a plus sign, the form people dial.
func (n E164) International() E164 {
	if n == "" || n[0] == '+' {
		return n
	}
	return "+" + n
}

// Masked returns the number for logs and errors: "***" and its last three digits. Reports of
// the suites contain pseudonyms instead. Package voice and the console have their own
// functions: voice does not import this package, and its targets may be SIP addresses.
func (n E164) Masked() string {
	const keep = 3
	d := string(n.Digits())
	if len(d) <= keep {
		return "***"
	}
	return "***" + d[len(d)-keep:]
}

// Status is the state of a journey. Clause: "Journey statuses".
type Status string

// The journey statuses. /cancel answers CANCELLED, so it is a status, too.
const (
	Held      Status = "HELD"      // held by the dispatch system until nearer the pickup time
	Waiting   Status = "WAITING"   // waiting to be allocated to a driver
	Accepted  Status = "ACCEPTED"  // accepted by a driver
	EnRoute   Status = "EN_ROUTE"  // the vehicle is on its way to the pickup
	Arrived   Status = "ARRIVED"   // the vehicle is at the pickup
	POB       Status = "POB"       // passenger on board
	Complete  Status = "COMPLETE"  // journey completed
	Cancelled Status = "CANCELLED" // journey cancelled
)

// Statuses lists every status in the order of a journey.
func Statuses() []Status {
	return []Status{Held, Waiting, Accepted, EnRoute, Arrived, POB, Complete, Cancelled}
}

// Known reports whether s is spelled as the interface spells a status.
func (s Status) Known() bool {
	switch s {
	case Held, Waiting, Accepted, EnRoute, Arrived, POB, Complete, Cancelled:
		return true
	}
	return false
}

// Terminal reports whether s is final.
func (s Status) Terminal() bool { return s == Complete || s == Cancelled }

// CanBecome reports whether a polling client may see s and later next. It allows more than
// one transition, since polls miss steps, and a journey goes back when a driver drops out.
// Decision (the interface does not show transitions): statuses before boarding may follow
// each other in any order, later ones only go forward, and the last two never change.
func (s Status) CanBecome(next Status) bool {
	switch s {
	case Held, Waiting, Accepted, EnRoute, Arrived:
		return next.Known()
	case POB:
		return next == POB || next == Complete
	default:
		return s.Known() && s == next
	}
}

// SystemStatus is the state of the dispatch system in /config. The interface leaves the
// values open; these four are this project's.
type SystemStatus string

// This project's values for the state of a dispatch system.
const (
	SystemOK          SystemStatus = "OK"          // bookings are accepted
	SystemBusy        SystemStatus = "BUSY"        // bookings are accepted, with long waits
	SystemClosed      SystemStatus = "CLOSED"      // no bookings until opening time
	SystemMaintenance SystemStatus = "MAINTENANCE" // no bookings for a short time
)

// UserStatus is the status of an end user. Absent means enabled.
type UserStatus string

// The end-user statuses. Clause: "End user".
const (
	Enabled     UserStatus = "ENABLED"
	Disabled    UserStatus = "DISABLED"
	Blacklisted UserStatus = "BLACKLISTED"
)

// Known reports whether s is spelled as the interface spells a user's status.
func (s UserStatus) Known() bool {
	return s == Enabled || s == Disabled || s == Blacklisted
}

// PriceType says how binding a price is.
type PriceType string

// The price types. A sample of the interface spells the first ESTIMATE, so that
// is read as ESTIMATED.
const (
	Estimated PriceType = "ESTIMATED" // metered: an approximate price
	Fixed     PriceType = "FIXED"     // agreed or final
	Minimum   PriceType = "MINIMUM"   // at least this
	Maximum   PriceType = "MAXIMUM"   // no more than this
	estimate  PriceType = "ESTIMATE"
)

// Canonical returns the documented spelling of a price type.
func (t PriceType) Canonical() PriceType {
	if t == estimate {
		return Estimated
	}
	return t
}

// Known reports whether t is a documented price type, or the spelling of the
// sample.
func (t PriceType) Known() bool {
	switch t.Canonical() {
	case Estimated, Fixed, Minimum, Maximum:
		return true
	}
	return false
}

// Feature is a channel that an end user may use: "voice", or the name of a
// messaging-app channel.
type Feature string

// FeatureVoice lets an end user book by phone.
const FeatureVoice Feature = "voice"

// Option is one thing that the end user may hear or do.
type Option string

// The options. Clause: "End user", options values.
const (
	OptionJobID      Option = "jobID"      // hears the job number
	OptionVehicle    Option = "vehicle"    // hears the vehicle's description
	OptionVehicleReg Option = "vehicleReg" // hears its registration
	OptionETA        Option = "eta"        // hears how long it will be
	OptionDriverName Option = "driverName" // hears the driver's name
	OptionComingNow  Option = "comingNow"  // may tell the driver "coming now"
	OptionCallDriver Option = "callDriver" // may be put through to the driver
	OptionCancel     Option = "cancel"     // may cancel
)

// Options lists every documented option.
func Options() []Option {
	return []Option{
		OptionJobID, OptionVehicle, OptionVehicleReg, OptionETA,
		OptionDriverName, OptionComingNow, OptionCallDriver, OptionCancel,
	}
}

// Point is a place on earth, in degrees (WGS 84).
type Point struct {
	Longitude float64 `json:"longitude"` // "x", -180 to 180
	Latitude  float64 `json:"latitude"`  // "y", -90 to 90
}

// Address is the text and the location of a place.
type Address struct {
	Address  string `json:"address"`           // full address including postcode
	Location *Point `json:"location,omitzero"` // required by the interface; nil if a partner omitted it
}

// ETA is a waiting time, such as 4 minutes.
type ETA struct {
	Value float64 `json:"value"`
	Unit  string  `json:"unit"` // free text in the interface; this project sends "minutes"
}

// UnitMinutes is the unit that this project sends.
const UnitMinutes = "minutes"

// Price is what a journey costs.
type Price struct {
	Value    float64   `json:"value"`          // in the currency's main unit: 12.4 is £12.40
	Currency string    `json:"currency"`       // ISO 4217
	Type     PriceType `json:"type,omitempty"` // how binding it is
}

// Passenger is the person who travels, who may differ from the end user.
type Passenger struct {
	PhoneNumber E164   `json:"phoneNumber"`
	Name        string `json:"name"`
}

// Vehicle is the car of a journey.
type Vehicle struct {
	Description  string `json:"description"`  // "White Toyota Prius"
	Registration string `json:"registration"` // "ZT21 KBD"
}

// Driver is the driver of that car. The phone number lets the platform offer "Coming
// Now" and is never shown to the end user.
type Driver struct {
	Name        string `json:"name"`
	PhoneNumber E164   `json:"phoneNumber"`
	BadgeNumber string `json:"badgeNumber"`
}

// Journey is a booking and its present state. Clause: "Journey object".
// Answers to /book and /cancel are journeys with only the id and the status required, so
// the other required fields may be absent (zero) in answers of partners.
type Journey struct {
	JourneyID JourneyID  `json:"journeyId"`
	Status    Status     `json:"status"`
	Date      Time       `json:"date,omitzero"` // pickup time
	ETA       *ETA       `json:"eta,omitempty"` // to the pickup; once on board, to the last drop-off
	Price     *Price     `json:"price,omitempty"`
	Pickup    *Address   `json:"pickup,omitempty"`
	Dropoffs  []Address  `json:"dropoffs,omitempty"` // in order, at least one
	Passenger *Passenger `json:"passenger,omitempty"`
	Vehicle   *Vehicle   `json:"vehicle,omitempty"`
	Driver    *Driver    `json:"driver,omitempty"`
	Location  *Point     `json:"location,omitempty"` // where the vehicle is now

	// Data says how a journey ended. Decision: the interface allows further fields and
	// defines none for this.
	Data *Outcome `json:"data,omitempty"`
}

// Outcome says how and why a journey ended, and what was charged if it did not end as
// booked.
type Outcome struct {
	Reason  CancelReason `json:"reason,omitempty"`
	Outcome string       `json:"outcome,omitempty"` // "ABORTED" when the office ended a journey under way; the reference has no such command yet
	Charge  *Price       `json:"charge,omitempty"`  // charged for a late cancellation
}

// CancelReason is why a journey ended early. Decision.
type CancelReason string

// The reasons.
const (
	ReasonPassenger CancelReason = "PASSENGER" // cancelled by /cancel
	ReasonDispatch  CancelReason = "DISPATCH"  // cancelled by the operator of the dispatch office
	ReasonNoDriver  CancelReason = "NO_DRIVER" // no car could be found in time
	ReasonNoShow    CancelReason = "NO_SHOW"   // the passenger did not come
)

// EndUser is a customer of the dispatch system. Clause: "End user".
type EndUser struct {
	UserID         UserID     `json:"userId"`
	PhoneNumber    E164       `json:"phoneNumber"`
	Name           string     `json:"name"`
	Status         UserStatus `json:"status,omitempty"`
	Data           *Settings  `json:"data,omitempty"`
	ActiveBookings []Journey  `json:"activeBookings,omitempty"`
}

// ConfigRequest is the body of /config: the platform's settings for this
// customer.
type ConfigRequest struct {
	Data *Settings `json:"data,omitempty"`
}

// ConfigResponse is the answer to /config. The fields of Data overwrite the
// platform's own settings, one by one.
type ConfigResponse struct {
	Status SystemStatus `json:"status"`
	ETA    *ETA         `json:"eta,omitempty"`
	Data   *Settings    `json:"data,omitempty"`
}

// UserRequest is the body of /user.
type UserRequest struct {
	PhoneNumber E164            `json:"phoneNumber"`
	Data        json.RawMessage `json:"data,omitempty"` // an object
}

// BookRequest is the body of /book. An edit repeats the whole booking, with the journey's
// id.
type BookRequest struct {
	JourneyID       *JourneyID      `json:"journeyId,omitempty"` // nil creates, anything else edits
	UserID          UserID          `json:"userId,omitempty"`    // if known
	Name            string          `json:"name"`                // of the passenger
	PhoneNumber     E164            `json:"phoneNumber"`
	Pickup          *Address        `json:"pickup"`
	Dropoffs        []Address       `json:"dropoffs"`
	PickupTime      Time            `json:"pickupTime"`
	VehicleCategory string          `json:"vehicleCategory,omitempty"`
	Data            json.RawMessage `json:"data,omitempty"` // an object, arbitrary plugin data
}

// JourneyRef is the body of /cancel and /status: one journey of one user.
type JourneyRef struct {
	UserID    UserID    `json:"userId"`
	JourneyID JourneyID `json:"journeyId"`
}
