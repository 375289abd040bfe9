package mutants

import (
	"net/http"
	"strings"

	"github.com/cabrank/cabrank/conformance/matrix"
)

// faults are what a platform can do wrong: the check that fails it, and the switch. An
// exclamation mark after the check means that it can only warn.
const faults = `
P-01@config  /config by GET
P-01@config  path beside the base
P-01@user    another path
P-01@cancel  a list in place of an object
P-01@config  no body for /config
P-01@book    Latin-1
P-01@config! no Content-Type
P-02  no /config
P-02  /user before /config
P-03  /config twice
P-04  data a list
P-04  features a string
P-04  skipDropOff as text
P-05  a plus in front of the number
P-05  the number as a JSON number
P-06  the number as the network gave it
P-06  00 left in front
P-07  an empty number sent
P-07  anonymous sent
P-08  no name in /book
P-08  no phoneNumber in /book
P-08  no pickup in /book
P-08  no dropoffs in /book
P-08  dropoffs empty
P-08  no pickupTime in /book
P-09  longitude and latitude exchanged
P-09  no location
P-09  coordinates as text
P-09  an address without its text
P-10  pickupTime as an epoch
P-10  pickupTime in words
P-10! pickupTime without a zone
P-10  now is an hour ago
P-11  an empty journeyId to create
P-12  an edit without journeyId
P-12  an edit of what changes alone
P-13  no userId in /book
P-14@status  no userId in /status
P-14@cancel  no userId in /cancel
P-15  ids as numbers
P-15  ids in small letters
P-15  ids in capitals
P-15  ids trimmed
P-15  ids cut at 64
P-15  ids without leading zeros
P-15  ids escaped
P-16@status  no credentials on /status
P-16@config  no credentials
P-16@config  other credentials
P-17  certificate not verified
P-18  redirects followed with credentials
P-19  /book retried blindly
P-19  books again although it is there
P-20  polls ten times a second
P-20  polls on when it is over
P-21  overrides ignored
P-22  an override replaces everything
P-23  an override kept for ever
P-23  the settings of one call kept for the next
P-24  books with voice off
P-25  option jobID ignored
P-26  option vehicle ignored
P-27  option vehicleReg ignored
P-28  option eta ignored
P-29  option driverName ignored
P-30  option comingNow ignored
P-31  option callDriver ignored
P-32  option cancel ignored
P-25  says little
P-25  never tells jobID
P-26  never tells vehicle
P-27  never tells vehicleReg
P-28  never tells eta
P-29  never tells driverName
P-31  never offers to call the driver
P-32  never offers to cancel
P-33  unknown options refused
P-33  an unknown option makes all the rest go
P-34  always asks for the drop-off
P-35  an odd system status taken for down
P-36  silence when /config fails
P-37  DISABLED books
P-38  BLACKLISTED books
P-38  tells of the list
P-39  a user without ENABLED is refused
P-40  active bookings not looked at
P-40  never offers the status
P-40  never offers an edit
P-40! no edits at all
P-41  many active bookings are too many
P-41  activeBookings must be a list
P-42  always Guest
P-43  a userId invented
P-43  turns the unknown away
P-43  never asks for the name
P-44  the driver's number in figures
P-44  the driver's number spaced
P-44  the driver's number in words
P-44  the driver's number with double
P-44  the driver's number in German
P-44  the driver's number in a message
P-44! the end of the driver's number
P-45  the driver sees the caller's number
P-46  the badge whatever is on
P-47  Coming Now never offered
P-48  Coming Now at EN_ROUTE
P-48  Coming Now in every status
P-49  Coming Now without a number
P-50  option comingNow ignored
P-51  each press calls the driver
P-52  Coming Now whenever it is pressed
P-48  Coming Now once on board
P-53  calls a driver without a number
P-54  says booked whatever happens
P-54  says booked without a journeyId
P-55  says cancelled whatever happens
P-55  says cancelled on any 200
P-56  silence when it is not cancelled
P-57  no location message
P-57  the location exchanged
P-58@config  needs data of /config
P-58@user    needs status of /user
P-58@book    needs date of /book
P-58@cancel  needs pickup of /cancel
P-58@status  needs driver of /status
P-59@book    crashes on an unknown field
P-59@status  crashes on null in /status
P-41  crashes on null in /user
P-59@status  crashes on null within /status
P-59@status  crashes on a fraction
P-60  says undefined
P-60  says null
P-60  a missing time of arrival is 0 minutes
P-61@user    crashes on HTML
P-62@status  crashes on a 503
P-63  gives up after half a second
P-64  crashes without an answer of /status
P-65  retries 429 at once
P-65  Retry-After of /book ignored
P-65  a date in Retry-After not read
P-66  a foreign journeyId adopted
P-66  a stranger's journey told
P-67  crashes on another driver
P-67  speaks of the first driver only
P-68  the raw price
P-68  every price in pounds
P-68  every time in minutes
P-68  every time in minutes, long ones in hours
P-68  a booking's price in pounds
P-69  markup interpreted
P-69! markup read aloud
P-71  the other call's pickup
P-72  the first userId kept for all
P-73  TLS 1.3 only
P-74  an edit moves the taxi to now
P-74  an edit drops a stop
P-74  an edit keeps the old location
P-75  an edit for the caller in place of the passenger
P-75  an edit in another category
P-75! an edit forgets the category
P-76  local time with a Z
P-76  the offset dropped
P-76  now is the time of a booking ahead
P-77@cancel  the first of many bookings in /cancel
P-77@status  the first of many bookings in /status
P-78@book    JSON as a form
P-79  Coming Now remembered for the caller
P-80@cancel  says not cancelled without looking
P-80@book    says not booked without looking
P-81  no limit of time
P-82  asks everybody for the name
P-83  how a journey stands is remembered
P-84  addresses in ASCII alone
`

// spreads says of how many verdicts a fault may fail that is of the kind on which much
// rests; of others, four more than are named.
var spreads = map[Switch]int{
	pathBesideTheBase: 60, noCredentials: 60, otherCredentials: 60, noContentType: 60, configByGET: 60, noBodyForConfig: 40, overridesIgnored: 18,
	idsInSmallLetters: 18, noCredentialsOnStatus: 18,
}

// All returns the platforms that are wrong in one way.
func All(clock Clock) []matrix.Mutant {
	var all []matrix.Mutant
	for line := range strings.Lines(strings.TrimSpace(faults)) {
		check, fault, _ := strings.Cut(strings.TrimSpace(line), " ")
		fault = strings.TrimSpace(fault)
		m := platform(fault, clock, Switch(fault))
		m.Most = max(spreads[Switch(fault)], 12)
		if id, only := strings.CutSuffix(check, "!"); only {
			m.Warns = id
			m.KilledBy = ""
		} else {
			m.KilledBy = check
		}
		all = append(all, m)
	}
	return all
}

// platform is one with switches set.
func platform(name string, clock Clock, switches ...Switch) matrix.Mutant {
	return matrix.Mutant{Name: name, Wrap: func(http.Handler) http.Handler { return NewPlatform(clock.Now, clock.Wait, switches...) }}
}

// Variants returns platforms that are odd and right.
func Variants(clock Clock) []matrix.Mutant {
	var all []matrix.Mutant
	for _, v := range []Switch{
		"never polls", "asks more", "speaks digits", "speaks de", "speaks finnish", "no messaging", "cannot tell asked", "cannot tell offered", "cannot tell said",
		"cannot tell legs", "/user before the greeting", "retries /config once", "/config wins over /user", "no edits beyond WAITING", "edits beyond ACCEPTED",
		"a null journeyId to create", "a phone number without plus in /book", "pickupTime in another zone", "redirects followed without credentials",
		"books again when it is absent", "/book retried when it is asked for", "/book retried with an Idempotency-Key", "no drop-offs where none is asked for", "data of /user ignored",
		"without a userId nobody is known", "static settings when /config fails", "no data for /config", "HTTP/1.1 only",
	} {
		all = append(all, platform(string(v), clock, v))
	}
	all = append(all, platform("a right platform", clock), platform("German, by digits, without messaging", clock, "speaks de", "no messaging", "asks more", "never polls"))
	return all
}

// NullPeers returns what is no platform at all.
func NullPeers(clock Clock) []matrix.Mutant {
	says := func(name string, h http.HandlerFunc) matrix.Mutant {
		return matrix.Mutant{Name: name, Own: true, Wrap: func(http.Handler) http.Handler { return h }}
	}
	return []matrix.Mutant{
		says("exits at every request", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }),
		says("answers 200 {}", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("{}")) }),
		says("answers 501", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotImplemented) }),
		says("answers 404", http.NotFound),
		says("answers HTML", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<html>ok</html>")) }),
		says("says yes to every question", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte(`{"outcome":"completed","offered":["book","edit","cancel","status","comingNow","callDriver"],"asked":["pickup","dropoff","time","name"],
				"said":["Your taxi is booked.","Your taxi is cancelled."],"shown":[{"kind":"location","longitude":-1.5,"latitude":53.8}],"legs":[{"to":"driver","callerId":"+441134960000"}]}`))
		}),
		says("says nothing, and calls nothing", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte(`{"outcome":"person","offered":[],"asked":[],"said":[],"shown":[],"legs":[]}`))
		}),
	}
}
