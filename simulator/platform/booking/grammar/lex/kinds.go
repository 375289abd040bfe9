package lex

import "strings"

// PlaceKind is a kind of place, with the words for it in names, in settings and in speech.
type PlaceKind struct {
	Kind   string
	Names  string // words in the names of places that tell their kind
	Heads  string // what people say for one of the kind; phrases parted by commas
	Joints string // words that people put in front of it, and that are none by themselves
}

// KindsOfPlace lists the kinds of places in towns. If the kind of a place is known, its name does not matter.
var KindsOfPlace = []PlaceKind{
	{"rank", "rank stand", "rank, taxi rank, cab rank, stand, taxi stand, taxistand, taxi halteplatz, taxihaltestelle", ""},
	{"hotel", "hotel inn", "hotel, inn", ""},
	{"station", "station bahnhof", "station, train station, railway station, stn, bahnhof, hauptbahnhof, hbf, bahnstation, trains, zugbahnhof", "train railway rail"},
	{"hospital", "hospital infirmary krankenhaus klinik klinikum", "hospital, infirmary, a and e, a n e, a e, accident and emergency, casualty, emergency department, the general, krankenhaus, klinik, klinikum, notaufnahme, spital", "general"},
	{"airport", "airport flughafen", "airport, flughafen, airfield, departures, arrivals, terminal, abflug", "international"},
	{"university", "university college universitat universitaet campus", "university, uni, college, campus, universitat, universitaet, hochschule, unis", ""},
	{"harbour", "harbour harbor port docks hafen", "harbour, harbor, port, docks, dock, harbourside, hafen", ""}, //nolint:misspell // as people write it
	{"townhall", "townhall rathaus", "townhall, town hall, city hall, council offices, rathaus", ""},
	{"stadium", "stadium ground arena stadion", "stadium, football ground, football, football stadium, footie, footy, soccer ground, ground, match, stadion, fussballstadion, fussballplatz, fussball, sportplatz, arena", "football soccer"},
	{"shops", "retail shopping mall einkaufszentrum", "retail park, shopping park, shopping centre, shopping center, shops, mall, einkaufszentrum, einkaufspark, einkaufscenter, laden, geschafte, geschaefte", "retail shopping"},
	{"cinema", "cinema odeon kino", "cinema, pictures, movies, picture house, flicks, kino, filmtheater, lichtspielhaus", ""},
	{"museum", "museum", "museum, museums", ""},
	{"school", "school schule academy", "school, schule, academy, grundschule, primary school", ""},
	{"surgery", "surgery clinic doctors praxis", "surgery, doctors surgery, doctors, doctor, gp, gps, medical centre, health centre, medical practice, practice, arzt, arztpraxis, praxis, hausarzt, doktor", ""},
	{"pub", "pub tavern", "pub, boozer, local, kneipe, wirtschaft, wirtshaus, gasthaus, lokal", ""},
}

// KindNamed replaces other names of kinds in settings and in towns.
var KindNamed = strings.NewReplacer("retail park", "shops", "taxi rank", "rank", "town hall", "townhall", "town-hall", "townhall", "-", "", " ", "")

// WeakInNames are words of many names that do not identify a place by themselves.
var WeakInNames = Set("the of and at in on a an new old great upper lower little north south east west central town city market view park place " +
	"street road lane close way avenue drive court square gardens terrace crescent row hill house hall general royal bridge quay wharf embankment parade mews green " +
	"strasse weg platz gasse allee der die das zum zur am")

// Abroad maps words of names to those in another language.
var Abroad = map[string]string{
	"bahnhof": "station", "hafen": "harbour", "universitat": "university", "universitaet": "university", "krankenhaus": "hospital", "flughafen": "airport",
	"rathaus": "townhall", "schule": "school", "kino": "cinema", "stadion": "ground", "praxis": "surgery", "einkaufspark": "retail", "einkaufszentrum": "retail",
	"marktplatz": "marketplace", "harbor": "harbour", "centre": "center", "uni": "university", "stn": "station", "rd": "road", "ave": "avenue", "ln": "lane", "gdns": "gardens", "sq": "square", "clinic": "surgery", //nolint:misspell // as people write it
}
