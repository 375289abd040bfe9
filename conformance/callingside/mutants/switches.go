package mutants

import "slices"

// A Switch is one thing that a test platform does wrong, or differently from others. Its text names
// the platform in tables.
type Switch string

// A Fault is a switch with the checks, separated by spaces, that must fail a platform with this
// switch, or that only warn. Without either, the switch is unusual but correct.
type Fault struct {
	KilledBy, Warns string
	Switch
}

// Faults lists all switches.
func Faults() []Fault { return slices.Concat(faults, families) }

// faults are the switches declared with fails, warns and odd, in their order.
var faults []Fault

// fails declares and returns a switch for which a check must fail. It is not inlined: the program starts with many calls of it.
//
//go:noinline
func fails(check string, what Switch) Switch {
	faults = append(faults, Fault{KilledBy: check, Switch: what})
	return what
}

func warns(check string, what Switch) Switch {
	faults = append(faults, Fault{Warns: check, Switch: what})
	return what
}

func odd(what Switch) Switch { return fails("", what) }

// The faulty switches that take no parameter.
var (
	configByGET                             = fails("P-01@config", "/config by GET")
	pathBesideTheBase                       = fails("P-01@config", "path beside the base")
	anotherPath                             = fails("P-01@user", "another path")
	aListInPlaceOfAnObject                  = fails("P-01@cancel", "a list in place of an object")
	noBodyForConfig                         = fails("P-01@config", "no body for /config")
	latinOne                                = fails("P-01@book", "Latin-1")
	noContentType                           = fails("P-78", "no Content-Type")
	noConfig                                = fails("P-02", "no /config")
	userBeforeConfig                        = fails("P-02", "/user before /config")
	configTwice                             = fails("P-03", "/config twice")
	dataAList                               = fails("P-04", "data a list")
	featuresAString                         = fails("P-04", "features a string")
	skipDropOffAsText                       = fails("P-04", "skipDropOff as text")
	aPlusInFrontOfTheNumber                 = fails("P-05", "a plus in front of the number")
	theNumberAsAJSONNumber                  = fails("P-05", "the number as a JSON number")
	theNumberAsTheNetworkGaveIt             = fails("P-06", "the number as the network gave it")
	zerosLeftInFront                        = fails("P-06", "00 left in front")
	fortyFourInFrontOfEachNumber            = fails("P-06", "44 in front of each number")
	whatWaitsIsOnItsWay                     = fails("P-83", "what waits is on its way")
	cancelledOnTheWayAndNotSent             = fails("P-55", "said to be cancelled on the way, and not sent")
	anEmptyNumberSent                       = fails("P-07", "an empty number sent")
	anonymousSent                           = fails("P-07", "anonymous sent")
	dropoffsEmpty                           = fails("P-08", "dropoffs empty")
	longitudeAndLatitudeExchanged           = fails("P-09", "longitude and latitude exchanged")
	noLocation                              = fails("P-09", "no location")
	coordinatesAsText                       = fails("P-09", "coordinates as text")
	anAddressWithoutItsText                 = fails("P-09", "an address without its text")
	pickupTimeAsAnEpoch                     = fails("P-10", "pickupTime as an epoch")
	pickupTimeInWords                       = fails("P-10", "pickupTime in words")
	pickupTimeWithoutAZone                  = fails("P-10", "pickupTime without a zone")
	nowIsAnHourAgo                          = fails("P-10", "now is an hour ago")
	anEmptyJourneyIdToCreate                = fails("P-11", "an empty journeyId to create")
	anEditWithoutJourneyId                  = fails("P-12", "an edit without journeyId")
	anEditAtTheTimeOfTheFirstCall           = fails("P-74", "an edit at the time of the first call")
	theNumberInTheAddress                   = fails("P-86", "the number in the address")
	theCategoryOfTheLastBooking             = fails("P-85", "the category of the last booking")
	anEditOfWhatChangesAlone                = fails("P-12", "an edit of what changes alone")
	noUserIdInBook                          = fails("P-13", "no userId in /book")
	idsAsNumbers                            = fails("P-15", "ids as numbers")
	idsInSmallLetters                       = fails("P-15", "ids in small letters")
	idsInCapitals                           = fails("P-15", "ids in capitals")
	idsTrimmed                              = fails("P-15", "ids trimmed")
	idsCutAt64                              = fails("P-15", "ids cut at 64")
	idsWithoutLeadingZeros                  = fails("P-15", "ids without leading zeros")
	idsEscaped                              = fails("P-15", "ids escaped")
	noCredentialsOnStatus                   = fails("P-16@status", "no credentials on /status")
	noCredentials                           = fails("P-16@config", "no credentials")
	otherCredentials                        = fails("P-16@config", "other credentials")
	certificateNotVerified                  = fails("P-17", "certificate not verified")
	redirectsFollowedWithCredentials        = fails("P-18", "redirects followed with credentials")
	bookRetriedBlindly                      = fails("P-19", "/book retried blindly")
	booksAgainAlthoughItIsThere             = fails("P-19", "books again although it is there")
	pollsTenTimesASecond                    = fails("P-20", "polls ten times a second")
	pollsOnWhenItIsOver                     = fails("P-20", "polls on when it is over")
	pollsOnAfterHangingUp                   = fails("P-20", "polls on after hanging up")
	overridesIgnored                        = fails("P-21", "overrides ignored")
	anOverrideReplacesEverything            = fails("P-22", "an override replaces everything")
	anOverrideKeptForEver                   = fails("P-23", "an override kept for ever")
	theSettingsOfOneCallKeptForTheNext      = fails("P-23", "the settings of one call kept for the next")
	booksWithVoiceOff                       = fails("P-24", "books with voice off")
	saysLittle                              = fails("P-25", "says little")
	neverOffersToCallTheDriver              = fails("P-31", "never offers to call the driver")
	neverOffersToCancel                     = fails("P-32", "never offers to cancel")
	unknownOptionsRefused                   = fails("P-33", "unknown options refused")
	anUnknownOptionMakesAllTheRestGo        = fails("P-33", "an unknown option makes all the rest go")
	alwaysAsksForTheDropOff                 = fails("P-34", "always asks for the drop-off")
	anOddSystemStatusTakenForDown           = fails("P-35", "an odd system status taken for down")
	silenceWhenConfigFails                  = fails("P-36", "silence when /config fails")
	disabledBooks                           = fails("P-37", "DISABLED books")
	blacklistedBooks                        = fails("P-38", "BLACKLISTED books")
	tellsOfTheList                          = fails("P-38", "tells of the list")
	aUserWithoutENABLEDIsRefused            = fails("P-39", "a user without ENABLED is refused")
	activeBookingsNotLookedAt               = fails("P-40", "active bookings not looked at")
	neverOffersTheStatus                    = fails("P-40", "never offers the status")
	neverOffersAnEdit                       = fails("P-40", "never offers an edit")
	noEditsAtAll                            = warns("P-40", "no edits at all")
	manyActiveBookingsAreTooMany            = fails("P-41", "many active bookings are too many")
	activeBookingsMustBeAList               = fails("P-41", "activeBookings must be a list")
	alwaysGuest                             = fails("P-42", "always Guest")
	aUserIdInvented                         = fails("P-43", "a userId invented")
	turnsTheUnknownAway                     = fails("P-43", "turns the unknown away")
	neverAsksForTheName                     = fails("P-43", "never asks for the name")
	theDriversNumberInFigures               = fails("P-44", "the driver's number in figures")
	theDriversNumberSpaced                  = fails("P-44", "the driver's number spaced")
	theDriversNumberInWords                 = fails("P-44", "the driver's number in words")
	theDriversNumberWithDouble              = fails("P-44", "the driver's number with double")
	theDriversNumberInGerman                = fails("P-44", "the driver's number in German")
	theDriversNumberInAMessage              = fails("P-44", "the driver's number in a message")
	theEndOfTheDriversNumber                = fails("P-44", "the end of the driver's number")
	theDriverSeesTheCallersNumber           = fails("P-45", "the driver sees the caller's number")
	theBadgeWhateverIsOn                    = fails("P-46", "the badge whatever is on")
	comingNowNeverOffered                   = fails("P-47", "Coming Now never offered")
	comingNowAtEnRoute                      = fails("P-48", "Coming Now at EN_ROUTE")
	comingNowInEveryStatus                  = fails("P-48", "Coming Now in every status")
	comingNowWithoutANumber                 = fails("P-49", "Coming Now without a number")
	eachPressCallsTheDriver                 = fails("P-51", "each press calls the driver")
	comingNowWheneverItIsPressed            = fails("P-52", "Coming Now whenever it is pressed")
	comingNowOnceOnBoard                    = fails("P-48", "Coming Now once on board")
	callsADriverWithoutANumber              = fails("P-53", "calls a driver without a number")
	saysBookedWhateverHappens               = fails("P-54", "says booked whatever happens")
	saysBookedWithoutAJourneyId             = fails("P-54", "says booked without a journeyId")
	saysCancelledWhateverHappens            = fails("P-55", "says cancelled whatever happens")
	saysCancelledOnAny200                   = fails("P-55", "says cancelled on any 200")
	silenceWhenItIsNotCancelled             = fails("P-56", "silence when it is not cancelled")
	noLocationMessage                       = fails("P-57", "no location message")
	theLocationExchanged                    = fails("P-57", "the location exchanged")
	crashesOnAnUnknownField                 = fails("P-59@config", "crashes on an unknown field")
	crashesOnAFraction                      = fails("P-59@status", "crashes on a fraction")
	saysUndefined                           = fails("P-60", "says undefined")
	saysNull                                = fails("P-60", "says null")
	aMissingTimeOfArrivalIsZero             = fails("P-60", "a missing time of arrival is 0 minutes")
	crashesOnHTML                           = fails("P-61@user", "crashes on HTML")
	crashesOnA503                           = fails("P-62@status", "crashes on a 503")
	givesUpAfterHalfASecond                 = fails("P-63", "gives up after half a second")
	crashesWithoutAnAnswerOfStatus          = fails("P-64", "crashes without an answer of /status")
	retries429AtOnce                        = fails("P-65", "retries 429 at once")
	retryAfterOfBookIgnored                 = fails("P-65", "Retry-After of /book ignored")
	aDateInRetryAfterNotRead                = fails("P-65", "a date in Retry-After not read")
	aForeignJourneyIdAdopted                = fails("P-66", "a foreign journeyId adopted")
	aStrangersJourneyTold                   = fails("P-66", "a stranger's journey told")
	crashesOnAnotherDriver                  = fails("P-67", "crashes on another driver")
	speaksOfTheFirstDriverOnly              = fails("P-67", "speaks of the first driver only")
	theRawPrice                             = fails("P-68", "the raw price")
	everyPriceInPounds                      = fails("P-68", "every price in pounds")
	everyTimeInMinutes                      = fails("P-68", "every time in minutes")
	everyTimeInHoursAndMinutes              = fails("P-68", "every time in minutes, long ones in hours")
	anEstimateToldAsFixed                   = fails("P-68", "an estimate told as fixed")
	everyPriceInPence                       = fails("P-68", "every price in pence, told as pounds")
	unitsThatNobodyKnowsAreMinutes          = fails("P-68", "units that nobody knows are minutes")
	booksForYesterday                       = fails("P-10", "books for yesterday")
	aSlashAtTheEndOfThePath                 = fails("P-01@user", "a slash at the end of the path")
	theUserOfTheLastCallKept                = fails("P-37", "the user of the last call is kept")
	aBookingsPriceInPounds                  = fails("P-68", "a booking's price in pounds")
	markupInterpreted                       = fails("P-69", "markup interpreted")
	markupReadAloud                         = warns("P-69", "markup read aloud")
	theOtherCallsPickup                     = fails("P-71", "the other call's pickup")
	theFirstUserIdKeptForAll                = fails("P-72", "the first userId kept for all")
	tls13Only                               = fails("P-73", "TLS 1.3 only")
	anEditMovesTheTaxiToNow                 = fails("P-74", "an edit moves the taxi to now")
	anEditDropsAStop                        = fails("P-74", "an edit drops a stop")
	anEditKeepsTheOldLocation               = fails("P-74", "an edit keeps the old location")
	anEditForTheCallerInPlaceOfThePassenger = fails("P-75", "an edit for the caller in place of the passenger")
	anEditInAnotherCategory                 = fails("P-75", "an edit in another category")
	anEditForgetsTheCategory                = warns("P-75", "an edit forgets the category")
	localTimeWithAZ                         = fails("P-76", "local time with a Z")
	theOffsetDropped                        = fails("P-76", "the offset dropped")
	nowIsTheTimeOfABookingAhead             = fails("P-76", "now is the time of a booking ahead")
	jsonAsAForm                             = fails("P-78@book", "JSON as a form")
	comingNowRememberedForTheCaller         = fails("P-79", "Coming Now remembered for the caller")
	saysNotCancelledWithoutLooking          = fails("P-80@cancel", "says not cancelled without looking")
	saysNotBookedWithoutLooking             = fails("P-80@book", "says not booked without looking")
	noLimitOfTime                           = fails("P-81", "no limit of time")
	asksEverybodyForTheName                 = fails("P-82", "asks everybody for the name")
	howAJourneyStandsRemembered             = fails("P-83", "how a journey stands is remembered")
	addressesInASCIIAlone                   = fails("P-84", "addresses in ASCII alone")
	onlyTheFirstDropOff                     = fails("P-85", "only the first drop-off")
	dropOffsReversed                        = fails("P-85", "drop-offs reversed")
	pickupAndDropOffExchanged               = fails("P-85", "pickup and drop-off exchanged")
	theNationalNumberInBook                 = fails("P-85", "the national number in /book")
	thePlatformsNumberInBook                = fails("P-85", "the platform's number in /book")
	theCategoryIsNeverSent                  = fails("P-85", "the category is never sent")
	theCategoryInSmallLetters               = warns("P-85", "the category in small letters")
	twoDropOffsAtMost                       = fails("P-85", "two drop-offs at most")
	theClocksNeverChange                    = fails("P-76", "the clocks never change")
	twelveHoursWithoutAHalf                 = fails("P-76", "twelve hours, of which half of the day is not told")
	aPastTimeIsTomorrow                     = fails("P-76", "a past time is moved to tomorrow")
	anOlderBookingIsTheLostOne              = fails("P-80@book", "an older booking is taken for the lost one")
	anUnknownStatusIsTheEnd                 = fails("P-59@status", "an unknown status is the end")
	wholeNumbersWithAFraction               = fails("P-59@status", "whole numbers with a fraction")
	theLastNameForTheNameless               = fails("P-72", "the last caller's name for the nameless")
	failedReadingsRepeatedAtOnce            = fails("P-20", "failed readings are repeated at once")
	followsTheFirstOfMany                   = fails("P-77@status", "follows the first of many")
	nullsClearTheSettings                   = fails("P-59@config", "nulls clear the settings")
)

// The switches of platforms that are unusual but correct.
var (
	neverPolls                          = odd("never polls")
	asksMore                            = odd("asks more")
	noMessaging                         = odd("no messaging")
	cannotTellAsked                     = odd("cannot tell asked")
	cannotTellOffered                   = odd("cannot tell offered")
	cannotTellSaid                      = odd("cannot tell said")
	cannotTellLegs                      = odd("cannot tell legs")
	userBeforeTheGreeting               = odd("/user before the greeting")
	retriesConfigOnce                   = odd("retries /config once")
	configWinsOverUser                  = odd("/config wins over /user")
	noEditsBeyondWAITING                = odd("no edits beyond WAITING")
	editsBeyondACCEPTED                 = odd("edits beyond ACCEPTED")
	aNullJourneyIdToCreate              = odd("a null journeyId to create")
	aPhoneNumberWithoutPlusInBook       = odd("a phone number without plus in /book")
	pickupTimeInAnotherZone             = odd("pickupTime in another zone")
	redirectsFollowedWithoutCredentials = odd("redirects followed without credentials")
	booksAgainWhenItIsAbsent            = odd("books again when it is absent")
	bookRetriedWhenItIsAskedFor         = odd("/book retried when it is asked for")
	bookRetriedWithAnIdempotencyKey     = odd("/book retried with an Idempotency-Key")
	noDropOffsWhereNoneIsAskedFor       = odd("no drop-offs where none is asked for")
	dataOfUserIgnored                   = odd("data of /user ignored")
	withoutAUserIdNobodyIsKnown         = odd("without a userId nobody is known")
	staticSettingsWhenConfigFails       = odd("static settings when /config fails")
	noDataForConfig                     = odd("no data for /config")
	http11Only                          = odd("HTTP/1.1 only")
)

// These functions return the switches that are about one operation, option or language each.
func withoutMember(member string) Switch   { return Switch("no " + member + " in /book") }
func withoutUserID(op string) Switch       { return Switch("no userId in /" + op) }
func firstOfMany(op string) Switch         { return Switch("the first of many bookings in /" + op) }
func ignores(option string) Switch         { return Switch("option " + option + " ignored") }
func neverTells(option string) Switch      { return Switch("never tells " + option) }
func crashesOnNull(op string) Switch       { return Switch("crashes on null in /" + op) }
func crashesOnNullWithin(op string) Switch { return Switch("crashes on null within /" + op) }
func speaks(language string) Switch        { return Switch("speaks " + language) }
func needs(member, op string) Switch       { return Switch("needs " + member + " of /" + op) }

// families are the faults whose switches are about one operation, option or language each.
var families = []Fault{
	{KilledBy: "P-08", Switch: withoutMember("name")},
	{KilledBy: "P-08", Switch: withoutMember("phoneNumber")},
	{KilledBy: "P-08", Switch: withoutMember("pickup")},
	{KilledBy: "P-08", Switch: withoutMember("dropoffs")},
	{KilledBy: "P-08", Switch: withoutMember("pickupTime")},
	{KilledBy: "P-14@status", Switch: withoutUserID("status")},
	{KilledBy: "P-14@cancel", Switch: withoutUserID("cancel")},
	{KilledBy: "P-25", Switch: ignores("jobID")},
	{KilledBy: "P-26", Switch: ignores("vehicle")},
	{KilledBy: "P-27", Switch: ignores("vehicleReg")},
	{KilledBy: "P-28", Switch: ignores("eta")},
	{KilledBy: "P-29", Switch: ignores("driverName")},
	{KilledBy: "P-30", Switch: ignores("comingNow")},
	{KilledBy: "P-31", Switch: ignores("callDriver")},
	{KilledBy: "P-32", Switch: ignores("cancel")},
	{KilledBy: "P-25", Switch: neverTells("jobID")},
	{KilledBy: "P-26", Switch: neverTells("vehicle")},
	{KilledBy: "P-27", Switch: neverTells("vehicleReg")},
	{KilledBy: "P-33", Switch: neverTells("eta")},
	{KilledBy: "P-29", Switch: neverTells("driverName")},
	{KilledBy: "P-50", Switch: ignores("comingNow")},
	{KilledBy: "P-58@config", Switch: needs("data", "config")},
	{KilledBy: "P-58@user", Switch: needs("status", "user")},
	{KilledBy: "P-58@book", Switch: needs("date", "book")},
	{KilledBy: "P-58@cancel", Switch: needs("pickup", "cancel")},
	{KilledBy: "P-58@status", Switch: needs("driver", "status")},
	{KilledBy: "P-59@status", Switch: crashesOnNull("status")},
	{KilledBy: "P-41", Switch: crashesOnNull("user")},
	{KilledBy: "P-59@status", Switch: crashesOnNullWithin("status")},
	{KilledBy: "P-77@cancel", Switch: firstOfMany("cancel")},
	{KilledBy: "P-77@status", Switch: firstOfMany("status")},
	{KilledBy: "P-12@book", Switch: firstOfMany("book")},
	{Switch: speaks("digits")},
	{Switch: speaks("de")},
	{Switch: speaks("finnish")},
}

// isKnown reports whether a switch is one of those of [Faults].
func isKnown(s Switch) bool {
	return slices.ContainsFunc(Faults(), func(f Fault) bool { return f.Switch == s })
}
