package grammar

import "maps"

// english is what people say in English.
func english() *language {
	l := &language{tag: "en", phrases: map[string][]phrase{}, known: map[string]bool{}, kind: kindsOfPlace, numbers: numerals("en-GB")}
	//nolint:misspell // as people write it
	maps.Copy(l.numbers, map[string]int{"oh": 0, "o": 0, "nought": 0, "fourty": 40})
	l.glue = set("the of and n an a at by in number")
	l.clock = englishClock()
	l.people = peopleWords{
		nouns:  set("people persons person passengers passenger pax folk folks seats"),
		pairs:  set("adults adult children child kids kid"),
		party:  list("party of, group of, there are, theres, there is, there will be, therell be, well be, we are, make it for"),
		alone:  list("just the one person, just the one, just one person, only one person, one person, just one of us, just the one of us, just me, only me, on my own, just myself, by myself"),
		mostly: list("of us, of them, of you, for us"),
	}
	l.people.party = list("party of, group of, we are, were, there are, theres, therell be, there will be, itll be, itll just be")
	l.names = nameWords{
		leads: list("my name is, my names, the name is, the names, name is, names, name of, the name of, under the name, in the name of, under the name of, put it under, its under, call me, just call me"),
		asked: list("its, it is, its just, this is, i am, im, er, erm, um, uh, oh, yes, yeah, well, hello, hi, just, put, put me down as, put down, under, for, that will be, thatll be, make it, say, ok, okay, sure, yes its, call me"),
		loose: list("its for, it is for, for"),
		ends:  set("please thanks thank you ta cheers mate love"),
	}
	englishSmallTalk(l)
	englishTrips(l)
	englishWishes(l)
	englishFormal(l)
	return l.seal()
}

// englishSmallTalk is what adds nothing, agrees or corrects.
func englishSmallTalk(l *language) {
	l.first(sense{class: filler}, "good morning, good afternoon, good evening, good day, good night, now its right, now thats right, thats right now, now thats it, "+
		"not till, not until, not before, not for, no problem, no worries, no bother, no need to rush, no rush, no hurry, not yet, not yet but, why not, not bad, not too bad, "+
		"if possible, if you can, if you could, if you would, if you dont mind, if its possible, if thats alright, if thats all right, if thats ok, if thats okay, if i may, if poss, if you please, "+
		"can you hear me, can you hear me okay, can you hear me ok, are you there, is anybody there, anyone there, are you a robot, am i talking to a robot, is that the taxis, is that the taxi, is this the taxi firm, is that the taxi firm, is this the taxis, "+
		"what do you call it, whats it called, what is it called, you know, as always, as ever, thanks to you, at all, this one, that one, first of all, to be honest, at the minute, for visiting, so that, the thing is, "+
		"in case, by the way, on time, in time, in a hurry, in a rush, of course not a problem, do you take dogs, i tell you what, how are you, how are you doing, hows it going, how do you do, from now on, so there you go, you know what, whats the name, whats its name, "+
		"how lovely, how nice, or so, or thereabouts, give or take")
	l.first(sense{class: agrees}, "i think so, i should think so, that will be all right, that will be fine")
	l.first(sense{class: corrects}, "i tell a lie, no i tell a lie, scrap that, no scrap that, scratch that, no scratch that, strike that, no sorry, sorry no, no wait, wait no, no hold on, no hang on, hold on no, hang on no, hang on, hold on, "+
		"no hold on a minute, no actually, actually no, i mean, i meant, i should say, or rather, oh wait, no no, no i mean, no i meant, sorry i mean, sorry i meant, my mistake, i got that wrong, i got it wrong, thats wrong, thats not right, that is wrong, thats not it, "+
		"let me start again, correction, no make it, no make that, change of plan, change of plans, on second thoughts, on second thought, what am i saying, no its, no it is, no im")
	l.add(sense{class: corrects}, "actually, instead, rather, make that, make it, sorry, oops, whoops, wait, wait a minute, wait a second, no longer, better make it, lets make it, lets say, change it to, change that to, change to, should be, should have been, its now, mistake, wrong")
	l.first(sense{class: wishes, act: ActWait}, "one moment, one second, one sec, just a moment, just a second, just a sec, just a minute, give me a second, give me a minute, give me a moment, hold on a second, hold on a minute, hold on a moment, hold on a sec, hang on a second, hang on a minute, hang on a sec, hang on a moment, wait a moment, let me think, let me check, bear with me, two seconds, two secs")
	l.add(sense{class: refuses}, "no, nope, nah, neither, none, no thanks, no thank you, incorrect, not quite, no way")
	l.add(sense{class: negates}, "not, dont, do not, never, cannot, cant, wont, didnt, doesnt, isnt, arent, wasnt, aint, nor, without, instead of, rather than, and not, rather not, other than, no more, anything but, not going, im not going, im not, i am not, not at, im not at, wouldnt, shouldnt, couldnt, werent, nothing")
	l.add(sense{class: doubts}, "but, perhaps, maybe, might, unless, except, if, though, although, however, hmm, depends, unsure, only if, wondering, another thing, also, as well, possibly, guess, suppose, hopefully, more")
	l.add(sense{class: agrees}, "yes, yeah, yep, yup, yea, yah, aye, ay, ya, yessir, ok, okay, okey, okay then, sure, sure thing, correct, thats correct, thats right, that is right, that is correct, right, alright, all right, "+
		"thats all fine, thats all right, thats all good, thats all great, thats all lovely, thats it, thats the one, thats the place, thats the plan, thats us, thats me, thats all correct, thats all right, thats all good, thats good, thats fine, that is fine, thats perfect, thats great, thats lovely, thats grand, thats sound, thats spot on, thats ok, thats okay, thats alright, "+
		"go ahead, go for it, go on, go on then, please do, do it, do that, lets do it, lets do that, book it, book that, please book it, go ahead and book it, book that one, book it please, book it in, order it, send it, send one, confirm, confirmed, i confirm, "+
		"absolutely, definitely, certainly, indeed, of course, exactly, precisely, perfect, spot on, sounds good, sounds great, sounds right, sounds fine, sounds perfect, fine, thatll do, that will do, thatll be fine, thatll be great, works for me, that works, good, great, lovely, brilliant, super, excellent, fantastic, wonderful, "+
		"affirmative, roger, roger that, positive, you got it, youve got it, you got that right, thats what i said, thats what i want, all correct, all good, all right then, happy with that, im happy with that, by all means, uh huh, mm hmm, mhm, mmhmm, very good, very well, quite right, too right, right you are, nice one, sweet, sound, "+
		"thats grand, grand, champion, smashing, ace, cool, deal, done, bingo, bang on, totally, righto, right oh, ta yes, fab, fabulous, si, oui, great stuff, agreed, i agree, accept, i accept, happy days, thats better, better, much better, that is better, yes it is, it is, it does, so it is")
	l.add(sense{class: filler}, "um, er, erm, uh, eh, ah, ooh, oh, ha, haha, hm, mm, well, so, like, right so, anyway, anyways, hello, hi, hiya, hey, hallo, ello, alright mate, afternoon, "+
		"thank you, thanks, thank you very much, thanks very much, thanks a lot, many thanks, thank you so much, much appreciated, cheers, ta, ta very much, thankyou, bless you, bless, kindly, pretty please, "+
		"mate, love, dear, darling, pet, duck, hen, petal, sweetheart, sweetie, honey, hun, babe, pal, buddy, bud, sir, madam, miss, boss, chief, lad, lass, son, bro, brother, sister, friend, my friend, chap, fella, guv, gov, squire, flower, chuck, robot, captain, man, guys, everyone, chick, sunshine, cock, youth, "+
		"i, me, my, mine, myself, we, us, our, you, your, yours, he, him, his, she, her, they, them, their, it, its, itself, this, that, these, those, thats, here, there, theres, everybody, someone elses, one, ones, "+
		"the, a, an, some, any, and, as, is, am, are, was, be, been, being, were, im, ive, id, ill, youre, youve, youd, youll, hes, shes, weve, wed, well, theyre, thatll, itll, itd, it will, whos, "+
		"do, does, did, have, has, had, having, got, get, getting, gets, can, could, would, will, shall, should, may, must, let, lets, want, wanted, wants, wanting, wanna, need, needed, needs, needing, like, liked, love, loved, wish, hope, hoping, wonder, try, trying, "+
		"please, please can i, just, very, quite, too, then, now then, still, even, maybe just, all, both, such, kind, kindly, nice, quick, quickly, quicker, fast, hurry, hurry up, soon, ready, ready now, possible, possibly can, "+
		"taxis, ride, lift, vehicle, driver, drive, trip, journey, fare for, run, booking for, pick, picked, collected, send, sent, come, coming, comes, came, go, goes, gone, went, goin, take, taking, taken, takes, bring, bringing, drop, dropped, dropping, head, heading, headed, travel, travelling, leave, arrive, arriving, stay, live, lives, be get, "+
		"for, of, with, by, in, out, up, down, over, around, on, off, so that, again please, back, back again, home then, together, straight, direct, directly, straight there, way, on my way there, it please, "+
		"sounds, jubbly, ever, ever so, ever so much, nicely, maam, stuff, flights, flight is, lunch, lunchtime, cabs, yet, reckon, husbands, wifes, mums, dads, free, whatsoever, whichever, thing, about, moment, make, made, time, times, because, cause, cos, where, when, after, before, two of us, turned, turned up, loads, afraid, sorry to bother, little, big, thing is, remember, forgot, forgotten, leaves, landed, landing, ago, end, side door, bit, lot, lots, place, area, spot, side, entrance, main, front, door, car park, gate, building, main entrance, inside, behind, next, beside, round, corner, "+
		"name, number, address, ok then, today please, so please, think, thought, know, see, say, says, said, saying, tell, told, hear, heard, mean, call, calling, ring, ringing, phone, phoning, speak, speaking, talk, "+
		"wife, husband, mum, mother, dad, father, daughter, son, kids, family, friend, friends, mates, lads, girls, everyone, luggage, bags, suitcases, cases, shopping, dog, pram, appointment, train, flight, plane, "+
		"soon as, much, always, usually, normally, lucky, honest, honestly, luckily, frankly, basically, obviously, literally, no doubt, proper, whatever, time please, time for, who, which, much obliged, obliged, go go, go go go, that one please, too please, that time, that place, afterwards, myself please, appreciated, help me get, could i, may i, can i, can you, could you, would you, will you, "+
		"sort, sorted, set, all set, job, jobs, lovely job, good job, nice job, good man, good lad, star, youre a star, legend, angel, life saver, lifesaver, treat, magic, marvellous, terrific, splendid, beautiful, wicked, mint, belting, cracking, class, top, tops, banging, decent, blinding, bostin, gorgeous, ideal, magnificent, delightful, amazing, awesome, delighted, pleased, happy, glad, "+
		"way to go, as well then, i am wait for me, weather, raining, rain, cold, wet, tired, late, running late, early, day, tonight then, nice day, have a nice day, have a good day, god, oh my god, bloody, bloody hell, damn, heck, hell, jesus, christ, blimey, crikey, gosh, sod it, bugger, shit, fuck, fucking, flipping, "+
		"plan, new plan, new, that is, thats me then, that time please, person please not")
	l.add(sense{class: wishes, act: ActBye}, "bye, bye bye, goodbye, good bye, see you, see ya, cheerio, ta ra, tara, so long, bye now, bye then, thats all, that is all, thats all thanks, that will be all, thatll be all, thats everything, nothing else, thats all i needed, thats all i wanted, thats all i need, all i needed, all i wanted to know, no thats all, thats me done, have a good one, nothing more, im done, im good thanks, im fine thanks")
}

// englishTrips is what leads to places.
func englishTrips(l *language) {
	l.add(sense{class: from}, "from, leaving, leaving from, starting at, starting from, start from, start at, departing, departing from, out of, come out of, ive come out of, just come out of, coming from, leave from, setting off from, away from, so from, pickup is, pick up is, pickup from, pick up from, pickup at, pick up at, collection from, collection at, coming out of")
	l.add(sense{class: to}, "to, towards, till, until, into, onto, for to")
	l.add(sense{class: goes}, "be at, to be at, be at the, be there at, to get to, get to, going to, go to, goin to, go into, going into, going down to, going up to, going over to, go down to, go over to, head to, heading to, heading for, headed to, headed for, off to, back to, over to, down to, up to, on to, take me to, takes me to, take us to, take him to, take her to, take them to, take me, take us, get me to, get us to, taking to, bring me to, bring us to, drop me at, drop us at, drop me off at, drop us off at, dropping me at, drop her at, drop him at, "+
		"drop off at, dropping off at, travel to, travelling to, want to get to, drive me to, run me to, run us to, destination is, the destination is, im going to, on my way to, off at, go home to, and on to, to go to, to be taken to, be dropped at, be dropped off at, heading over to, get over to, fetch me to, need the, want the, wants the, get back to, goes to, transport to, lift to, ride to, send me to, going")
	l.add(sense{class: via}, "via, by way of, stopping at, stop at, stopping off at, stop off at, calling at, with a stop at, with a stop off at, through, stopping by, go past, going via, past the")
	l.add(sense{class: at}, "at, at the, outside, outside of, by the, near, near to, next to, in front of, opposite, from outside, in the, over at, round at, down at, up at, here at, from here at")
	l.add(sense{class: stands}, "im at, i am at, were at, we are at, hes at, shes at, theyre at, he is at, she is at, im in, im outside, im by, were in, were outside, i am in, i am outside, im stood, im standing, im waiting, im sat, standing, stood, waiting, staying, im staying, were staying, im stuck, im stuck at, im here at, im over at, im down at, based at, meet me, meet us, waiting at, standing at, staying at, stood at, ill be at, well be at, ill be outside, shell be at, hell be at, there at, im near, were near, im just at, im currently at, this is, i work at, i live at, im on, im still at, finished at, be finished at, phoning from, calling from, ringing from")
	l.add(sense{class: collects}, "pick me up, pick us up, pick her up, pick him up, pick them up, picking up, picking me up, picking us up, pick up, pickup, picked up, be picked up, collect me, collect us, collect him, collect her, collect them, collection, collecting, collect my, collect, fetch me, fetch us, fetch, get me, get us, pickup point, pick up point, the pickup, the pick up, my pickup, the collection, get picked up, taking from, need taking, come and get me, come get me, come and get us, pick my mum up, pick my dad up, come for me")
	l.add(sense{class: drops}, "drop off, dropoff, the drop off, the dropoff, destination, the destination, my destination, drop me, drop us, dropping off, where its going, where were going, where im going")
	l.add(sense{class: then}, "and then, then on to, then onto, and then on to, after that, and after that, and afterwards")
	l.add(sense{class: either}, "or")
	l.add(sense{class: usual}, "usual place, my usual, the usual, from my usual, usual, as usual, same as usual, same as always, usual spot, my usual place, the usual place, same place as always, the normal place, my normal place, same place as usual, where i always am, where you always pick me up, same as last time, usual pickup, my usual pickup, where i normally get picked up, where i usually get picked up, where you usually get me, where i normally am, where i usually am, normal pickup, the same as always")
	l.first(sense{class: swaps}, "the other way round, other way round, the other way around, other way around, other way about, the wrong way round, wrong way round, back to front, vice versa, the wrong way around, the opposite way, in reverse, swap them, swap them round, the reverse")
	for category, names := range map[string]string{
		"MPV":        "large car, big car, bigger car, larger car, people carrier, mpv, minibus, mini bus, seven seater, six seater, eight seater, large taxi, big taxi, van",
		"ESTATE":     "estate, estate car, station wagon",
		"WHEELCHAIR": "wheelchair, wheelchair taxi, wheelchair accessible, wheelchair accessible taxi, wheelchair car",
		"EXECUTIVE":  "executive, executive car, limousine, limo",
	} {
		l.first(sense{class: kinds, category: category}, names)
	}
}

// englishWishes is what callers want and ask.
func englishWishes(l *language) {
	wish := func(a Act, text string) { l.add(sense{class: wishes, act: a}, text) }
	early := func(a Act, text string) { l.first(sense{class: wishes, act: a}, text) }
	wish(ActBook, "taxi, cab, car, minicab, book, order, booking, ordering, reserve, book a taxi, book a cab, need a taxi, need a cab, make a booking, to book, a taxi")
	early(ActBook, "one taxi, one cab, one car, one please, a taxi for, a cab for, a lift, need a ride, need picking up, need a lift, a ride, just a taxi, just a cab")
	early(ActAnother, "another taxi, another cab, another car, another one, another booking, second taxi, second cab, second car, second booking, new taxi, new cab, new booking, new one, an extra one, extra taxi, additional taxi, one more taxi, book another, extra one, as well as the one, as well as the one ive got, on top of that, a separate taxi, a further taxi")
	wish(ActAnother, "another")
	early(ActCancel, "cancel, cancel it, cancelling, cancelled, canceling, call it off, call off, wont be needing, wont need, dont need it any more, dont need the taxi any more, dont need it anymore, no longer need, dont want it any more, wont be needing it, not be needing, get rid of, dont need that taxi, dont need that car, wont be needing that car, wont be needing that taxi, dont need it now, dont send it, scrap it, scrap the taxi, scrap the booking, scrap my booking, stop the taxi, dont need my taxi, dont want my taxi, dont need collecting")
	early(ActKeep, "keep, keep it, leave it as it is, leave it as is, leave as it is, leave everything as it is, leave it alone, leave it how it is, leave it booked, dont cancel, do not cancel, dont cancel it, stay as it is, keep the taxi, keep my taxi, keep the booking, keep my booking, as it was, keep it as it is, still want it, still need it, leave the booking, keep that")
	wish(ActChange, "change, change it, changed, changing, edit, amend, alter, modify, move, move it, moved, switch, switch it, update, put it back, bring it forward, push it back, adjust, make a change, reschedule, rebook, rearrange, postpone, shift, swap, delay, changes, different pickup, different time, different place, somewhere different, another time, a change")
	wish(ActPerson, "a person, person")
	early(ActPerson, "operator, human, human being, a human, real person, actual person, agent, receptionist, customer service, manager, the manager, supervisor, speak to someone, speak to somebody, talk to someone, talk to somebody, speak with someone, speak with somebody, talk with somebody, talk with someone, somebody in, put me through, put us through, complaint, complain, complaining, make a complaint, lost property, left my, ive left, i left, lost my, somebody real, someone real, somebody else, speak to a person, talk to a person, speak to a human, talk to a human, your boss, the boss, your office, the office, dispatcher, controller, connect me, somebody help me, someone help me, can somebody help, can someone help, speak to the manager, speak to staff, member of staff, staff member, live person, transfer me, through to somebody, through to someone, a real human, lost something, police, an emergency, is an emergency, ambulance please")
	wish(ActHelp, "help, somebody, someone")
	wish(ActComingNow, "coming now, im coming, i am coming, im coming now, i am coming now, im on my way, i am on my way, coming out, im coming out, tell the driver im coming, tell him im coming, tell her im coming, just coming, be right out, ill be right out, ill be out in a minute, on my way out, coming down, im coming down")
	wish(ActCallDriver, "call the driver, ring the driver, phone the driver, call my driver, ring my driver, phone my driver, call driver, speak to the driver, talk to the driver, speak to my driver, talk to my driver, through to the driver, call him, ring him, call her, ring her, contact the driver, contact my driver, get hold of the driver, speak with the driver")
	early(ActRepeat, "repeat, repeat that, say that again, say it again, pardon, pardon me, what did you say, come again, what was that, sorry what, once more please, read it back, read that back, say again, one more time, didnt catch that, i didnt catch that, didnt hear that, i didnt hear you, i didnt hear that, what were you saying, can you repeat that, read it again, read it to me again, didnt get that, i missed that, missed that, a bit slower")
	wish(ActRepeat, "again, what, eh what, sorry again")
	early(ActNothing, "never mind, nevermind, forget it, forget about it, forget that, dont bother, dont worry, dont worry about it, wont bother, i wont bother, not bother, leave it, leave it then, just leave it, no leave it, i dont need one, dont need one, dont need a taxi, dont need a cab, dont want a taxi, dont want one, dont want a cab, no taxi, no taxi thanks, no taxi thank you, dont want it, dont need it, i dont need it, i dont want it, dont book it, do not book it, dont book, do not book, dont book anything, dont send anything, "+
		"not booking, im not booking, just wanted to know, only wanted to know, i only wanted, i just wanted the price, only asking, im only asking, just asking, i was just asking, just enquiring, just checking, just a question, only wanted the price, just wanted the price, just wanted a price, just the price, just wondering, wrong number, the wrong number, got the wrong number, ive got the wrong number, no need, dont need anything, changed my mind, ive changed my mind, ill walk, ill walk then, ill get the bus, ill take the bus, ill drive, got a lift, forget the taxi, not any more, "+
		"no longer want one, no longer want it, no thanks ill walk, ill leave it, ill think about it, ill call back, ill ring back, call you back, ring you back, not now thanks, nothing thanks, nothing thank you, give up, i give up, hang up, wont need one, wont be needing one, wont be needing a taxi, ill ring later, ill call later, ill ask someone else, ill try someone else, not interested, no good then")
	wish(ActStatus, "status, the status, whats the status, what is the status, news, any news, update me")
	early(ActTellDriver, "tell the driver, ill tell the driver, i will tell the driver, tell driver, let the driver know, ill tell him, ill tell her, ill explain to the driver, ill show the driver, the driver will know, tell him when, ill direct the driver, ill direct him")
	early(ActSkip, "skip, no name, id rather not, i would rather not, rather not say, no need for a name, without a name, prefer not to, prefer not to say, none of your business, doesnt matter, does it matter, why do you need my name, not saying")
	early(ActLater, "not now, not right now, in advance, not straight away, not until later, for another time")
	wish(ActLater, "later, later on, for later")
	early(ActOther, "the other one, other one, the second one, the other, neither of them, none of those, none of these")
	wish(ActTime, "the time, change the time, when please")
	l.first(sense{class: filler}, "its down for nine, booked for, it was booked for, is booked for, its booked for, it was for, was booked for, i booked for, ive booked for, i booked, ive booked, the one i booked, already booked, already got, that i booked, same pickup, same place, same time, same drop off, everything else the same, same day, the rest is the same, rest the same, the rest stays the same")
	ask := func(q Question, text string) { l.first(sense{class: asks, question: q}, text) }
	ask(AsksFare, "how much, how much is it, how much is that, how much will it be, how much would it be, how much is that going to be, how much will that be, how much does it cost, what does it cost, what will it cost, what would it cost, what would it be, what does that cost, what will that cost, what do you charge, price, the price, cost, the cost, fare, the fare, whats the fare, whats the price, what is the fare, whats the damage, how expensive, what are we talking price wise, give me a price, quote, a quote, how many pounds, whats it going to cost, whats that going to cost me")
	ask(AsksETA, "how long, how long will it be, how long will it take, how long would it take, how long till, how long until, how long is it, how long does it take, how long is the wait, whats the wait, waiting time, when will it be here, when will he be here, when will it come, when will it arrive, what time will it arrive, what time will it be here, when will you be here, when can you get here, when is it coming, whens it coming, when does it arrive, how soon, how many minutes, how far away, how far off, how far is it, is it coming, is he coming, is he nearly here, is it nearly here, eta, is it on its way, is my taxi coming, will it be long, will he be long, much longer, whats happening with my taxi, is it late, whens my taxi coming, when is my taxi coming, how quick, how quickly, when will my taxi, where has it got to, how much longer, how long do i have to wait, when my taxi, when the taxi, when its coming, when hes coming, when it will be here, when itll be here, when it comes, when it arrives, when will it, when will he, has my taxi left, has it left, has he left, is it on the way, is my taxi on its way, whens it, what time will it get here, what time will he get here, what time does it get here, what time is it coming, when should i expect, how many more minutes, is my taxi nearly here, is my cab nearly here, is he on his way, where abouts is it, whats the eta")
	ask(AsksWhere, "where is it, wheres it, where is my taxi, wheres my taxi, where is the taxi, wheres the taxi, where is my driver, wheres my driver, where is the driver, wheres the driver, where is he, wheres he, where is she, wheres my cab, where is my cab, where is my car, wheres my car, where is the car, wheres the car, where is the cab, wheres the cab, wheres, where are you, anywhere near me, anywhere near, where has he got to, is he near, where have you got to, where are they, where is")
	ask(AsksCar, "what car, which car, what kind of car, what sort of car, what type of car, what colour, what color, what colour is it, what make, what model, what am i looking for, what am i looking out for, what car am i looking out for, registration, the registration, reg, the reg, number plate, the number plate, licence plate, license plate, plate, what does it look like, what vehicle, which vehicle, what will it look like, which one is it, is it a white one, a white one, what taxi is it, how will i know it, how will i recognise it, what should i look for")
	ask(AsksDriver, "whos the driver, who is the driver, whos my driver, who is my driver, drivers name, the drivers name, whats the driver called, name of the driver, who is driving, whos driving, whos coming, who is coming, badge number")
	ask(AsksTime, "what time is it booked, what time is my taxi, what time is it booked for, what time did i say, what time did i book, what time is the taxi, when is my taxi, when is it booked for, whens my taxi, what time have i, what time have i got, when did i book, what time was it, when is the taxi, whens the taxi, what time is it, what time am i, what time are you, what time is my booking, when is my booking, what time, when am i being picked up, when are you picking me up, when is the pickup, when is it, when did i say, when is it for, what day is it for, what day")
	ask(AsksBooking, "what i booked, what have i booked, what did i book, what ive booked, my booking details, tell me my booking, read it out, read it out to me, read me my booking, read my booking, what have you got me down for, what have you got for me, have you got my booking, check my booking, details of my booking, remind me, what bookings have i got, do i have a booking, have i got a booking, have i got a taxi booked, is my taxi booked, whats my booking, what is my booking, what taxi have i, check a booking, confirm my booking, what have i got booked, where am i going, where is it picking me up, hear my booking, booking details, is it booked, did you get my booking, check the booking, have you got me booked")
	ask(AsksJob, "job number, booking number, reference number, the reference, reference, booking reference, my reference")
	ask(AsksOther, "do you take cards, do you take card, can i pay by card, can i pay with card, do you take cash, do you have, have you got a, do you do, are you open, which way, who are you, are you sure, is that right, is that all right, really, why, whats, what is, what are, who is, who are, what about, how do, how does, how come, could you take card, do i pay, how can i pay")
}

func englishClock() clockWords {
	return clockWords{
		now: list("right now, now now, straight away, straightaway, right away, as soon as possible, as soon as you can, as soon as, asap, immediately, at once, quick as you can, as quick as you can, as quickly as you can, as quickly as possible, as fast as you can, soon as you can, soon as possible, soon as, this minute, this instant, this second, whenever youre ready, " +
			"now if poss, now please, straight off, first available, as soon as youve got one, as soon as theres one free, as soon as one is free, as soon as you like, as soon as youve one, as soon as it can, as soon as they can, as soon as there is one, next available, the next available, soonest, as soon as theres one, whenever you can, next one you have, next one youve got, whenever, whenever youve got one, whenever youve got one free, whenever you have one, whenever youve got something, whenever one is free, whenever ones free, quick as possible, for now, now ideally, like now, come now, pronto, right this minute, any time now, anytime now, the sooner the better, without delay, im ready now, ready now, now i think, at the moment please"),
		weak:     list("now"),
		days:     phrasesBy(map[int]string{0: "today, this morning, this afternoon, this evening, tonight, tonights, todays, this very evening, later tonight, this lunchtime", 1: "tomorrow, tomorrow morning, tomorrow afternoon, tomorrow evening, tomorrow night, tomorrows, tomoz", 2: "day after tomorrow", 7: "a week today, week today, in a week, in a weeks time, a week from today, this day next week", 8: "a week tomorrow, week tomorrow, tomorrow week", 14: "in a fortnight, a fortnight today, two weeks today"}),
		dayParts: map[string]part{"this morning ": morning, "this afternoon ": afternoon, "this evening ": evening, "tonight ": night, "tonights ": night, "later tonight ": night, "this very evening ": evening, "tomorrow morning ": morning, "tomorrow afternoon ": afternoon, "tomorrow evening ": evening, "tomorrow night ": night},
		gone:     list("yesterday, yesterdays, yesterday morning, yesterday afternoon, yesterday evening, last night, last week, the day before yesterday, an hour ago, last monday, last tuesday, last wednesday, last thursday, last friday, last saturday, last sunday, a week ago, ten minutes ago, half an hour ago"),
		weekdays: tokens("sunday monday tuesday wednesday thursday friday saturday"),
		months:   tokens("january february march april may june july august september october november december"),
		of:       set("of st nd rd th the"),
		ordinals: ordinals("first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"),
		week:     list("week"),
		parts: map[part][][]string{
			morning: list("morning, in the morning, of the morning, mornings"), afternoon: list("afternoon, in the afternoon"), evening: list("evening, in the evening"),
			night: list("night, at night, tonight"),
		},
		am: set("am"), pm: set("pm"),
		noon: list("noon, midday, twelve noon, twelve midday, mid day"), midnight: list("midnight, twelve midnight, mid night"),
		past: set("past after gone"), before: set("to before til till of"), half: []string{"half"}, quarter: []string{"quarter"},
		hourWords: set("oclock ish sharp"), at: set("at for by around from"), about: set("about around roughly approximately say like exactly bang just on after shortly sometime"), within: set("in within"),
		minute: set("minute minutes min mins"), hour: set("hour hours hr hrs"), dayUnit: set("days"), weekUnit: set("weeks"),
		spans: phrasesBy(map[int]string{
			30: "half an hour, half hour, a half hour, halfanhour, half a hour, another half an hour, another half hour", 15: "a quarter of an hour, quarter of an hour, quarter hour", 45: "three quarters of an hour, three quarter of an hour", 60: "an hour, one hour, a hour, an hours, one hours, another hour", 90: "an hour and a half, one and a half hours, hour and a half",
			1: "a minute", 5: "a few minutes, few minutes, five minutes or so, a couple of minutes, a bit", 120: "a couple of hours, couple of hours", 75: "an hour and a quarter, hour and a quarter", 150: "two and a half hours", 20: "twenty minutes or so",
		}),
		andHalf: list("and a half"), hence: list("from now, time, in time, or so, ish, from today, s time"), later: list("later, later on, later please, after that, later than that"), earlier: list("earlier, sooner, before that, earlier please"),
		sameTime: list("this time, same time, the same time, about this time, same hour, the same hour, at the same hour, at the same time"), skip: set("the minutes minute mins a"), lead: set("the on this next coming of for"),
	}
}
