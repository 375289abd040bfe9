package spoken

import (
	"slices"
	"strconv"
	"strings"
)

// slotOf formats each slot for a speaker; "" if it is absent.
var slotOf = slotTable()

func slotTable() map[string]func(*Speaker, Slots) string {
	t := map[string]func(*Speaker, Slots) string{
		slotKeys:         func(s *Speaker, from Slots) string { return only(!from.Aloud, s.keyed(slotKeys)) },
		slotPeople:       func(s *Speaker, from Slots) string { return only(from.People > 0, s.forms.count(from.People)) },
		slotNeeds:        func(s *Speaker, from Slots) string { return s.needs(from.Needs) },
		slotBrief:        func(s *Speaker, from Slots) string { return only(from.Aloud, s.keyed(slotBrief)) },
		slotHeard:        func(s *Speaker, from Slots) string { return s.person(from.Heard) },
		slotUsual:        func(s *Speaker, from Slots) string { return s.address(from.Usual) },
		slotPhone:        func(s *Speaker, _ Slots) string { return s.keyed(slotPhone) },
		slotFirm:         func(s *Speaker, from Slots) string { return s.plain(from.Firm, longestName) },
		slotName:         func(s *Speaker, from Slots) string { return s.person(from.Name) },
		slotPickup:       func(s *Speaker, from Slots) string { return s.address(from.Pickup) },
		slotDropoff:      func(s *Speaker, from Slots) string { return s.address(from.Dropoff) },
		slotStops:        (*Speaker).stops,
		slotNow:          func(_ *Speaker, from Slots) string { return only(from.ForNow, slotNow) },
		slotWhen:         (*Speaker).whenever,
		slotNumber:       func(_ *Speaker, from Slots) string { return only(from.Number, slotNumber) },
		slotArrival:      func(s *Speaker, from Slots) string { return s.when(from.Arrival) },
		slotUnsure:       func(_ *Speaker, from Slots) string { return only(from.Unsure, slotUnsure) },
		slotWhichDay:     func(_ *Speaker, from Slots) string { return only(from.WhichDay, slotWhichDay) },
		slotPickupTime:   func(_ *Speaker, from Slots) string { return only(from.PickupTime && !from.WhichDay, slotPickupTime) },
		slotHouse:        func(s *Speaker, from Slots) string { return s.house(from.House) },
		slotStreets:      func(_ *Speaker, from Slots) string { return only(from.Streets, slotStreets) },
		slotCount:        func(s *Speaker, from Slots) string { return only(from.Count > 0, s.forms.count(from.Count)) },
		slotFare:         func(s *Speaker, from Slots) string { return s.fare(from.Fare) },
		slotETA:          func(s *Speaker, from Slots) string { return s.eta(from.ETA) },
		slotJobID:        func(s *Speaker, from Slots) string { whole, _ := s.job(from.JobID); return whole },
		slotJobEnd:       func(s *Speaker, from Slots) string { _, end := s.job(from.JobID); return end },
		slotVehicle:      func(s *Speaker, from Slots) string { return s.plain(from.Vehicle, longestName) },
		slotRegistration: func(s *Speaker, from Slots) string { return s.registration(from.Registration) },
		slotDriver:       func(s *Speaker, from Slots) string { return s.person(from.Driver) },
		slotBadge:        func(s *Speaker, from Slots) string { return s.badge(from.Badge) },
		slotDistance:     func(s *Speaker, from Slots) string { return s.distance(from.Distance) },
	}
	addLists(t)
	for _, c := range Choices() {
		t[c.slot()] = func(s *Speaker, from Slots) string { return only(!from.Aloud, s.keyed(from.Keys[c])) }
	}
	return t
}

// addLists adds the slots of lists, with their keys.
func addLists(t map[string]func(*Speaker, Slots) string) {
	for i := range MostChoices {
		t[numbered("place", i)] = func(s *Speaker, from Slots) string {
			if i >= len(from.Places) {
				return ""
			}
			return s.address(from.Places[i])
		}
		t[numbered("key", i)] = func(s *Speaker, from Slots) string {
			if from.Aloud || i >= max(len(from.Places), len(from.Taxis)) {
				return ""
			}
			return s.keyed(strconv.Itoa(i + 1))
		}
	}
	for i := range MostTaxis {
		t[numbered("time", i)] = func(s *Speaker, from Slots) string {
			if i >= len(from.Taxis) {
				return ""
			}
			return s.when(from.Taxis[i].When)
		}
		t[numbered("from", i)] = func(s *Speaker, from Slots) string {
			if i >= len(from.Taxis) {
				return ""
			}
			return s.address(from.Taxis[i].Pickup)
		}
	}
}

// numbered returns the name of a slot of the i-th item of a list, from 0.
func numbered(name string, i int) string { return name + strconv.Itoa(i+1) }

// slotNames lists the slots of prompt files in alphabetical order: {{.name}}, {{.when}},
// and so on. place1 to place4 are places to choose from, time1 and from1 to time3 and
// from3 are bookings, key1 to key4 their keys, and bookKey, cancelKey and so on the keys
// of choices.
func slotNames() []string {
	names := make([]string, 0, len(slotOf))
	for name := range slotOf {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// fill formats the slots of a prompt. Absent slots are not in the map.
func (s *Speaker) fill(prompt []sentence, from Slots) map[string]string {
	said := map[string]string{}
	for _, line := range prompt {
		for _, slot := range line.slots {
			if _, done := said[slot]; done {
				continue
			}
			if text := s.guard.clean(slotOf[slot](s, from)); text != "" {
				said[slot] = text
			}
		}
	}
	return said
}

// keyed returns a text that is only for the telephone, such as a key; in a chat it returns "".
func (s *Speaker) keyed(text string) string { return only(!s.written, text) }

// stops formats the places before the drop-off.
func (s *Speaker) stops(from Slots) string {
	said := make([]string, 0, len(from.Stops))
	for _, stop := range from.Stops {
		said = append(said, s.address(stop))
	}
	return strings.Join(said, ", ")
}

// needs formats what comes along.
func (s *Speaker) needs(of []Need) string {
	names := needNames[base(strings.ToLower(s.language.tag))]
	said := make([]string, 0, len(of))
	for _, need := range of {
		if name := names[need]; name != "" {
			said = append(said, name)
		} else {
			said = append(said, string(need))
		}
	}
	if last := len(said) - 1; last > 0 {
		return strings.Join(said[:last], ", ") + " " + s.forms.and() + " " + said[last]
	}
	return strings.Join(said, "")
}

// needNames are the needs in each language, behind "with".
var needNames = map[string]map[Need]string{
	"en": {NeedWheelchair: "a wheelchair", NeedDog: "a dog", NeedLuggage: "luggage", NeedChildSeat: "a child seat", NeedPushchair: "a pushchair"},
	"de": {NeedWheelchair: "Rollstuhl", NeedDog: "Hund", NeedLuggage: "Gepäck", NeedChildSeat: "Kindersitz", NeedPushchair: "Kinderwagen"},
}

// whenever formats the pickup time.
func (s *Speaker) whenever(from Slots) string {
	if from.ForNow {
		return s.forms.now()
	}
	return s.when(from.When)
}

func only(is bool, text string) string {
	if !is {
		return ""
	}
	return text
}
