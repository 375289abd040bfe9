package conformance

// The intents of the calls that probes make.
const (
	intentUnknown     Intent = "unknown-journey"  // an id that names no journey
	intentForeign     Intent = "foreign-user"     // the right journey, somebody else's userId
	intentInexact     Intent = "inexact-id"       // a journey's id with other capitals or spaces
	intentNewcomer    Intent = "unknown-phone"    // /user for a number never seen
	intentPhoneForm   Intent = "phone-form"       // /user with a number written differently
	intentPhoneLength Intent = "phone-length"     // /user with a very short or long number
	intentUserData    Intent = "user-data"        // /user with unusual data
	intentDisabled    Intent = "disabled-user"    // /user or /book for a user who is DISABLED
	intentBlacklisted Intent = "blacklisted-user" // the same for one who is BLACKLISTED
	intentCategory    Intent = "unknown-category" // /book with a vehicleCategory nobody has
	intentExtra       Intent = "unknown-fields"
	intentCharset     Intent = "charset"
	intentSlashes     Intent = "slashes"
	intentMethod      Intent = "method"
	intentAccept      Intent = "accept"
	intentFraming     Intent = "framing"
	intentKeepAlive   Intent = "keep-alive"
	intentHTTP2       Intent = "http2"
	intentGzip        Intent = "gzip"
	intentScripts     Intent = "scripts"
	intentNulls       Intent = "nulls"
	intentRepeat      Intent = "repeat"         // the same call over and over, in quiet
	intentMoved       Intent = "moved"          // looks at a journey that a hook has moved
	intentRace        Intent = "race"           // sent together with others that it may meet on the way
	intentBeside      Intent = "beside"         // made while a slow upload is under way
	intentSlow        Intent = "slow-upload"    // a body that arrives in two halves
	intentTimed       Intent = "timed"          // made alone, to see how long it takes
	intentHangUp      Intent = "hang-up"        // the caller does not wait for the answer
	intentKey         Intent = "key"            // with an Idempotency-Key
	intentKeyReused   Intent = "key-reused"     // another body under the same Idempotency-Key
	intentSeasons     Intent = "seasons"        // a pickup around the change of the clocks
	intentNoCreds     Intent = "no-credentials" // a sound call that does not say who makes it
	intentWrongCreds  Intent = "wrong-credentials"
	intentSchemeCase  Intent = "scheme-case" // the authentication scheme in other capitals
	intentInjected    Intent = "injection"   // line breaks and header lines in strings
	intentNoSuch      Intent = "no-such"     // an id that names no journey, to compare refusals
	intentNotYours    Intent = "not-yours"   // somebody else's journey, to compare refusals
)
