package grammar

import (
	"strings"

	"github.com/cabrank/cabrank/simulator/platform/booking/grammar/lex"
)

// Formal speech frames a trip in many words, and agrees in whole sentences. The words here
// say nothing of where, when or how many. Words that limit what is agreed to ("except",
// "but", "unless", "if") are never among them.

// englishFormal is what people add when they dictate.
func englishFormal(l *language) {
	for _, n := range []string{"one", "two", "three", "a couple of", "some", "a few"} {
		for _, what := range []string{"correction", "corrections", "change", "changes", "point", "points", "amendment", "amendments"} {
			l.first(sense{class: corrects}, n+" "+what+", "+n+" further "+what+", "+n+" small "+what+", "+n+" more "+what)
		}
	}
	l.first(sense{class: agrees}, "are right now, are both right now, both are right now, is correct now, are correct now, sorry yes, sorry yeah, sorry yep, sorry aye, thanks a million, dead brilliant, pure dead brilliant, so it is, yes confirmed, confirmed")
	l.first(sense{class: filler}, "night duty, night shift, nightshift, late shift, early shift, day shift, single journey, one way journey, i do apologise, do apologise, ample time, plenty of time, gives me plenty of time, leaves me plenty of time, leaves me ample time, me again, is what i should like, what i should like, is what i would like, what i would like")
	for _, day := range l.Clock.Weekdays {
		l.first(sense{class: filler}, "shut "+day+"s, closed "+day+"s, shut on "+day+"s, closed on "+day+"s, is shut "+day+"s, is closed "+day+"s")
	}
	l.first(sense{class: corrects}, "dont wait till then, dont wait until then, dont wait that long")
	l.first(sense{class: wishes, act: ActBook}, "can you help, can you help me, can you help us, can you help us out, could you help me, can somebody come, can someone come, could somebody come, could someone come, can anybody come, can anyone come")
	for _, car := range []string{"cab", "cabs", "taxi", "taxis", "cars"} {
		l.first(sense{class: filler}, "theres no "+car+", there are no "+car+", there is no "+car+", theres no "+car+" at all, there is no "+car+" at all, there arent any "+car+", no "+car+" at all, no "+car+" here")
	}
	l.first(sense{class: filler}, "school run, i am certain, im certain, i am quite certain, i am sure, im sure, i am quite sure, im quite sure, i shall wait here, ill wait here, i will wait here, ill be waiting here, im waiting here, waiting here, wait here")
	l.first(sense{class: agrees}, "make that booking, make the booking, make this booking, place that booking, place the booking")
	l.first(sense{class: filler}, "is better")
	l.first(sense{class: negates}, "have left, have in fact left, have just left, have already left, ive just left, weve just left, already left")
	l.first(sense{class: wishes, act: ActCancel}, "isnt needed, is not needed, not needed, isnt wanted, not wanted, isnt required, no longer be needed, no longer needed, will not be needed, wont be needed, not be needed, take it out of your diary, take it out of the diary, remove it")
	l.first(sense{class: filler}, "that amendment, this amendment, the amendment, that alteration, this alteration, that correction, this correction, these corrections, those corrections, alterations are necessary, alterations are needed, amendments are necessary, changes are necessary, as mentioned, as i mentioned, asked for, like to ask for, and thank you for your patience, should be obliged, should be most obliged, should be much obliged, should be grateful, should be most grateful, should be very grateful, should be glad, should be pleased, should be delighted, should be happy, should be so kind, should be most, "+
		"trip i meant, that i meant, one i meant, place i meant, time i meant, second version, last version, latest version, later version, corrected version, amended version, new version, as well as can be, that is what, that was what, this is what, what i want, what i wanted, what i asked for, what i ask for, what i said, what i meant, what i require, what i required, what i need, what i ordered, what we want, what we asked for, what we need, "+
		"may stand, can stand, shall stand, let it stand, else is the same, else remains the same, else remains as it is, else stays as it is, everything else as it is, everything else remains as it is, rest remains as it is, "+
		"if that can be arranged, if that is possible, if it can be arranged, if that is convenient, if it is convenient, if you would be so kind, if you will, if you would be so good, if it is not too much trouble, if that suits you, if it suits you, if i might, "+
		"that is to say, which is to say, on no account, on this occasion, for once, in question, as follows, full stop, if anything, so to speak, as it were, in fact, in short, no more and no less, nothing more nothing less, in one sentence, in due course, with regard to, on behalf of, in addition, "+
		"the public house, a public house, at present, for the moment, for the present, looking for, public house, thank you no more than that, in order to, in order that, all told, by any chance, my good man, my good woman, my dear, i dare say, no later, not later, no earlier, not earlier, "+
		"and nothing else, and nowhere else, and no other, not cancelled, not at all")
	for _, odd := range []string{"peculiar", "ungodly", "odd", "strange", "early", "late", "unusual", "funny", "silly"} {
		for _, still := range []string{"correct", "right", "true", "accurate", "fine"} {
			l.first(sense{class: filler}, odd+" but "+still)
		}
	}
	l.first(sense{class: corrects}, "i beg your pardon, beg your pardon, beg pardon, forgive me, do forgive me, pardon me no, no pardon, i misspoke, i misspoke myself, i stand corrected, let me rephrase, let me rephrase that, let me correct that, let me correct myself, allow me to correct, i must correct, i withdraw, i withdraw that, i take that back, correction to, on reflection, on further reflection, that was wrong, "+
		"let me put it differently, let me begin again, let me be exact, to be exact, more exactly, more precisely, to be precise, not quite right, almost right, nearly right, strike out, that should read, it should read, please read, should read, i should have said, i ought to have said, it ought to be, it ought to have been, i miscounted, i said the wrong, i gave the wrong, i got that wrong, my error, my apologies, i apologise, i must apologise")
	l.first(sense{class: negates}, "delete, replace, in place of, substitute for")
	l.first(sense{class: agrees}, "just so, quite so, in order, in perfect order, as it should be, as stated, as dictated, as requested, as ordered, as described, perfectly well, i approve, i am content, please proceed, do proceed, i have no objection, "+
		"acceptable, satisfactory, noted correctly, understood correctly, you understood me, you have understood me, you have it, you have that, as agreed, in every respect, in all respects, to the letter, word for word, i am satisfied, i am happy with, suits me, it suits me, that suits me, as intended, as i intended, what i intended")
	l.first(sense{class: hither}, "the car there, a car there, the taxi there, a taxi there, the cab there, a cab there, met there, meet me there, meet us there, collect me there, collect us there, collect him there, collect her there, collect them there, collected there, pick me up there, pick us up there, pick her up there, pick him up there, pick them up there, picked up there, fetch me there, fetch us there, fetched there, from there, get me from there, "+
		"is where i am, is where we are, is where you can collect me, is where you can pick me up, is where i will be, is where ill be, is where we will be, is where i shall be, is where to collect me, is the pickup, is the pick up, is the starting point, is my starting point, is the point of departure, is my point of departure, as the pickup, as the pick up, as the starting point, as the pick up point, as pickup, as the point of departure")
	l.first(sense{class: thither}, "take me there, take us there, take him there, take her there, take them there, taken there, bring me there, bring us there, brought there, drive me there, drive us there, driven there, drop me there, drop us there, dropped there, get me there, get us there, go there, going there, conveyed there, convey me there, convey us there, head there, travel there, is where i wish to be taken, is where i want to be taken, is where i would like to be taken, is where i want to go, is where i wish to go, is where i would like to go, is where id like to go, is where we want to go, is where we are going, is where i am going, is where im going, "+
		"is where i need to be, is where i want to be, is where i have to be, is where i need to go, is where i have to go, is where i am headed, is where im headed, is my destination, is our destination, is the destination, is the place i want to go, as the destination, as my destination, as our destination, as destination, as the drop off")
	l.first(sense{class: sends, act: ActBook}, "send a car, send a taxi, send a cab, send your car, send a vehicle, send me a taxi, send me a car, send me a cab, send us a taxi, send us a car, send somebody, send someone, sending a car, sending a taxi, dispatch a car, dispatch a taxi, despatch a car, despatch a taxi, have a car sent, have a taxi sent, a car sent, a taxi sent, get a taxi over")
	l.add(sense{class: from}, "leave the, leaving the, depart from, depart the, departing the, point of departure, starting point, start from, setting out from, set out from, set off from, departure from, departure is, departure, departure point, start of the journey")
	l.add(sense{class: goes}, "proceed to, proceeding to, convey me to, convey us to, conveyed to, driven to, taken to, brought to, delivered to, returned to, return to, returning to, carried to, transported to, deliver me to, deliver us to, bring them to, drive us to, bound for, destined for, en route to, set me down at, set us down at, set down at, deposit me at, deposit us at, deposited at, drop them at, conclude at, finishing at, ending at, ends at, ends up at, terminating at")
	l.add(sense{class: stands}, "we are all assembled at, assembled at, gathered at, situated at, located at, positioned at, to be found at, currently at, presently at, we will be at, i will be at, i shall be at, we shall be at, i shall be waiting at, i shall be standing at, i find myself at, find me at")
	l.add(sense{class: collects}, "call for me, call for us, call for her, call for him, be collected, be fetched, fetched, to be picked up, to be collected, to be met, have me collected, have me picked up, picked up")
	l.first(sense{class: wishes, act: ActChange}, "make an amendment, make an alteration, make a correction, an alteration to, an amendment to, needs altering, needs amending, needs to be altered, needs to be amended, wish to amend, wish to alter, bring it forward, bring forward, put back")
	l.first(sense{class: wishes, act: ActNothing}, "do not want a taxi, do not need a taxi, do not require a taxi, do not require one, no longer require, i do not wish to book, do not wish to book, not wish to book, not wish to order, only wished to know, i only wished, i merely wished, merely wished to know, please do not book, no taxi is required, nothing is required, not book anything, was only enquiring, am only enquiring, only enquiring, merely enquiring, do not book anything, do not order, wanted to enquire, a mere enquiry")
	l.add(sense{class: filler}, "whether, require, requires, required, everything, asked, following, follows, forgive, first, firstly, secondly, lastly, seem, seems, seemed, appear, appears, read, reads, noted, wished, wishing, wishes, "+
		"amendment, amended, altered, corrected, revised, revision, version, exact, accurate, valid, fair, copy, prefer, preferred, preferably, reservation, requested, particulars, particular, details, detail, arrangement, arrangements, arrange, arranged, dictate, dictated, dictation, record, recorded, enter, entered, taken down, written, writing, "+
		"only, merely, sir, madam, ladies, gentlemen, mr, mrs, ms, dr, professor, most, many, every, each, respect, respects, point, points, patience, pleasure, kindness, grateful, gratefully, gratitude, obligation, oblige, content, satisfied, satisfaction, approve, approval, agreeable, intend, intended, intention, describe, described, state, specified, "+
		"peculiar, ungodly, odd, unusual, trust, admit, confess, understand, understood, occasion, manner, way, reason, purpose, case, consequence, behalf, transport, transportation, conveyance, carriage, conveying, convey, driving, arrives, arrived, arriving, arrival, due, expected, exist, existing, remains, remain, rest, unchanged, same, "+
		"advise, advises, inform, informs, informed, say so, colleague, secretary, guest, guests, party, match starts, kicks, starts, begins, finished, finishes, finish, ended, parcels, platform, available, convenient, convenience, necessary, need be, able, capable, put, point out, next to me, enough, accordingly, therefore, hence, thus, hereby, herewith, "+
		"upon, within reason, also known as, namely, i e, e g, comma, colon, sentence, words, word, use, form, habit, help of, fact, once, use of, hand, mind, greatly, looking, look, looked, check, customary, accustomed, wonted, demands, manage, allow, allowing, allowance, cover, covers, covered, concerning, regarding, regards, regard, being that, beg, find, found, thereof, therein, hours, "+
		"met, brought, driven, carried, machine, while, whilst, during, since, between, among, aforementioned, said one, abovementioned, reply, course, instance, example, kind of, sort of, rather too, far, near enough, present, presently, currently, time being")
	for _, w := range lex.Tokens("gentlemen ladies gentleman lady men women girls boys guests travellers travelers colleagues friends students pensioners souls individuals visitors delegates ones adults heads") {
		l.people.nouns[w] = true
	}
}

// germanFormal is what people add when they dictate.
func germanFormal(l *language) {
	l.first(sense{class: filler}, "kein auto da, kein taxi da, kein wagen da, keine taxis da, keins da, keine taxen da, kein taxi hier, kein auto hier, kein wagen hier, keine taxis hier, ab und dann, ab und, ich warte hier, eins bestellt, eins gebucht, eines bestellt, eins reserviert")
	l.first(sense{class: filler}, "ist besser, ist viel besser, passt besser, ist mir lieber")
	l.first(sense{class: wishes, act: ActNothing}, "bestellen möchte ich nichts, bestellen möchte ich noch nichts, bestellen will ich nichts, bestellen will ich noch nichts, buchen möchte ich nichts, buchen möchte ich noch nichts, buchen will ich noch nichts, bestellen möchte ich noch nicht, buchen möchte ich noch nicht")
	l.first(sense{class: filler}, "das haben sie, mit dieser änderung, mit der änderung, mit den änderungen, die änderung, diese änderung, meinem wunsch, meinen wünschen, stimmt die richtung, die richtung stimmt, die richtung, haben sie vielen dank, so haben sie, haben sie dank, jetzt stimmt, nun stimmt, wenn ich bitten darf, wenn ich höflich bitten darf, wenn es ihnen nichts ausmacht, wenn es ihnen recht ist, wenn sie so freundlich wären, wenn sie so nett wären, wenn sie so gut wären, wenn es möglich ist, wenn es sich einrichten lässt, wenn es keine umstände macht, falls möglich, falls es möglich ist, "+
		"in aller frühe, in der frühe, aus diesem grunde, aus diesem grund, von jetzt an gerechnet, im namen von, auf keinen fall früher, auf keinen fall später, nicht früher, nicht später, nicht mehr und nicht weniger, bleibt unverändert, bleibt gleich, bleibt bestehen, bleiben gleich, alles andere bleibt, alles andere bleibt gleich, der rest bleibt, alles übrige bleibt, das übrige bleibt, der rest bleibt gleich, soll alles bleiben, zu werden")
	l.first(sense{class: corrects}, "berichtigung, eine berichtigung, ich berichtige, ich berichtige mich, ich muss mich berichtigen, ich muss mich korrigieren, ich korrigiere mich, verzeihen sie, entschuldigen sie, ich bitte um verzeihung, ich bitte um entschuldigung, ich habe mich versprochen, habe mich versprochen, hab mich versprochen, das war falsch, das war verdreht, es muss heißen, es müsste heißen, es soll heißen, es sollte heißen, muss es heißen, muss heißen, richtig ist, gemeint war, gemeint ist, ich nehme das zurück, nicht ganz, nicht ganz richtig, fast richtig, korrektur, ich revidiere, das ist zu ändern in")
	l.first(sense{class: negates}, "statt des, statt der, statt dem, anstelle des, anstelle der, an stelle von, streichen sie")
	l.first(sense{class: agrees}, "trifft zu, trifft alles zu, das trifft zu, entspricht, entspricht meinem wunsch, das entspricht, zutreffend, in ordnung so, so gemeint, wie gewünscht, wie besprochen, wie diktiert, wie gesagt so, ich bin einverstanden, ich bitte darum, ich bitte sehr darum, richtig aufgenommen, richtig notiert, korrekt notiert, richtig verstanden, das ist in ordnung, so gewollt, so gewünscht, so ist es gemeint, vollkommen richtig, vollständig richtig, buchen sie das so, das können sie so buchen, so buchen, so können sie es buchen")
	l.first(sense{class: hither}, "dort abholen, mich dort abholen, uns dort abholen, holen sie mich dort, holen sie mich dort ab, holen sie uns dort, holen sie uns dort ab, dort abgeholt, von dort, von dort aus, dort ab, als abholort, als startpunkt, als abholadresse, als start, ist der abholort, ist mein startpunkt, ist der startpunkt")
	l.first(sense{class: thither}, "dorthin, dahin, dort hin, als ziel, als zielort, als fahrziel, ist mein ziel, ist unser ziel, ist das ziel, ist das fahrziel, ist der zielort")
	l.first(sense{class: sends}, "schicken sie, schicken sie mir, schicken sie uns, senden sie, senden sie mir, entsenden sie, einen wagen schicken, ein taxi schicken, lassen sie einen wagen, lassen sie ein taxi, kommen sie")
	l.add(sense{class: from}, "abfahrt ist, abfahrtsort ist, abfahrtsort, startpunkt ist, ausgangspunkt ist, ausgangspunkt, start, losfahren am")
	l.add(sense{class: stands}, "befinde mich, wir befinden uns, befinden uns, befinde mich am, befindet sich, halte mich, stehen wir, warten wir, sind wir")
	l.add(sense{class: collects}, "abzuholen, um abholung, lassen sie mich abholen, lassen sie uns abholen, möchte abgeholt werden")
	for _, want := range []string{"brauch ich", "brauche ich", "brauchen wir", "benötige ich"} {
		l.first(sense{class: wishes, act: ActCancel}, want+" nicht mehr, "+want+" doch nicht mehr, "+want+" jetzt nicht mehr, "+want+" jetzt doch nicht mehr, "+want+" doch nicht")
	}
	for _, want := range []string{"brauche", "brauch", "brauchen", "benötige", "will", "möchte"} {
		for _, none := range []string{"keins", "keines", "keinen", "kein taxi", "keinen wagen"} {
			l.first(sense{class: wishes, act: ActNothing}, want+" doch "+none+", "+want+" "+none+", "+want+" "+none+" mehr, "+want+" doch "+none+" mehr")
		}
	}
	l.first(sense{class: wishes, act: ActNothing}, "brauche kein taxi mehr, benötige kein taxi, benötige kein taxi mehr, möchte kein taxi, möchte nicht buchen, möchte nichts buchen, möchte nichts bestellen, wollte nur den preis, wollte nur den preis wissen, wollte nur fragen, wollte mich nur erkundigen, möchte mich nur erkundigen, keine buchung, nicht mehr benötigt")
	l.add(sense{class: filler}, "nun, benötige, benötigen, benötigt, wünsche, wünschen, wünscht, gewünscht, bitten, bitte ich, gebracht, befördert, beförderung, befördern, befindet, befinden, hiermit, zunächst, höflich, höflichst, dankbar, notiert, notieren, aufgenommen, aufnehmen, aufzunehmen, zutrifft, gemeint, meine, fassung, version, punkten, punkt, komma, vollständig, vollkommen, völlig, übernommen, übernehmen, allen, aller, genommen, "+
		"daher, deshalb, darum, folglich, somit, demnach, nämlich, betrifft, betreffend, bezüglich, angeht, zwecks, wegen, grund, grunde, gerechnet, gebraucht, brauchen werde, gesprochen, spricht, einrichten, lässt, finden, findet, platz, bequem, personenzahl, abfahrtszeit, zeitpunkt, einzelne, einzelner, einzige, fahrgast, gast, gäste, beginnt, endet, anfängt, "+
		"planmäßig, pünktlich, rechtzeitig, möglich, verzeihen, nachsicht, geduld, umstände, mühe, freundlicherweise, liebenswürdig, verbunden, erbitte, erbeten, bitteschoen, bestehen, bleibt, bleiben, sitzen, unverändert, übrige, übrigen, rest, heißen, eingetragen, eintragen, vermerken, vermerkt, einzutragen, reserviert, reservieren, bestellte, bestelltes, bestellten, gebuchte, gebuchtes, hinbringen, bringt mich, fahrt ist, haupteingang, hintereingang, nebeneingang, tür, "+
		"darf, dürfte ich, gestatten, erlauben, sich, sein, seien, sei, wüsste, lande, landet, ankommt, ankunft, kommt an, steige, einsteigen, aussteigen, fertig, genau genommen, berufskrankheit, satz, wort, worte, nehme, tut, leid, bedauern, bedaure, setzen, setze, schreiben, mitfahren, mit uns, fahren mit, heutigen, tag, als, notwendig, nötig, richtige, richtigen, korrekte, nunmehr, sodann, ferner, zudem, weiterhin, umgehend bitte")
	for _, w := range lex.Tokens("herren damen frauen männer manner gäste gaste reisende reisenden mitreisende kollegen freunde leutchen mitfahrer erwachsener mädchen jungen insassen herrschaften") {
		l.people.nouns[w] = true
	}
}

// adverbial reports whether a word is an adverb by its ending, which adds nothing: "greatly",
// "freundlicherweise". Those that limit or deny what is said are none.
func (l *language) adverbial(word string) bool {
	const shortest = 6
	if len(word) < shortest || hedges[word] {
		return false
	}
	if l.Tag == "en" {
		return strings.HasSuffix(word, "ly")
	}
	return strings.HasSuffix(word, "erweise") || strings.HasSuffix(word, "lich") || strings.HasSuffix(word, "massig")
}

var hedges = lex.Set("hardly nearly scarcely barely partly mostly presumably possibly supposedly apparently incorrectly wrongly falsely mistakenly conditionally provisionally tentatively family italy reply supply apply multiply assembly early daily " +
	"vermutlich angeblich möglicherweise moglicherweise versehentlich falschlich falschlicherweise teilweise vergeblich schwerlich")
