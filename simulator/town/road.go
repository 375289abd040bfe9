package town

import (
	"strconv"
	"strings"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// Road is a way of a user's own map. The texts are the values of the
// OpenStreetMap tags of the same names, which GeoJSON exports use too.
type Road struct {
	Name     string
	Ref      string // "A65"; what a road without a name is called
	Highway  string // empty counts as residential
	OneWay   string
	MaxSpeed string // "30 mph"; a bare number is km/h
	Junction string
	Points   []taxi.Point
}

// roadKind is what a kind of highway means for cars.
type roadKind struct {
	class  Class
	speed  int32 // where no limit is given
	oneWay bool  // unless it says otherwise
}

const mph70 = 31_293

var roadKinds = map[string]roadKind{
	"motorway":       {Main, mph70, true},
	"motorway_link":  {Main, mph40, true},
	"trunk":          {Main, mph60, false},
	"trunk_link":     {Main, mph40, false},
	"primary":        {Main, mph30, false},
	"primary_link":   {Main, mph30, false},
	"secondary":      {Secondary, mph30, false},
	"secondary_link": {Secondary, mph30, false},
	"tertiary":       {Secondary, mph30, false},
	"tertiary_link":  {Secondary, mph30, false},
	"unclassified":   {Minor, mph30, false},
	"residential":    {Minor, mph20, false},
	"living_street":  {Minor, mph20, false},
	"road":           {Minor, mph20, false},
	"":               {Minor, mph20, false},
}

// Drivable reports whether cars with passengers use a kind of highway. Service
// roads are left out: there are more of them than streets, and they lead
// nowhere that has an address.
func Drivable(highway string) bool {
	_, ok := roadKinds[highway]
	return ok
}

// directed reports whether a road is one-way, and whether it is driven only from its last
// point to its first.
func (r *Road) directed() (oneWay, backwards bool) {
	switch strings.ToLower(r.OneWay) {
	case "yes", "true", "1":
		return true, false
	case "-1", "reverse":
		return true, true
	case "no", "false", "0":
		return false, false
	}
	return roadKinds[r.Highway].oneWay || r.Junction == "roundabout" || r.Junction == "circular", false
}

// limit returns a road's speed limit in millimetres per second.
func (r *Road) limit() int32 {
	const mphMM, kmhMM, least, most = 447.04, 277.778, 5, 150
	text, mph := strings.CutSuffix(strings.ToLower(strings.TrimSpace(r.MaxSpeed)), "mph")
	v, err := strconv.Atoi(strings.TrimSpace(strings.TrimSuffix(text, "km/h")))
	switch {
	case err != nil || v < least || v > most:
		return roadKinds[r.Highway].speed
	case mph:
		return int32(float64(v) * mphMM)
	default:
		return int32(float64(v) * kmhMM)
	}
}
