package times

import (
	"github.com/cabrank/cabrank/simulator/platform/booking/grammar/lex"
)

func EnglishClock() clockWords {
	return clockWords{
		now: lex.NewPhrases("quickest youve got, soonest youve got, fastest youve got, quickest you can, soonest you can, right now, now now, straight away, straightaway, right away, as soon as possible, as soon as you can, as soon as, asap, immediately, at once, soon as you can, soon as possible, soon as, this minute, this instant, this second, whenever youre ready, " +
			"now if poss, now please, straight off, first available, as soon as youve got one, as soon as theres one free, as soon as one is free, as soon as you like, as soon as youve one, as soon as it can, as soon as they can, as soon as there is one, next available, the next available, soonest, as soon as theres one, whenever you can, next one you have, next one youve got, whenever, whenever youve got one, whenever youve got one free, whenever you have one, whenever youve got something, whenever one is free, whenever ones free, for now, now ideally, like now, come now, right this minute, any time now, anytime now, im ready now, ready now, now i think, at the moment please"),
		weak:     lex.NewPhrases("now"),
		urgent:   lex.NewPhrases("quick as you can, as quick as you can, as quickly as you can, as quickly as possible, as fast as you can, as fast as possible, fast as you can, fast as possible, quickly as you can, quickly as possible, quick as possible, quick as you like, pronto, the sooner the better, the quicker the better, without delay, sharpish, chop chop, double quick, make it quick, make it snappy, in a hurry, quick please, quickly please, hurry please, and quick, and quickly, hurry up"),
		Hurries:  lex.Set("quick quickly fast hurry sharpish pronto immediate soon sooner urgent urgently"),
		days:     lex.PhrasesBy(map[int]string{0: "today, this morning, this afternoon, this evening, tonight, tonights, todays, this very evening, later tonight, this lunchtime", 1: "tomorrow, tomorrow morning, tomorrow afternoon, tomorrow evening, tomorrow night, tomorrows, tomoz", 2: "day after tomorrow, but the day after, no the day after", 7: "a week today, week today, in a week, in a weeks time, a week from today, this day next week", 8: "a week tomorrow, week tomorrow, tomorrow week", 14: "in a fortnight, a fortnight today, two weeks today"}),
		dayParts: map[string]part{"this morning ": morning, "this afternoon ": afternoon, "this evening ": Evening, "tonight ": Night, "tonights ": Night, "later tonight ": Night, "this very evening ": Evening, "tomorrow morning ": morning, "tomorrow afternoon ": afternoon, "tomorrow evening ": Evening, "tomorrow night ": Night},
		gone:     lex.NewPhrases("yesterday, yesterdays, yesterday morning, yesterday afternoon, yesterday evening, last night, last week, the day before yesterday, an hour ago, last monday, last tuesday, last wednesday, last thursday, last friday, last saturday, last sunday, a week ago, ten minutes ago, half an hour ago"),
		Weekdays: lex.Tokens("sunday monday tuesday wednesday thursday friday saturday"),
		months:   lex.Tokens("january february march april may june july august september october november december"),
		of:       lex.Set("of st nd rd th the"),
		Ordinals: ordinals("first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth").and("thirtieth", 30),
		week:     lex.NewPhrases("week"),
		parts: lex.PhrasesBy(map[int]string{
			int(morning): "morning, in the morning, of the morning, mornings, first thing, first thing in the morning, in the early hours, the early hours, in the small hours, the small hours, in the early hours of, the early hours of, in the small hours of, the small hours of, early hours of, small hours of, in the early hours of the morning", int(afternoon): "afternoon, in the afternoon", int(Evening): "evening, in the evening",
			int(Night): "night, at night, tonight, after midnight, just after midnight, gone midnight, just gone midnight, past midnight",
		}),
		Am: lex.Set("am"), Pm: lex.Set("pm"),
		noon: lex.NewPhrases("noon, midday, twelve noon, twelve midday, mid day"), midnight: lex.NewPhrases("midnight, twelve midnight, mid night"),
		Past: lex.Set("past after gone"), Before: lex.Set("to before til till until of"), Half: []string{"half"}, Quarter: []string{"quarter"},
		HourWords: lex.Set("oclock ish sharp"), At: lex.Set("at for by around from"), about: lex.Set("about around roughly approximately say like exactly bang just on after shortly sometime"), Within: lex.Set("in within"),
		Minute: lex.Set("minute minutes min mins"), hour: lex.Set("hour hours hr hrs"), dayUnit: lex.Set("days"), weekUnit: lex.Set("weeks"),
		spans: lex.PhrasesBy(map[int]string{
			30: "half an hour, half hour, a half hour, halfanhour, half a hour, half an hours, half hours, another half an hour, another half hour", 15: "a quarter of an hour, quarter of an hour, quarter hour, quarter of an hours, a quarter of an hours", 45: "three quarters of an hour, three quarter of an hour, three quarters of an hours", 60: "an hour, one hour, a hour, an hours, one hours, another hour", 90: "an hour and a half, one and a half hours, hour and a half",
			1: "a minute", 5: "a few minutes, few minutes, five minutes or so, a couple of minutes", 120: "a couple of hours, couple of hours", 75: "an hour and a quarter, hour and a quarter", 150: "two and a half hours", 20: "twenty minutes or so",
		}),
		fractions: lex.PhrasesBy(map[int]string{30: "and a half, and a halfs", 15: "and a quarter, and a quarters", 45: "and three quarters, and three quarter"}),
		nextWeek:  lex.NewPhrases("next week, of next week"), afterNext: lex.NewPhrases("after next"), hence: lex.NewPhrases("from now, from now on, time, in time, or so, ish, from today, s time"), later: lex.NewPhrases("later, later on, later please, after that, later than that"), earlier: lex.NewPhrases("earlier, sooner, before that, earlier please"),
		sameTime: lex.NewPhrases("this time, same time, the same time, about this time, same hour, the same hour, at the same hour, at the same time"), skip: lex.Set("the minutes minute mins a"), lead: lex.Set("the on this next coming of for"),
	}
}

func GermanClock() clockWords {
	return clockWords{
		now:     lex.NewPhrases("sofort, so bald wie möglich, sobald wie möglich, jetzt gleich, jetzt glei, jetzt sofort, gleich jetzt, jetzt bitte, auf der stelle, umgehend, so bald es geht, möglichst bald, möglichst gleich, sofort bitte, baldmöglichst, asap, unverzüglich, jetzt direkt, ab sofort, gleich bitte, now, right now, das nächste freie, das nächste verfügbare"),
		weak:    lex.NewPhrases("jetzt, gleich, glei"),
		urgent:  lex.NewPhrases("so schnell wie möglich, so schnell wies geht, so schnell wie es geht, so schnell es geht, so rasch wie möglich, so rasch es geht, so flott es geht, schnellstmöglich, schnellstens, möglichst schnell, möglichst rasch, möglichst flott, möglichst zügig, schnell bitte, bitte schnell, aber schnell, aber flott, aber zackig, aber fix, aber dalli, aber zügig, aber hurtig, aber pronto, und schnell, und flott, und zackig, und bitte schnell, und bitte flott, ganz schnell, schnell schnell, mal schnell, recht schnell, beeilen sie sich, beeil dich, beeilt euch, beeilung, beeilung bitte, tempo, ohne verzug, ohne verzögerung, dalli, dalli dalli, ruckzuck, ratzfatz, zack zack, hopp hopp, je schneller desto besser, je eher desto besser"),
		Hurries: lex.Set("schnell schnellstens rasch flott zügig fix zackig dringend eilig bald pronto dalli"),
		days:    lex.PhrasesBy(map[int]string{0: "heute, heut, heute abend, heut abend, heute morgen, heute vormittag, heute nachmittag, heut nachmittag, heute nacht, heut nacht, heute mittag, heute früh", 1: "morgen, morgen früh, morgen vormittag, morgen nachmittag, morgen abend, morgen mittag, morgen nacht, tomorrow", 2: "übermorgen, übermorgen früh, übermorgen abend, übermorgen nachmittag, übermorgen vormittag", 7: "heute in einer woche, in einer woche, heute in acht tagen", 8: "morgen in einer woche", 14: "in vierzehn tagen, in zwei wochen"}),
		dayParts: map[string]part{
			"heute abend ": Evening, "heut abend ": Evening, "heute morgen ": morning, "heute vormittag ": morning, "heute nachmittag ": afternoon, "heut nachmittag ": afternoon, "heute nacht ": Night, "heut nacht ": Night, "heute mittag ": afternoon, "heute fruh ": morning,
			"morgen fruh ": morning, "morgen vormittag ": morning, "morgen nachmittag ": afternoon, "morgen abend ": Evening, "morgen nacht ": Night, "morgen mittag ": afternoon, "ubermorgen fruh ": morning, "ubermorgen abend ": Evening, "ubermorgen nachmittag ": afternoon, "ubermorgen vormittag ": morning,
		},
		gone:     lex.NewPhrases("gestern, vorgestern, gestern abend, gestern nacht, letzte woche, letzten montag, letzten dienstag, letzten mittwoch, letzten donnerstag, letzten freitag, letzten samstag, letzten sonntag, vor einer stunde, vor einer woche"),
		Weekdays: lex.Tokens("sonntag montag dienstag mittwoch donnerstag freitag samstag"),
		months:   lex.Tokens("januar februar märz april mai juni juli august september oktober november dezember"),
		of:       lex.Set("te ten"),
		Ordinals: ordinals("ersten zweiten dritten vierten fünften sechsten siebten achten neunten zehnten elften zwölften dreizehnten vierzehnten fünfzehnten sechzehnten siebzehnten achtzehnten neunzehnten zwanzigsten").and("siebenten", 7).from(20, "sten"),
		week:     lex.NewPhrases("in einer woche, in acht tagen"),
		parts: lex.PhrasesBy(map[int]string{
			int(morning): "früh, frühe, herrgottsfrüh, herrgottsfrühe, in aller herrgottsfrüh, in aller herrgottsfrühe, in aller frühe, in der frühe, morgens, in der früh, vormittag, vormittags, am vormittag, am morgen, des morgens", int(afternoon): "nachmittag, nachmittags, am nachmittag",
			int(Evening): "abend, abends, am abend", int(Night): "nacht, nachts, in der nacht, nach mitternacht",
		}),
		Am: lex.Set(""), Pm: lex.Set("pm"),
		noon: lex.NewPhrases("mittag, mittags, zwölf uhr mittags, zwölf mittags"), midnight: lex.NewPhrases("mitternacht, zwölf uhr nachts"),
		Past: lex.Set("nach"), Before: lex.Set("vor"), HalfTo: []string{"halb", "halber", "halba"}, Quarter: []string{"viertel"}, quarterOf: true, threeTo: []string{"dreiviertel"},
		HourWords: lex.Set("uhr"), At: lex.Set("um gegen für ab auf zu at circa"), about: lex.Set("etwa ungefähr circa ca so gegen um punkt spätestens kurz"), Within: lex.Set("in"),
		Minute: lex.Set("minute minuten min"), hour: lex.Set("stunde stunden"), dayUnit: lex.Set("tagen tage"), weekUnit: lex.Set("wochen"),
		spans: lex.PhrasesBy(map[int]string{
			30: "einer halben stunde, halbe stunde, ner halben stunde, eine halbe stunde, halben stunde", 15: "einer viertelstunde, viertelstunde, einer viertel stunde, ner viertelstunde, eine viertelstunde", 60: "einer stunde, ner stunde, eine stunde",
			90: "anderthalb stunden, eineinhalb stunden", 45: "einer dreiviertelstunde, dreiviertelstunde, ner dreiviertelstunde, eine dreiviertelstunde, einer dreiviertel stunde", 5: "ein paar minuten, paar minuten", 150: "zweieinhalb stunden",
		}),
		fractions: lex.PhrasesBy(map[int]string{
			30: "und eine halbe, und einer halben, und ne halbe, und eine halbe stunde, und einer halben stunde", 15: "und eine viertel, und eine viertelstunde, und einer viertelstunde, und ein viertel", 45: "und drei viertel, und eine dreiviertel, und eine dreiviertelstunde, und einer dreiviertelstunde",
		}),
		nextWeek: lex.NewPhrases("nächste woche, nächster woche, der nächsten woche, kommende woche, in der nächsten woche"), afterNext: lex.NewPhrases("übernächste woche, übernächster woche, in der übernächsten woche, übernächsten, übernächster, übernächste"), hence: lex.NewPhrases("ab jetzt, von jetzt an"), later: lex.NewPhrases("später, nach hinten"), earlier: lex.NewPhrases("früher, eher"),
		sameTime: lex.NewPhrases("um diese zeit, gleiche zeit, zur gleichen zeit, um dieselbe zeit, selbe zeit, zur selben zeit, um dieselbe uhrzeit, zur selben stunde, um die gleiche zeit"), skip: lex.Set("minuten minute"), lead: lex.Set("am den der dem nächsten nächster kommenden diesen dieser an für"),
	}
}
