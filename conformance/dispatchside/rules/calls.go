package rules

import (
	"slices"

	"github.com/cabrank/cabrank/dispatch/taxi"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
)

// Served reports a 2xx answer that says what the operation is for: the least
// with which a caller can go on.
func Served(x *conformance.Exchange) bool {
	if !x.Succeeded() {
		return false
	}
	switch x.Operation {
	case OpConfig:
		return x.Reply().At("status").HasText()
	case OpUser:
		return x.Reply().At("userId").Scalar() != ""
	default:
		return x.Reply().At("journeyId").Scalar() != "" && x.Reply().At("status").HasText()
	}
}

// refusedWith2xx reports an odd call that was refused in all but its code: answered as a
// success, with nothing of what the operation is for. The checks that such calls are
// made for say so; no other holds the shape of the answer against the server.
func refusedWith2xx(x *conformance.Exchange) bool {
	odd := x.Intent == IntentPhoneForm || x.Intent == IntentPhoneLength || x.Intent == IntentInjected
	return odd && x.Succeeded() && !Served(x)
}

// mustServe reports a call that a right server serves.
func mustServe(x *conformance.Exchange) bool { return x.Sound && !x.MayRefuse }

// mustServeUsual reports a call that a right server serves for what it asks. One in an
// unusual form may be refused for its form, which has a check of its own.
func mustServeUsual(x *conformance.Exchange) bool {
	return mustServe(x) && Variants[x.Intent].Check == ""
}

// IsEdit reports a /book call that names a journey.
func IsEdit(x *conformance.Exchange) bool {
	return x.Operation == OpBook && x.Sent().At("journeyId").Scalar() != ""
}

// Journeys returns every journey object in the reply with where it stands.
func Journeys(x *conformance.Exchange) []jsonvalue.Value {
	if !x.Succeeded() {
		return nil
	}
	switch x.Operation {
	case OpBook, OpCancel, OpStatus:
		if x.Reply().IsObject() {
			return []jsonvalue.Value{x.Reply()}
		}
	case OpUser:
		return x.Reply().At("activeBookings").Items()
	}
	return nil
}

// IsShownIn reports a /user reply that lists the journey which a booking asked for.
func IsShownIn(x, look *conformance.Exchange) bool {
	return slices.ContainsFunc(Journeys(look), func(j jsonvalue.Value) bool {
		return LikenessOf(j.At("pickup"), x.Sent().At("pickup")).Same() && SameInstant(j.At("date"), x.Sent().At("pickupTime"))
	})
}

// names returns whom and what a call is about, as far as it or its answer says.
func names(x *conformance.Exchange) []string {
	var all []string
	for _, said := range []jsonvalue.Value{x.Sent(), x.Reply()} {
		for _, field := range []string{"userId", "journeyId"} {
			if id := said.At(field).Scalar(); id != "" {
				all = append(all, field+" "+id)
			}
		}
	}
	if phone := jsonvalue.Digits(x.Sent().At("phoneNumber").Text()); phone != "" {
		all = append(all, "phone "+phone)
	}
	return all
}

// writes reports a call that may change something.
func writes(x *conformance.Exchange) bool { return x.Operation == OpBook || x.Operation == OpCancel }

// wentThrough reports a step after which a probe can go on. What /config has to
// say is no part of any probe about journeys.
func wentThrough(x *conformance.Exchange) bool {
	return Served(x) || x.Operation == OpConfig && x.Succeeded()
}

// JourneyOf returns the id of the journey that a call is about, "" for none.
func JourneyOf(x *conformance.Exchange) string {
	if x.Operation == OpConfig || x.Operation == OpUser {
		return ""
	}
	if id := x.Sent().At("journeyId").Scalar(); id != "" {
		return id
	}
	if x.Operation == OpBook && Served(x) {
		return x.Reply().At("journeyId").Scalar()
	}
	return ""
}

// meansEnd reports a status that a reader takes for the end of a journey: one of the
// two, or a slip from one. How it is spelt is a matter of STA-02 and CAN-01.
func meansEnd(status jsonvalue.Value) bool {
	return taxi.Status(status.Text()).Terminal() || taxi.Status(slipOf(status.Text(), words(taxi.Statuses()))).Terminal()
}

// meansCancelled is the same for a /cancel that was answered as done.
func meansCancelled(x *conformance.Exchange) bool {
	status := x.Reply().At("status").Text()
	return x.Succeeded() && (status == string(taxi.Cancelled) || slipOf(status, words(taxi.Statuses())) == string(taxi.Cancelled))
}

// showsEnd reports a reply that shows a journey which is over.
func showsEnd(x *conformance.Exchange) bool {
	return taxi.Status(x.Reply().At("status").Text()).Terminal()
}
