package grammar

import (
	"strings"

	"github.com/cabrank/cabrank/simulator/platform/booking/grammar/lex"
)

// The lists of this file are by what the words do, so that a sentence is understood that
// nobody has written down: "that's <evaluation>", "<act> it <particle>", "as I <told> you".

// englishLexicon is what people say beside a trip, by kind of word.
func englishLexicon(l *language) {
	l.add(sense{class: agrees}, englishPraise)
	for _, list := range []string{englishStates, englishOaths, englishAddress, englishVerbs, englishAdverbs, englishDaily} {
		l.add(sense{class: filler}, list)
	}
	l.things = lex.Set(strings.ReplaceAll(englishThings, ",", ""))
	l.daily = lex.Set(strings.ReplaceAll(englishDaily, ",", ""))
	l.add(sense{class: filler}, englishThings)
	englishGoAhead(l)
	englishRestated(l)
	englishCalledOff(l)
}

const (
	// englishPraise is how people call what they agree to.
	englishPraise = "nailed it, you nailed it, crack on, correctly, accurately, rightly, perfectly, properly, my approval, my consent, my confirmation, my blessing, my assent, my agreement, my permission, accords, accords with, accords with my wishes, corresponds, corresponds with, matches, matches what i, tallies, in accordance with my wishes, conforms, all good in the hood, good in the hood, sound as a pound, spot on that, on the money, on the nose, bob on, bang to rights, in the bag, ideal, decent, mint, belting, cracking, class, tops, banging, blinding, bostin, gorgeous, magnificent, delightful, amazing, awesome, marvellous, terrific, splendid, beautiful, wicked, mustard, lush, canny, peachy, dandy, " +
		"sick, lit, superb, tidy, dope, epic, golden, solid, safe, safe as, deffo, defo, def, definite, obvs, obviously yes, amen, hallelujah, hurrah, hooray, yay, woohoo, yippee, aces, mega, tremendous, flawless, faultless, impeccable, admirable, first class, first rate, top notch, top banana, top drawer, " +
		"fair enough, fair dos, suits, suits me fine, does me, do me, thatll do me, itll do, itll do me, do for me, fine by me, fine with me, okay by me, ok by me, okay with me, ok with me, good by me, all right by me, alright by me, alright with me, good to go, good for me, sorted, job done, jobs a good un, bobs your uncle, " +
		"you beauty, you star, you legend, get in, get in there, too true, amazeballs, chuffed, happy as larry, hunky dory, tickety boo, tickety, boo yah, boom, bosh, bish bash bosh, kushty, cushty, pukka, proper job, aye aye, aye lad, okie dokie, okey dokey, okey doke, oke, okeydoke, okies, kk, yeh, ye, yis, yas, yesh, yuh, ya know it, yes indeed, yes indeedy, indeedy, you bet, you betcha, too right mate, damn right, dead right, dead on, on the money, on the nose, on the button, " +
		"that is a yes, thats a yes, its a yes, a yes, affirm, confirming, i can confirm, i do confirm, i would confirm, consider it confirmed, confirmed by me, in agreement, i am in agreement, i concur, concur, i consent, granted, approved, i approve of, i do approve, accepted, i do accept, endorsed, i endorse, i am agreeable, with my blessing, you have my blessing, i give my consent, i am contented, satisfies me, to my satisfaction, to my liking, i like that, i like it, pleases me, it pleases me, it will serve, that serves, that will serve, will serve, serves, will suit, will suit me, it will suit, will do nicely, thatll do nicely, do nicely, meets my needs, meets my requirements, meets with my approval, i have nothing to add, i can add nothing, without fault, without error, no mistakes, not a thing wrong, nothing wrong with that, no complaints, no complaint, cant complain, cannot fault it, cant fault it, couldnt be better, could not be better, could not be more correct, cant argue with that"

	// englishStates is how people say they are, or the weather is.
	englishStates = "knackered, shattered, exhausted, tired, starving, starved, hungry, thirsty, freezing, frozen, soaked, soaking, drenched, drowned rat, sweating, boiling, melting, dying, dead, poorly, ill, unwell, drunk, hammered, plastered, pissed, legless, hungover, desperate, gasping, bursting, busting, stressed, " +
		"worried, anxious, nervous, bored, stranded, sad, sadly, gutted, buzzing, excited, skint, broke, mad, crazy, daft, silly, stupid, ridiculous, horrible, awful, terrible, dreadful, miserable, grim, brutal, rotten, nasty, filthy, dark, windy, snowing, snow, hailing, pouring, bucketing, chucking, pelting, tipping, lashing, icy, foggy, wind, storm, weather, puddle, " +
		"busy, quiet, heavy, weak, frail, elderly, old, young, blind, deaf, pregnant, asleep, awake, half asleep, packed, dressed, washed, done for, done in, over it, past it, alive, urgent, dire, serious, pushed, strapped, tight, cutting, fine margin, packed up, all packed, here already, out there, lost, crackers, bonkers, nuts, barmy, funny, weird, strange, unlucky, unfortunate, unfortunately, regrettably, alas, ungodly hour"

	// englishOaths are said out of temper, or joy.
	englishOaths = "bloody nora, bleeding, blinking, bleedin, bloomin, blooming, flaming, ruddy, effing, frigging, freaking, sodding, fricking, feckin, feck, crap, crikes, cripes, sheesh, jeez, jeepers, flip, flippin, flipping heck, oi, balls, bollocks, arse, ass, bum, backside, bastard, git, muppet, pants, piss, bleeder, sod, bugger all, bugger me, " +
		"my word, my days, my goodness, goodness, goodness me, good grief, good gracious, gracious, good heavens, heavens, heavens above, good lord, lord, lordy, dear me, oh dear, deary me, for goodness sake, for gods sake, for heavens sake, for petes sake, for christs sake, for crying out loud, for fucks sake, gods sake, sake, thank god, thank goodness, thank heavens, thank christ, thank fuck, thank the lord, please god, god willing, god help me, god help us, help me god, touch wood, fingers crossed, knock on wood, fuck it, sod this, screw it, hell yeah, hells teeth, heck yes, phew, whew, ugh, urgh, argh, gah, bah, meh, tut, tsk, aww, aw, wow, ooo, oooh, woah, whoa, yikes, eek, ow, ouch, lol, haha haha, hehe, hee, eh up, ey up, ay up, ayup, hey up, wotcha, howdy, yo, sup, wassup, whats up, laters, later then mate, peace, peace out, ciao, adios, toodle pip, pip pip, chin chin"

	// englishAddress is whom people speak to.
	englishAddress = "sweetpea, sugar, treacle, princess, queen, king, doll, dolly, hon, babes, bab, bae, poppet, lovey, lovie, luv, lover, angel, gorgeous one, handsome, kid, kidda, kiddo, lads, laddie, lassie, geezer, geeza, bruv, bruh, fam, cuz, blud, homie, dude, mucker, marra, butt, boyo, la, lah, wack, champ, tiger, skipper, cap, captain, major, colonel, guvnor, governor, gaffer, old bean, old boy, old chap, old fruit, young man, young lady, young sir, ducky, duckie, pets, bonny lad, hinny, my flower, my lover, my lovely, my darling, my dear fellow, good sir, dear sir, dear lady, good fellow, good people, ladies, folks, y all, youse, computer, machine, bot, alexa, siri, voice, automaton, operator love, professor, reverend, doctor love, vicar"

	// englishVerbs are those of talking, moving and living.
	englishVerbs = "rush, dash, hurtle, scoot, shift yourself, get cracking, get moving, get going, get a move on, get your skates on, get on with it, chop chop, look lively, step on it, foot down, put your foot down, make haste, haste, hasten, make it snappy, snappy, sharpish, sharp, jump to it, dont be late, do not be late, dont be long, dont hang about, dont hang around, no messing, no messing about, no faffing, not a moment to lose, no time to lose, got to dash, gotta dash, gotta go, got to go, gotta run, have to run, have to dash, must dash, must go, must fly, " +
		"gotta, gonna, finna, wanna, lemme, gimme, dunno, innit, aint it, isnt it, arent you, arent they, arent we, wasnt it, didnt i, dont i, dont you, havent i, doesnt it, wont you, wouldnt you, couldnt you, is it not, do you not, do you see, you see, see you soon, you hear, dyou, dyou know, dya, cmon, come on, come on then, cheers then, finish, finishing, working, eat, eating, ate, eaten, drink, drinking, drank, sleep, slept, walk, walking, walked, run, running, miss, missed, missing, catch, catching, caught, meet, meeting, visit, visiting, visited, pay, paying, paid, play, playing, played, start, started, happen, happened, happening, feel, feeling, felt, hurt, hurting, hurts, bleed, cry, crying, panic, panicking, kill, killing, kills, born, carry, carrying, hold, holding, lug, lugging, struggle, struggling, bother, bothered, care, mind you, believe, believe me, trust me, swear, i swear, promise, guess what, explain, explained, answer, answered, listen, listening, listen up, look here, watch, watching, read out, write, written down, type, typed, check, checked, turn, turns, turning, use, using, used, keep up, keeps, keeping, put, puts, putting, set off, setting off, set out, pop, popping, nip, nipping, whizz, zip, buzz, shoot, hop, jump, bring along, show, shows, showing, park, parked, pulled up, sit, sitting, sat, lie, lying, laid, learn, teach, study, buy, bought, buying, sell, cook, cooking, clean, cleaning, help out, hope so, imagine, suppose so, mention, discuss, decide, decided, choose, chose, chosen, pick one, settle, settled, note, jot, jotted, register, registered, log, logged, enter, repeat after me, manage, managed, enjoy, enjoyed, enjoying, welcome, appreciate, excuse, excuse me, pardon my french, thank, thanking, bear"

	// englishAdverbs say how, and how much, and limit nothing.
	englishAdverbs = "dead, super duper, massively, well good, proper good, right good, reet, reyt, gradely, rather good, pretty, fairly, kinda, sorta, sort of like, kind of like, more or less, near enough, close enough, good enough, enough, at last, finally, eventually, for certain, for sure, for real, for once in my life, without fail, without question, without a doubt, without doubt, no doubt about it, no question, no question about it, no ifs no buts, no two ways about it, one hundred percent, hundred percent, a hundred percent, one thousand percent, percent, per cent, all the way, all day long, every time, each time, again and again, once again, as well please, as before, as above, as is, as it is, as it stands, like that, like this, just like that, just like this, the very one, the very same, very same, self same, one and only, and all, an all, n all, and that, and stuff, and so on, et cetera, etc, and everything, or whatever, or something, or other, or summat, or owt, or anything, summat, owt, nowt else, and co, somehow, anyhow, either way, in any case, in any event, at any rate, at least, by all accounts, all in all, all things considered, in the end, at the end of the day, end of, end of story, simple as, simples, plain and simple, pure and simple, nowt more, nothing less, and no more, and no less, long story short, point blank, as it happens, as luck would have it, as a matter of fact, matter of fact, believe it or not, needless to say, it goes without saying, goes without saying, to tell the truth, truth be told, in all honesty, in truth, truly, verily, sincerely, yours, faithfully, respectfully, humbly, duly, cordially, warmly, graciously, courteously, aye well, well then, right then, right so then, so then, okay so, well so"

	// englishDaily are things of everyday life that are no places.
	englishDaily = "coat, hat, jacket, scarf, jumper, shirt, shoes, red, blue, green, yellow, black, white, brown, grey, pink, purple, orange, already, basis, consider, further, battery, charge, signal, credit, life, world, mistaken, heart, head, brain, legs, leg, feet, foot, knee, knees, hip, back ache, arm, hand, hands, finger, wrist, ankle, eye, eyes, ear, tooth, hair, face, nose, mouth, stomach, belly, blood, fever, cough, medicine, prescription, crutches, stick, walking stick, frame, zimmer, coat, shoes, heels, boots, umbrella, brolly, suit, dress, hat, phone, mobile, battery, signal, line, connection, credit, reception, keys, purse, wallet, money, cash, change purse, tip, bill, card, ticket, tickets, passport, parcel, parcels, box, boxes, bag, case, suitcase, rucksack, trolley, groceries, takeaway, pizza, chips, beer, beers, pint, pints, wine, drinks, tea, coffee, breakfast, dinner, supper, cake, birthday, wedding, funeral, party time, do, bash, hen do, stag do, anniversary, holiday, holidays, trip away, weekend away, exam, lecture, class time, lesson, seminar, interview, conference, job interview, scan, operation, blood test, check up, checkup, results, treatment, show, play, film, movie, match, game, gig, concert, event, occasion, session, rehearsal, service, traffic, roads, motorway, bus, buses, coach, coaches, ferry ride, tram, tube, car broke, broken, broke down, breakdown, puncture, flat tyre, garage bill, lock, door, doorstep, kerb, curb, pavement, corner, steps, stairs, forecourt, concourse, lobby, foyer, front door, back door, main doors, doors, gates, desk, bench, shelter, queue, platform, noise, music, telly, tv"

	// englishThings are fillers too, but behind "to" or "from" each is where somebody goes.
	englishThings = "work, works, wife, husband, mum, mums, mother, mothers, dad, dads, father, fathers, daughter, daughters, sons, kids, family, friend, friends, mate, mates, girlfriend, girlfriends, boyfriend, boyfriends, partner, partners, missus, fella, bloke, neighbour, neighbours, gran, grans, nan, nans, nana, grandma, grandmas, granddad, grandad, grandads, auntie, aunt, uncle, cousin, cousins, sister, sisters, brother, brothers, niece, nephew, baby, boss, colleague, colleagues, client, clients, customer, team, crew, shopping, dentist, hairdresser, hairdressers, barber, barbers, vet, vets, solicitor, bank, church, chapel, mosque, temple, gym, pool, library, beach, park, office, job, club, restaurant, cafe, bar, shop, supermarket, post office, police station, court, prison, factory, warehouse, farm, zoo, theatre, gallery, casino, nightclub, marina, cemetery, crematorium, golf course, racecourse, leisure centre, community centre, sports centre, nursery, care home, workplace, flat, house, mine, theirs, hers, ours"
)

// englishGoAhead has everybody agree who tells to act: "send it", "get it booked then".
func englishGoAhead(l *language) {
	objects := []string{"it", "that", "that one", "this", "this one", "one", "a car", "a taxi", "a cab", "the car", "the taxi", "the cab", "the booking"}
	for verb := range strings.SplitSeq("book, send, get, order, reserve, arrange, do, confirm, submit, finalise, finalize, lock, whack, bang, stick, pop, ping, fire, sort, place, process, complete", ", ") {
		for _, object := range objects {
			for _, particle := range []string{"", "in", "on", "over", "through", "up", "off", "out", "here", "down", "booked", "sorted", "done", "for me", "for us", "round", "away"} {
				if strings.HasPrefix(object, "a ") && (particle == "" || verb != "send") {
					continue // it is a wish, which agrees to nothing
				}
				l.add(sense{class: agrees}, strings.TrimSpace(verb+" "+object+" "+particle))
			}
		}
	}
	for _, who := range []string{"me", "us", "him", "her", "them", "my mum", "my nan"} {
		for _, verb := range []string{"book", "stick", "put", "get", "sign"} {
			for _, particle := range []string{"in", "down", "booked", "booked in", "sorted", "on", "up"} {
				l.add(sense{class: agrees}, verb+" "+who+" "+particle)
			}
		}
	}
	l.add(sense{class: agrees}, "fire away, carry on, proceed, let it rip, roll on, lets roll, lets rock, rock on, bring it on, make it so, so be it, be my guest, knock yourself out, go for your life, go on my son, go with that, go with it, lets go with that, lets go, lets have it, ill have that, ill have it, ill take it, ill take that, we will take it, well take it, well have it, ill go for that, ill go with that, put it through, put that through, please book, just book, just book it, just send it, just do it, you may book it, you may book that, you can book it, you can book that, you can book, you may book, you may proceed, you can go ahead, you may go ahead, book away, send away, lets book, lets book it, get booking, get it booked")
}

// englishRestated agrees to what was said before: "as I told you", "what you said".
func englishRestated(l *language) {
	for _, lead := range []string{"thats what", "which is what", "as", "just as", "exactly as", "like", "just like", "exactly like", "how", "exactly how", "exactly what", "just what", "precisely what", "precisely as", "the way", "the one", "everything"} {
		for _, who := range []string{"i", "ive", "ive just", "ive already", "i already", "i have", "i had", "we", "you", "youve", "you have", "you just", "i just"} {
			for verb := range strings.SplitSeq("said, told you, asked, asked for, wanted, want, wanted it, want it, need, needed, require, required, put it, got it, gave it, gave you, described, described it, dictated, mentioned, ordered, requested, wish, wished, wished for, read it, read it back, read, repeated, repeated it, stated, specified, instructed, have it, heard", ", ") {
				if who == "you" || strings.HasPrefix(who, "youv") || strings.HasPrefix(who, "you ") || !strings.HasPrefix(lead, "a") && lead != "everything" {
					l.add(sense{class: agrees}, lead+" "+who+" "+verb)
					continue
				}
				l.add(sense{class: filler}, lead+" "+who+" "+verb)
			}
		}
	}
	for _, who := range []string{"you", "youve", "you have", "ya", "you did"} {
		for _, verb := range []string{"got it", "got that", "got it right", "got that right", "heard right", "heard me", "heard me right", "understood", "understood it", "understood that", "understood me", "read it right", "have it right", "have it", "have that right", "taken it down", "taken that down", "noted it", "noted that", "recorded it", "recorded that", "repeated it", "hit the nail on the head", "nailed it", "cracked it", "done it", "got me", "get it", "get me"} {
			l.add(sense{class: agrees}, who+" "+verb)
		}
	}
}

// englishCalledOff takes a booking back: "bin the cab", "get rid of my booking".
func englishCalledOff(l *language) {
	objects := []string{"it", "that", "this", "that one", "this one", "everything", "all of it"}
	for _, thing := range []string{"taxi", "cab", "car", "booking", "ride", "trip", "journey", "lift", "order", "reservation", "one"} {
		for _, whose := range []string{"the", "my", "me", "that", "our", "this"} {
			objects = append(objects, whose+" "+thing)
		}
	}
	for verb := range strings.SplitSeq("scrub, nix, drop, pull, bin, scrap, ditch, kill, axe, get rid of, call off, delete, remove, undo, withdraw, relinquish, revoke, abandon, annul, knock, chuck, bail on, sack off, jack in, stand down, take off, not need, not want, not require, no longer need, no longer want, no longer require, dont need, dont want, do not need, do not want, do not require, wont need, wont want, will not need, shant need, shall not need, shall not require, will not require, didnt want, havent any need of, have no need of, have no further need of, have no use for", ", ") {
		for _, object := range objects {
			needs := strings.HasSuffix(verb, "need") || strings.HasSuffix(verb, "want") || strings.HasSuffix(verb, "require") || strings.HasSuffix(verb, "of") && strings.HasPrefix(verb, "ha") || strings.HasSuffix(verb, "for")
			if needs && len(strings.Fields(object)) == 1 || verb == "take off" || verb == "scrap" && object == "that" {
				continue // nobody knows what is not needed
			}
			l.first(sense{class: wishes, act: ActCancel}, verb+" "+object)
		}
	}
	l.first(sense{class: wishes, act: ActCancel}, "bin it off, sack it off, jack it in, get it cancelled, get rid, knock it on the head, pull the plug, cancellation, make a cancellation, to cancel")
}

func englishAskings() []asking {
	subject := "taxi cab car driver ride lift he she it they you bloke guy fella wheels minicab motor"
	return []asking{
		{leads: lex.Set("how"), about: lex.Set("long longs soon quick quickly fast minutes mins min late close near far"), question: AsksETA},
		{leads: lex.Set("how"), about: lex.Set("much dear expensive pricey pounds quid steep"), question: AsksFare},
		{leads: lex.Set("what whats"), about: lex.Set("cost costs costing price prices fare fares charge charges damage rate pay owe pounds quid"), question: AsksFare},
		{leads: lex.Set("what whats"), about: lex.Set("eta wait holdup delay"), question: AsksETA},
		{leads: lex.Set("what whats which"), about: lex.Set("colour colours color colors reg registration plate plates make model vehicle"), question: AsksCar},
		{leads: lex.Set("when whens"), about: lex.Set("booked book booking for collected picked"), question: AsksTime},
		{leads: lex.Set("when whens"), about: lex.Set("arrive arrives arriving turn turning due " + subject), question: AsksETA},
		{leads: lex.Set("where wheres whereabouts"), about: lex.Set("taxi cab car driver ride lift he she they bloke guy fella"), question: AsksWhere},
		{leads: lex.Set("what whatve"), about: lex.Set("down booked"), question: AsksBooking},
		{leads: lex.Set("read tell hear check"), about: lex.Set("booking bookings"), question: AsksBooking},
		{leads: lex.Set("any"), about: lex.Set("sign news word update"), question: AsksETA},
		{leads: lex.Set("who whos"), about: lex.Set("driver driving coming picking"), question: AsksDriver},
		{leads: lex.Set("is has will hes hows"), about: lex.Set("coming left nearby outside long close arrived late nearly due lost forgotten miles"), question: AsksETA, first: true},
	}
}
