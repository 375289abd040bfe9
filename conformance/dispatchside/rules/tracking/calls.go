package tracking

import (
	"strings"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside/rules"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// writes reports a call that may change something.
func writes(x *conformance.Exchange) bool {
	return x.Operation == rules.OpBook || x.Operation == rules.OpCancel
}

// wentThrough reports a step after which a probe can continue. Probes about journeys do
// not depend on the contents of /config.
func wentThrough(x *conformance.Exchange) bool {
	return rules.Served(x) || x.Operation == rules.OpConfig && x.Succeeded()
}

// meansEnd reports a status that means the end of a journey: one of the two, or a
// misspelling of one. STA-02 and CAN-01 judge the spelling.
func meansEnd(status jsonvalue.Value) bool {
	return taxi.Status(status.Text()).Terminal() || rules.StatusMeant(status.Text()).Terminal()
}

// meansCancelled is the same for a /cancel that was answered as done.
func meansCancelled(x *conformance.Exchange) bool {
	status := x.Reply().At("status").Text()
	return x.Succeeded() && (status == string(taxi.Cancelled) || rules.StatusMeant(status) == taxi.Cancelled)
}

// showsEnd reports a reply that shows a journey that has ended.
func showsEnd(x *conformance.Exchange) bool {
	return taxi.Status(x.Reply().At("status").Text()).Terminal()
}

// isNumber reports whether a text is only a telephone number.
func isNumber(text string) bool { return text != "" && strings.Trim(text, "0123456789 +-().") == "" }

// answersUnclearly reports a served /cancel whose status is not one of the interface, so
// that it is not known whether the journey has ended.
func answersUnclearly(x *conformance.Exchange) bool {
	return x.Succeeded() && !taxi.Status(x.Reply().At("status").Text()).Known()
}
