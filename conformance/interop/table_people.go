package interop

// people are the predictions of who calls, and of what they are offered.
func people() []row {
	return []row{
		{
			id: "first-time", about: "first-time callers", needs: []need{newcomer, vendor("BOK-01 JRN-05"), platform("P-43"), written, soft(vendor("BOK-04")), arrives},
			works: "First-time callers are asked for their name and can book.", breaks: "First-time callers cannot book",
		},
		{
			id: "withheld", about: "withheld numbers", needs: []need{platform("P-07"), soft(vendor("USR-02"))},
			works: "A withheld number is not looked up.", breaks: "The dispatch system is asked for a number that is none",
		},
		{
			id: "disabled", about: "users who are DISABLED", needs: []need{knowsAs("DISABLED"), platform("P-37")},
			works: "Users who are DISABLED are not booked for.", breaks: "Users who are DISABLED are booked for", without: "Nobody is kept from booking as DISABLED",
		},
		{
			id: "blacklisted", about: "users who are BLACKLISTED", needs: []need{knowsAs("BLACKLISTED"), platform("P-38")},
			works:  "Users who are BLACKLISTED are not booked for, and not told why.",
			breaks: "Users who are BLACKLISTED are booked for, or told why not", without: "Nobody is kept from booking as BLACKLISTED",
		},
		{
			id: "skip-drop-off", about: "skipDropOff", needs: []need{says("skipDropOff", isTrue), platform("P-34")},
			works:  "Callers are not asked where they go when the dispatch system says so.",
			breaks: "Callers are asked where they go although the dispatch system says not to", without: "Callers are always asked where they go, unless the platform's own settings say otherwise",
		},
		{
			id: "overrides", about: "settings that the dispatch system overrides", needs: []need{says("options", isList), soft(vendor("CFG-06 CFG-07")), overridden},
			works:  "The options that the dispatch system switches hold in the same call.",
			breaks: "The options that the dispatch system switches do not hold", without: "The platform's own options hold",
		},
		{
			id: "active", about: "callers with a booking", needs: []need{vendor("USR-08 USR-09 USR-10"), platform("P-40"), read},
			works: "Callers with a booking are offered its status and to cancel it.", breaks: "Callers with a booking are not offered what they can do with it",
		},
		{
			id: "several", about: "several active bookings", needs: []need{vendor("USR-13"), many, listedForms},
			works: "Callers with none, one or many bookings are served.", breaks: "Not all callers with none, one or many bookings are served",
		},
		{
			id: "coming-now", about: "Coming Now",
			needs: []need{
				tells("driver.phoneNumber", "ARRIVED"), soft(vendor("ENR-10")), platform("P-47"), keepsOn("options", "comingNow"),
				clash("it is offered although nobody can be told", tells("driver.phoneNumber", "ARRIVED"), platform("P-49")), read,
			},
			works: "Coming Now is offered when the driver has arrived.", breaks: "Coming Now does not work", without: "Coming Now will never be offered",
		},
		{
			id: "call-driver", about: "calls to the driver",
			needs: []need{
				either(tells("driver.phoneNumber", "ARRIVED"), unsure("the vendor tells the number at EN_ROUTE, where the platform was not tried", tells("driver.phoneNumber", "EN_ROUTE"))), soft(vendor("ENR-10")), option("callDriver", "P-31"),
				clash("it is offered although nobody can be called", tells("driver.phoneNumber", "ARRIVED"), platform("P-53")), read,
			},
			works: "Callers can be put through to the driver.", breaks: "Calls to the driver do not work", without: "Callers will never be put through to the driver",
		},
	}
}

// details are the predictions of what callers hear of a journey.
func details() []row {
	return []row{
		{
			id: "eta", about: "the time of arrival", needs: []need{tells("eta.value", "EN_ROUTE"), tells("eta.unit", "EN_ROUTE"), option("eta", "P-28"), read},
			works: "Callers hear how long it will be.", breaks: "Callers do not hear how long it will be",
		},
		{
			id: "vehicle", about: "the vehicle", needs: []need{tells("vehicle.description", "EN_ROUTE"), option("vehicle", "P-26"), read},
			works: "Callers hear which car comes.", breaks: "Callers do not hear which car comes",
		},
		{
			id: "registration", about: "the registration", needs: []need{tells("vehicle.registration", "EN_ROUTE"), option("vehicleReg", "P-27"), read},
			works: "Callers hear the registration.", breaks: "Callers do not hear the registration",
		},
		{
			id: "driver", about: "the driver's name", needs: []need{tells("driver.name", "EN_ROUTE"), option("driverName", "P-29"), read},
			works: "Callers hear who drives.", breaks: "Callers do not hear who drives",
		},
		{
			id: "badge", about: "the badge", needs: []need{tells("driver.badgeNumber", "EN_ROUTE"), heardOf("the badge", saysBadge), read},
			works: "Callers hear the driver's badge number.", breaks: "Callers do not hear the driver's badge number",
		},
		{
			id: "price", about: "the price", needs: []need{tells("price.value"), tells("price.currency"), heardOf("the price", saysPrice), read},
			works: "Callers hear what it costs.", breaks: "Callers do not hear what it costs",
		},
		{
			id: "location", about: "the car on a map", needs: []need{tells("location.longitude", "EN_ROUTE"), tells("location.latitude", "EN_ROUTE"), byMessage, platform("P-57"), read},
			works: "The car's place is sent as a message.", breaks: "The car's place is not sent as a message",
		},
		{
			id: "messaging", about: "the messaging channel", needs: []need{byMessage, read},
			works: "Callers can follow a journey by message.", breaks: "Callers cannot follow a journey by message",
		},
	}
}

// trouble are the predictions of what happens when something goes wrong.
func trouble() []row {
	return []row{
		{
			id: "refusals", about: "what is refused", needs: []need{codes, soft(vendor("STA-07")), soft(platform("P-61 P-62"))},
			works: "Callers are told when the dispatch system refuses something.", breaks: "A call ends when the dispatch system refuses something",
		},
		{
			id: "waiting", about: "requests to wait", needs: []need{clash("the platform calls again at once", platform("P-65"), refusedTo), soft(platform("P-65")), soft(vendor("STA-13"))},
			works: "The platform waits when it is asked to, and the dispatch system serves the pace at which it polls.", breaks: "The platform does not wait although it is asked to",
		},
		{
			id: "slow", about: "slow answers", needs: []need{clash("the platform does not wait as long as the dispatch system takes", platform("P-63"), vendor("TIM-01")), soft(platform("P-63")), soft(vendor("TIM-01"))},
			works: "The platform waits as long as the dispatch system takes.", breaks: "Answers come too late",
		},
		{
			id: "lost-answer", about: "an answer to a booking that is lost", needs: []need{vendor("IDM-02"), once, soft(vendor("USR-10")), booked},
			works: "When the answer to a booking is lost, there is one booking all the same.", breaks: "When the answer to a booking is lost, it may be made twice or lost",
		},
		{
			id: "polling", about: "polling", needs: []need{clash("the dispatch system limits what the platform asks for too often", platform("P-20"), vendor("STA-13")), soft(platform("P-20")), soft(vendor("STA-13 STA-10")), read},
			works: "A journey that is followed is read at a pace that the dispatch system serves.", breaks: "A journey cannot be followed",
		},
		{
			id: "errors-private", about: "what callers hear of a fault", needs: []need{platform("P-60 P-54"), soft(vendor("STA-15"))},
			works: "Callers never hear of a booking that was not made, nor words of a program.", breaks: "Callers may hear of a booking that was not made, or words of a program",
		},
	}
}
