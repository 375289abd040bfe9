package conformance

import "slices"

// served reports a 2xx answer that says what the operation is for: the least
// with which a caller can go on.
func served(x *Exchange) bool {
	if !x.succeeded() {
		return false
	}
	switch x.Operation {
	case OpConfig:
		return x.Reply().at("status").hasText()
	case OpUser:
		return x.Reply().at("userId").scalar() != ""
	default:
		return x.Reply().at("journeyId").scalar() != "" && x.Reply().at("status").hasText()
	}
}

// mustServe reports a call that a right server serves.
func mustServe(x *Exchange) bool { return x.Sound && !x.MayRefuse }

// mustServeUsual reports a call that a right server serves for what it asks. One in an
// unusual form may be refused for its form, which has a check of its own.
func mustServeUsual(x *Exchange) bool { return mustServe(x) && variants[x.Intent].check == "" }

// isEdit reports a /book call that names a journey.
func isEdit(x *Exchange) bool {
	return x.Operation == OpBook && x.Sent().at("journeyId").scalar() != ""
}

// journeys returns every journey object in the reply with where it stands.
func journeys(x *Exchange) []value {
	if !x.succeeded() {
		return nil
	}
	switch x.Operation {
	case OpBook, OpCancel, OpStatus:
		if x.Reply().isObject() {
			return []value{x.Reply()}
		}
	case OpUser:
		return x.Reply().at("activeBookings").items()
	}
	return nil
}

// isShownIn reports a /user reply that lists the journey which a booking asked for.
func isShownIn(x, look *Exchange) bool {
	return slices.ContainsFunc(journeys(look), func(j value) bool {
		return likenessOf(j.at("pickup"), x.Sent().at("pickup")).same() && sameInstant(j.at("date"), x.Sent().at("pickupTime"))
	})
}

// names returns whom and what a call is about, as far as it or its answer says.
func names(x *Exchange) []string {
	var all []string
	for _, said := range []value{x.Sent(), x.Reply()} {
		for _, field := range []string{"userId", "journeyId"} {
			if id := said.at(field).scalar(); id != "" {
				all = append(all, field+" "+id)
			}
		}
	}
	if phone := digits(x.Sent().at("phoneNumber").text()); phone != "" {
		all = append(all, "phone "+phone)
	}
	return all
}

// writes reports a call that may change something.
func writes(x *Exchange) bool { return x.Operation == OpBook || x.Operation == OpCancel }

// wentThrough reports a step after which a probe can go on. What /config has to
// say is no part of any probe about journeys.
func wentThrough(x *Exchange) bool {
	return served(x) || x.Operation == OpConfig && x.succeeded()
}

// journeyOf returns the id of the journey that a call is about, "" for none.
func journeyOf(x *Exchange) string {
	if x.Operation == OpConfig || x.Operation == OpUser {
		return ""
	}
	if id := x.Sent().at("journeyId").scalar(); id != "" {
		return id
	}
	if x.Operation == OpBook && served(x) {
		return x.Reply().at("journeyId").scalar()
	}
	return ""
}
