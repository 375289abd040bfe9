package conformance

// Aid is something that only whoever runs the judged server can lend to a run.
type Aid string

// The aids.
const (
	AidAdvance  Aid = "advance"  // moves on what a run has made, so that it is seen in each status
	AidRestart  Aid = "restart"  // stops and starts the server
	AidClock    Aid = "clock"    // moves the server's clock
	AidFixtures Aid = "fixtures" // names users who are barred, and a route with a fixed price
	AidAgreed   Aid = "agreed"   // the route with a fixed price, where only the users were named
	AidBarred   Aid = "barred"   // the users who are barred, where only the route was named
	AidAuth     Aid = "auth"     // shows credentials, so that calls without them can be tried
	AidNumbers  Aid = "numbers"  // names users whom the server knows
	AidHTTPS    Aid = "https"    // an https address
	AidZone     Aid = "zone"     // a place where the clocks change

	AidAuthority   Aid = "authority"   // the authority that signed the server's certificate
	AidCertificate Aid = "certificate" // a client certificate to show
	AidTime        Aid = "time"        // more time for a call
)
