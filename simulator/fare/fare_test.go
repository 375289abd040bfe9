package fare

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func council(t require.TestingT) *Table {
	f, err := New(Council())
	require.NoError(t, err)
	return f
}

// instant is a time of the town's clock.
func instant(t require.TestingT, clock string) time.Time {
	at, err := time.ParseInLocation("2006-01-02 15:04:05", clock, council(t).Location)
	require.NoError(t, err)
	return at
}

func TestDayFareByDistanceAndWaiting(t *testing.T) {
	noon := "2026-06-03 12:00:00"
	for _, c := range []struct {
		metres int64
		stood  time.Duration
		pence  int64
	}{
		{0, 0, 360},
		{600, 0, 360},
		{601, 0, 380},
		{740, 0, 380},
		{741, 0, 400},
		{5000, 0, 360 + 20*32},
		{600, 2 * time.Minute, 360},
		{600, 2*time.Minute + time.Millisecond, 380},
		{600, 2*time.Minute + 36*time.Second, 380},
		{600, 2*time.Minute + 37*time.Second, 400},
	} {
		f, at := council(t), instant(t, noon)
		var m Meter
		m.Start(f, at)
		m.Stand(f, at, c.stood)
		m.Drive(f, at.Add(c.stood), 10*time.Minute, c.metres*1000)
		require.Equal(t, c.pence, m.pence, "%d m, %v", c.metres, c.stood)
	}
}

func TestTariffBandByDateAndTime(t *testing.T) {
	for clock, want := range map[string]string{
		"2026-06-03 12:00:00": "day",
		"2026-06-03 22:59:59": "day",
		"2026-06-03 23:00:00": "night",
		"2026-06-04 05:59:59": "night",
		"2026-06-04 06:00:00": "day",
		"2026-06-07 12:00:00": "night",   // a Sunday
		"2026-04-03 12:00:00": "night",   // Good Friday
		"2026-04-06 12:00:00": "night",   // Easter Monday
		"2026-05-04 12:00:00": "night",   // early May
		"2026-05-25 12:00:00": "night",   // spring
		"2026-08-31 12:00:00": "night",   // summer
		"2026-08-24 12:00:00": "day",     // not the last Monday
		"2026-12-25 00:00:00": "holiday", // beats the night
		"2026-12-26 23:59:59": "holiday",
		"2026-12-28 12:00:00": "night", // for Saturday the 26th
		"2026-12-29 12:00:00": "day",
		"2027-12-27 12:00:00": "night", // for Saturday the 25th
		"2027-12-28 12:00:00": "night", // for Sunday the 26th
		"2028-01-01 12:00:00": "holiday",
		"2028-01-03 12:00:00": "night", // for Saturday the 1st
		"2028-01-04 12:00:00": "day",
		// The clocks go forward at one on 29 March 2026 and back at two on 25
		// October, both Sundays: a night has 22 or 24 hours of the band around them.
		"2026-03-28 22:59:59": "day",
		"2026-03-30 05:59:59": "night",
		"2026-03-30 06:00:00": "day",
		"2026-10-26 05:59:59": "night",
		"2026-10-26 06:00:00": "day",
	} {
		f := council(t)
		require.Equal(t, want, f.at(instant(t, clock)).band.Name, clock)
	}
}

// TestTariffBandsWhenTheClocksChange checks the bands and the fares of the nights on which the
// clocks change, when the hour from one to two is skipped or occurs twice. The times are in
// UTC, in which each occurs once.
func TestTariffBandsWhenTheClocksChange(t *testing.T) {
	tariffs := Council()
	tariffs.Bands = []Band{{Name: "one", From: 1, Until: 2, Step: 1}, {Name: "two", From: 2, Until: 3, Step: 10}, {Name: "else", Step: 100}}
	f, err := New(tariffs)
	require.NoError(t, err)
	for _, c := range []struct{ clock, want string }{
		{"2026-03-28 00:59:59", "else"},
		{"2026-03-28 01:00:00", "one"},
		{"2026-03-29 00:59:59", "else"},
		{"2026-03-29 01:00:00", "two"}, // the skipped hour is no moment
		{"2026-03-29 01:59:59", "two"},
		{"2026-03-29 02:00:00", "else"},
		{"2026-10-24 23:59:59", "else"},
		{"2026-10-25 00:00:00", "one"},
		{"2026-10-25 00:59:59", "one"},
		{"2026-10-25 01:00:00", "one"}, // again
		{"2026-10-25 01:59:59", "one"},
		{"2026-10-25 02:00:00", "two"},
		{"2026-10-25 03:00:00", "else"},
	} {
		at, err := time.Parse(time.DateTime, c.clock)
		require.NoError(t, err)
		require.Equal(t, c.want, f.at(at).band.Name, c.clock)
	}

	f.FlagMetres, f.StepMetres = 0, 1000
	for night, want := range map[string]int64{
		"2026-03-29 00:00:00": 60*100 + 60*10 + 60*100, // else, two, else
		"2026-10-25 00:00:00": 60 + 60 + 60*10,         // one, one again, two
	} {
		at, err := time.Parse(time.DateTime, night)
		require.NoError(t, err)
		m := Meter{}
		m.Drive(f, at, 3*time.Hour, 180*1_000_000)
		require.Equal(t, want, m.pence, night)
	}
}

func TestEasterSundays(t *testing.T) {
	for _, day := range []string{"2024-03-31", "2025-04-20", "2026-04-05", "2027-03-28", "2038-04-25", "2285-03-22"} {
		want, err := time.Parse(time.DateOnly, day)
		require.NoError(t, err)
		require.Equal(t, want, easter(want.Year()))
	}
}

// TestTariffChangesDuringADrive checks the fare of a drive of ten minutes and 10,000 metres that
// begins at 22:55: 4,400 m beyond the first 600 are in the day band, which are 32 steps begun,
// and the rest is in the night band.
func TestTariffChangesDuringADrive(t *testing.T) {
	f, at := council(t), instant(t, "2026-06-03 22:55:00")
	var m Meter
	m.Start(f, at)
	m.Drive(f, at, 10*time.Minute, 10_000_000)
	const dear, all = 27, 68 // steps of 140 m in 9,400
	require.EqualValues(t, 360+20*32+dear*(all-32), m.pence)
	m.Stand(f, instant(t, "2026-06-04 05:58:00"), 4*time.Minute)
	require.EqualValues(t, 360+20*32+dear*(all-32)+20*4, m.pence, "the free wait ends with the night")
}

func TestFareExtrasAreAdded(t *testing.T) {
	f := council(t)
	m := Meter{pence: 1001}
	require.EqualValues(t, 1001, m.Fare(f, false, false))
	require.EqualValues(t, 1251, m.Fare(f, true, false))
	require.EqualValues(t, 1501, m.Fare(f, false, true))
	require.EqualValues(t, 1751, m.Fare(f, true, true))
}

// TestSplitDrivesCostTheSame checks that the meter shows the same for a drive in one part and
// in two, wherever the band changes.
func TestSplitDrivesCostTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := council(t)
		at := instant(t, "2026-06-03 22:00:00").Add(time.Duration(rapid.Int64Range(0, 2*3600_000).Draw(t, "after")) * time.Millisecond)
		took := time.Duration(rapid.Int64Range(0, 3*3600).Draw(t, "took")) * time.Second
		pace := rapid.Int64Range(0, 20).Draw(t, "metres a second")
		half := took / 2 / time.Second * time.Second
		length := func(d time.Duration) int64 { return int64(d/time.Second) * pace * 1000 }
		var whole, cut Meter
		whole.Start(f, at)
		whole.Drive(f, at, took, length(took))
		cut.Start(f, at)
		cut.Drive(f, at, half, length(half))
		cut.Drive(f, at.Add(half), took-half, length(took-half))
		require.Equal(t, whole, cut)
		require.GreaterOrEqual(t, whole.pence, int64(360))
	})
}

func TestInvalidTariffsAreRefused(t *testing.T) {
	for name, spoil := range map[string]func(*Tariffs){
		"no zone":  func(f *Tariffs) { f.Zone = "Otterbridge" },
		"no bands": func(f *Tariffs) { f.Bands = nil },
		"no step":  func(f *Tariffs) { f.StepMetres = 0 },
		"no spell": func(f *Tariffs) { f.WaitSpell = 0 },
	} {
		f := Council()
		spoil(&f)
		_, err := New(f)
		require.Error(t, err, name)
	}
}
