package rules_test

// userData is a look at Ann that tells settings of hers.
func userData(data string) step {
	return annLooks.but(`"name":"Ann",`, `"name":"Ann","data":`+data+`,`)
}

var slipRows = []row{
	{"STA-14", "passengerx", warns, then(annBooked, annSees("WAITING", aPassenger).but(`"passenger"`, `"passengerx"`)), "passenger"},
	{"STA-14", "passengers beside the passenger", passes, then(annBooked, annSees("WAITING", aPassenger, `"passengers":2`)), ""},
	{"STA-14", "passengerNames", unverified, then(annBooked, annSees("WAITING", `"passengerNames":["Ann"]`)), ""},
	{"STA-03", "dropOffs", warns, then(annBooked, annReads.but(`"dropoffs"`, `"dropOffs"`)), "dropoffs"},
	{"ENR-04", "Price", warns, then(annBooked, annSees("WAITING", aPrice).but(`"price"`, `"Price"`)), "price"},
	{"ENR-04", "prize", unverified, then(annBooked, annSees("WAITING", aPrice).but(`"price"`, `"prize"`)), ""},
	{"ENR-01", "eat", unverified, then(annBooked, annSees("WAITING", `"eat":1`)), ""},
	{"USR-07", "featuresx", warns, []step{userData(`{"featuresx":["voice"]}`)}, "features"},
	{"USR-07", "skip_drop_off", warns, []step{userData(`{"skip_drop_off":true}`)}, "skipDropOff"},
	{"USR-07", "ETA", warns, []step{userData(`{"options":["ETA"]}`)}, "eta"},
	{"USR-07", "vehicles", warns, []step{userData(`{"options":["vehicles"]}`)}, "vehicle"},
	{"USR-07", "an option of somebody's own", passes, []step{userData(`{"options":["wheelchair","eta"]}`)}, ""},
	{"USR-08", "activebookings", warns, []step{annLooks.but(`"activeBookings"`, `"activebookings"`)}, "activeBookings"},
	{"CFG-06", "options in other capitals", warns, []step{configAsked.gets(200, `{"status":"OK","data":{"Options":[],"features":[]}}`)}, "options"},
	{"STA-02", "a hyphen for the underscore", fails, then(annBooked, annSees("EN-ROUTE")), "EN_ROUTE"},
}
