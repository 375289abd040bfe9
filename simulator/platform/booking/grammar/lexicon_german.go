package grammar

import (
	"strings"

	"github.com/cabrank/cabrank/simulator/platform/booking/grammar/lex"
)

// germanLexicon is what people say beside a trip, by kind of word.
func germanLexicon(l *language) {
	l.add(sense{class: agrees}, germanPraise)
	for _, list := range []string{germanStates, germanOaths, germanAddress, germanVerbs, germanAdverbs, germanDaily} {
		l.add(sense{class: filler}, list)
	}
	l.things = lex.Set(strings.ReplaceAll(germanThings, ",", ""))
	l.add(sense{class: filler}, germanThings)
	germanGoAhead(l)
	germanRestated(l)
	germanCalledOff(l)
}

const (
	// germanPraise is how people call what they agree to.
	germanPraise = "ganz recht, sehr recht, recht so, hübsch, hau rein, hau rin, gib ihm, mach fertig, nur her, rein damit, raus damit los, schieß los, leg los, legen sie los, go, mhm, trifft so zu, das trifft so zu, meine zustimmung, mein einverständnis, meine bestätigung, meine genehmigung, mein okay, meinen angaben, den angaben entsprechend, meinen segen, mein segen, bingo, volltreffer, jou, joah, jepp, jo klar, jo mei, ja doch doch, jaha, ei ja, ja eh, eh klar, logo, logisch, klar doch, sicher doch, aber natürlich, aber klar, na sicher, na logisch, sehr wohl, gewiss, allerdings ja, unbedingt, definitiv, auf alle fälle, auf jeden, jederzeit, " +
		"top, tip top, tiptop, spitze, spitzenmäßig, geil, mega, cool, nice, hammer, herrlich, großartig, famos, fabelhaft, vorzüglich, tadellos, einwandfrei, ideal, optimal, fantastisch, phantastisch, sehr schön, wunderschön, bombe, genial, erste sahne, astrein, sauber, leiwand, fesch, bassd, basst, basst scho, basst so, passt mir, passd, passt wunderbar, passt perfekt, pfundig, jut, is jut, is gut, is ok, is okay, is klar, is recht, is richtig, jenau, genauso, jawollja, yo, yes sir, roger, jepp passt, tutti, paletti, alles paletti, alles fein, alles prima, alles bestens, alles top, alles tip top, alles super, alles schön, alles roger, alles in ordnung, alles recht, alles perfekt, alles paßt, alles passt, alles stimmt, stimmt alles, stimmt auffallend, stimmig, haargenau, haargenau so, akkurat, präzise, aufs wort, wort für wort, punktgenau, goldrichtig, " +
		"mir recht, ist mir recht, soll mir recht sein, meinetwegen, von mir aus, nur zu, nur los, los, los jetzt, los los, ab gehts, immer her damit, her damit, gebongt, geritzt, eingetütet, angenommen, akzeptiert, ich akzeptiere, genehmigt, bestätigt, ich bestätige das, ich kann das bestätigen, kann ich bestätigen, hiermit bestätigt, hiermit bestätige ich, dito, dem ist so, so ist dem, ebenso, so isses, isses, so is es, so ist das, so wird es gemacht, so wirds gemacht, wird so gemacht, so bleibt es, so kann es bleiben, so kanns bleiben, kann so bleiben, kann man so lassen, kann man so machen, können wir so machen, das nehme ich, das nehm ich, nehme ich, nehm ich, das nehmen wir, deal, " +
		"bin einverstanden, damit einverstanden, bin damit einverstanden, ich stimme zu, ich stimme dem zu, stimme zu, zustimmung, ich willige ein, zugestimmt, befürworte ich, das befürworte ich, dagegen habe ich nichts, habe nichts dagegen, nichts dagegen, dem ist nichts hinzuzufügen, keine beanstandung, keine fehler, kein einwand, ohne fehler, fehlerfrei, fehlerlos, makellos, ohne beanstandung, ganz meinem wunsch, zu meiner zufriedenheit, zu meiner vollen zufriedenheit, vollste zufriedenheit, zufrieden, bin zufrieden, recht so, recht ist es, gut so, ganz gut, gut gut, wunderbar so, perfekt so, prima so, super so, richtig gut, richtig erfasst, korrekt erfasst, korrekt aufgenommen, korrekt wiedergegeben, richtig wiedergegeben, treffend, sehr richtig, vollauf, sehr gern bitte, und ob, na dann los, dann los, na los, na dann, also los, dann mal los, auf gehts dann, auf gehts, kein ding, geht so, geht so klar, das geht, das geht so, geht gut, haut hin, das haut hin, läuft bei mir, taugt, das taugt, taugt mir, reicht, das reicht, reicht mir, langt, das langt, genügt, das genügt"

	// germanStates is how people say they are, or the weather is.
	germanStates = "müde, fertig, fix und fertig, völlig fertig, platt, k o, kaputt, erschöpft, hungrig, durstig, durchgefroren, erfroren, nass, klatschnass, pitschnass, patschnass, besoffen, betrunken, blau, angetrunken, krank, schlecht, übel, verletzt, schwanger, alt, jung, älter, gebrechlich, gehbehindert, blind, taub, spät, zu spät dran, spät dran, früh dran, knapp, arg, brutal, grausam, grauenhaft, furchtbar, schrecklich, schlimm, fürchterlich, dunkel, kalt, heiß, arschkalt, saukalt, eiskalt, sauspät, glatt, windig, stürmisch, bewölkt, neblig, schnee, schneit, schüttet, gießt, hagelt, friert, frier, friere, kaltes, frost, sturm, wind, hunger, durst, angst, notfall, wichtig, dringender, eiliger, gestresst, genervt, verzweifelt, traurig, froh, glücklich, aufgeregt, pleite, blöd, doof, dumm, verrückt, komisch, seltsam, merkwürdig, lustig, schade, unglücklich, allein, verlassen, gestrandet, müsam, mühsam, schwer, schwerer, leicht, voll, leer"

	// germanOaths are said out of temper, or joy.
	germanOaths = "verdammte, verdammter, verdammtes, verdammten, verflixte, verfluchte, scheiß, scheisse, kacke, kack, mistding, verdammich, sakra, sakrament, kruzifix, kruzitürken, herrschaft, herrgott, herrgott nochmal, herr gott, himmel herrgott, du lieber, lieber himmel, lieber gott, um himmels willen, himmels willen, gottes willen, um gottes willen, meine güte, ach du meine güte, ach gott, oh gott, oh je, oje, ojemine, oh mann, mann mann, mannomann, menschenskind, menschenskinder, hergott, gott sei dank, gottseidank, zum glück, zum teufel, teufel, teufel auch, donnerwetter, alter, alta, digga, diggi, ey, eh, hä, pff, puh, uff, uh, uiui, hui, boah, wow, au, aua, autsch, igitt, tja ja, naja gut, hach, hihi, haha, hurra, juhu, jippie, leck mich, leck, verdammt noch mal, verdammt nochmal, zefix, jessas, jesses, jesus maria, maria, bitteschön danke, menno, mannometer, krass"

	// germanAddress is whom people speak to.
	germanAddress = "herr fahrer, chefin, chefchen, kollege, kollegin, kumpel, alter freund, alter junge, bruder, bro, schwester, mädel, mädels, jungs, leute mal, kinder mal, mausi, maus, liebling, schätzchen, schätzelein, süße, süßer, engel, herzchen, gnädige frau, gnädigste, gnädiger herr, gnä, verehrteste, verehrter, werter herr, werte dame, werte damen, meine damen, damen und herren, herrschaften, guter mann, liebe frau, liebes fräulein, fräulein, liebe dame, liebe leute, computer, maschine, roboter, automat, blechkiste"

	// germanVerbs are those of talking, moving and living.
	germanVerbs = "beeilen, beeilung, beeilt, beeil, sputen, eilen, eilt, rennen, flitzen, düsen, huschen, flott, fix, zackig, zügig, hurtig, dalli, dalli dalli, hopp, hopp hopp, zack, zack zack, ratzfatz, ruckzuck, avanti, presto, pronto, gib gas, gas geben, tempo, tempo bitte, hinne, hin machen, machen sie schnell, mach schnell, keine zeit, null zeit, keine minute zu verlieren, keine zeit zu verlieren, nicht trödeln, nicht so lange, schreibs auf, schreiben sie auf, mitschreiben, aufschreiben, tippen, sprich, sagte, gesagt, gesagte, meinte, gemeint, dachte, denke, denk, denken, glaub, glaube, glauben, finde, find, rufe, ruf, rufen, angerufen, anrufen, telefoniere, bräuchten wir, bräucht ich, hätt ich, hätten wir, hätten sie, täte, tät, täten, tun, tu, getan, muss, mussten, musste, wollten, wollt, sollt, konnte, konnten, durfte, arbeite, arbeiten, gearbeitet, essen, gegessen, trinken, getrunken, schlafen, geschlafen, laufen, läuft grad, gelaufen, sitze, sitz, sitzt, saß, liege, liegt, feiern, feier, gefeiert, spielen, gespielt, spielt, tanzen, kaufen, einkaufen, eingekauft, besuchen, besuche, treffen, treffe, getroffen, verpassen, verpasst, verpasse, kriegen, kriege, krieg, kriegt, bekommen, bekomme, fangen, fängt, anfangen, aufhören, schließen, schließt, öffnen, öffnet, mache, helfen, hilft, hilf, geholfen, tragen, trage, trägt, schleppen, schleppe, freuen, freue, freu, hoffe, hoffen, leben, wohnen, wohnt, lernen, lerne, lesen, schreiben, schreibe, kümmern, kümmere, sorgen, merken, klappen, klappt, verstehen, versteh, verstehe, verstanden haben, verraten, erklären, wünschte, logiere, logieren, veranlassen, veranlasse, besorgen, besorgt, organisieren, weinen, bluten, blutet, tropft, passieren, passiert, starten, gestartet, schnappen, düse"

	// germanAdverbs say how, and how much, and limit nothing.
	germanAdverbs = "echt, total, voll gut, völlig, absolut so, ziemlich, furchtbar gern, unheimlich, extrem, besonders, überaus, äußerst, ungemein, herzlich, herzlichst, irgendwie, irgendwo da, halbwegs, einigermaßen, sozusagen, quasi, praktisch, offenbar, offensichtlich, scheinbar ja, bekanntlich, jedenfalls, immerhin, schließlich, letztlich, letzten endes, am ende, im grunde, grundsätzlich, überhaupt, sowieso, eh, ohnehin, halt so, nämlich, nun mal, nunmal, nun ja, nu, nu ja, nu denn, denn man, man to, ma, mo, a, gel, wa, woll, wie sie sagen, gleichfalls, ebenfalls, desgleichen, ferner bitte, sodass, dermaßen, derart, dergestalt, dato, derzeit, zurzeit, momentan, zur zeit, augenblicklich, mittlerweile, inzwischen, unterdessen, bereits, vorhin, eben gerade, soeben, gerade eben, zuletzt, zuerst, zweitens, erstens, drittens, usw, und so weiter, und so, oder so, so was, sowas, was auch immer, dings, ding, dingens, zeug, hundert prozent, hundertprozentig, hundertpro, prozent, ohne wenn und aber, ohne frage, keine frage, zweifellos, zweifelsohne, ohne zweifel, selbstredend, wie gewünscht so, gewissermaßen, unter uns gesagt, ehrlich, ehrlich gesagt, ehrlicherweise, offen gesagt, mit verlaub, bei gott, nix für ungut, nichts für ungut, fürs erste, einmal mehr, wieder mal, schon wieder, mal wieder, immer, immer noch, nochmals danke, ungern"

	// germanDaily are things of everyday life that are no places.
	germanDaily = "angaben, angabe, festhalten, draußen, unten, drinnen, drunten, oben, vorne, vorn, hinten, drüben, herunten, unterwegs, mantel, mütze, rot, rote, roten, blau, blaue, blauen, grün, gelb, schwarz, schwarze, schwarzen, weiß, akku, guthaben, leben, welt, kopf, fuß, füße, bein, beine, knie, hüfte, rücken, arm, hand, hände, finger, auge, augen, zahn, haar, bauch, blut, fieber, medizin, medikamente, rezept, krücken, stock, gehstock, rollator, mantel, jacke, schuhe, schirm, regenschirm, kleid, anzug, hut, handy, telefon, akku, empfang, verbindung, leitung, schlüssel, geld, bargeld, wechselgeld, trinkgeld, karte, fahrkarte, ticket, pass, paket, pakete, tasche, taschen, rucksack, kiste, kisten, einkauf, einkäufe, einkäufen, getränke, pizza, bier, bierchen, wein, kaffee, tee, kuchen, frühstück, abendessen, mittagessen, geburtstag, hochzeit, beerdigung, urlaub, reise, prüfung, vorlesung, unterricht, seminar, besprechung, konferenz, schicht, dienst, untersuchung, operation, behandlung, besuch, film, vorstellung, spiel, konzert, veranstaltung, sitzung, probe, gottesdienst, verkehr, stau, straßen, autobahn, busse, bahn, straßenbahn, u bahn, tram, panne, reifen, kaputte, schloss zu, tor, treppe, stufen, bank da, bordstein, gehweg, halle, foyer, lobby, bahnsteig, gleis, glück, pech, mühe wert, uhrwerk, woche über, feierabend, pause, wahrheit, ordnung"

	// germanThings are fillers too, but behind "zum" or "nach" each is where somebody goes.
	germanThings = "arbeit, mama, mutti, mutter, papa, vati, vater, oma, opa, omi, opi, tante, onkel, cousine, cousin, tochter, sohn, bruder, schwester, freund, freundin, freunde, freunden, kumpel, kumpels, nachbarin, nachbar, kollegen, chef, familie, eltern, schwiegermutter, schwiegervater, schwager, schwägerin, frau, mann, kinder, enkel, enkelin, kunde, kunden, zahnarzt, friseur, frisör, tierarzt, anwalt, kirche, moschee, fitnessstudio, schwimmbad, bücherei, bibliothek, strand, park, büro, firma, laden, supermarkt, restaurant, cafe, post, polizei, gericht, fabrik, lager, bauernhof, zoo, theater, galerie, kasino, disko, disco, friedhof, golfplatz, kindergarten, kita, pflegeheim, altersheim, wohnung"
)

// germanGoAhead has everybody agree who tells to act: "buchen Sie das so", "schick ihn los".
func germanGoAhead(l *language) {
	for verb := range strings.SplitSeq("buch, buche, buchen sie, buchens, buchs, mach, mache, machen sie, machens, machs, bestell, bestelle, bestellen sie, bestellens, schick, schicken sie, schickens, schickt, nimm, nehmen sie, nehmens, reservieren sie, reserviere, veranlassen sie, bestätigen sie, ordern sie, order, tragen sie, trag, leiten sie, geben sie, gib", ", ") {
		for _, object := range []string{"", "das", "es", "ihn", "den", "den wagen", "das taxi", "mir das", "uns das", "dies", "mir den", "einen"} {
			for _, particle := range []string{"", "so", "ein", "los", "klar", "fest", "fix", "fertig", "mal", "ma", "bitte", "bitte so", "bitte ein", "genau so", "ruhig", "schon", "her", "vorbei", "weiter", "in die wege", "hinne", "dann", "jetzt so", "doch bitte", "gern", "gerne"} {
				if object == "" && particle == "" && verb != "buchen sie" || object == "einen" && particle == "" {
					continue
				}
				l.add(sense{class: agrees}, strings.Join(strings.Fields(verb+" "+object+" "+particle), " "))
			}
		}
	}
	for _, who := range []string{"das", "es", "den", "den wagen", "das taxi", "so", "das so", "es so"} {
		for verb := range strings.SplitSeq("buchen, bestellen, machen, schicken, reservieren, veranlassen, nehmen, festmachen, eintragen, klarmachen, losschicken, einbuchen", ", ") {
			l.add(sense{class: agrees}, who+" "+verb)
			for _, lead := range []string{"können sie", "kannst du", "dürfen sie", "bitte", "wollen wir", "können wir", "kann man", "möchte ich", "würde ich", "will ich"} {
				l.add(sense{class: agrees}, lead+" "+who+" "+verb)
				l.add(sense{class: agrees}, who+" "+lead+" "+verb)
			}
		}
	}
}

// germanRestated agrees to what was said before: "wie ich gesagt habe", "so wollte ich es".
func germanRestated(l *language) {
	for _, lead := range []string{"alles so wie", "alles wie", "wie", "so wie", "genau wie", "genau so wie", "genau was", "genau das was", "das was", "was"} {
		for _, who := range []string{"sie", "sie es", "ich", "ich es", "ich sagte", "von mir", "von ihnen", "besprochen", "eben"} {
			for verb := range strings.SplitSeq("gesagt, gesagt haben, gesagt habe, sagten, sagte, wollte, will, gewünscht, gewünscht habe, wünsche, diktiert, diktiert habe, vorgelesen, vorgelesen haben, gelesen haben, wiederholt, wiederholt haben, genannt, genannt haben, angegeben, angegeben habe, brauche, möchte, notiert haben, beschrieben, geschildert, erwähnt", ", ") {
				if strings.HasPrefix(lead, "genau") || strings.HasPrefix(lead, "so") || strings.HasPrefix(lead, "alles") || strings.HasPrefix(who, "sie") {
					l.add(sense{class: agrees}, lead+" "+who+" "+verb)
					continue
				}
				l.add(sense{class: filler}, lead+" "+who+" "+verb)
			}
		}
	}
	for _, who := range []string{"das haben sie", "haben sie", "sie haben", "sie haben das", "sie haben es", "sie haben mich", "sie haben alles", "alles"} {
		for _, how := range []string{"", "richtig", "korrekt", "gut", "sehr gut", "genau", "ganz richtig", "perfekt", "schön", "fehlerfrei", "vollkommen richtig", "exakt", "prima", "bestens", "wunderbar"} {
			for _, verb := range []string{"verstanden", "notiert", "aufgenommen", "erfasst", "wiedergegeben", "wiederholt", "gehört", "aufgeschrieben", "mitgeschrieben", "gemacht", "getroffen"} {
				l.add(sense{class: agrees}, strings.Join(strings.Fields(who+" "+how+" "+verb), " "))
			}
		}
	}
	for _, so := range []string{"so", "genau so", "genauso", "das", "genau das"} {
		for _, verb := range []string{"wollte ich es", "wollte ich das", "will ich es", "will ich das", "möchte ich es", "möchte ich das", "hätte ich es gern", "hätte ich es gerne", "hatte ich es gewünscht", "habe ich es gewünscht", "habe ich es gemeint", "hab ich es gemeint", "habe ich gemeint", "hab ich gemeint", "meinte ich", "meinte ich es", "meinte ich das", "war es gemeint", "war es gedacht", "wars gedacht", "wünsche ich es", "wünsche ich es mir", "brauche ich es", "habe ich es gesagt", "hab ich gesagt", "habe ich gesagt", "wollte ich", "will ich", "wollte ich haben", "will ich haben", "möge es sein", "soll es sein", "solls sein", "soll es bleiben", "kann es losgehen", "kanns losgehen", "kann es gehen", "ist es mir recht", "passt es mir", "passt es", "nehme ich es"} {
			l.add(sense{class: agrees}, so+" "+verb)
		}
	}
}

// germanCalledOff takes a booking back: "weg damit", "das Taxi kann weg".
func germanCalledOff(l *language) {
	var objects []string
	for whose, things := range map[string]string{"das, mein, dieses": "taxi, auto", "den, meinen, diesen, mein, der": "wagen", "die, meine, diese": "fahrt, buchung, bestellung, tour"} {
		for w := range strings.SplitSeq(whose, ", ") {
			for thing := range strings.SplitSeq(things, ", ") {
				objects = append(objects, w+" "+thing)
			}
		}
	}
	objects = append(objects, "es", "das", "ihn", "den", "sie")
	for _, object := range objects {
		for _, off := range []string{"nicht mehr", "nicht länger", "doch nicht", "doch nicht mehr", "jetzt nicht mehr", "nun nicht mehr", "leider nicht mehr", "nun doch nicht", "nicht", "leider nicht", "jetzt doch nicht mehr", "gar nicht mehr"} {
			for _, need := range []string{"brauche", "brauch", "brauchen", "benötige", "benötigen", "will", "wollen", "möchte", "möchten"} {
				if off == "nicht" && len(strings.Fields(object)) == 1 {
					continue
				}
				for _, who := range []string{"", "ich", "wir"} {
					l.first(sense{class: wishes, act: ActCancel}, strings.Join(strings.Fields(need+" "+who+" "+object+" "+off), " "))
					l.first(sense{class: wishes, act: ActCancel}, strings.Join(strings.Fields(object+" "+need+" "+who+" "+off), " "))
				}
				l.first(sense{class: wishes, act: ActCancel}, object+" "+off+" "+need)
			}
		}
		for _, away := range []string{"kann weg", "weg", "fällt aus", "zurückziehen", "zurücknehmen", "rückgängig machen", "rückgängig", "rausnehmen", "austragen", "abblasen", "hinfällig", "ist hinfällig", "zurückgeben", "auflösen", "abzusagen", "zu stornieren", "stornieren", "canceln", "streichen", "abbestellen"} {
			l.first(sense{class: wishes, act: ActCancel}, object+" "+away)
		}
	}
	for _, verb := range []string{"streich", "streicht", "streichen sie", "lösch", "löscht", "löschen sie", "stornier", "storniert", "cancelt", "vergesst", "canceln sie", "annulliert"} {
		for _, object := range objects {
			if object != "sie" {
				l.first(sense{class: wishes, act: ActCancel}, verb+" "+object)
			}
		}
	}
	l.first(sense{class: wishes, act: ActCancel}, "weg damit, raus damit, kann weg, zurückziehen, rückgängig machen, rückgängig, widerrufen, widerrufe, ich widerrufe, abblasen, blasen sie ab, stornier, stornieren sie, stornierens, annulliere, annullieren sie, abzubestellen, abzusagen, zu stornieren, sagen sie ab, sag ab, absage, bestelle ab, bestell ab, bestellen sie ab, fällt aus, fällt ins wasser, fahrt entfällt, entfällt, hat sich erledigt mit dem taxi, nehme zurück, ziehe zurück")
}

// restating says that something was said before: "hab ich doch gesagt".
func (l *language) restating() {
	for _, who := range []string{"hab ich", "habe ich", "ich hab", "ich habe", "sag ich", "sage ich", "sagte ich", "das sag ich", "das sagte ich", "wollte ich", "haben wir", "das hab ich", "das habe ich", "das haben wir", "wie ich"} {
		for _, doch := range []string{"doch", "ja", "doch schon", "doch gerade", "ja schon", "ja gerade", "doch eben", "doch bereits", "schon", "bereits", "gerade", "eben", "vorhin", "doch vorhin"} {
			for _, said := range []string{"", "gesagt", "erwähnt", "genannt", "angegeben", "gemeint", "die ganze zeit", "mehrmals gesagt", "zweimal gesagt"} {
				if said == "" && !strings.Contains(doch, "doch") {
					continue
				}
				l.first(sense{class: filler}, strings.TrimSpace(who+" "+doch+" "+said))
			}
		}
	}
}

func germanAskings() []asking {
	return []asking{
		{leads: lex.Set("wie wieviel wieviele"), about: lex.Set("lang lange langs minuten min schnell bald weit"), question: AsksETA},
		{leads: lex.Set("wie wieviel"), about: lex.Set("teuer kostet kosten kost kostets euro geld zahl zahle zahlen macht preis"), question: AsksFare},
		{leads: lex.Set("was"), about: lex.Set("nehmt nehmts nimmst nehmen preislich kost koste kostet kosten kostets zahl zahle zahlen macht preis schulde"), question: AsksFare},
		{leads: lex.Set("wann"), about: lex.Set("bestellt gebucht vorbestellt abgeholt geholt"), question: AsksTime},
		{leads: lex.Set("wann"), about: lex.Set("kommt kommts kommen kommst da hier ankunft taxi wagen fahrer auto er ihr"), question: AsksETA},
		{leads: lex.Set("wo"), about: lex.Set("taxi wagen fahrer auto er karre kutsche droschke bleibts bleibt"), question: AsksWhere},
		{leads: lex.Set("welche welches welcher welchen"), about: lex.Set("auto wagen farbe kennzeichen fahrzeug"), question: AsksCar},
		{leads: lex.Set("was"), about: lex.Set("gebucht bestellt notiert eingetragen reserviert"), question: AsksBooking},
		{leads: lex.Set("lesen lies lesens vorlesen sagen sag"), about: lex.Set("buchung bestellung"), question: AsksBooking},
		{leads: lex.Set("sieht seht"), about: lex.Set("taxi wagen auto"), question: AsksETA},
		{leads: lex.Set("wer"), about: lex.Set("fahrer fahrt kommt holt"), question: AsksDriver},
		{leads: lex.Set("dauert dauerts braucht"), about: lex.Set("lange lang noch ewig"), question: AsksETA, first: true},
		{leads: lex.Set("ist kommt kommen seid sind"), about: lex.Set("unterwegs losgefahren bald gleich noch schon endlich"), question: AsksETA, first: true},
	}
}
