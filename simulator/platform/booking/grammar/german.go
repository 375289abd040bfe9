package grammar

import (
	"maps"

	"github.com/cabrank/cabrank/simulator/platform/booking/spoken"
)

func german() *words {
	w := &words{
		choices: map[spoken.Choice][][]string{
			spoken.ChooseBook:       list("buchen, bestellen, bestelle, buche, brauche ein taxi, möchte ein taxi, will ein taxi, hätte gern ein taxi, ein taxi jetzt"),
			spoken.ChooseOther:      list("anderer ort, anderen ort, andere zeit, anderswo, woanders, anderer abholort, anderen abholort, andere"),
			spoken.ChooseAnother:    list("weiteres taxi, ein weiteres, noch ein taxi, noch eins, zweites taxi, neues taxi, anderes taxi"),
			spoken.ChooseCancel:     list("stornieren, storniere, storno, abbestellen, absagen, taxi stornieren, löschen"),
			spoken.ChooseKeep:       list("behalten, behalte, lassen, behalte es"),
			spoken.ChooseChange:     list("ändern, ändere, umbuchen, verändern, änderung"),
			spoken.ChooseStatus:     list("wo ist, wo bleibt, status, wie lange, wann kommt, kommt es"),
			spoken.ChoosePickup:     list("abholort, abholung, abholort ändern"),
			spoken.ChooseDropoff:    list("ziel, zielort, das ziel ändern"),
			spoken.ChooseTime:       list("zeit, uhrzeit, die zeit ändern"),
			spoken.ChooseNow:        list("jetzt, sofort, gleich, so schnell wie möglich, so bald wie möglich"),
			spoken.ChooseLater:      list("später, nicht jetzt, zu einer anderen zeit"),
			spoken.ChooseToday:      list("heute, heute abend, heute nachmittag"),
			spoken.ChooseTomorrow:   list("morgen, morgen früh, morgen abend"),
			spoken.ChooseElsewhere:  list("anderes ziel, ein anderes ziel, woandershin, woanders hin, woanders, keins davon"),
			spoken.ChooseTellDriver: list("sage es dem fahrer, dem fahrer sagen, fahrer sagen, sag ich dem fahrer"),
			spoken.ChooseSkip:       list("überspringen, ohne namen, weiter"),
			spoken.ChooseYes:        list("ja, jawohl, jo, richtig, genau, stimmt, gerne, in ordnung, okay, ok, ja bitte"),
			spoken.ChooseNo:         list("nein, nee, nö, falsch, stimmt nicht, nein danke"),
			spoken.ChooseComingNow:  list("komme jetzt, ich komme, komme gleich, bin unterwegs, bin gleich da"),
			spoken.ChooseCallDriver: list("fahrer anrufen, den fahrer anrufen, mit dem fahrer sprechen, fahrer sprechen"),
			spoken.ChoosePerson:     list("mitarbeiter, mitarbeiterin, hilfe, mensch, jemand, zentrale, vermittlung, mit jemandem sprechen, mit einem menschen sprechen"),
		},
		generic:  set("taxi taxis wagen auto"),
		repeat:   list("wiederholen, wiederhole, noch einmal, nochmal, noch mal, wie bitte, bitte wiederholen"),
		not:      set("nicht kein keine keinen niemals nie"),
		fillers:  set("bitte mein meine meinen das die der den es ein eine einen ich will möchte würde gern gerne können kannst sie mir mit für von und danke ist hallo brauche taxi wagen buchung sprechen verbinden"),
		articles: set("der die das den dem ein eine einen bitte am an im in zum zur nach von vom bei ich will möchte äh ähm nummer"),
		from:     set("von vom ab"),
		to:       set("nach zum zur"),
		names:    list("mein name ist, ich heiße, ich bin, hier ist, hier spricht"),
		numbers:  numerals("de-DE"),
		clock:    germanClock(),
	}
	for _, one := range tokens("ein eine einen einem einer") {
		w.numbers[one] = 1
	}
	w.numbers["zwo"] = 2
	also := english() // addresses may be in English
	maps.Copy(w.numbers, also.numbers)
	maps.Copy(w.articles, also.articles)
	return w
}

func germanClock() clockWords {
	return clockWords{
		now:       list("jetzt, sofort, gleich, so schnell wie möglich, so bald wie möglich"),
		days:      phrases(map[int]string{0: "heute, heute abend, heute morgen, heute nachmittag, heute nacht", 1: "morgen", 2: "übermorgen"}),
		weekdays:  tokens("sonntag montag dienstag mittwoch donnerstag freitag samstag"),
		months:    tokens("januar februar märz april mai juni juli august september oktober november dezember"),
		ordinals:  ordinals("ersten zweiten dritten vierten fünften sechsten siebten achten neunten zehnten elften zwölften dreizehnten vierzehnten fünfzehnten sechzehnten siebzehnten achtzehnten neunzehnten zwanzigsten"),
		next:      set("nächsten nächster kommenden"),
		parts:     parts("früh, morgens, vormittag, vormittags, heute morgen", "nachmittag, nachmittags", "abend, abends", "nacht, nachts"),
		noon:      list("mittag, mittags, zwölf uhr mittags"),
		midnight:  list("mitternacht"),
		past:      set("nach"),
		before:    set("vor"),
		halfTo:    []string{"halb"},
		quarter:   []string{"viertel"},
		threeTo:   []string{"dreiviertel"},
		hourWords: set("uhr"),
		at:        set("um gegen für"),
		within:    set("in"),
		minute:    set("minute minuten"),
		hour:      set("stunde stunden"),
		spans: spans(map[int]string{
			30: "einer halben stunde, halbe stunde", 15: "einer viertelstunde, viertelstunde", 60: "einer stunde",
			90: "anderthalb stunden, eineinhalb stunden", 45: "einer dreiviertelstunde",
		}),
		skip: set("minuten minute"),
	}
}
