package grammar

// asking is how people ask something: a word that begins the question, and one that
// says what it is about, with little in between.
type asking struct {
	leads, about map[string]bool
	question     Question
	first        bool // the question begins what is said
}

// farthestAbout is how many words behind the first one the subject of a question stands, and
// farthestFare those of a question what a trip costs.
const (
	farthestAbout = 7
	farthestFare  = 14
)

func englishAskings() []asking {
	subject := "taxi cab car driver ride lift he she it they you bloke guy fella wheels minicab motor"
	return []asking{
		{leads: set("how"), about: set("long longs soon quick quickly fast minutes mins min late close near far"), question: AsksETA},
		{leads: set("how"), about: set("much dear expensive pricey pounds quid steep"), question: AsksFare},
		{leads: set("what whats"), about: set("cost costs costing price prices fare fares charge charges damage rate pay owe pounds quid"), question: AsksFare},
		{leads: set("what whats"), about: set("eta wait holdup delay"), question: AsksETA},
		{leads: set("what whats which"), about: set("colour colours color colors reg registration plate plates make model vehicle"), question: AsksCar},
		{leads: set("when whens"), about: set("booked book booking for collected picked"), question: AsksTime},
		{leads: set("when whens"), about: set("arrive arrives arriving turn turning due " + subject), question: AsksETA},
		{leads: set("where wheres whereabouts"), about: set("taxi cab car driver ride lift he she they bloke guy fella"), question: AsksWhere},
		{leads: set("what whatve"), about: set("down booked"), question: AsksBooking},
		{leads: set("read tell hear check"), about: set("booking bookings"), question: AsksBooking},
		{leads: set("any"), about: set("sign news word update"), question: AsksETA},
		{leads: set("who whos"), about: set("driver driving coming picking"), question: AsksDriver},
		{leads: set("is has will hes hows"), about: set("coming left nearby outside long close arrived late nearly due lost forgotten miles"), question: AsksETA, first: true},
	}
}

func germanAskings() []asking {
	return []asking{
		{leads: set("wie wieviel wieviele"), about: set("lang lange langs minuten min schnell bald weit"), question: AsksETA},
		{leads: set("wie wieviel"), about: set("teuer kostet kosten kost kostets euro geld zahl zahle zahlen macht preis"), question: AsksFare},
		{leads: set("was"), about: set("nehmt nehmts nimmst nehmen preislich kost koste kostet kosten kostets zahl zahle zahlen macht preis schulde"), question: AsksFare},
		{leads: set("wann"), about: set("bestellt gebucht vorbestellt abgeholt geholt"), question: AsksTime},
		{leads: set("wann"), about: set("kommt kommts kommen kommst da hier ankunft taxi wagen fahrer auto er ihr"), question: AsksETA},
		{leads: set("wo"), about: set("taxi wagen fahrer auto er karre kutsche droschke bleibts bleibt"), question: AsksWhere},
		{leads: set("welche welches welcher welchen"), about: set("auto wagen farbe kennzeichen fahrzeug"), question: AsksCar},
		{leads: set("was"), about: set("gebucht bestellt notiert eingetragen reserviert"), question: AsksBooking},
		{leads: set("lesen lies lesens vorlesen sagen sag"), about: set("buchung bestellung"), question: AsksBooking},
		{leads: set("sieht seht"), about: set("taxi wagen auto"), question: AsksETA},
		{leads: set("wer"), about: set("fahrer fahrt kommt holt"), question: AsksDriver},
		{leads: set("dauert dauerts braucht"), about: set("lange lang noch ewig"), question: AsksETA, first: true},
		{leads: set("ist kommt kommen seid sind"), about: set("unterwegs losgefahren bald gleich noch schon endlich"), question: AsksETA, first: true},
	}
}

// questionsIn takes questions that no phrase says as a whole.
func (h *hearing) questionsIn() {
	for i := range h.left {
		for _, a := range h.askings {
			if !a.leads[h.left[i]] || a.first && (!h.begins(i) || i > 0 && stated[h.said[i-1]]) {
				continue
			}
			if to := h.askedAbout(a, i); to > 0 {
				h.take(item{from: i, to: to, kind: itemWords, sense: sense{class: asks, question: a.question}})
				break
			}
		}
	}
}

// stated are subjects behind which a verb asks nothing: "it is from Coopers Close".
var stated = set("it that this")

// askedAbout is where the word ends that says what a question is about; 0: it is another one.
func (h *hearing) askedAbout(a asking, i int) int {
	most := farthestAbout
	if a.question == AsksFare { // what a taxi from the station to the airport costs
		most = farthestFare
	}
	for k := i + 1; k < len(h.left) && k <= i+most && h.left[k] != ""; k++ {
		if a.about[h.left[k]] {
			return k + 1
		}
	}
	return 0
}

// begins reports whether nothing but words that add nothing stands before a word.
func (h *hearing) begins(i int) bool {
	for k := range i {
		if !h.minor(h.said[k]) {
			return false
		}
	}
	return true
}
