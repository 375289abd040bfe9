package rules

import (
	"slices"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
)

// Served reports whether an answer is a 2xx with the minimum that a caller needs to continue.
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

// refusedWith2xx reports whether an unusual call was refused with a success code: a 2xx without the
// required members. The check of the unusual call judges that; other checks ignore the answer.
func refusedWith2xx(x *conformance.Exchange) bool {
	odd := x.Intent == IntentPhoneForm || x.Intent == IntentPhoneLength || x.Intent == IntentInjected
	return odd && x.Succeeded() && !Served(x)
}

// MustServe reports whether a correct server serves a call.
func MustServe(x *conformance.Exchange) bool { return x.Sound && !x.MayRefuse }

// MustServeUsual reports whether a correct server serves a call and the form of the call is usual. A call in
// an unusual form may be refused for its form, which has its own check.
func MustServeUsual(x *conformance.Exchange) bool {
	return MustServe(x) && Variants[x.Intent].Check == ""
}

// IsEdit reports whether a call is a /book that names a journey.
func IsEdit(x *conformance.Exchange) bool {
	return x.Operation == OpBook && x.Sent().At("journeyId").Scalar() != ""
}

// Journeys returns every journey in a successful reply. The values know their JSON Pointer.
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

// IsShownIn reports whether a /user reply lists a journey with the pickup and the time of booking x.
func IsShownIn(x, look *conformance.Exchange) bool {
	return slices.ContainsFunc(Journeys(look), func(j jsonvalue.Value) bool {
		return LikenessOf(j.At("pickup"), x.Sent().At("pickup")).Same() && SameInstant(j.At("date"), x.Sent().At("pickupTime"))
	})
}

// Names returns the userId, the journeyId and the telephone number in a call, and the ids in its answer, as texts to compare.
func Names(x *conformance.Exchange) []string {
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

// JourneyOf returns the id of the journey that a call is about, or "" if there is none.
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
