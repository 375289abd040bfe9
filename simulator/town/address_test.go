package town_test

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/town"
)

func TestEveryDoorIsFoundByPointAndAddress(t *testing.T) {
	tn := town.Default()
	seen := map[string]bool{}
	for s := range tn.Streets {
		for number := int32(1); number <= tn.Streets[s].Numbers(); number++ {
			a := tn.Door(town.Door{Street: int32(s), Number: number})
			require.False(t, seen[a.Text], a.Text)
			seen[a.Text] = true
			wire := tn.Wire(a)
			require.Equal(t, a, tn.Nearest(tn.XY(*wire.Location)), "the point of %s", a.Text)
			if (number+int32(s))%397 == 0 { // reading is slower: a sample
				found, err := tn.Locate(a.Text)
				require.NoError(t, err)
				require.Equal(t, town.Match{Address: a}, found[0])
			}
		}
	}
	require.Len(t, seen, tn.Doors())
	require.Greater(t, tn.Doors(), 10_000)
}

func TestEveryPlaceIsFoundByPointAndName(t *testing.T) {
	tn := town.Default()
	kinds := map[town.PlaceKind]int{}
	for _, p := range tn.Places {
		kinds[p.Kind]++
		require.Equal(t, p.Address, tn.Nearest(tn.XY(tn.Point(p.At))), p.Name)
		for _, text := range []string{p.Name, p.Text, strings.ToUpper(p.Name)} {
			a, err := tn.Lookup(text)
			require.NoError(t, err)
			require.Equal(t, p.Address, a, text)
		}
	}
	require.Equal(t, map[town.PlaceKind]int{
		town.Station: 1, town.Airport: 1, town.Hospital: 1, town.University: 1, town.Stadium: 1, town.RetailPark: 1,
		town.Hotel: 2, town.Pub: 6, town.Rank: 4, town.TownHall: 1, town.Harbour: 1,
	}, kinds)
}

func TestPostcodesAreWellFormed(t *testing.T) {
	// The pattern of BS 7666, with our area.
	form := regexp.MustCompile(`^.+, Otterbridge, ZT[1-9][0-9]? [0-9][ABD-HJLNP-UW-Z]{2}$`)
	tn := town.Default()
	chance := rand.New(rand.NewPCG(1, 1))
	for range 2_000 {
		a := tn.RandomAddress(chance)
		require.Regexp(t, form, a.Text)
		code := a.Text[strings.LastIndex(a.Text, ", ")+2:]
		near, err := tn.Lookup(code)
		require.NoError(t, err)
		require.Contains(t, near.Text, code)
		require.Less(t, gap(a.At, near.At), 120.0, "a postcode is a few doors")
	}
}

func TestSpokenAddresses(t *testing.T) {
	tn := town.Default()
	for said, want := range map[string]string{
		"14 Mill Lane":                        "14 Mill Lane, Otterbridge",
		"14 mill lane otterbridge":            "14 Mill Lane, Otterbridge",
		"fourteen mill lane":                  "14 Mill Lane, Otterbridge",
		"number fourteen, Mill Lane please":   "14 Mill Lane, Otterbridge",
		"one four mill lane":                  "14 Mill Lane, Otterbridge",
		"twenty-one mill lane":                "21 Mill Lane, Otterbridge",
		"one hundred and four ring road":      "104 Ring Road, Otterbridge",
		"one oh four ring road":               "104 Ring Road, Otterbridge",
		"flat 2, 14 mill ln":                  "14 Mill Lane, Otterbridge",
		"14a Mill Lane":                       "14 Mill Lane, Otterbridge",
		"14 mil lain":                         "14 Mill Lane, Otterbridge",
		"14 mill":                             "14 Mill Lane, Otterbridge",
		"12 brigde st":                        "12 Bridge Street, Otterbridge",
		"mill lane":                           "Mill Lane, Otterbridge",
		"number three mill lane":              "3 Mill Lane, Otterbridge",
		"the station":                         "Otterbridge Station, Station Road",
		"the train station":                   "Otterbridge Station, Station Road",
		"at the railway station, please":      "Otterbridge Station, Station Road",
		"statoin":                             "Otterbridge Station, Station Road",
		"to the airport":                      "Otterbridge Airport, ",
		"the hospital":                        "St Brigid's Hospital, ",
		"st brigids":                          "St Brigid's Hospital, ",
		"the uni":                             "University of Otterbridge, ",
		"University of Otterbridge":           "University of Otterbridge, ",
		"dun cow":                             "The Dun Cow, ",
		"town hall":                           "Town Hall, High Street",
		"the high street":                     "High Street, Otterbridge",
		"Otterbridge Station, Otterbridge":    "Otterbridge Station, Station Road",
		"the taxi rank at the station":        "Station Rank, ",
		"station rank":                        "Station Rank, ",
		"taxi rank":                           "Station Rank, ",
		"from the football ground to nowhere": "",
		"":                                    "",
		"fourteen":                            "",
		"14":                                  "",
		"Timbuktu":                            "",
		"QX1 1AA":                             "",
	} {
		a, err := tn.Lookup(said)
		if want == "" {
			require.ErrorIs(t, err, town.ErrNoSuchAddress, said)
			continue
		}
		require.NoError(t, err, said)
		require.Truef(t, strings.HasPrefix(a.Text, want), "%q gave %q", said, a.Text)
	}
}

func TestNumberBeyondTheStreetIsItsLastDoor(t *testing.T) {
	tn := town.Default()
	a, err := tn.Locate("9998 mill lane")
	require.NoError(t, err)
	require.Positive(t, a[0].Miss)
	last, err := tn.Lookup("9999 mill lane")
	require.NoError(t, err)
	require.NotEqual(t, a[0].Text, last.Text, "odd and even sides have their own ends")
}
