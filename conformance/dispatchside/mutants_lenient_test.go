package dispatchside_test

import (
	"regexp"
	"strings"
	"time"
)

var (
	dayOf   = regexp.MustCompile(`^(\d{4}-\d\d)-31(T.*)$`)
	wordsOf = regexp.MustCompile(`^(\S+) .*$`)
	idChars = regexp.MustCompile(`^[A-Za-z0-9_-]+`)
)

// lenientFaults read more into a call than it says.
var lenientFaults = []fault{
	{name: "31 November is 1 December", killedBy: "BOK-39", layer: readLeniently(func(at string) string {
		parts := dayOf.FindStringSubmatch(at)
		if parts == nil {
			return at
		}
		first, err := time.Parse("2006-01", parts[1])
		if err != nil {
			return at
		}
		return first.AddDate(0, 0, 30).Format(time.DateOnly) + parts[2]
	})},
	{name: "words behind a date are dropped", killedBy: "BOK-39", layer: readLeniently(func(at string) string {
		if parts := wordsOf.FindStringSubmatch(at); parts != nil && strings.Contains(parts[1], "T") {
			return parts[1]
		}
		return at
	})},
	{name: "a journeyId that is no text books again", killedBy: "BOK-40", layer: before(func(c *call) {
		if _, is := c.req["journeyId"].(string); c.op == "book" && !is {
			delete(c.req, "journeyId")
		}
	})},
	{name: "an odd vehicleCategory is ignored", warns: "BOK-40", layer: before(func(c *call) {
		if _, is := c.req["vehicleCategory"].(string); c.op == "book" && !is {
			delete(c.req, "vehicleCategory")
		}
	})},
	{name: "a line feed behind an id", killedBy: "CAN-11", layer: readIDs(func(id string) string { return strings.TrimSuffix(id, "\n") })},
	{name: "ids are read to the first odd character", killedBy: "CAN-11 BAD-10@cancel BAD-12@cancel SEC-12", layer: readIDs(func(id string) string { return idChars.FindString(id) })},
}

// readLeniently makes a layer of another way of reading pickup times.
func readLeniently(read func(at string) string) func() layer {
	return before(func(c *call) {
		if at := text(c.req["pickupTime"]); c.op == "book" && at != "" && read(at) != at {
			c.req["pickupTime"] = read(at)
		}
	})
}

// readIDs makes a layer of another way of reading the ids of journeys, in /cancel and
// /status.
func readIDs(read func(id string) string) func() layer {
	return before(func(c *call) {
		id := text(c.req["journeyId"])
		if is := read(id); (c.op == "cancel" || c.op == "status") && id != "" && is != id {
			c.req["journeyId"] = is
		}
	})
}
