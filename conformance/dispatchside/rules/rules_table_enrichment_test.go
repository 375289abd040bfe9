package rules_test

import "time"

var (
	comes   = annSees("EN_ROUTE", anETA, aPrice, aVehicle, aDriver, atCanalQuay)
	arrived = annSees("ARRIVED", aVehicle, aDriver, atMillLane)
	onBoard = annSees("POB", aVehicle, aDriver, atMillLane)
	bareCar = annSees("EN_ROUTE", aVehicle, aDriver)
)

var enrichmentRows = []row{
	{"ENR-01", "a value and a unit", passes, []step{comes}, ""},
	{"ENR-01", "a value that is a string", fails, []step{comes.but(`"value":5`, `"value":"5"`)}, "/eta/value"},
	{"ENR-01", "no unit", fails, []step{comes.but(`,"unit":"minutes"`, ``)}, "/eta/unit"},
	{"ENR-01", "a text in place of the object", fails, []step{comes.but(anETA, `"eta":"5 minutes"`)}, "/eta"},
	{"ENR-01", "an empty unit", warns, []step{comes.but(`minutes`, ``)}, "/eta/unit"},
	{"ENR-01", "an eta in activeBookings", fails, []step{annListed(journeyAt("j1", "EN_ROUTE", `"eta":{"value":5}`))}, "/activeBookings/0/eta/unit"},
	{"ENR-01", "no eta", unverified, []step{annReads}, ""},

	{"ENR-02", "five minutes", passes, []step{comes}, ""},
	{"ENR-02", "less than nothing", fails, []step{comes.but(`"value":5`, `"value":-5`)}, "/eta/value"},
	{"ENR-02", "longer and longer", warns, then(annBooked, comes, comes.but(`"value":5`, `"value":9`)), "/eta"},
	{"ENR-02", "shorter and shorter", passes, then(annBooked, comes, comes.but(`"value":5`, `"value":2`)), ""},
	{"ENR-02", "longer from ACCEPTED to EN_ROUTE", passes, then(annBooked, annSees("ACCEPTED", anETA), comes.but(`"value":5`, `"value":9`)), ""},
	{"ENR-02", "longer from EN_ROUTE to ARRIVED", passes, then(annBooked, comes, annSees("ARRIVED", anETA).but(`"value":5`, `"value":9`)), ""},
	{"ENR-02", "no eta", unverified, []step{annReads}, ""},
	{"ENR-02", "an eta that cannot be read", unverified, []step{comes.but(`"value":5`, `"value":"5"`)}, ""},

	{"ENR-03", "minutes", passes, []step{comes}, ""},
	{"ENR-03", "a unit of its own", warns, []step{comes.but(`minutes`, `jiffies`)}, "/eta/unit"},
	{"ENR-03", "no eta", unverified, []step{annReads}, ""},

	{"ENR-04", "a value and a currency", passes, []step{comes}, ""},
	{"ENR-04", "a value that is a string", fails, []step{comes.but(`12.5`, `"12.50"`)}, "/price/value"},
	{"ENR-04", "no value", fails, []step{comes.but(`"value":12.5,`, ``)}, "/price/value"},
	{"ENR-04", "no currency", fails, []step{comes.but(`"currency":"GBP",`, ``)}, "/price/currency"},
	{"ENR-04", "a number in place of the object", fails, []step{comes.but(aPrice, `"price":12.5`)}, "/price"},
	{"ENR-04", "an empty currency", warns, []step{comes.but(`GBP`, ``)}, "/price/currency"},
	{"ENR-04", "no price", unverified, []step{annReads}, ""},

	{"ENR-33", "rounded", passes, []step{comes}, ""},
	{"ENR-33", "the sum of floats", fails, []step{annSees("WAITING", `"price":{"value":5.6000000000000005,"currency":"GBP"}`)}, "/price/value"},
	{"ENR-33", "a third of a minute", fails, []step{annSees("WAITING", `"eta":{"value":4.266666666666667,"unit":"minutes"}`)}, "/eta/value"},
	{"ENR-33", "three decimals of a dinar", passes, []step{annSees("WAITING", `"price":{"value":5.625,"currency":"KWD"}`)}, ""},
	{"ENR-33", "neither price nor eta", unverified, []step{annSees("WAITING")}, ""},
	{"ENR-05", "GBP", passes, []step{comes}, ""},
	{"ENR-05", "a sign", fails, []step{comes.but(`GBP`, `£`)}, "/price/currency"},
	{"ENR-05", "three capitals that are no currency", fails, []step{comes.but(`GBP`, `ABC`)}, "/price/currency"},
	{"ENR-05", "small letters", fails, []step{comes.but(`GBP`, `gbp`)}, "/price/currency"},
	{"ENR-05", "no price", unverified, []step{annReads}, ""},
	{"ENR-05", "a price that cannot be read", unverified, []step{comes.but(`12.5`, `"12.50"`)}, ""},

	{"ENR-06", "FIXED", passes, []step{comes}, ""},
	{"ENR-06", "ESTIMATE, as in a sample", passes, []step{comes.but(`FIXED`, `ESTIMATE`)}, ""},
	{"ENR-06", "a word of its own", fails, []step{comes.but(`FIXED`, `ROUGH`)}, "/price/type"},
	{"ENR-06", "no type", unverified, []step{comes.but(`,"type":"FIXED"`, ``)}, ""},

	{"ENR-07", "as it was", passes, then(annBooked, comes, comes), ""},
	{"ENR-07", "with more digits", passes, then(annBooked, comes, comes.but(`12.5`, `12.50`)), ""},
	{"ENR-07", "a pound more", fails, then(annBooked, comes, comes.but(`12.5`, `13.5`)), "/price/value"},
	{"ENR-07", "a pound more than /book said", fails, []step{annLooks, annBooks.gets(200, comes.reply), comes.but(`12.5`, `13.5`)}, "/price/value"},
	{"ENR-07", "seen once", unverified, then(annBooked, comes), ""},
	{"ENR-07", "an estimate", unverified, then(annBooked, comes.but(`FIXED`, `ESTIMATED`), comes.but(`FIXED`, `ESTIMATED`).but(`12.5`, `13.5`)), ""},
	{"ENR-07", "more in the end", unverified, then(annBooked, comes, annSees("COMPLETE", aPrice).but(`12.5`, `15`)), ""},
	{"ENR-07", "a pound more after an edit", unverified, then(annBooked, comes, movesTime, readsTime.gets(200, comes.reply).but(`12.5`, `13.5`).but(atTen, atNoon)), ""},

	{"ENR-08", "description and registration", passes, []step{comes}, ""},
	{"ENR-08", "no description", fails, []step{comes.but(`"description":"Black Ford Galaxy",`, ``)}, "/vehicle/description"},
	{"ENR-08", "no registration", fails, []step{comes.but(`,"registration":"AB12 CDE"`, ``)}, "/vehicle/registration"},
	{"ENR-08", "a text in place of the object", fails, []step{comes.but(aVehicle, `"vehicle":"AB12 CDE"`)}, "/vehicle"},
	{"ENR-08", "an empty registration", warns, []step{comes.but(`AB12 CDE`, ``)}, "/vehicle/registration"},
	{"ENR-08", "no vehicle", unverified, []step{annReads}, ""},

	{"ENR-09", "name, number and badge", passes, []step{comes}, ""},
	{"ENR-09", "a number in the name", warns, []step{comes.but(`"name":"Percy"`, `"name":"Percy 07700 900456"`)}, "/driver/name"},
	{"ENR-09", "no name", fails, []step{comes.but(`"name":"Percy",`, ``)}, "/driver/name"},
	{"ENR-09", "no number", fails, []step{comes.but(`"phoneNumber":"447700900456",`, ``)}, "/driver/phoneNumber"},
	{"ENR-09", "no badge", fails, []step{comes.but(`,"badgeNumber":"P123"`, ``)}, "/driver/badgeNumber"},
	{"ENR-09", "a badge that is a number", fails, []step{comes.but(`"P123"`, `123`)}, "/driver/badgeNumber"},
	{"ENR-09", "an empty badge", warns, []step{comes.but(`P123`, ``)}, "/driver/badgeNumber"},
	{"ENR-09", "no driver", unverified, []step{annReads}, ""},

	{"ENR-10", "a number", passes, []step{comes}, ""},
	{"ENR-10", "words", fails, []step{comes.but(`447700900456`, `call the office`)}, "/driver/phoneNumber"},
	{"ENR-10", "sixteen digits", fails, []step{comes.but(`447700900456`, `4477009004561234`)}, "/driver/phoneNumber"},
	{"ENR-10", "digits and words", fails, []step{comes.but(`447700900456`, `447700900456 or ask`)}, "/driver/phoneNumber"},
	{"ENR-10", "no number", unverified, []step{comes.but(`"phoneNumber":"447700900456",`, ``)}, ""},

	{"ENR-11", "both", passes, []step{comes}, ""},
	{"ENR-11", "no vehicle", fails, []step{comes.but(aVehicle+`,`, ``)}, "/vehicle"},
	{"ENR-11", "no driver at ARRIVED", fails, []step{arrived.but(aDriver+`,`, ``)}, "/driver"},
	{"ENR-11", "neither", unverified, []step{annSees("ACCEPTED")}, ""},
	{"ENR-11", "not accepted yet", unverified, []step{annSees("WAITING", aDriver)}, ""},

	{"ENR-12", "two numbers", passes, []step{comes}, ""},
	{"ENR-12", "a longitude that is a string", fails, []step{comes.but(atCanalQuay, `"location":{"longitude":"-1.53","latitude":53.81}`)}, "/location/longitude"},
	{"ENR-12", "no latitude", fails, []step{comes.but(atCanalQuay, `"location":{"longitude":-1.53}`)}, "/location/latitude"},
	{"ENR-12", "latitude 91", fails, []step{comes.but(atCanalQuay, `"location":{"longitude":-1.53,"latitude":91}`)}, "/location/latitude"},
	{"ENR-12", "longitude -181", fails, []step{comes.but(atCanalQuay, `"location":{"longitude":-181,"latitude":53.81}`)}, "/location/longitude"},
	{"ENR-12", "no location", unverified, []step{annReads}, ""},

	{"ENR-13", "near the pickup", passes, []step{comes}, ""},
	{"ENR-13", "three hundred kilometres away", passes, []step{comes.but(atCanalQuay, `"location":{"longitude":-1.53,"latitude":51.1}`)}, ""},
	{"ENR-13", "swapped", fails, []step{comes.but(atCanalQuay, `"location":{"longitude":53.81,"latitude":-1.53}`)}, "/location"},
	{"ENR-13", "no pickup to compare", unverified, []step{annReads.gets(200, briefly("j1", "EN_ROUTE", atCanalQuay))}, ""},

	{"ENR-14", "somewhere", passes, []step{comes}, ""},
	{"ENR-14", "nought and nought", fails, []step{comes.but(atCanalQuay, `"location":{"longitude":0,"latitude":0}`)}, "/location"},
	{"ENR-14", "no location", unverified, []step{annReads}, ""},
	{"ENR-14", "a location that cannot be read", unverified, []step{comes.but(atCanalQuay, `"location":{"longitude":"0","latitude":0}`)}, ""},

	{"ENR-15", "moves to the pickup", passes, then(annBooked, comes, arrived), ""},
	{"ENR-15", "never moves", fails, then(annBooked, comes, arrived.but(atMillLane, atCanalQuay)), "/location"},
	{"ENR-15", "never moves from POB on", fails, then(annBooked, annSees("POB", atCanalQuay), annSees("COMPLETE", atCanalQuay)), "/location"},
	{"ENR-15", "stands at the pickup", passes, then(annBooked, comes.but(atCanalQuay, atMillLane), arrived), ""},
	{"ENR-15", "seen once", unverified, then(annBooked, comes), ""},
	{"ENR-15", "stands still, still EN_ROUTE", unverified, then(annBooked, comes, comes), ""},
	{"ENR-15", "stands still, just ACCEPTED", unverified, then(annBooked, annSees("ACCEPTED", atCanalQuay), comes), ""},
	{"ENR-15", "no location the second time", unverified, then(annBooked, comes, arrived.but(`,`+atMillLane, ``)), ""},
	{"ENR-15", "no location the first time", unverified, then(annBooked, comes.but(`,`+atCanalQuay, ``), arrived), ""},

	{"ENR-32", "moves within a minute", passes, then(annBooked, comes, comes.but(`53.81}`, `53.8118}`).from(time.Minute)), ""},
	{"ENR-32", "stands for a minute", warns, then(annBooked, comes, comes.from(2*time.Minute)), "/location"},
	{"ENR-32", "stands for a minute, read each half", warns, then(annBooked, comes, comes.from(40*time.Second), comes.from(80*time.Second)), "/location"},
	{"ENR-32", "stands after the clock was moved", warns, then(annBooked, comes, comes.intends("later")), "/location"},
	{"ENR-32", "stands for a moment", unverified, then(annBooked, comes, comes), ""},
	{"ENR-32", "stands at the pickup", unverified, then(annBooked, comes.but(atCanalQuay, atMillLane), comes.but(atCanalQuay, atMillLane).from(2*time.Minute)), ""},
	{"ENR-32", "has arrived by then", unverified, then(annBooked, comes, arrived.but(atMillLane, atCanalQuay).intends("later")), ""},
	{"ENR-32", "no location the second time", unverified, then(annBooked, comes, comes.but(`,`+atCanalQuay, ``).intends("later")), ""},

	{"ENR-16", "at the pickup", passes, then(annBooked, arrived), ""},
	{"ENR-16", "a kilometre away", fails, then(annBooked, arrived.but(atMillLane, atCanalQuay)), "/location"},
	{"ENR-16", "no location", unverified, then(annBooked, arrived.but(`,`+atMillLane, ``)), ""},
	{"ENR-16", "away from the new pickup of an edit", unverified, then(annBooked, movesTime, arrived.but(atTen, atNoon).but(atMillLane, atCanalQuay)), ""},
	{"ENR-16", "a kilometre away and still coming", unverified, then(annBooked, comes), ""},

	{"ENR-17", "moves slowly", passes, then(annBooked, comes, arrived.from(300e9)), ""},
	{"ENR-17", "two hundred metres in a second", passes, then(annBooked, comes, comes.but(`53.81}`, `53.8118}`)), ""},
	{"ENR-17", "a kilometre in a second for somebody else", warns, inProbe("", then(annBooked, comes, arrived)...), "/location"},
	{"ENR-17", "a kilometre in a second", fails, then(annBooked, comes, arrived), "/location"},
	{"ENR-17", "a kilometre while the run moved the clock", unverified, then(annBooked, comes, arrived.moved()), ""},
	{"ENR-17", "a kilometre in a second, helped along", unverified, then(annBooked, comes, arrived.intends("moved")), ""},

	{"ENR-18", "the driver's number", passes, []step{arrived}, ""},
	{"ENR-18", "no number", fails, []step{arrived.but(`"phoneNumber":"447700900456",`, ``)}, "/driver/phoneNumber"},
	{"ENR-18", "an empty number", fails, []step{arrived.but(`447700900456`, ``)}, "/driver/phoneNumber"},
	{"ENR-18", "no driver", unverified, []step{annSees("ARRIVED")}, ""},
	{"ENR-18", "not arrived yet", unverified, []step{comes}, ""},

	{"ENR-19", "nobody yet", passes, []step{annReads}, ""},
	{"ENR-19", "a driver already", fails, []step{annSees("WAITING", aDriver)}, "/driver"},
	{"ENR-19", "accepted", unverified, []step{bareCar}, ""},

	{"ENR-20", "gone", passes, []step{annSees("COMPLETE")}, ""},
	{"ENR-20", "the location is still there", fails, []step{annSees("COMPLETE", atMillLane)}, "/location"},
	{"ENR-20", "not ended yet", unverified, []step{comes}, ""},
}
