package tracking

import (
	"net/http"
	"slices"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside/rules"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
)

// digitsOnly reports whether a call is an ordinary /user for a number written as digits.
func digitsOnly(x *conformance.Exchange) bool {
	number := x.Sent().At("phoneNumber").Text()
	return x.Operation == rules.OpUser && x.Request.Method == http.MethodPost && x.Intent == conformance.IntentPlain && number != "" && number == jsonvalue.Digits(number)
}

// judgeDigits judges whether /user accepts numbers written as digits. It fails if no such number is
// served and one is refused that must be served, or that has booked and is called malformed.
func (r *tracker) judgeDigits(history []*conformance.Exchange) {
	var refused *conformance.Exchange
	for _, x := range history {
		malformed := x.Code() == http.StatusBadRequest || x.Code() == http.StatusUnprocessableEntity
		switch {
		case !digitsOnly(x):
		case rules.Served(x):
			r.Pass("USR-02", x)
			return
		case rules.MustServeUsual(x) && !x.Succeeded(), refused == nil && malformed && r.hasBooked(x.Sent().At("phoneNumber").Text()):
			refused = x
		}
	}
	if refused != nil {
		r.Fail("USR-02", "digits without a plus sign were refused", "the end user, or 404", conformance.Answer(refused), refused)
	}
}

// judgeByDigits judges whether a caller who has booked for the first time is found by the digits of the number. /book
// and /user write one number in two forms.
func judgeByDigits(history []*conformance.Exchange, r *tracker) {
	made := map[string]*conformance.Exchange{}
	for _, x := range history {
		phone := x.Sent().At("phoneNumber").Text()
		switch {
		case x.Intent == rules.IntentCountry && rules.Served(x):
			made[jsonvalue.Digits(phone)] = x
		case digitsOnly(x) && made[phone] != nil:
			book := made[phone]
			delete(made, phone)
			told := book.Sent().At("phoneNumber").Text()
			switch {
			case x.Failed(): // W-01 judges it
			case !rules.Served(x):
				r.Fail("USR-21", "a caller who booked as "+told+" is not found by /user as "+phone, "the end user", conformance.Answer(x), book, x)
			case !slices.Contains(listedIn(x), book.Reply().At("journeyId").Scalar()) && r.listsBookings:
				r.Fail("USR-21", "a caller who booked as "+told+" is another user for /user with "+phone, "the end user with that journey", x.Reply().At("activeBookings"), book, x)
			default:
				r.Pass("USR-21", book, x)
			}
		}
	}
}

// hasBooked reports whether a probe of the suite has booked with a number.
func (r *tracker) hasBooked(phone string) bool {
	p := r.usersByPhone[phone]
	return p != nil && slices.ContainsFunc(p.journeys, func(t *trackedJourney) bool { return t.writes[0].Probe != "" })
}
