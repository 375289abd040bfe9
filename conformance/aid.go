package conformance

// Aid is something that only the operator of the judged server can give to a run.
type Aid string

// The aids.
const (
	AidAdvance  Aid = "advance"  // advances the things that a run made, so that each status is seen
	AidRestart  Aid = "restart"  // stops and starts the server
	AidClock    Aid = "clock"    // moves the server's clock
	AidFixtures Aid = "fixtures" // barred users, and a route with a fixed price
	AidAgreed   Aid = "agreed"   // the route with a fixed price, when only the users were given
	AidBarred   Aid = "barred"   // the barred users, when only the route was given
	AidAuth     Aid = "auth"     // credentials, so that calls without them can be tested
	AidNumbers  Aid = "numbers"  // users whom the server knows
	AidHTTPS    Aid = "https"    // an https address
	AidZone     Aid = "zone"     // a place where the clocks change

	AidAuthority   Aid = "authority"   // the authority that signed the server's certificate
	AidCertificate Aid = "certificate" // a client certificate
	AidTime        Aid = "time"        // more time for a call
)
