package rules_test

const (
	someSettings = `{"features":["voice"],"options":["eta","cancel"],"skipDropOff":false,"brand":"a"}`
	sendsData    = `{"data":` + someSettings + `}`
	tellsData    = `{"status":"OK","data":` + someSettings + `}`
	tellsETA     = `{"status":"OK","eta":{"value":5,"unit":"minutes"}}`
)

var (
	configData = configAsked.gets(200, tellsData)
	configETA  = configAsked.gets(200, tellsETA)
	fullConfig = asked("config", sendsData, 200, `{"status":"OK"}`)
	repeated   = configData.intends("repeat")
)

var configRows = []row{
	{"CFG-01", "a status", passes, []step{configAsked}, ""},
	{"CFG-01", "no status", fails, []step{configAsked.but(`"status":"OK"`, ``)}, "/status"},
	{"CFG-01", "an empty status", fails, []step{configAsked.but(`OK`, ` `)}, "/status"},
	{"CFG-01", "a status that is a number", fails, []step{configAsked.but(`"OK"`, `1`)}, "/status"},
	{"CFG-01", "refused", unverified, []step{configAsked.refused(503)}, ""},
	{"CFG-01", "a GET", unverified, []step{configAsked.byGET()}, ""},

	{"CFG-02", "{} is served", passes, []step{configAsked}, ""},
	{"CFG-02", "{} is refused", fails, []step{configAsked.refused(400)}, ""},
	{"CFG-02", "{} is refused to somebody else", unverified, []step{configAsked.in("").refused(400)}, ""},
	{"CFG-02", "only asked with data", unverified, []step{fullConfig}, ""},
	{"CFG-02", "only asked with some data", unverified, []step{fullConfig.sending(someSettings, `{"brand":"a"}`)}, ""},
	{"CFG-02", "refused in an unusual form", unverified, []step{configAsked.intends("charset").refused(400)}, ""},
	{"CFG-02", "an answer that says nothing", unverified, []step{configAsked.gets(200, `{}`)}, ""},

	{"CFG-03", "data is served", passes, []step{fullConfig}, ""},
	{"CFG-03", "data is refused", fails, []step{fullConfig.refused(400)}, ""},
	{"CFG-03", "only asked with {}", unverified, []step{configAsked}, ""},
	{"CFG-03", "only asked without features", unverified, []step{fullConfig.sending(`"features":["voice"],`, ``)}, ""},
	{"CFG-03", "an answer that says nothing", unverified, []step{fullConfig.gets(200, `{}`)}, ""},

	{"CFG-04", "a value and a unit", passes, []step{configETA}, ""},
	{"CFG-04", "a value that is a string", fails, []step{configETA.but(`5`, `"5"`)}, "/eta/value"},
	{"CFG-04", "no value", fails, []step{configETA.but(`"value":5,`, ``)}, "/eta/value"},
	{"CFG-04", "no unit", fails, []step{configETA.but(`,"unit":"minutes"`, ``)}, "/eta/unit"},
	{"CFG-04", "a number in place of the object", fails, []step{configETA.but(`{"value":5,"unit":"minutes"}`, `5`)}, "/eta"},
	{"CFG-04", "an empty unit", warns, []step{configETA.but(`minutes`, ``)}, "/eta/unit"},
	{"CFG-04", "no eta", unverified, []step{configAsked}, ""},
	{"CFG-04", "an eta that is null", unverified, []step{configETA.but(`{"value":5,"unit":"minutes"}`, `null`)}, ""},

	{"CFG-05", "an object", passes, []step{configData}, ""},
	{"CFG-05", "an array", fails, []step{configData.but(someSettings, `[]`)}, "/data"},
	{"CFG-05", "no data", unverified, []step{configAsked}, ""},

	{"CFG-06", "arrays and a boolean", passes, []step{configData}, ""},
	{"CFG-06", "features alone", passes, []step{configData.but(someSettings, `{"features":["voice"]}`)}, ""},
	{"CFG-06", "options alone", passes, []step{configData.but(someSettings, `{"options":["eta"]}`)}, ""},
	{"CFG-06", "skipDropOff alone", passes, []step{configData.but(someSettings, `{"skipDropOff":true}`)}, ""},
	{"CFG-06", "features that are a string", fails, []step{configData.but(`["voice"]`, `"voice"`)}, "/data/features"},
	{"CFG-06", "an option that is a number", fails, []step{configData.but(`"eta"`, `1`)}, "/data/options/0"},
	{"CFG-06", "skipDropOff that is a string", fails, []step{configData.but(`false`, `"false"`)}, "/data/skipDropOff"},
	{"CFG-06", "none of the three", unverified, []step{configData.but(someSettings, `{"brand":"a"}`)}, ""},

	{"CFG-07", "options of the interface", passes, []step{configData}, ""},
	{"CFG-07", "other capitals", fails, []step{configData.but(`"eta"`, `"ETA"`)}, "/data/options/0"},
	{"CFG-07", "an underscore", fails, []step{configData.but(`"eta"`, `"driver_name"`)}, "/data/options/0"},
	{"CFG-07", "an option of somebody's own", warns, []step{configData.but(`"eta"`, `"wheelchair"`)}, "/data/options/0"},
	{"CFG-07", "no options", unverified, []step{configData.but(`"options":["eta","cancel"],`, ``)}, ""},
	{"CFG-07", "an option that is a number", unverified, []step{configData.but(`"eta","cancel"`, `1`)}, ""},

	{"CFG-08", "the same fields twice", passes, []step{repeated, repeated}, ""},
	{"CFG-08", "data the first time only", fails, []step{repeated, repeated.gets(200, configAsked.reply)}, ""},
	{"CFG-08", "asked once", unverified, []step{repeated}, ""},

	{"CFG-09", "no null", passes, []step{configData}, ""},
	{"CFG-09", "options that are null", fails, []step{configData.but(`["eta","cancel"]`, `null`)}, "/data/options"},
	{"CFG-09", "data that is null", warns, []step{configData.but(someSettings, `null`)}, "/data"},
	{"CFG-09", "no data", unverified, []step{configAsked}, ""},
	{"CFG-09", "an array", unverified, []step{configData.but(someSettings, `[]`)}, ""},

	{"CFG-11", "five minutes", passes, []step{configETA}, ""},
	{"CFG-11", "less than nothing", fails, []step{configETA.but(`5`, `-5`)}, "/eta/value"},
	{"CFG-11", "two days", fails, []step{configETA.but(`5,"unit":"minutes"`, `48,"unit":"hours"`)}, "/eta/value"},
	{"CFG-11", "an empty unit", fails, []step{configETA.but(`minutes`, ``)}, "/eta/unit"},
	{"CFG-11", "an eta that cannot be read", unverified, []step{configETA.but(`5`, `"5"`)}, ""},

	{"CFG-12", "the first call is served", passes, []step{configAsked.in("preflight")}, ""},
	{"CFG-12", "the first call is refused", fails, []step{configAsked.in("preflight").refused(503)}, ""},
	{"CFG-12", "the first call was not seen", unverified, []step{configAsked}, ""},

	{"CFG-13", "the word is recorded", observed, []step{configAsked}, ""},
	{"CFG-13", "no word", unverified, []step{configAsked.gets(200, `{}`)}, ""},

	{"CFG-14", "the same twice", passes, []step{repeated, repeated}, ""},
	{"CFG-14", "another status", fails, []step{repeated, repeated.but(`OK`, `BUSY`)}, "/status"},
	{"CFG-14", "other data", fails, []step{repeated, repeated.but(`"a"`, `"b"`)}, "/data"},
	{"CFG-14", "asked once", unverified, []step{repeated}, ""},
}
