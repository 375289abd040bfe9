package grammar

import "github.com/cabrank/cabrank/simulator/platform/booking/spoken"

func english() *words {
	w := &words{
		choices: map[spoken.Choice][][]string{
			spoken.ChooseBook: list("book, order, need a taxi, need a cab, need a car, want a taxi, get me a, call me a, send a, a taxi now"),
			spoken.ChooseOther: list("different pickup, different pick up, different time, different place, somewhere different, another place, " +
				"another time, not from there, different, other"),
			spoken.ChooseAnother:    list("another taxi, another cab, another car, another one, another, second taxi, new taxi, new booking, book another"),
			spoken.ChooseCancel:     list("cancel, call it off, cancel it, cancel my taxi, cancel my booking, cancel the taxi"),
			spoken.ChooseKeep:       list("keep, keep it, leave it, keep the taxi, keep my taxi"),
			spoken.ChooseChange:     list("change, edit, amend, alter, modify, change it, change my booking"),
			spoken.ChooseStatus:     list("where is, wheres, wheres my, wheres the, status, how long, when will, what time will, how far, is it coming, eta"),
			spoken.ChoosePickup:     list("pickup, pick up, collection, change the pickup, change the pick up, where from"),
			spoken.ChooseDropoff:    list("drop off, dropoff, destination, change the drop off, change the destination, where to"),
			spoken.ChooseTime:       list("time, the time, change the time"),
			spoken.ChooseNow:        list("now, right now, straight away, right away, as soon as possible, asap, immediately"),
			spoken.ChooseLater:      list("later, later on, not now, at another time, in advance"),
			spoken.ChooseToday:      list("today, tonight, this morning, this afternoon, this evening"),
			spoken.ChooseTomorrow:   list("tomorrow"),
			spoken.ChooseElsewhere:  list("somewhere else, elsewhere, another place, somewhere different, none of these, other"),
			spoken.ChooseTellDriver: list("tell the driver, tell driver, tell him, tell her, let the driver know, i will tell the driver"),
			spoken.ChooseSkip:       list("skip, no name, rather not, go on"),
			spoken.ChooseYes:        list("yes, yeah, yep, yup, correct, thats right, that is right, right, ok, okay, sure, go ahead, confirm, yes please"),
			spoken.ChooseNo:         list("no, nope, nah, wrong, incorrect, no thanks, no thank you"),
			spoken.ChooseComingNow:  list("coming now, im coming, i am coming, im on my way, i am on my way, coming out, tell the driver im coming"),
			spoken.ChooseCallDriver: list("call the driver, ring the driver, phone the driver, call my driver, ring my driver, call driver, " +
				"speak to the driver, talk to the driver, speak to my driver, through to the driver"),
			spoken.ChoosePerson: list("person, a person, operator, help, human, agent, somebody, someone, speak to someone, speak to somebody, " +
				"talk to someone, talk to somebody, speak to a person, talk to a person, customer service, receptionist, real person"),
		},
		generic:  set("taxi cab car minicab"),
		repeat:   list("repeat, again, say that again, pardon, what did you say, come again, sorry, what"),
		not:      set("dont not never cannot cant wont didnt doesnt isnt"),
		fillers:  set("please my the it a an i want to would like id can could you me um er uh for of booking taxi cab car and thanks thank is hello hi need just one at this that have put through"),
		articles: set("the a an at in to from please um er uh number near outside by my its it is i want go going take me would like id us of"),
		from:     set("from"),
		to:       set("to"),
		names:    list("my name is, the name is, name is, it is, its, this is, i am, im"),
		numbers:  numerals("en-GB"),
		clock:    englishClock(),
	}
	w.numbers["oh"], w.numbers["o"], w.numbers["nought"], w.numbers["fourty"] = 0, 0, 0, 40 //nolint:misspell // as people write it
	return w
}

func englishClock() clockWords {
	return clockWords{
		now:       list("now, right now, straight away, right away, as soon as possible, asap, immediately"),
		days:      phrases(map[int]string{0: "today, tonight, this morning, this afternoon, this evening", 1: "tomorrow", 2: "day after tomorrow, the day after tomorrow"}),
		weekdays:  []string{"sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"},
		months:    tokens("january february march april may june july august september october november december"),
		of:        set("of st nd rd th"),
		ordinals:  ordinals("first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"),
		next:      set("next"),
		parts:     parts("morning", "afternoon", "evening, tonight", "night"),
		am:        set("am"),
		pm:        set("pm"),
		noon:      list("noon, midday, twelve noon"),
		midnight:  list("midnight, twelve midnight"),
		past:      set("past after"),
		before:    set("to before"),
		half:      []string{"half"},
		quarter:   []string{"quarter"},
		hourWords: set("oclock"),
		at:        set("at for about around"),
		within:    set("in"),
		minute:    set("minute minutes min mins"),
		hour:      set("hour hours hr hrs"),
		spans: spans(map[int]string{
			30: "half an hour", 15: "a quarter of an hour, quarter of an hour", 60: "an hour, one hour", 90: "an hour and a half, one and a half hours",
			1: "a minute",
		}),
		skip: set("the minutes minute a"),
	}
}
