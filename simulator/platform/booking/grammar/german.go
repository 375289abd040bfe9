package grammar

import (
	"maps"

	"github.com/cabrank/cabrank/simulator/platform/booking/grammar/lex"
	"github.com/cabrank/cabrank/simulator/platform/booking/grammar/times"
)

// german is what people say in German. Places, and the numbers in front of streets, may
// be in English.
func german() *language {
	l := &language{Words: times.NewWords("de", "de-DE", times.GermanClock()), phrases: map[string][]phrase{}, kind: kindsOfPlace}
	maps.Copy(l.Numbers, times.Numerals("en-GB"))
	for _, one := range lex.Tokens("ein eine einen einem einer eins") {
		l.Numbers[one] = 1
	}
	l.Numbers["zwo"] = 2
	l.glue = lex.Set("der die das dem den the of and und an a am n im in hausnummer nummer number beim")
	l.people = peopleWords{
		nouns:  lex.Set("personen person leute mann fahrgaste fahrgäste passagiere leuten köpfe people"),
		pairs:  lex.Set("erwachsene erwachsenen kinder kind kindern männer frauen mädels mädchen jungs damen herren freunde kumpels"),
		groups: map[string]int{"zweit": 2, "dritt": 3, "viert": 4, "funft": 5, "sechst": 6, "siebt": 7, "acht": 8},
		party:  lex.List("wir, mir, sind, das sind, wir sind, sind wir, sind wir doch, wir sind jetzt, wir sind doch, wir sind zu, es sind"),
		alone:  lex.List("eine einzelne person, eine einzige person, nur ich, ich alleine, ich allein, bin alleine, bin allein"),
		mostly: lex.List("von uns, insgesamt, alles in allem, zusammen"),
	}
	l.names = nameWords{
		leads: lex.List("mein name ist, ich heiße, ich heisse, auf den namen, der name ist, name ist, name, unter dem namen, auf namen, heiße, mein name"),
		asked: lex.List("ich bin, ich bin der, ich bin die, hier ist, hier spricht, das ist, auf, für, ja, äh, ähm, also, der, die, schreiben sie, sagen sie einfach, einfach, es ist, na, bitte, mit, unter"),
		loose: nil,
		ends:  lex.Set("bitte danke"),
	}
	germanSmallTalk(l)
	germanTrips(l)
	germanWishes(l)
	germanFormal(l)
	germanLexicon(l)
	l.askings = germanAskings()
	l.nothingTo("nichts zu, nichts mehr zu, nichts weiter zu, nichts daran zu, da nichts zu, es nichts zu, nichts", "ändern, korrigieren, beanstanden, hinzuzufügen, ergänzen, berichtigen, auszusetzen, verändern, einzuwenden, meckern", "., nötig, mehr, bitte")
	l.nothingTo("keine, keine weiteren, keine anderen, ohne, ohne weitere", "änderung, änderungen, korrektur, korrekturen, einwand, einwände, ergänzungen, beanstandungen", "., nötig, notwendig, erforderlich, meinerseits, mehr, bitte")
	l.mindful("nicht, bitte nicht, nicht wieder, nur nicht, bloß nicht", "zu spät, zu spät kommen, verspäten, vergessen, warten lassen, trödeln, bummeln, verpassen, stehen lassen, hängen lassen, so spät, wieder zu spät")
	l.restating()
	l.first(sense{class: wishes, act: ActAsIs}, "sonst bleibt alles, sonst bleibt alles so, sonst bleibt es, sonst alles gleich, sonst bleibt alles gleich, sonst bleibt alles beim alten")
	l.stayed("die, der, das, den", "zeit, uhrzeit, abholung, abholort, startpunkt, start, ziel, zielort, adresse, ort, rest, tag, datum, personenzahl, abholzeit", "bleibt, bleibt gleich, bleibt so, bleibt wie sie ist, bleibt wie er ist, bleibt wie es ist, bleibt bestehen, bleibt dieselbe, passt, passt so, stimmt, stimmt so, ist richtig, ist gut, ist ok, ist okay, gleich, wie gehabt, wie vorher, wie gesagt, unverändert")
	return l.seal()
}

func germanSmallTalk(l *language) {
	l.first(sense{class: filler}, "nicht vor, erst um, erst, guten morgen, guten tag, guten abend, gute nacht, morgen zusammen, grüß gott, grüß sie, servus, moin, moin moin, tach, tag auch, hallöchen, schönen tag, schönen tag noch, schönen abend noch, kein problem, keine eile, keine ursache, kein stress, wenns geht, wenn es geht, wenn möglich, wenn das geht, wenn sie können, "+
		"jetzt stimmt es, jetzt stimmts, jetzt passt es, jetzt passts, jetzt ist es richtig, so ist es jetzt richtig, wie immer bitte, hören sie mich, hören sie mich gut, sind sie da, ist da wer, bin ich da beim taxi, ist da die taxizentrale, bin ich da richtig, ich sag mal, sagen wir, wissen sie, weißt du, wie gesagt, zum beispiel, im prinzip, eigentlich, noch nicht, wie heißt das, wie heißt es, zu hause, "+
		"ich wieder, ich schon wieder, ich bins, ich bins wieder, ich bins nochmal, ich nochmal, ich noch mal, schon wieder ich, wieder ich, ich muss, muss ich, so um, in der nähe, auf jeden fall bitte, gleich da vorne, wo die züge fahren, wo die schiffe sind, bis gleich, bis dann, zum ersten, dann bitte, und zwar, um ehrlich zu sein")
	l.first(sense{class: agrees}, "ich glaube schon, auf jeden fall, na klar, aber sicher, aber gern, aber gerne, ja doch")
	l.first(sense{class: corrects}, "ach was, ach quatsch, ach nein, ach nee, ach ne, nein doch, nein moment, moment nein, nein warte, nein warten sie, quatsch, äh quatsch, nein quatsch, ach quatsch, doch lieber, lieber doch, nein lieber, ich meine, ich meinte, nee ich meine, entschuldigung nein, nein entschuldigung, nein halt, halt nein, stattdessen, das heißt, ich korrigiere, korrektur, mein fehler, falsch gesagt, vertan, das stimmt nicht, stimmt nicht, das ist falsch, moment, moment mal, warten sie mal, halt stopp, nee moment, ne moment, nee warte, nee quatsch, wird doch, besser gesagt, genauer gesagt, beziehungsweise, "+
		"nein ich bin, machen sie lieber, nehmen sie lieber, ach machen sie lieber")
	l.add(sense{class: corrects}, "lieber, doch, besser, sondern, halt, falsch, entschuldigung, sorry, verzeihung, pardon, stopp, ändern auf, vielmehr")
	l.first(sense{class: wishes, act: ActWait}, "einen moment, moment bitte, einen augenblick, augenblick, augenblick bitte, sekunde, eine sekunde, einen moment bitte, warten sie kurz, momentchen, kleinen moment, warten sie bitte, lassen sie mich überlegen")
	l.add(sense{class: refuses}, "nein, nee, ne, nö, keins, keines, keiner, nein danke, nicht richtig, auf keinen fall, näh")
	l.add(sense{class: negates}, "not, nix, nimmer, ned, net, vergiss, vergiss den, vergiss die, vergiss das, vergessen sie, vergessen wir, streich, streichen wir, streiche, lassen wir, nicht, kein, keine, keinen, niemals, nie, statt, anstatt, anstelle, ohne, gar nicht, doch nicht, nicht mehr, weder, noch nicht mal, nichts")
	l.add(sense{class: doubts}, "erst noch, vorher noch, zuvor noch, zuerst noch, aber, vielleicht, eventuell, außer, falls, wenn, obwohl, ob, allerdings, kommt drauf an, unsicher, möglicherweise, auch noch, außerdem, anders, anderen, anderes, mehr")
	l.first(sense{class: doubts}, "eine sache, noch eine sache, noch was, noch etwas, etwas anderes, eine frage, noch eine frage, was anderes, "+tooMuch("zu, viel zu, etwas, etwas zu, ein bisschen, ein bisschen zu, bisschen, bisschen zu, ein wenig zu, arg", "spät, früh, lang, lange, teuer, weit, langsam, groß, klein, knapp, bald"))
	l.add(sense{class: agrees}, "ich guet, guet, ja, jawohl, jawoll, jo, joa, jep, jap, jup, yep, yes, jaja, joh, genau, genau so, richtig, ganz richtig, stimmt, das stimmt, stimmt so, stimmt genau, das stimmt so, so stimmts, so stimmt es, passt, passt so, das passt, passt schon, passt scho, so passt es, so passts, in ordnung, okay, ok, okey, korrekt, das ist korrekt, alles richtig, alles klar, alles korrekt, alles gut, "+
		"gerne, gern, sehr gerne, sehr gern, ja gerne, ja bitte, klar, klaro, sicher, natürlich, selbstverständlich, freilich, einverstanden, perfekt, super, prima, wunderbar, bestens, toll, klasse, gut, sehr gut, ist gut, das ist gut, ist recht, so ist es, so ist es recht, so ist es richtig, geht klar, geht in ordnung, bitte buchen, buchen sie, buchen sie das, bitte bestellen, bestellen sie, ja buchen, machen sie das, machen sie, machen wir, mach das, so machen wir das, so herum, so rum, "+
		"bestätigt, ich bestätige, bestätigen, absolut, exakt, jo passt, läuft, abgemacht, das ist alles richtig, das ist alles gut, das ist alles korrekt, das ist so richtig, das ist richtig, das wäre richtig, das wäre super, das wäre gut, das wäre toll, das bitte, ja so bitte, so bitte, so soll es sein, genau das, hervorragend, ausgezeichnet, fein, stimmt ja, richtig so, auch buchen, bitte auch buchen, jau, isso, auf gehts, los gehts")
	l.add(sense{class: filler}, "n, nem, nes, s, bitte, äh, ähm, öh, öhm, hm, mh, ah, ach, och, oh, na, naja, na ja, tja, also, so, eben, mal, eben mal, einfach, bloß, nur, ja also, hallo, hi, hey, tag, guten, danke, danke schön, dankeschön, danke sehr, vielen dank, herzlichen dank, besten dank, tausend dank, bitteschön, bitte schön, bitte sehr, danke ihnen, lieb, lieb von ihnen, nett, nett von ihnen, sehr nett, freundlich, "+
		"der, die, das, dem, den, des, ein, eine, einen, einem, einer, eines, ich, mich, mir, wir, uns, sie, ihnen, ihr, ihre, er, ihn, ihm, es, du, dich, dir, man, mein, meine, meinen, meiner, meinem, unser, unsere, sein, seine, dieser, diese, dieses, diesmal, dies, da, dort, hier, "+
		"bin, bist, ist, sind, seid, war, wäre, wird, werden, werde, würde, würden, hab, habe, haben, hat, hätte, hätten, hätt, kann, können, könnte, könnten, könnt, soll, sollen, sollte, muss, müssen, müsste, will, wollen, wollte, mag, möchte, möchten, möcht, darf, dürfte, brauch, brauche, brauchen, bräuchte, bräuchten, bräucht, braucht, lassen, lass, geben, gib, gibts, gibt, "+
		"und, von ihnen, mit, für, von mir, zu, an, auf, in, aus, bei mir, um, abgeholt, hin, her, rein, raus, rüber, runter, rauf, dann, denn, jetzt dann, schon, noch, mal eben, gerade, grade, grad, ganz, sehr, schnell, schneller, eilig, dringend, recht, wohl, selber, selbst, alles, alle, beide, zusammen, direkt, kurz, "+
		"taxis, auto, fahrt, gebucht, fahren, fahre, fährt, fahr, gefahren, kommen, komme, kommt, komm, gehen, geht, gehe, steh, stehe, stehen, steht, warte, warten, holen, holt, hole, hol, abholen, abhole, bringen, bringt, bring, bringst, schicken, schick, schickt, senden, nehmen, nimm, machen, mach, macht, sagen, sagt, sag, sage, wissen, weiß, hören, höre, reden, sprechen, "+
		"herr, frau, doktor, lieber herr, meister, chef bitte, junge, mann, mutter, vater, tochter, sohn, oma, opa, freund, freundin, familie, kinder, gepäck, koffer, tüten, hund, zug, flug, termin, wetter, regen, regnet, "+
		"dame, bitte noch, straße, haus, eingang, ecke, seite, adresse, name, namen, viel, viele, wenig, okay dann, heute noch bitte, gott, mein gott, verdammt, mist, scheiße, verflixt, himmel, mensch meier, schatz, meine liebe, mein lieber, gute frau, junger mann, wirs, buchung, bestellung, kneipe, dazu, zusätzlich, diesem, daraus, draus, damit, wieder, weil, dass, bekommt, mehr nicht, gell, gelle, ne oder, nicht wahr, oder, oida, leider, endlich, hoffentlich, wissens, schauen, schau, schauens, gehts, wirds, ists, wars, obs, wären, sowieso, fein gemacht, ihrer, ihrem")
	l.add(sense{class: wishes, act: ActBye}, "tschüss, tschüs, tschau, ciao, sonst nix, nix mehr, nix weiter, sonst nichts mehr, nichts mehr sonst, auf wiederhören, auf wiedersehen, wiederhören, wiederschaun, ade, servus dann, das wars, das war alles, das wärs, das wäre alles, mehr nicht danke, sonst nichts, nichts weiter, bis bald, bis später, mehr wollte ich nicht, mehr wollte ich nicht wissen, danke das wars, das ist alles, pfiat di, machs gut")
}

func germanTrips(l *language) {
	l.add(sense{class: from}, "von, vom, von der, von dem, aus dem, aus der, ab dem, ab der, start am, start ist, abholung am, abholung bei, abholung in der, abholung vom, abfahrt")
	l.add(sense{class: to}, "nach hause, heim, zu meiner, zu meinem, zu meinen, zu unserer, zu unserem, zu einer, zu einem, nach, zum, zur, zu dem, zu der, zu den, in die, ins, in das, bis, bis zum, bis zur, richtung, an den, auf den, hin zum, rüber zum, in den, auf die")
	l.add(sense{class: goes}, "ziel ist, fahren nach, bringen sie mich zum, fahren sie mich zum, bringen sie mich zur, bringen sie mich nach, fahren sie mich nach, will zum, will zur, will nach, will ins, muss zum, muss zur, muss nach, muss ins, möchte zum, möchte zur, möchte nach, möchte ins, weiter zum, weiter nach, dann zum, dann zur, dann nach, geht zum, gehts zum, geht nach, gehts nach")
	l.add(sense{class: via}, "über, via, über den, über die, über das, mit stopp am, mit halt am, mit zwischenstopp am, mit zwischenstopp bei, mit halt bei, vorbei am")
	l.add(sense{class: at}, "am, an der, an dem, beim, bei, bei der, bei dem, vor, vorm, vor dem, vor der, im, in der, in dem, auf dem, neben dem, neben der, gegenüber, gegenüber vom, gegenüber der, ab")
	l.add(sense{class: stands}, "ich bin, bin am, bin im, bin beim, bin bei, bin in, stehe am, steh am, stehe vor, stehe vorm, stehe beim, steh vorm, steh hier, stehe hier, warte am, warte vor, warte beim, wir sind am, wir sind im, wir sind beim, wir stehen, wir warten, ich stehe, ich steh, ich warte, sitze im, sitze in, sitz im, wohne in, wohne im, hier am, hier beim, hier im, bin hier, bin gerade, bin grad")
	l.add(sense{class: collects}, "hol mich, holen sie mich, holen sie mich bitte, holen sie uns, holen sie uns bitte, hol uns, mich abholen, uns abholen, abholung, abholort, der abholort, den abholort, abholpunkt, abholadresse, startpunkt, startort, holt mich, holt uns, holen sie meinen vater, holen sie meine mutter, können sie mich abholen")
	l.add(sense{class: drops}, "ziel, das ziel, zielort, mein ziel, fahrziel, den zielort, zieladresse")
	l.add(sense{class: then}, "und dann, danach, und danach, anschließend, und anschließend, und weiter")
	l.add(sense{class: usual}, "wie immer, wie üblich, wie gewohnt, wie sonst auch, der übliche ort, am üblichen ort, üblicher ort, von der üblichen stelle, wie letztes mal, wie beim letzten mal, wie gehabt, üblichen")
	l.first(sense{class: swaps}, "andersherum, anders herum, andersrum, anders rum, umgekehrt, genau umgekehrt, vertauscht, verkehrt herum, falsch herum, falsch rum, falschrum, verkehrt rum, in die andere richtung, die andere richtung")
	for category, names := range map[string]string{
		"MPV": "großraumtaxi, großraumwagen, großes taxi, großes auto, einen großen wagen, großen wagen, bus, kleinbus, van", "ESTATE": "kombi, kombiwagen, einen kombi",
		"WHEELCHAIR": "rollstuhl, rollstuhltaxi, rollstuhlgerecht, mit rollstuhl",
	} {
		l.first(sense{class: kinds, category: category}, names)
	}
}

func germanWishes(l *language) {
	wish := func(a Act, text string) { l.add(sense{class: wishes, act: a}, text) }
	early := func(a Act, text string) { l.first(sense{class: wishes, act: a}, text) }
	wish(ActBook, "taxibestellung, taxibuchung, taxireservierung, taxiauftrag, reservierung, reservierung vornehmen, buchung vornehmen, buchung aufgeben, bestellung aufgeben, fahrgelegenheit, mitfahrgelegenheit, droschke, beförderung bestellen, taxi, wagen, buchen, bestellen, bestelle, buche, bestellt, ein taxi bestellen, ein taxi buchen, cab")
	early(ActBook, "einmal taxi, ein taxi, einen wagen, eine fahrt, ein auto, abgeholt werden, mich abholen lassen, eine taxifahrt, nen wagen, n taxi, nen taxi")
	early(ActAnother, "zusätzlich zu, noch eins, noch eines, noch ein auto, weiteres taxi, ein weiteres, noch ein taxi, zweites taxi, ein zweites taxi, neues taxi, ein neues taxi, noch ein zweites taxi, noch ein zweites, noch einen wagen, zusätzliches taxi, ein neues taxi dazu, noch ein weiteres taxi, extra taxi, eine neue fahrt, neue fahrt, neue buchung, noch eine fahrt, weitere fahrt")
	early(ActCancel, "stornieren, storniere, storniert, stornierung, storno, abbestellen, absagen, sage ab, abgesagt, löschen, streichen, nicht mehr brauchen, brauche ich nicht mehr, brauch ich nicht mehr, brauche das taxi nicht mehr, brauch das taxi nicht mehr, annullieren, canceln, cancel")
	early(ActKeep, "lassen sie es bei, lassen wir es bei, lassen wirs bei, lass es bei, lass bei, bleiben wir bei, bleib bei, es bleibt bei, bleibt bei, bleibt doch bei, belassen wir es bei, behalten, behalte, behalte es, nicht stornieren, doch nicht stornieren, nicht absagen, nicht löschen, lassen sie alles wie es ist, alles lassen wie es ist, wie es ist, so lassen, lassen sie es so, lassen sie es dabei, lassen sie die buchung, bleibt wie es ist, alles so lassen, soll bleiben, bleibt so, es bleibt dabei, bleibt dabei")
	wish(ActChange, "ändern, ändere, umbuchen, verändern, änderung, verschieben, verschiebe, verlegen, umlegen, vorziehen, tauschen, anpassen, abändern, geändert, korrigieren, umändern, später legen, verschoben")
	early(ActPerson, "keinen automaten, keinen computer, keine maschine, keinen roboter, kein automat, kein computer, den verantwortlichen, verantwortlichen, verantwortliche, wer verantwortlich, zu viel berechnet, zuviel berechnet, zu viel bezahlt, zuviel bezahlt, zu viel verlangt, geld zurück, mein geld zurück, rückerstattung, erstattung, unverschämt, ein unfall, einen unfall, schaden, mitarbeiter, mitarbeiterin, einen mitarbeiter, mensch, menschen, einen menschen, richtigen menschen, einen richtigen menschen, zentrale, vermittlung, mit jemandem, jemandem sprechen, jemanden sprechen, jemand helfen, wer kann mir da helfen, wer kann mir helfen, kann mir jemand helfen, operator, echte person, person sprechen, verbinden, verbinden sie mich, durchstellen, stellen sie mich durch, beschwerde, beschweren, beschwer, reklamation, fundsache, fundbüro, verloren, liegen lassen, liegengelassen, liegen gelassen, vergessen im taxi, vorgesetzten, den chef, geschäftsführer, ihren chef, disponent, disponenten, echten menschen, person bitte, einen echten menschen, mit einem menschen")
	wish(ActHelp, "hilfe, jemand, jemanden")
	wish(ActComingNow, "komme jetzt, ich komme jetzt, ich komme, komme gleich, ich komme gleich, bin unterwegs, ich bin unterwegs, bin gleich da, ich bin gleich da, komme runter, ich komme runter, komme raus, ich komme raus, bin schon unterwegs")
	wish(ActCallDriver, "fahrer anrufen, den fahrer anrufen, mit dem fahrer sprechen, fahrer sprechen, mit dem fahrer reden, den fahrer sprechen, fahrer erreichen, verbinden mit dem fahrer")
	early(ActRepeat, "wiederholen, wiederhole, wiederholen sie, noch einmal, nochmal bitte, noch mal bitte, wie bitte, bitte wiederholen, was haben sie gesagt, sagen sie das noch einmal, sagen sie das nochmal, ich habe sie nicht verstanden, nicht verstanden, hab ich nicht verstanden, nochmals bitte, das hab ich nicht verstanden, was war das")
	wish(ActRepeat, "nochmal, noch mal, nochmals, was")
	early(ActNothing, "will nicht mehr, möchte nicht mehr, mag nicht mehr, brauche nicht mehr, lassen sie mal, lass mal, lasst mal, zu fuß, geh zu fuß, gehe zu fuß, ich geh zu fuß, ich gehe zu fuß, fahre selbst, fahr selber, nehm den bus, nehme den bus, fahre mit dem bus, vergessen sie es, vergessen sies, vergiss es, lassen sie es, lassen sies, lassen wir es, lass gut sein, schon gut, hat sich erledigt, erledigt, egal, dann nicht, dann eben nicht, dann eben nicht mehr, doch kein taxi, kein taxi, kein taxi danke, ich brauche kein taxi, brauche kein taxi, brauch kein taxi, will kein taxi, keins mehr, brauche keins, ich brauche keins, verwählt, habe mich verwählt, falsch verbunden, falsche nummer, will nur den preis, nur den preis, nur den preis wissen, ich wollte nur, wollte nur wissen, will nur wissen, nur eine frage, nur mal fragen, nur fragen, nicht buchen, nichts buchen, bitte nicht buchen, nicht bestellen, ich will nicht buchen, nein danke ich laufe, dann laufe ich, ich laufe, ich nehme den bus, holt mich doch ab, werde abgeholt, habs mir anders überlegt, hab es mir anders überlegt, anders überlegt, nicht nötig, auflegen, ich rufe später an, ich melde mich, überleg ich mir, gar keins, nicht mehr nötig, braucht es nicht, brauchts nicht")
	wish(ActStatus, "status, der status, wie ist der status, gibt es neues")
	early(ActTellDriver, "sage es dem fahrer, sag es dem fahrer, dem fahrer sagen, fahrer sagen, sag ich dem fahrer, sage ich dem fahrer, sag ich ihm, sage ich ihm dann, erkläre ich dem fahrer, zeige ich dem fahrer, weiß der fahrer")
	early(ActSkip, "überspringen, ohne namen, keinen namen, möchte ich nicht sagen, will ich nicht sagen, sag ich nicht, lieber nicht, ist egal, tut nichts zur sache, weiter")
	early(ActLater, "nicht jetzt, nicht sofort, zu einer anderen zeit")
	wish(ActLater, "später, für später, nachher, erst später")
	early(ActOther, "das andere, den anderen, die andere, der andere, keins davon, keines davon, keiner von beiden, keins von beiden")
	wish(ActTime, "zeit, uhrzeit, die zeit, die uhrzeit, die zeit ändern")
	ask := func(q Question, text string) { l.first(sense{class: asks, question: q}, text) }
	ask(AsksFare, "kostet, was kostet, was kostet das, was kostet denn, was kostet die fahrt, wie teuer, wie teuer ist, was macht das, was macht das dann, wie viel kostet, wieviel kostet, wie viel, wieviel, preis, der preis, den preis, fahrpreis, was würde das kosten, was kostet mich, was würde kosten, was nehmen sie, kosten, was zahle ich, was muss ich zahlen")
	ask(AsksETA, "wie lange, wie lange dauert, wie lange dauert es, wie lange noch, wie lange braucht, wann kommt, wann kommt es, wann kommt das taxi, wann ist es da, wann ist das taxi da, wie lange muss ich warten, wann sind sie da, kommt es bald, kommt mein taxi, wie weit, wie weit weg, wartezeit, braucht es noch lange, dauert es noch, dauert das noch, wann kommt er, wie schnell, wann wäre es da, dauert das lange, wie viele minuten, wieviele minuten, wann ist denn, wann kommt denn, wann ist mein taxi da, wann ist denn mein taxi da, wann wird, wann taucht, ist es schon unterwegs, ist mein taxi unterwegs, ist er schon unterwegs, wo bleibt denn, ist es gleich da")
	ask(AsksWhere, "wo ist, wo ist mein taxi, wo ist das taxi, wo bleibt, wo bleibt mein taxi, wo bleibt das taxi, wo ist der fahrer, wo bleibt der fahrer, wo steckt, wo ist er, wo ist der wagen, wo ist mein fahrer, wo bleibt er, wo befindet sich, wo sind sie")
	ask(AsksCar, "welches auto, was für ein auto, was für ein wagen, welcher wagen, welche farbe, kennzeichen, das kennzeichen, nummernschild, welches taxi, wie sieht das taxi aus, wie sieht es aus, was für ein taxi, automarke, wonach muss ich schauen, wie erkenne ich, woran erkenne ich, auf welches auto, welches fahrzeug")
	ask(AsksDriver, "wer ist der fahrer, wer fährt, wie heißt der fahrer, name des fahrers, wer ist mein fahrer, wer kommt, ausweisnummer")
	ask(AsksTime, "um wie viel uhr, um wieviel uhr, wann ist mein taxi bestellt, wann hab ich, wann habe ich, wann ist das taxi, auf wann, für wann, um wieviel uhr kommt, für wie viel uhr, für wieviel uhr, wann ist meine fahrt, wann ist die fahrt, wann werde ich abgeholt, wann holen sie mich, welche uhrzeit, welche zeit, zu welcher zeit, wann war das")
	ask(AsksBooking, "hab ich noch, habe ich noch, ist mein taxi noch, ist meine fahrt noch, kommt heute noch, kommt heut noch, kommt heut abend noch, kommt heute abend noch, kommt mein taxi noch, steht mein taxi, was ich gebucht habe, was habe ich gebucht, was hab ich gebucht, meine buchung, meine buchung hören, was ich bestellt habe, was habe ich bestellt, was hab ich bestellt, meine bestellung, habe ich ein taxi, habe ich eine buchung, hab ich eine buchung, lesen sie mir, buchungsdetails, ist mein taxi bestellt, ist mein taxi gebucht, welche fahrt, steht meine buchung, buchung prüfen")
	ask(AsksJob, "auftragsnummer, buchungsnummer, vorgangsnummer, die nummer der buchung")
	ask(AsksOther, "ist da die, bin ich da bei, kann man bei euch, kann ich mit karte zahlen, nehmen sie karte, mit karte zahlen, nehmen sie hunde, haben sie, sind sie sicher, wirklich, warum, wieso, weshalb, stimmt das, ist das richtig, wer sind sie, wer ist, was ist, wie ist, welche, welcher, welches, was für")
}
