package rules

import "github.com/cabrank/cabrank/conformance"

var configChecks = []conformance.Check{
	{
		ID: "CFG-01", Level: conformance.Must, Clause: clauseConfig,
		Requirement: "status: string (required, current system status).",
		Why:         "It is the first thing every customer request asks: is there a taxi service right now?",
		Hint:        `Always send a non-empty status, such as {"status":"OK"}.`,
	},
	{
		ID: "CFG-02", Level: conformance.Must, Clause: clauseConfig, Needs: "a status in a /config reply",
		Requirement: "data: object (optional): an empty request object is served.",
		Why:         "A customer without taxi settings could not book at all.",
		Hint:        "Accept {} on /config.",
	},
	{
		ID: "CFG-03", Level: conformance.Must, Clause: clauseConfig, Needs: "a status in a /config reply",
		Requirement: "data: plugin-set taxi data, e.g. features array, options array, skipDropOff boolean, other fields.",
		Why:         "Customers with settings of their own could not book at all.",
		Hint:        "Accept any object as data and ignore what you do not know in it.",
	},
	{
		ID: "CFG-04", Level: conformance.Must, Clause: clauseObjects, Needs: "an eta in a /config reply",
		Requirement: "eta: ETA (optional); ETA: value (number, required), unit (string, required).",
		Why:         "Half an ETA cannot be spoken.",
		Hint:        `Send {"value":5,"unit":"minutes"} or no eta at all.`,
	},
	{
		ID: "CFG-05", Level: conformance.Must, Clause: clauseConfig, Needs: "data in a /config reply",
		Requirement: "data: object (optional; fields returned overwrite the static configuration).",
		Why:         "Settings that are not an object cannot be applied.",
		Hint:        "Send an object, or leave data out.",
	},
	{
		ID: "CFG-06", Level: conformance.Should, Clause: clauseEndUser, Needs: "features, options or skipDropOff in a /config reply",
		Requirement: "features (array of strings), options (array of strings), skipDropOff (boolean).",
		Why:         "A setting of the wrong type is ignored or breaks the call.",
		Hint:        "Send string arrays and a real boolean.",
	},
	{
		ID: "CFG-07", Level: conformance.Should, Clause: clauseEndUser, Needs: "options in a /config reply",
		Requirement: "Options values: jobID, vehicle, vehicleReg, eta, driverName, comingNow, callDriver, cancel.",
		Why:         "A misspelt option is silently never offered.",
		Hint:        "Spell the options exactly as the interface does, capitals included.",
	},
	{
		ID: "CFG-08", Level: conformance.Robustness, Needs: "served /config calls in a row",
		Requirement: "Ten calls in a row are answered in the same shape.",
		Why:         "A field that comes and goes makes features flicker from call to call.",
		Hint:        "Send the same fields every time.",
	},
	{
		ID: "CFG-09", Level: conformance.Robustness, Clause: clauseConfig, Needs: "data in a /config reply",
		Requirement: "Fields returned overwrite the static configuration: no field is null by accident.",
		Why:         "A null override can switch off every option for everybody.",
		Hint:        "Leave out what you do not want to override.",
	},
	{
		ID: "CFG-10", Level: conformance.Robustness, Clause: clauseConfig, Needs: "ten /config calls made alone",
		Requirement: "Called at the start of each customer request: 95 of 100 calls are answered within a second.",
		Why:         "Its time is added to every single thing that a caller asks for.",
		Hint:        "Answer /config from memory.",
	},
	{
		ID: "CFG-11", Level: conformance.Robustness, Clause: clauseObjects, Needs: "an eta in a /config reply",
		Requirement: "eta.value is at least 0 and at most 24 hours; eta.unit is not empty.",
		Why:         `"Your taxi will be minus three minutes" is worse than silence.`,
		Hint:        "Leave eta out when you do not know it.",
	},
	{
		ID: "CFG-12", Level: conformance.Robustness, Clause: clauseConfig,
		Requirement: "Called at the start of each customer request: the first call of all is served, without prior state.",
		Why:         "Otherwise the first caller after a restart is turned away.",
		Hint:        "Do not require another call before /config.",
	},
	{
		ID: "CFG-13", Level: conformance.Observed, Clause: clauseConfig, Needs: "a status in a /config reply",
		Requirement: "status: current system status. The words are not shown, so those seen are recorded.",
		Why:         "A platform has to be told which words mean closed.",
		Hint:        "Document the words that you use.",
	},
	{
		ID: "CFG-14", Level: conformance.Robustness, Needs: "served /config calls in a row",
		Requirement: "Answers differ only when the state differs.",
		Why:         "Random answers make faults impossible to reproduce.",
		Hint:        "Answer from state; leave invented data out.",
	},
}
