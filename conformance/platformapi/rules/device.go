package rules

import "github.com/cabrank/cabrank/conformance"

// deviceRows are the checks for devices only.
var deviceRows = []row{
	{must("DEV-17", Device.section, one(Device.Read), "sipGateway is present when type is SIP_GATEWAY, with the types of its fields.", "Calls are routed by it.", "Send sipGateway with each SIP_GATEWAY."), judgeGateway},
	{needing("an account with a number that no flow has, or a ROUTE_START of an earlier run",
		must("DEV-18", Device.section, one(Device.Read), "startRoute is present when type is ROUTE_START: ddis, an array of ids, and connectTo, a string.", "Inbound calls start there.", "Send startRoute with each ROUTE_START.")), judgeStart},
}

// gatewayFields are the fields of sipGateway.
var gatewayFields = []field{
	{"ringTime", integer},
	{"maxCallTime", integer},
	{"record", truth},
	{"trunks", list},
	{"present", text},
	{"countryCode", text},
	{"onComplete", text},
	{"onFail", text},
	{"onNoAnswer", text},
	{"onBusy", text},
}

func judgeGateway(s *sheet, c conformance.Check) {
	eachServed(c.Operations, func(s *sheet, id string, x *conformance.Exchange) {
		if x.Reply().At("type").Text() == "SIP_GATEWAY" {
			for _, f := range gatewayFields {
				s.wantType(id, x.Reply().At("sipGateway").At(f.name), f.kind, x)
			}
		}
	})(s, c)
}

func judgeStart(s *sheet, c conformance.Check) {
	eachServed(c.Operations, func(s *sheet, id string, x *conformance.Exchange) {
		if x.Reply().At("type").Text() == "ROUTE_START" {
			start := x.Reply().At("startRoute")
			s.wantType(id, start.At("ddis"), list, x)
			s.wantType(id, start.At("connectTo"), text, x)
		}
	})(s, c)
}
