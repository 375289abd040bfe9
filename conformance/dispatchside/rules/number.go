package rules

import (
	"strings"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
)

// numberForm says how a telephone number in a reply relates to the one that was sent.
type numberForm int

const (
	otherNumber numberForm = iota
	undialable             // the sent number in a form that cannot be dialled
	otherForm              // the sent number as it is dialled within its country, or with 00
	sameNumber             // digit by digit
)

// countryCode is the maximum length of a country code, and national the minimum length of
// a number without it, in digits.
const (
	countryCode = 3
	national    = 7
)

// IsOtherNumber reports whether a number in a reply differs from the one that was sent in more than its form.
func IsOtherNumber(told, sent string) bool { return formOf(told, sent) == otherNumber }

// formOf compares a number in a reply with the number that was sent.
func formOf(told, sent string) numberForm {
	digits := jsonvalue.Digits(told)
	if digits == sent {
		return sameNumber
	}
	if home := strings.TrimLeft(sent, "0"); home != sent && len(home) >= national && strings.HasSuffix(digits, home) {
		return otherForm // the number sent was not E.164
	}
	plus := strings.HasPrefix(strings.TrimSpace(told), "+")
	for k := 1; k <= countryCode && len(sent)-k >= national; k++ {
		switch home := sent[k:]; {
		case digits == sent[:k]+"0"+home, plus && digits == "0"+home:
			return undialable
		case digits == "0"+home, !plus && digits == home:
			return otherForm
		}
	}
	if digits == "00"+sent {
		if plus {
			return undialable
		}
		return otherForm
	}
	return otherNumber
}

// JudgeSameNumber judges, under a check, whether a number in a reply is the one that was sent.
// Another form of it only warns, since the interface does not say which form replies have.
func JudgeSameNumber(s *conformance.Findings, check string, told jsonvalue.Value, sent string, xs ...*conformance.Exchange) {
	switch formOf(told.Text(), sent) {
	case sameNumber:
		s.Pass(check, xs...)
	case otherForm:
		s.Warn(check, told.Pointer()+" is the number in another form", "string "+sent, told, xs...)
	case undialable:
		s.Fail(check, told.Pointer()+" cannot be dialled: the 0 of the national form follows the country code", "string "+sent, told, xs...)
		s.Suggest("Remove the 0 (or 00) before adding the country code.")
	default:
		s.Fail(check, told.Pointer()+" is not the number that was sent"+difference(jsonvalue.Digits(told.Text()), sent), "string "+sent, told, xs...)
	}
}

// difference returns a phrase on how a number differs from the one that was sent, without the
// digits, which reports hide; "" if the two have little in common.
func difference(told, sent string) string {
	const alike = 6 // digits
	front, back := 0, 0
	for front < min(len(told), len(sent)) && told[front] == sent[front] {
		front++
	}
	for back < min(len(told), len(sent))-front && told[len(told)-1-back] == sent[len(sent)-1-back] {
		back++
	}
	where := "in front"
	if front > 0 {
		where = "behind the first " + conformance.Count(front, "digit")
	}
	switch more := len(told) - len(sent); {
	case front+back < alike:
		return ""
	case more > 0 && front+back == len(sent):
		return ": " + conformance.Count(more, "digit") + " more, " + where
	case more < 0 && front+back == len(told):
		return ": " + conformance.Count(-more, "digit") + " fewer, " + where
	case more == 0:
		return ": other digits " + where
	}
	return ": other digits, and not as many, " + where
}
