package mutants

import (
	"slices"

	"github.com/cabrank/cabrank/conformance/callingside/rules"
)

// Switch is something that a platform does wrong, or in its own way. Its words name the
// platform in a matrix.
type Switch string

// The switches that stand for themselves.
const (
	aBookingsPriceInPounds                  Switch = "a booking's price in pounds"
	aDateInRetryAfterNotRead                Switch = "a date in Retry-After not read"
	aForeignJourneyIdAdopted                Switch = "a foreign journeyId adopted"
	aListInPlaceOfAnObject                  Switch = "a list in place of an object"
	aNullJourneyIdToCreate                  Switch = "a null journeyId to create"
	aMissingTimeOfArrivalIsZero             Switch = "a missing time of arrival is 0 minutes"
	aPhoneNumberWithoutPlusInBook           Switch = "a phone number without plus in /book"
	aPlusInFrontOfTheNumber                 Switch = "a plus in front of the number"
	aStrangersJourneyTold                   Switch = "a stranger's journey told"
	aUserIdInvented                         Switch = "a userId invented"
	aUserWithoutENABLEDIsRefused            Switch = "a user without ENABLED is refused"
	activeBookingsMustBeAList               Switch = "activeBookings must be a list"
	activeBookingsNotLookedAt               Switch = "active bookings not looked at"
	addressesInASCIIAlone                   Switch = "addresses in ASCII alone"
	alwaysAsksForTheDropOff                 Switch = "always asks for the drop-off"
	alwaysGuest                             Switch = "always Guest"
	anAddressWithoutItsText                 Switch = "an address without its text"
	anEditDropsAStop                        Switch = "an edit drops a stop"
	anEditForTheCallerInPlaceOfThePassenger Switch = "an edit for the caller in place of the passenger"
	anEditForgetsTheCategory                Switch = "an edit forgets the category"
	anEditInAnotherCategory                 Switch = "an edit in another category"
	anEditKeepsTheOldLocation               Switch = "an edit keeps the old location"
	anEditMovesTheTaxiToNow                 Switch = "an edit moves the taxi to now"
	anEditOfWhatChangesAlone                Switch = "an edit of what changes alone"
	anEditWithoutJourneyId                  Switch = "an edit without journeyId"
	anEmptyJourneyIdToCreate                Switch = "an empty journeyId to create"
	anEmptyNumberSent                       Switch = "an empty number sent"
	anOddSystemStatusTakenForDown           Switch = "an odd system status taken for down"
	anOverrideKeptForEver                   Switch = "an override kept for ever"
	anOverrideReplacesEverything            Switch = "an override replaces everything"
	anUnknownOptionMakesAllTheRestGo        Switch = "an unknown option makes all the rest go"
	anonymousSent                           Switch = "anonymous sent"
	anotherPath                             Switch = "another path"
	asksEverybodyForTheName                 Switch = "asks everybody for the name"
	asksMore                                Switch = "asks more"
	blacklistedBooks                        Switch = "BLACKLISTED books"
	bookRetriedBlindly                      Switch = "/book retried blindly"
	bookRetriedWhenItIsAskedFor             Switch = "/book retried when it is asked for"
	bookRetriedWithAnIdempotencyKey         Switch = "/book retried with an Idempotency-Key"
	booksAgainAlthoughItIsThere             Switch = "books again although it is there"
	booksAgainWhenItIsAbsent                Switch = "books again when it is absent"
	booksForAWithheldNumber                 Switch = "books for a withheld number"
	booksWithVoiceOff                       Switch = "books with voice off"
	callsADriverWithoutANumber              Switch = "calls a driver without a number"
	cannotTellAsked                         Switch = "cannot tell asked"
	cannotTellLegs                          Switch = "cannot tell legs"
	cannotTellOffered                       Switch = "cannot tell offered"
	cannotTellSaid                          Switch = "cannot tell said"
	certificateNotVerified                  Switch = "certificate not verified"
	comingNowAtEnRoute                      Switch = "Coming Now at EN_ROUTE"
	comingNowInEveryStatus                  Switch = "Coming Now in every status"
	comingNowNeverOffered                   Switch = "Coming Now never offered"
	comingNowOnceOnBoard                    Switch = "Coming Now once on board"
	comingNowRememberedForTheCaller         Switch = "Coming Now remembered for the caller"
	comingNowWheneverItIsPressed            Switch = "Coming Now whenever it is pressed"
	comingNowWithoutANumber                 Switch = "Coming Now without a number"
	configByGET                             Switch = "/config by GET"
	configTwice                             Switch = "/config twice"
	configWinsOverUser                      Switch = "/config wins over /user"
	coordinatesAsText                       Switch = "coordinates as text"
	crashesOnA503                           Switch = "crashes on a 503"
	crashesOnAFraction                      Switch = "crashes on a fraction"
	crashesOnAnUnknownField                 Switch = "crashes on an unknown field"
	crashesOnAnotherDriver                  Switch = "crashes on another driver"
	crashesOnHTML                           Switch = "crashes on HTML"
	crashesWithoutAnAnswerOfStatus          Switch = "crashes without an answer of /status"
	dataAList                               Switch = "data a list"
	dataOfUserIgnored                       Switch = "data of /user ignored"
	disabledBooks                           Switch = "DISABLED books"
	dropoffsEmpty                           Switch = "dropoffs empty"
	eachPressCallsTheDriver                 Switch = "each press calls the driver"
	editsBeyondACCEPTED                     Switch = "edits beyond ACCEPTED"
	everyPriceInPounds                      Switch = "every price in pounds"
	everyTimeInHoursAndMinutes              Switch = "every time in minutes, long ones in hours"
	everyTimeInMinutes                      Switch = "every time in minutes"
	featuresAString                         Switch = "features a string"
	givesUpAfterHalfASecond                 Switch = "gives up after half a second"
	http11Only                              Switch = "HTTP/1.1 only"
	howAJourneyStandsRemembered             Switch = "how a journey stands is remembered"
	idsAsNumbers                            Switch = "ids as numbers"
	idsCutAt64                              Switch = "ids cut at 64"
	idsEscaped                              Switch = "ids escaped"
	idsInCapitals                           Switch = "ids in capitals"
	idsInSmallLetters                       Switch = "ids in small letters"
	idsTrimmed                              Switch = "ids trimmed"
	idsWithoutLeadingZeros                  Switch = "ids without leading zeros"
	jsonAsAForm                             Switch = "JSON as a form"
	latinOne                                Switch = "Latin-1"
	localTimeWithAZ                         Switch = "local time with a Z"
	longitudeAndLatitudeExchanged           Switch = "longitude and latitude exchanged"
	manyActiveBookingsAreTooMany            Switch = "many active bookings are too many"
	markupInterpreted                       Switch = "markup interpreted"
	markupReadAloud                         Switch = "markup read aloud"
	needsDateOfBook                         Switch = "needs date of /book"
	needsPickupOfCancel                     Switch = "needs pickup of /cancel"
	neverAsksForTheName                     Switch = "never asks for the name"
	neverOffersAnEdit                       Switch = "never offers an edit"
	neverOffersTheStatus                    Switch = "never offers the status"
	neverOffersToCallTheDriver              Switch = "never offers to call the driver"
	neverOffersToCancel                     Switch = "never offers to cancel"
	neverPolls                              Switch = "never polls"
	noBodyForConfig                         Switch = "no body for /config"
	noConfig                                Switch = "no /config"
	noContentType                           Switch = "no Content-Type"
	noCredentials                           Switch = "no credentials"
	noCredentialsOnStatus                   Switch = "no credentials on /status"
	noDataForConfig                         Switch = "no data for /config"
	noDropOffsWhereNoneIsAskedFor           Switch = "no drop-offs where none is asked for"
	noEditsAtAll                            Switch = "no edits at all"
	noEditsBeyondWAITING                    Switch = "no edits beyond WAITING"
	noLimitOfTime                           Switch = "no limit of time"
	noLocation                              Switch = "no location"
	noLocationMessage                       Switch = "no location message"
	noMessaging                             Switch = "no messaging"
	noUserIdInBook                          Switch = "no userId in /book"
	nowIsAnHourAgo                          Switch = "now is an hour ago"
	nowIsTheTimeOfABookingAhead             Switch = "now is the time of a booking ahead"
	otherCredentials                        Switch = "other credentials"
	overridesIgnored                        Switch = "overrides ignored"
	pathBesideTheBase                       Switch = "path beside the base"
	pickupTimeAsAnEpoch                     Switch = "pickupTime as an epoch"
	pickupTimeInAnotherZone                 Switch = "pickupTime in another zone"
	pickupTimeInWords                       Switch = "pickupTime in words"
	pickupTimeWithoutAZone                  Switch = "pickupTime without a zone"
	pollsOnAfterHangingUp                   Switch = "polls on after hanging up"
	pollsOnWhenItIsOver                     Switch = "polls on when it is over"
	pollsTenTimesASecond                    Switch = "polls ten times a second"
	redirectsFollowedWithCredentials        Switch = "redirects followed with credentials"
	redirectsFollowedWithoutCredentials     Switch = "redirects followed without credentials"
	retries429AtOnce                        Switch = "retries 429 at once"
	retriesConfigOnce                       Switch = "retries /config once"
	retryAfterOfBookIgnored                 Switch = "Retry-After of /book ignored"
	saysBookedWhateverHappens               Switch = "says booked whatever happens"
	saysBookedWithoutAJourneyId             Switch = "says booked without a journeyId"
	saysCancelledOnAny200                   Switch = "says cancelled on any 200"
	saysCancelledWhateverHappens            Switch = "says cancelled whatever happens"
	saysLittle                              Switch = "says little"
	saysNotBookedWithoutLooking             Switch = "says not booked without looking"
	saysNotCancelledWithoutLooking          Switch = "says not cancelled without looking"
	saysNull                                Switch = "says null"
	saysUndefined                           Switch = "says undefined"
	silenceWhenConfigFails                  Switch = "silence when /config fails"
	silenceWhenItIsNotCancelled             Switch = "silence when it is not cancelled"
	skipDropOffAsText                       Switch = "skipDropOff as text"
	speaksOfTheFirstDriverOnly              Switch = "speaks of the first driver only"
	staticSettingsWhenConfigFails           Switch = "static settings when /config fails"
	tellsOfTheList                          Switch = "tells of the list"
	theBadgeWhateverIsOn                    Switch = "the badge whatever is on"
	theDriverSeesTheCallersNumber           Switch = "the driver sees the caller's number"
	theDriversNumberInAMessage              Switch = "the driver's number in a message"
	theDriversNumberInFigures               Switch = "the driver's number in figures"
	theDriversNumberInGerman                Switch = "the driver's number in German"
	theDriversNumberInWords                 Switch = "the driver's number in words"
	theDriversNumberSpaced                  Switch = "the driver's number spaced"
	theDriversNumberWithDouble              Switch = "the driver's number with double"
	theEndOfTheDriversNumber                Switch = "the end of the driver's number"
	theSettingsOfOneCallKeptForTheNext      Switch = "the settings of one call kept for the next"
	theFirstUserIdKeptForAll                Switch = "the first userId kept for all"
	theLocationExchanged                    Switch = "the location exchanged"
	theNumberAsAJSONNumber                  Switch = "the number as a JSON number"
	theOffsetDropped                        Switch = "the offset dropped"
	theNumberAsTheNetworkGaveIt             Switch = "the number as the network gave it"
	theOtherCallsPickup                     Switch = "the other call's pickup"
	theRawPrice                             Switch = "the raw price"
	tls13Only                               Switch = "TLS 1.3 only"
	turnsTheUnknownAway                     Switch = "turns the unknown away"
	unknownOptionsRefused                   Switch = "unknown options refused"
	userBeforeConfig                        Switch = "/user before /config"
	userBeforeTheGreeting                   Switch = "/user before the greeting"
	withoutAUserIdNobodyIsKnown             Switch = "without a userId nobody is known"
	zerosLeftInFront                        Switch = "00 left in front"
)

// Switches that are about one operation, option or language each.
func withoutMember(member string) Switch   { return Switch("no " + member + " in /book") }
func withoutUserID(op string) Switch       { return Switch("no userId in /" + op) }
func firstOfMany(op string) Switch         { return Switch("the first of many bookings in /" + op) }
func ignores(option string) Switch         { return Switch("option " + option + " ignored") }
func neverTells(option string) Switch      { return Switch("never tells " + option) }
func crashesOnNull(op string) Switch       { return Switch("crashes on null in /" + op) }
func crashesOnNullWithin(op string) Switch { return Switch("crashes on null within /" + op) }
func speaks(language string) Switch        { return Switch("speaks " + language) }
func needs(member, op string) Switch       { return Switch("needs " + member + " of /" + op) }

// everySwitch lists the switches that there are.
var everySwitch = slices.Concat([]Switch{
	aBookingsPriceInPounds, aForeignJourneyIdAdopted, aListInPlaceOfAnObject, aMissingTimeOfArrivalIsZero, addressesInASCIIAlone, everyTimeInHoursAndMinutes,
	aDateInRetryAfterNotRead, howAJourneyStandsRemembered, theSettingsOfOneCallKeptForTheNext, aNullJourneyIdToCreate, aPhoneNumberWithoutPlusInBook, aPlusInFrontOfTheNumber,
	aStrangersJourneyTold, aUserIdInvented, aUserWithoutENABLEDIsRefused, activeBookingsMustBeAList, activeBookingsNotLookedAt, alwaysAsksForTheDropOff,
	alwaysGuest, anAddressWithoutItsText, anEditDropsAStop, anEditForTheCallerInPlaceOfThePassenger, anEditForgetsTheCategory, anEditInAnotherCategory,
	anEditKeepsTheOldLocation, anEditMovesTheTaxiToNow, theOffsetDropped, anEditOfWhatChangesAlone, anEditWithoutJourneyId, anEmptyJourneyIdToCreate, anEmptyNumberSent, anOddSystemStatusTakenForDown,
	anOverrideKeptForEver, anOverrideReplacesEverything, anUnknownOptionMakesAllTheRestGo, anonymousSent, anotherPath, asksEverybodyForTheName, asksMore,
	blacklistedBooks, bookRetriedBlindly, bookRetriedWhenItIsAskedFor, bookRetriedWithAnIdempotencyKey, booksAgainAlthoughItIsThere,
	booksAgainWhenItIsAbsent, booksForAWithheldNumber, booksWithVoiceOff, callsADriverWithoutANumber, cannotTellAsked, cannotTellLegs, cannotTellOffered,
	cannotTellSaid, certificateNotVerified, comingNowAtEnRoute, comingNowInEveryStatus, comingNowNeverOffered, comingNowOnceOnBoard,
	comingNowRememberedForTheCaller, comingNowWheneverItIsPressed, comingNowWithoutANumber, configByGET, configTwice, configWinsOverUser,
	coordinatesAsText, crashesOnA503, crashesOnAFraction, crashesOnAnUnknownField, crashesOnAnotherDriver, crashesOnHTML, crashesWithoutAnAnswerOfStatus,
	dataAList, dataOfUserIgnored, disabledBooks, dropoffsEmpty, eachPressCallsTheDriver, editsBeyondACCEPTED, everyPriceInPounds, everyTimeInMinutes,
	featuresAString, givesUpAfterHalfASecond, http11Only, idsAsNumbers, idsCutAt64, idsEscaped, idsInCapitals, idsInSmallLetters, idsTrimmed,
	idsWithoutLeadingZeros, jsonAsAForm, latinOne, localTimeWithAZ, longitudeAndLatitudeExchanged, manyActiveBookingsAreTooMany, markupInterpreted,
	markupReadAloud, needsDateOfBook, needsPickupOfCancel, neverAsksForTheName, neverOffersAnEdit, neverOffersTheStatus, neverOffersToCallTheDriver,
	neverOffersToCancel, neverPolls, noBodyForConfig, noConfig, noContentType, noCredentials, noCredentialsOnStatus, noDataForConfig,
	noDropOffsWhereNoneIsAskedFor, noEditsAtAll, noEditsBeyondWAITING, noLimitOfTime, noLocation, noLocationMessage, noMessaging, noUserIdInBook,
	nowIsAnHourAgo, nowIsTheTimeOfABookingAhead, otherCredentials, overridesIgnored, pathBesideTheBase, pickupTimeAsAnEpoch, pickupTimeInAnotherZone,
	pickupTimeInWords, pickupTimeWithoutAZone, pollsOnAfterHangingUp, pollsOnWhenItIsOver, pollsTenTimesASecond, redirectsFollowedWithCredentials,
	redirectsFollowedWithoutCredentials, retries429AtOnce, retriesConfigOnce, retryAfterOfBookIgnored, saysBookedWhateverHappens,
	saysBookedWithoutAJourneyId, saysCancelledOnAny200, saysCancelledWhateverHappens, saysLittle, saysNotBookedWithoutLooking,
	saysNotCancelledWithoutLooking, saysNull, saysUndefined, silenceWhenConfigFails, silenceWhenItIsNotCancelled, skipDropOffAsText,
	speaksOfTheFirstDriverOnly, staticSettingsWhenConfigFails, tellsOfTheList, theBadgeWhateverIsOn, theDriverSeesTheCallersNumber,
	theDriversNumberInAMessage, theDriversNumberInFigures, theDriversNumberInGerman, theDriversNumberInWords, theDriversNumberSpaced,
	theDriversNumberWithDouble, theEndOfTheDriversNumber, theFirstUserIdKeptForAll, theLocationExchanged, theNumberAsAJSONNumber,
	theNumberAsTheNetworkGaveIt, theOtherCallsPickup, theRawPrice, tls13Only, turnsTheUnknownAway, unknownOptionsRefused, userBeforeConfig,
	userBeforeTheGreeting, withoutAUserIdNobodyIsKnown, zerosLeftInFront,
}, families())

// families lists the switches that are about one operation, option or language each.
func families() []Switch {
	var all []Switch
	each := func(family func(string) Switch, members ...string) {
		for _, member := range members {
			all = append(all, family(member))
		}
	}
	each(withoutMember, "name", "phoneNumber", "pickup", "dropoffs", "pickupTime")
	each(withoutUserID, "status", "cancel")
	each(firstOfMany, "status", "cancel")
	each(ignores, rules.AllOptions()...)
	each(neverTells, "jobID", "vehicle", "vehicleReg", "eta", "driverName")
	each(crashesOnNull, "status", "user")
	each(crashesOnNullWithin, "status")
	each(speaks, "digits", "de", "finnish")
	for _, n := range needed {
		all = append(all, needs(n.member, n.op))
	}
	return all
}

// needed are the members that some platform wants of a reply, and need not.
var needed = []struct{ member, op string }{
	{"data", "config"}, {"status", "user"}, {"activeBookings", "user"}, {"date", "book"}, {"pickup", "cancel"}, {"driver", "status"},
}
