package dispatchside_test

import (
	"net/http"
	"sync"
	"time"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside/rules"
)

// timingFaults take their time, or have the wrong one.
var timingFaults = []fault{
	{name: "six seconds for a look", killedBy: "TIM-01", lag: always(rules.OpStatus, 6*time.Second)},
	{name: "three seconds for a look", warns: "TIM-01", lag: always(rules.OpStatus, 3*time.Second)},
	{name: "a second and a half for /config", killedBy: "CFG-10", lag: always(rules.OpConfig, 1500*time.Millisecond)},
	{name: "slower with each booking", killedBy: "TIM-03", lag: func() func(conformance.Operation) time.Duration {
		var mu sync.Mutex
		booked := 0
		return func(op conformance.Operation) time.Duration {
			mu.Lock()
			defer mu.Unlock()
			if op == rules.OpBook {
				booked++
			}
			if op == rules.OpConfig {
				return 0
			}
			return time.Duration(booked) * 4 * time.Millisecond
		}
	}},
	{name: "one body at a time", killedBy: "TIM-02", http: func(h http.Handler) http.Handler {
		var reading sync.Mutex // held while a body is read
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			reading.Lock()
			_ = readAll(r)
			reading.Unlock()
			h.ServeHTTP(w, r)
		})
	}},
	{name: "a clock ten minutes fast", killedBy: "TIM-04", layer: after(func(c *call) {
		if date, err := http.ParseTime(c.header.Get("Date")); err == nil {
			c.header.Set("Date", date.Add(10*time.Minute).UTC().Format(http.TimeFormat))
		} else {
			c.header.Set("Date", "Thu, 01 Jan 1970 00:00:00 GMT")
		}
	})},
	{name: "times by the clock on the wall", killedBy: "TIM-05", layer: before(func(c *call) {
		at, err := time.Parse(time.RFC3339, text(c.req["pickupTime"]))
		if _, offset := at.Zone(); c.op == "book" && err == nil && offset == 3600 && at.UTC().Weekday() == time.Sunday && at.UTC().Hour() <= 1 && at.Minute() == 30 {
			c.req["pickupTime"] = text(c.req["pickupTime"])[:19] + "Z"
		}
	})},
}

// always adds the same time to each answer of an operation.
func always(slow conformance.Operation, by time.Duration) func() func(conformance.Operation) time.Duration {
	return func() func(conformance.Operation) time.Duration {
		return func(op conformance.Operation) time.Duration {
			if op == slow {
				return by
			}
			return 0
		}
	}
}
