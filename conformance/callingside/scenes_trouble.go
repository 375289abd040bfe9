package callingside

import (
	"fmt"
	"time"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/callingside/rules"
)

// goalOf returns a request that leads to a call of an operation, and its world.
func goalOf(op conformance.Operation) ([]rules.Ask, world) {
	switch op {
	case rules.OpCancel:
		return wanting(rules.WantCancel), waiting()
	case rules.OpStatus:
		return wanting(rules.WantStatus), at("EN_ROUTE")
	}
	return book(), world{}
}

// answered is a scene with special answers of an operation.
func answered(name conformance.ProbeName, checks string, op conformance.Operation, answers ...answer) *scene {
	asks, w := goalOf(op)
	w.answers = one(op, answers...)
	return &scene{name: name, checks: checks, asks: asks, world: w}
}

// talkScenes are about what the caller hears.
func talkScenes() []*scene {
	lacking := func(op conformance.Operation, member string) *scene {
		return answered(conformance.ProbeName("/"+string(op)+" without "+member), "P-60", op, answer{intent: rules.IntentMissing, over: object{member: gone{}}, again: true})
	}
	odd := at("EN_ROUTE")
	odd.journeys[0]["eta"] = object{"value": 4.0, "unit": "mins"}
	odd.journeys[0]["price"] = object{"value": 12.4, "currency": "XTS", "type": "ESTIMATE"}
	seconds := at("EN_ROUTE")
	seconds.journeys[0]["eta"] = object{"value": 240, "unit": "seconds"}
	seconds.journeys[0]["price"] = object{"value": 12.4, "currency": "EUR", "type": "MAXIMUM"}
	inHours, inBlocks, estimated := at("EN_ROUTE"), at("EN_ROUTE"), at("EN_ROUTE")
	inHours.journeys[0]["eta"] = object{"value": 3, "unit": "hours"}
	inBlocks.journeys[0]["eta"] = object{"value": 23, "unit": "blocks"}
	estimated.journeys[0]["price"] = object{"value": 14.6, "currency": "GBP", "type": "ESTIMATED"}
	marked := at("EN_ROUTE")
	marked.journeys[0]["driver"] = object{"name": `Quentin <sub alias="` + rules.MarkupAlias + `">Zvereva</sub> & <break time="9s"/>`}
	nameless := at("EN_ROUTE")
	nameless.journeys[0]["driver"] = object{"name": nil}
	nameless.journeys[0]["vehicle"] = object{"registration": gone{}}
	nameless.journeys[0]["eta"] = object{"unit": gone{}}
	return []*scene{
		answered("/book answers 500", "P-54 P-19", rules.OpBook, answer{intent: rules.IntentError, status: 500, body: `{"error":"internal"}`, again: true}),
		answered("/book answers 409", "P-54", rules.OpBook, answer{status: 409, body: `{"error":"no cars"}`, again: true}),
		answered("/book answers without a journeyId", "P-54 P-60", rules.OpBook, answer{intent: rules.IntentMissing, body: `{"status":"WAITING"}`, again: true}),
		answered("/book answers an empty object", "P-54 P-60", rules.OpBook, answer{intent: rules.IntentMissing, body: `{}`, again: true}),
		answered("/cancel answers another status", "P-56 P-55", rules.OpCancel, answer{intent: rules.IntentRefused, over: object{"status": "EN_ROUTE"}, again: true}),
		answered("/cancel answers 409", "P-56 P-55", rules.OpCancel, answer{intent: rules.IntentRefused, status: 409, body: `{"error":"too late"}`, again: true}),
		{name: "/config without status", checks: "P-60", asks: book(), world: world{answers: one(rules.OpConfig, answer{intent: rules.IntentMissing, body: `{}`, again: true})}},
		lacking(rules.OpUser, "name"), lacking(rules.OpUser, "userId"), lacking(rules.OpStatus, "status"), lacking(rules.OpStatus, "journeyId"),
		lacking(rules.OpUser, "phoneNumber"), lacking(rules.OpStatus, "dropoffs"), lacking(rules.OpCancel, "journeyId"),
		listed("a booking in the list of /user that says nothing of itself", "P-60", rules.IntentMissing, object{"date": gone{}, "pickup": gone{}, "dropoffs": gone{}, "status": gone{}}),
		lacking(rules.OpStatus, "pickup"), lacking(rules.OpStatus, "date"), lacking(rules.OpBook, "status"), lacking(rules.OpCancel, "status"),
		{name: "a status without a time of arrival", checks: "P-60", asks: wantingWith(rules.WantStatus, everything()), world: withIntent(waiting(), rules.OpStatus, rules.IntentMissing)},
		{name: "a driver without a name, a vehicle without a registration", checks: "P-60", asks: wanting(rules.WantStatus), world: withIntent(nameless, rules.OpStatus, rules.IntentMissing)},
		{name: "an estimate in an odd currency, and mins", checks: "P-68", asks: wantingWith(rules.WantStatus, everything()), world: withIntent(odd, rules.OpStatus, rules.IntentOddUnits)},
		{name: "an arrival in seconds, and a price in euros", checks: "P-68", asks: wantingWith(rules.WantStatus, everything()), world: withIntent(seconds, rules.OpStatus, rules.IntentOddUnits)},
		{name: "an arrival in hours", checks: "P-68", asks: wantingWith(rules.WantStatus, everything()), world: withIntent(inHours, rules.OpStatus, rules.IntentOddUnits)},
		{name: "an arrival in a unit that nobody knows", checks: "P-68", asks: wantingWith(rules.WantStatus, everything()), world: withIntent(inBlocks, rules.OpStatus, rules.IntentOddUnits)},
		{name: "an estimate in pounds", checks: "P-68", asks: wantingWith(rules.WantStatus, everything()), world: withIntent(estimated, rules.OpStatus, rules.IntentOddUnits)},
		answered("a booking that is priced in euros", "P-68", rules.OpBook, answer{intent: rules.IntentOddUnits, over: object{"eta": seconds.journeys[0]["eta"], "price": seconds.journeys[0]["price"]}, again: true}),
		{name: "markup in the driver's name", checks: "P-69", asks: wantingWith(rules.WantStatus, everything()), world: withIntent(marked, rules.OpStatus, rules.IntentMarkup)},
	}
}

// withIntent marks the answers of an operation.
func withIntent(w world, op conformance.Operation, intent conformance.Intent) world {
	w.answers = one(op, answer{intent: intent, again: true})
	return w
}

// formScenes have correct replies that are minimal or unusual.
func formScenes() []*scene {
	minimal := map[conformance.Operation][]string{
		rules.OpConfig: {"status"}, rules.OpUser: {"userId", "phoneNumber", "name"}, rules.OpBook: {"journeyId", "status"},
		rules.OpCancel: {"journeyId", "status"}, rules.OpStatus: {"journeyId", "status"},
	}
	extra := object{"zone": object{"deep": []any{object{"er": 1}}}, "rating": 5.0, "tags": []any{}}
	nulls := map[conformance.Operation]object{
		rules.OpConfig: {"eta": nil, "data": nil},
		rules.OpUser:   {"status": nil, "data": nil, "activeBookings": nil},
		rules.OpBook:   {"eta": nil, "price": nil, "passenger": nil, "vehicle": nil, "driver": nil, "location": nil},
		rules.OpCancel: {"eta": nil, "driver": nil, "vehicle": nil},
		rules.OpStatus: {"eta": nil, "price": nil, "passenger": nil, "vehicle": nil, "driver": nil, "location": nil},
	}
	var all []*scene
	for _, op := range rules.Operations() {
		path := conformance.ProbeName("/" + op)
		// Every request calls /config and /user; the request names the journey.
		all = append(all,
			answered("minimal "+path, "P-58", op, answer{intent: rules.IntentMinimal, only: minimal[op], again: true}),
			answered("nulls in "+path, "P-59", op, answer{intent: rules.IntentNulls, over: lay(extra, nulls[op]), again: true}),
			answered("unknown fields in "+path, "P-59", op, answer{intent: rules.IntentNulls, over: extra, again: true}))
	}
	parts := object{"eta": object{"value": nil}, "price": object{"value": nil, "currency": nil}, "vehicle": object{"description": nil}, "driver": object{"name": nil, "badgeNumber": nil}, "location": object{"latitude": nil}}
	fractions := object{"eta": object{"value": 4.5}, "price": object{"value": 14.605}}
	all = append(all,
		answered("nulls within /status", "P-59", rules.OpStatus, answer{intent: rules.IntentNulls, over: parts, again: true}),
		answered("fractions in /status", "P-59", rules.OpStatus, answer{intent: rules.IntentNulls, over: fractions, again: true}),
		answered("a fraction in /config", "P-59", rules.OpConfig, answer{intent: rules.IntentNulls, over: object{"eta": object{"value": 7.5, "unit": "minutes"}}, again: true}),
		listed("nulls and fractions in the list of /user", "P-59", rules.IntentNulls, lay(parts, object{"passenger": nil})),
		listed("fractions in the list of /user", "P-59", rules.IntentNulls, fractions))
	odd := answered("an unknown status in /status", "P-59", rules.OpStatus, answer{intent: rules.IntentNulls, over: object{"status": "TELEPORTING", "eta": object{"value": 5.0, "unit": "fortnights"}}, again: true})
	return append(all, odd)
}

// listed is a booking by a user with an unusual active booking.
func listed(name conformance.ProbeName, checks string, intent conformance.Intent, over object) *scene {
	w := at("EN_ROUTE")
	w.journeys[0] = lay(w.journeys[0], over)
	return &scene{name: name, checks: checks, asks: book(), world: withIntent(w, rules.OpUser, intent)}
}

// errorScenes have invalid replies and errors, on each operation.
func errorScenes() []*scene {
	var all []*scene
	for _, op := range rules.Operations() {
		path := conformance.ProbeName("/" + op)
		for _, broken := range []struct {
			name conformance.ProbeName
			answer
		}{
			{"HTML from ", answer{body: page, header: map[string]string{"Content-Type": "text/html"}}},
			{"nothing from ", answer{empty: true}},
			{"half a reply from ", answer{body: `{"journeyId":"J`}},
			{"204 from ", answer{status: 204, empty: true}},
			{"an array from ", answer{body: `[]`}},
		} {
			broken.intent, broken.again = rules.IntentBroken, true
			all = append(all, answered(broken.name+path, "P-61", op, broken.answer))
		}
		for _, status := range []int{400, 401, 403, 404, 409, 422, 500, 503} {
			a := answer{intent: rules.IntentError, status: status, body: `{"title":"refused"}`, again: true}
			all = append(all, answered(rules.SceneRefusal(status, op), "P-62", op, a))
		}
	}
	return all
}

// timeScenes are about late, lost and endless answers.
func timeScenes() []*scene {
	var all []*scene
	for _, op := range []conformance.Operation{rules.OpConfig, rules.OpUser, rules.OpBook, rules.OpStatus} {
		path := conformance.ProbeName("/" + op)
		second := answered(path+" takes a second", "P-63", op, answer{intent: rules.IntentSlow, delay: time.Second})
		drips := answered(path+" drips", "P-64", op, answer{intent: rules.IntentReset, drip: true, again: true})
		second.long, drips.long = op == rules.OpConfig, op == rules.OpConfig // nobody else calls meanwhile
		all = append(all, second, drips)
		for _, s := range []int{5, 30} {
			a := answer{intent: rules.IntentSlow, delay: time.Duration(s) * time.Second, again: true}
			slow := answered(conformance.ProbeName(fmt.Sprintf("%s takes %d s", path, s)), "P-63", op, a)
			slow.long = true
			all = append(all, slow)
		}
		all = append(all, answered(path+" is reset within the reply", "P-64", op, answer{intent: rules.IntentReset, cut: true, again: true}))
	}
	lost := func(name conformance.ProbeName, a answer) *scene {
		a.intent = rules.IntentLost
		return answered("/book: "+name, "P-19 P-80", rules.OpBook, a)
	}
	unsure := func(name conformance.ProbeName, a answer) *scene {
		a.intent = rules.IntentLost
		return answered("/cancel: "+name, "P-80 P-55", rules.OpCancel, a)
	}
	held := lost("the booking is made and the answer takes 20 s", answer{delay: 20 * time.Second, effect: true})
	held.long = true
	over := at("COMPLETE")
	over.hidden = true
	follow := func() []rules.Ask {
		return []rules.Ask{{Want: rules.WantStatus, JourneyID: ofScene, FollowSeconds: 7, Channel: rules.ChannelMessaging}}
	}
	changed := at("EN_ROUTE")
	changed.answers = one(rules.OpStatus, answer{}, answer{intent: rules.IntentChanged, over: object{
		"status": "ACCEPTED", "driver": object{"name": "Wilhelmina Oyelaran", "badgeNumber": "PH5530"}, "vehicle": object{"description": "White Leaf", "registration": "LM21 ZZT"},
	}, again: true})
	foreign := func(op conformance.Operation) *scene {
		return answered(conformance.ProbeName("/"+op+" tells of another journey"), "P-66", op, answer{intent: rules.IntentForeign, over: object{
			"journeyId": "SOMEBODY-ELSES-77", "driver": object{"name": "Balthazar Umlauf", "phoneNumber": "+441614960998", "badgeNumber": "PH0007"},
			"vehicle": object{"description": "Beige Multipla", "registration": "ZG99 ZWQ"},
		}, again: true})
	}
	edit := foreign(rules.OpBook)
	edit.asks, edit.world.journeys = []rules.Ask{{Want: rules.WantEdit, JourneyID: ofScene}}, waiting().journeys
	return append(all,
		lost("the booking is made and the answer is 503", answer{status: 503, body: `{}`, effect: true}),
		lost("the booking is made and the connection closed", answer{silent: true, effect: true}),
		lost("the booking is not made and the answer is 500", answer{status: 500, body: `{}`}),
		lost("the booking is not made and the connection closed", answer{silent: true}),
		unsure("it is cancelled and the answer is 500", answer{status: 500, body: `{}`, effect: true}),
		unsure("it is cancelled and the connection closed", answer{silent: true, effect: true}),
		unsure("it is not cancelled and the connection closed", answer{silent: true}),
		answered("/user is never answered", "P-81", rules.OpUser, answer{intent: rules.IntentEndless, hang: true, again: true}),
		answered("/status answers without an end", "P-81", rules.OpStatus, answer{intent: rules.IntentEndless, drip: true, hang: true, again: true}),
		held,
		&scene{name: rules.SceneFollowed, checks: "P-20", asks: follow(), world: at("EN_ROUTE")},
		&scene{name: "a journey is followed that is over", checks: "P-20", asks: follow(), world: over},
		&scene{name: "the driver changes", checks: "P-67", asks: follow(), world: changed},
		foreign(rules.OpStatus), foreign(rules.OpCancel), edit)
}

// busyScenes answer with a Retry-After of a second or two. The next scene waits, since a platform may stop all calls for that time.
func busyScenes() []*scene {
	var all []*scene
	for _, busy := range []struct {
		op     conformance.Operation
		status int
	}{{rules.OpStatus, 429}, {rules.OpUser, 429}, {rules.OpBook, 503}} {
		s := answered(conformance.ProbeName(fmt.Sprintf("%d and Retry-After from /%s", busy.status, busy.op)), "P-65", busy.op, answer{
			intent: rules.IntentBusy, status: busy.status, body: `{"title":"slow down"}`, header: map[string]string{"Retry-After": "1"}, again: true,
		})
		s.alone, s.rest, s.long = true, time.Second, busy.op == rules.OpStatus
		all = append(all, s)
	}
	dated := answered("429 and a date in Retry-After from /user", "P-65", rules.OpUser, answer{
		intent: rules.IntentBusy, status: 429, body: `{"title":"slow down"}`, retryAt: 2 * time.Second, again: true,
	})
	dated.alone, dated.rest = true, 2*time.Second
	return append(all, dated)
}

// connectionScenes are about TLS and redirects.
func connectionScenes() []*scene {
	redirect := func(op conformance.Operation, status int) *scene {
		return answered(conformance.ProbeName(fmt.Sprintf("/%s redirects to another host (%d)", op, status)), "P-18", op, answer{intent: rules.IntentRedirect, status: status, toOther: true, again: true})
	}
	var all []*scene
	for _, s := range []*scene{redirect(rules.OpUser, 307), redirect(rules.OpBook, 308), redirect(rules.OpUser, 302)} {
		s.alone = true
		all = append(all, s)
	}
	for _, m := range badModes() {
		all = append(all, &scene{name: m.name, checks: "P-17", asks: book(), tls: m})
	}
	for _, m := range versionModes() {
		all = append(all, &scene{name: m.name, checks: "P-73", asks: book(), tls: m})
	}
	return all
}
