package grammar_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/platform/booking/grammar"
	"github.com/cabrank/cabrank/simulator/platform/booking/spoken"
)

// noon is the present in these tests: a Wednesday.
var noon = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

var places = []grammar.Place{
	{Name: "14 Mill Lane", Aliases: []string{"home"}},
	{Name: "Otterbridge Station", Aliases: []string{"the station"}},
	{Name: "Otterbridge General Hospital"},
	{Name: "Town Hall"},
	{Name: "The Otter Hotel"},
	{Name: "Harbour View Hotel"},
	{Name: "St Wilfrid's School"},
	{Name: "Eel and Anchor"},
	{Name: "Station Rank"},
	{Name: "Mill Lane", Street: true},
	{Name: "Mill Road", Street: true},
	{Name: "Coopers Close", Street: true},
	{Name: "High Street", Street: true},
	{Name: "Hauptstraße", Street: true},
}

// menus of the conversation.
var (
	known   = map[spoken.Choice]string{spoken.ChooseBook: "1", spoken.ChooseOther: "2", spoken.ChoosePerson: "0"}
	booked  = map[spoken.Choice]string{spoken.ChooseCancel: "1", spoken.ChooseChange: "2", spoken.ChooseAnother: "3", spoken.ChoosePerson: "0"}
	confirm = map[spoken.Choice]string{spoken.ChooseYes: "1", spoken.ChooseChange: "2"}
	cancel  = map[spoken.Choice]string{spoken.ChooseCancel: "1", spoken.ChooseKeep: "2"}
	yesNo   = map[spoken.Choice]string{spoken.ChooseYes: "1", spoken.ChooseNo: "2"}
	edit    = map[spoken.Choice]string{spoken.ChoosePickup: "1", spoken.ChooseDropoff: "2", spoken.ChooseTime: "3"}
	arrived = map[spoken.Choice]string{spoken.ChooseComingNow: "1", spoken.ChooseCallDriver: "2", spoken.ChooseCancel: "3"}
	when    = map[spoken.Choice]string{spoken.ChooseNow: "1"}
	where   = map[spoken.Choice]string{spoken.ChooseElsewhere: "3", spoken.ChooseTellDriver: "4"}
	skip    = map[spoken.Choice]string{spoken.ChooseSkip: "1"}
)

func hear(text string, ctx grammar.Context) grammar.Meaning {
	ctx.Places, ctx.Now = places, noon
	return grammar.Understand(grammar.Input{Speech: text, Confidence: 0.9}, ctx)
}

func TestChoices(t *testing.T) {
	de := func(menu map[spoken.Choice]string) grammar.Context {
		return grammar.Context{Menu: menu, Language: "de-DE"}
	}
	en := func(menu map[spoken.Choice]string) grammar.Context { return grammar.Context{Menu: menu} }
	for _, row := range []struct {
		ctx  grammar.Context
		want spoken.Choice // "" for none
		said []string
	}{
		{en(known), spoken.ChooseBook, []string{"book", "a taxi please", "I need a cab", "order a car", "taxi now", "yes a taxi now"}},
		{en(known), spoken.ChooseOther, []string{"a different pickup", "another time", "from somewhere different"}},
		{en(known), spoken.ChoosePerson, []string{"person", "operator", "help", "I want to speak to someone please", "a person"}},
		{en(known), spoken.ChooseCancel, []string{"cancel my booking", "cancel my taxi please"}},
		{en(known), spoken.ChooseStatus, []string{"where is my taxi", "Where's my driver?", "status", "how long will it be"}},
		{en(booked), spoken.ChooseCancel, []string{"cancel", "cancel it please", "I would like to cancel my taxi"}},
		{en(booked), spoken.ChooseChange, []string{"change", "change it", "change the time", "I want to change my booking"}},
		{en(booked), spoken.ChooseAnother, []string{"another taxi", "book another taxi", "a taxi"}},
		{en(booked), "", []string{"don't cancel", "do not cancel it", "never cancel", "cancel or change", "banana", "the"}},
		{en(confirm), spoken.ChooseYes, []string{"yes", "Yes please", "yeah", "that's right", "OK", "correct", "go ahead"}},
		{en(confirm), spoken.ChooseChange, []string{"change it", "no, change it", "change"}},
		{en(confirm), spoken.ChooseNo, []string{"no", "nope", "no thanks"}},
		{en(confirm), spoken.ChooseCancel, []string{"no cancel it", "cancel"}},
		{en(confirm), "", []string{"yes no", "yes cancel it", "perhaps"}},
		{en(cancel), spoken.ChooseCancel, []string{"cancel", "yes cancel it"}},
		{en(cancel), spoken.ChooseKeep, []string{"keep it", "no keep it", "leave it"}},
		{en(cancel), "", []string{"don't cancel it"}},
		{en(yesNo), spoken.ChooseNo, []string{"no", "don't", "do not cancel it"}},
		{en(yesNo), spoken.ChooseYes, []string{"yes", "yep"}},
		{en(edit), spoken.ChoosePickup, []string{"the pickup", "pick up please", "change the pickup"}},
		{en(edit), spoken.ChooseDropoff, []string{"drop-off", "the destination", "change the drop off"}},
		{en(edit), spoken.ChooseTime, []string{"the time", "change the time"}},
		{en(arrived), spoken.ChooseComingNow, []string{"I'm coming now", "coming now", "tell the driver I'm coming", "I am on my way"}},
		{en(arrived), spoken.ChooseCallDriver, []string{"call the driver", "I want to speak to the driver", "ring my driver please"}},
		{en(when), spoken.ChooseNow, []string{"now", "as soon as possible", "straight away please"}},
		{de(known), spoken.ChooseBook, []string{"ein Taxi bitte", "ich möchte ein Taxi", "bestellen", "ich brauche ein Taxi", "taxi please"}},
		{de(known), spoken.ChoosePerson, []string{"Mitarbeiter", "Hilfe", "mit jemandem sprechen", "operator"}},
		{de(booked), spoken.ChooseCancel, []string{"stornieren", "ich möchte mein Taxi stornieren", "cancel"}},
		{de(booked), spoken.ChooseChange, []string{"ändern", "ich will es ändern"}},
		{de(booked), spoken.ChooseAnother, []string{"noch ein Taxi", "ein weiteres Taxi bitte"}},
		{de(booked), spoken.ChooseStatus, []string{"wo ist mein Taxi", "wo bleibt der Fahrer", "status"}},
		{de(booked), "", []string{"nicht stornieren", "bitte nicht stornieren", "Banane"}},
		{de(yesNo), spoken.ChooseYes, []string{"ja", "ja bitte", "genau", "richtig"}},
		{de(yesNo), spoken.ChooseNo, []string{"nein", "nein danke", "falsch"}},
		{de(arrived), spoken.ChooseComingNow, []string{"ich komme jetzt", "ich komme"}},
		{de(arrived), spoken.ChooseCallDriver, []string{"den Fahrer anrufen"}},
		{de(edit), spoken.ChooseDropoff, []string{"das Ziel"}},
	} {
		for _, said := range row.said {
			t.Run(row.ctx.Language+" "+said, func(t *testing.T) {
				got := hear(said, row.ctx)
				if row.want == "" {
					require.NotEqual(t, grammar.Chosen, got.Kind, "%+v", got)
					return
				}
				require.Equal(t, grammar.Chosen, got.Kind, "%+v", got)
				require.Equal(t, row.want, got.Choice)
			})
		}
	}
}

func TestTimes(t *testing.T) {
	at := func(days, hour, minute int) string {
		return time.Date(2026, 3, 4+days, hour, minute, 0, 0, time.UTC).Format("Mon 15:04")
	}
	for _, row := range []struct {
		language, want string // "?" for a time that is asked back
		said           []string
	}{
		{"en", "now", []string{"now", "right now please", "as soon as possible"}},
		{"en", at(0, 15, 50) + "?", []string{"ten to four", "at ten to four", "at ten minutes to four please", "three fifty", "at 3:50", "3.50"}},
		{"en", at(0, 15, 50), []string{"at ten to four this afternoon", "three fifty p.m.", "3:50 pm", "3.50pm", "15:50", "fifteen fifty", "1550", "at 15:50 today"}},
		{"en", at(0, 15, 30), []string{"at 15:30", "half past three in the afternoon", "fifteen thirty"}},
		{"en", at(0, 15, 30) + "?", []string{"half past three", "half three", "three thirty"}},
		{"en", at(0, 15, 15) + "?", []string{"quarter past three", "a quarter past three", "three fifteen"}},
		{"en", at(0, 15, 5) + "?", []string{"three oh five", "five past three"}},
		{"en", at(0, 16, 0) + "?", []string{"four", "at four", "four o'clock", "at four o'clock please"}},
		{"en", at(0, 16, 0), []string{"4pm", "at four p.m.", "four in the afternoon"}},
		{"en", at(1, 9, 0) + "?", []string{"at nine a.m.", "9am", "nine in the morning", "0900", "09:00", "tomorrow at nine"}},
		{"en", at(1, 9, 0), []string{"tomorrow at nine a.m.", "tomorrow morning at nine", "nine o'clock tomorrow morning"}},
		{"en", at(1, 15, 0) + "?", []string{"tomorrow at three"}},
		{"en", at(0, 23, 10), []string{"ten past eleven tonight", "23:10"}},
		{"en", at(2, 18, 0), []string{"on Friday at six in the evening", "Friday at 18:00", "the day after tomorrow at 6 pm"}},
		{"en", at(7, 18, 0) + "?", []string{"on Wednesday at 18:00"}},
		{"en", at(1, 12, 0), []string{"noon tomorrow", "tomorrow at midday"}},
		{"en", at(1, 0, 0) + "?", []string{"midnight"}},
		{"en", at(1, 1, 0) + "?", []string{"one at night", "one o'clock at night"}},
		{"en", at(0, 12, 10), []string{"in ten minutes", "ten minutes", "in 10 mins"}},
		{"en", at(0, 12, 30), []string{"in half an hour", "half an hour"}},
		{"en", at(0, 14, 0), []string{"in two hours", "in 120 minutes"}},
		{"en", at(0, 13, 30), []string{"in an hour and a half"}},
		{"en", at(0, 12, 50) + "?", []string{"ten to one"}},
		{"en", "", []string{"at ten or at eleven", "whenever", "ninety nine", "25:70", "at ninety"}},
		{"de", "now", []string{"jetzt", "sofort bitte", "so schnell wie möglich"}},
		{"de", at(0, 15, 50) + "?", []string{"zehn vor vier", "um zehn vor vier"}},
		{"de", at(0, 15, 50), []string{"fünfzehn Uhr fünfzig", "um 15:50 Uhr", "1550", "zehn vor vier nachmittags", "heute Nachmittag um zehn vor vier"}},
		{"de", at(0, 15, 30) + "?", []string{"halb vier", "um halb vier", "drei Uhr dreißig"}},
		{"de", at(0, 15, 45) + "?", []string{"dreiviertel vier", "Viertel vor vier"}},
		{"de", at(1, 9, 0), []string{"morgen früh um neun", "morgen um neun Uhr morgens", "morgen Vormittag um neun Uhr"}},
		{"de", at(0, 20, 0), []string{"heute Abend um acht", "zwanzig Uhr"}},
		{"de", at(0, 12, 30), []string{"in einer halben Stunde"}},
		{"de", at(0, 12, 10), []string{"in zehn Minuten"}},
		{"de", at(2, 18, 0), []string{"am Freitag um achtzehn Uhr", "übermorgen um 18 Uhr"}},
		{"en", at(20, 15, 30), []string{"24 March at 15:30", "on the 24th of March at 15:30", "the twenty fourth of March at half past three in the afternoon"}},
		{"en", "Wed 09:00", []string{"the third of March at nine a.m."}}, // of next year
		{"de", at(20, 15, 30), []string{"am 24. März um 15:30 Uhr"}},
		{"de", at(8, 9, 0), []string{"am zwölften März um neun Uhr morgens"}},
		{"de", at(0, 17, 46), []string{"siebzehn Uhr sechsundvierzig"}},
	} {
		for _, said := range row.said {
			t.Run(row.language+" "+said, func(t *testing.T) {
				got := hear(said, grammar.Context{Language: row.language, Want: grammar.WantTime, Menu: when})
				if row.want == "" {
					require.Equal(t, grammar.NoMatch, got.Kind, "%+v", got)
					return
				}
				require.Equal(t, grammar.Timed, got.Kind, "%+v", got)
				text := got.When.At.Format("Mon 15:04")
				if got.When.Now {
					text = "now"
				}
				if got.When.Ask {
					text += "?"
				}
				require.Equal(t, row.want, text)
			})
		}
	}
}

func TestDaysWithoutTimes(t *testing.T) {
	for said, want := range map[string]spoken.Choice{
		"today": spoken.ChooseToday, "tomorrow": spoken.ChooseTomorrow, "tomorrow please": spoken.ChooseTomorrow, "morgen": spoken.ChooseTomorrow,
	} {
		got := hear(said, grammar.Context{Language: "de", Want: grammar.WantTime})
		require.Equal(t, want, got.Choice, "%s: %+v", said, got)
	}
}

func TestPlaces(t *testing.T) {
	for _, row := range []struct {
		want  []string
		house string
		said  []string
	}{
		{[]string{"14 Mill Lane"}, "", []string{"fourteen mill lane", "14 Mill Lane please", "home", "to home", "one four mill lane", "number fourteen Mill Lane"}},
		{[]string{"Mill Lane"}, "16", []string{"sixteen mill lane", "16 Mill Ln", "number sixteen mil lane"}},
		{[]string{"Mill Lane"}, "14a", []string{"fourteen a Mill Lane", "14a mill lane"}},
		{[]string{"Mill Lane"}, "112", []string{"one one two mill lane", "a hundred and twelve mill lane", "one hundred and twelve mill lane", "one twelve Mill Lane"}},
		{[]string{"High Street"}, "21", []string{"twenty one high street", "21, High St."}},
		{[]string{"Hauptstraße"}, "46", []string{"Hauptstraße sechsundvierzig", "Hauptstr. 46 bitte", "hauptstrasse 46"}},
		{[]string{"Otterbridge Station"}, "", []string{"the station", "to the station please", "otterbridge station", "train station", "outside the station", "otterbrige station"}},
		{[]string{"Station Rank"}, "", []string{"the rank at the station", "station rank"}},
		{[]string{"Otterbridge General Hospital"}, "", []string{"the hospital", "general hospital", "hospitl"}},
		{[]string{"St Wilfrid's School"}, "", []string{"saint wilfrids school", "St. Wilfrid's", "wilfrids school"}},
		{[]string{"The Otter Hotel", "Harbour View Hotel"}, "", []string{"the hotel"}},
		{[]string{"The Otter Hotel"}, "", []string{"otter hotel", "the otter"}},
		{[]string{"Eel and Anchor"}, "", []string{"eel and anchor", "the eal and anchor"}},
		{nil, "", []string{"the moon", "xyzzy", "somewhere nice", "the cathedral of saint anselm"}},
	} {
		for _, said := range row.said {
			t.Run(said, func(t *testing.T) {
				got := hear(said, grammar.Context{Language: "de", Want: grammar.WantPlace, Menu: where})
				var names []string
				for _, i := range got.Place.Index {
					names = append(names, places[i].Name)
				}
				require.Equal(t, row.want, names, "%+v", got)
				require.Equal(t, row.house, got.Place.House)
				require.Equal(t, row.want == nil, got.Kind == grammar.NoMatch)
			})
		}
	}
}

// TestPlacesAndWishes hears what is asked for at any time where a place is wanted.
func TestPlacesAndWishes(t *testing.T) {
	for said, want := range map[string]spoken.Choice{
		"somewhere else": spoken.ChooseElsewhere, "I will tell the driver": spoken.ChooseTellDriver, "operator": spoken.ChoosePerson,
		"cancel": spoken.ChooseCancel,
	} {
		got := hear(said, grammar.Context{Want: grammar.WantPlace, Menu: where})
		require.Equal(t, want, got.Choice, "%s: %+v", said, got)
	}
}

func TestWholeJourneysInOneBreath(t *testing.T) {
	for _, row := range []struct {
		said, from, to, when string
		language             string
	}{
		{"book a taxi from the station to the town hall at ten past four p.m.", "Otterbridge Station", "Town Hall", "Wed 16:10", "en"},
		{"I need a cab to the general hospital now", "", "Otterbridge General Hospital", "now", "en"},
		{"from fourteen mill lane to the otter hotel tomorrow at 9 am please", "14 Mill Lane", "The Otter Hotel", "Thu 09:00", "en"},
		{"a taxi at ten to four this afternoon", "", "", "Wed 15:50", "en"},
		{"to the eel and anchor", "", "Eel and Anchor", "", "en"},
		{"ein Taxi von Town Hall nach Station Rank um 16 Uhr", "Town Hall", "Station Rank", "Wed 16:00", "de"},
	} {
		t.Run(row.said, func(t *testing.T) {
			got := hear(row.said, grammar.Context{Language: row.language, Menu: known})
			require.Equal(t, grammar.Chosen, got.Kind, "%+v", got)
			require.Contains(t, []spoken.Choice{spoken.ChooseBook, spoken.ChooseOther}, got.Choice)
			require.Equal(t, row.from, named(got.From))
			require.Equal(t, row.to, named(got.To))
			when := ""
			switch {
			case got.When.Now:
				when = "now"
			case !got.When.IsZero():
				when = got.When.At.Format("Mon 15:04")
			}
			require.Equal(t, row.when, when)
		})
	}
}

func named(s grammar.Spot) string {
	if len(s.Index) != 1 {
		return s.Text
	}
	return places[s.Index[0]].Name
}

func TestNames(t *testing.T) {
	for said, want := range map[string]string{
		"Rosalind Whitlock": "Rosalind Whitlock", "my name is Zoë O'Brien": "Zoë O'Brien", "It's Bob.": "Bob", "I'm Mr. Cab": "Mr. Cab",
		"ich heiße Łukasz Żuraw": "Łukasz Żuraw", "ليلى منصور": "ليلى منصور", "<b>Bob</b> Hope": "Bob Hope", "Will Booker": "Will Booker",
	} {
		got := hear(said, grammar.Context{Language: "de", Want: grammar.WantName, Menu: skip})
		require.Equal(t, grammar.Named, got.Kind, "%s: %+v", said, got)
		require.Equal(t, want, got.Text)
	}
	for said, want := range map[string]grammar.Kind{
		"operator": grammar.Chosen, "skip": grammar.Chosen, "repeat please": grammar.Repeat, "07700 900123": grammar.NoMatch, "...": grammar.NoMatch,
	} {
		require.Equal(t, want, hear(said, grammar.Context{Want: grammar.WantName, Menu: skip}).Kind, said)
	}
}

func TestHouseNumbers(t *testing.T) {
	for said, want := range map[string]string{"fourteen": "14", "number fourteen": "14", "one one two": "112", "14a": "14a", "vierzehn": "14"} {
		got := hear(said, grammar.Context{Language: "de", Want: grammar.WantNumber})
		require.Equal(t, grammar.Numbered, got.Kind, "%s: %+v", said, got)
		require.Equal(t, want, got.Text)
	}
}

func TestKeys(t *testing.T) {
	all := grammar.WantPlace | grammar.WantTime | grammar.WantNumber
	for _, row := range []struct {
		digits string
		ctx    grammar.Context
		kind   grammar.Kind
		text   string
	}{
		{"1", grammar.Context{Menu: known}, grammar.Chosen, "book"},
		{"0", grammar.Context{Menu: yesNo}, grammar.Chosen, "person"},
		{"0", grammar.Context{Menu: when, Want: all}, grammar.Chosen, "person"},
		{"*", grammar.Context{Menu: known}, grammar.Repeat, ""},
		{"9", grammar.Context{Menu: known}, grammar.NoMatch, ""},
		{"#", grammar.Context{Menu: known, Want: all}, grammar.NoMatch, ""},
		{"12", grammar.Context{Menu: known}, grammar.NoMatch, ""},
		{"2", grammar.Context{Want: grammar.WantPlace, Listed: 3}, grammar.Placed, "Otterbridge Station"},
		{"4", grammar.Context{Want: grammar.WantPlace, Listed: 3}, grammar.NoMatch, ""},
		{"3", grammar.Context{Want: grammar.WantPlace, Listed: 3, Menu: where}, grammar.Chosen, "elsewhere"},
		{"1530", grammar.Context{Want: grammar.WantTime}, grammar.Timed, "Wed 15:30"},
		{"930", grammar.Context{Want: grammar.WantTime}, grammar.Timed, "Thu 09:30"},
		{"0930", grammar.Context{Want: grammar.WantTime}, grammar.Timed, "Thu 09:30"},
		{"1200", grammar.Context{Want: grammar.WantTime}, grammar.Timed, "Wed 12:00"},
		{"2570", grammar.Context{Want: grammar.WantTime}, grammar.NoMatch, ""},
		{"14", grammar.Context{Want: grammar.WantNumber}, grammar.Numbered, "14"},
		{"14444", grammar.Context{Want: grammar.WantNumber}, grammar.NoMatch, ""},
	} {
		row.ctx.Places, row.ctx.Now = places, noon
		got := grammar.Understand(grammar.Input{Digits: row.digits, Speech: "cancel", Confidence: 1}, row.ctx)
		require.Equal(t, row.kind, got.Kind, "%s: %+v", row.digits, got)
		text := string(got.Choice) + got.Text + got.Place.Text
		if got.Kind == grammar.Timed {
			text = got.When.At.Format("Mon 15:04")
			require.Equal(t, text[:3] == "Thu", got.When.Ask)
		}
		require.Equal(t, row.text, text)
	}
}

func TestConfidenceAndSilence(t *testing.T) {
	for _, row := range []struct {
		in   grammar.Input
		want grammar.Kind
	}{
		{grammar.Input{}, grammar.Nothing},
		{grammar.Input{Speech: "  "}, grammar.Nothing},
		{grammar.Input{Speech: "yes", Confidence: 0.39}, grammar.NoMatch},
		{grammar.Input{Speech: "yes"}, grammar.NoMatch},
		{grammar.Input{Speech: "yes", Confidence: 0.4}, grammar.Chosen},
		{grammar.Input{Speech: "person", Confidence: 0.1}, grammar.NoMatch},
	} {
		require.Equal(t, row.want, grammar.Understand(row.in, grammar.Context{Menu: yesNo}).Kind, "%+v", row.in)
	}
}

// TestMoreThanWasAsked takes a whole trip where only the pickup was asked for.
func TestMoreThanWasAsked(t *testing.T) {
	got := hear("a taxi from the otter hotel to the town hall now", grammar.Context{Want: grammar.WantPlace})
	require.Equal(t, grammar.Placed, got.Kind, "%+v", got)
	require.Equal(t, []string{"The Otter Hotel", "Town Hall"}, []string{named(got.Place), named(got.To)})
	require.True(t, got.When.Now)
}
