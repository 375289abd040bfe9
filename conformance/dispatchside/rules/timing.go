package rules

import (
	"net/http"
	"time"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
)

// skewed is the largest difference that the server's clock may have from the run's.
const skewed = time.Minute

// judgeClock judges the server's clock by the Date of its replies.
func judgeClock(x *conformance.Exchange, s *conformance.Findings) {
	if x.Response == nil {
		return
	}
	date, err := http.ParseTime(x.Response.Header.Get("Date"))
	if err != nil {
		return
	}
	off := max(x.Started.Sub(date), date.Sub(x.Ended()))
	got := jsonvalue.Verbatim("Date: " + x.Response.Header.Get("Date"))
	s.Want("TIM-04", off <= skewed, got, "the time: "+x.Started.UTC().Format(http.TimeFormat), x)
}
