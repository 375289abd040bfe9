package rules

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestStatements has ten sentences by language that say that it was done, and ten that
// do not, for a booking and for a cancellation.
func TestStatements(t *testing.T) {
	t.Parallel()
	for language, l := range map[string]struct {
		booked, cancelled string
		done, open        []string
	}{
		"en": {
			"booked", "cancelled",
			[]string{
				"Your taxi is %s.", "Your taxi has been %s.", "It's %s.", "Your taxi is now %s. Goodbye.", "I've %s your taxi.",
				"We have %s it.", "Thank you. That's %s.", "Your taxi's %s!", "Both taxis are %s.", "We've now %s your taxi.",
			},
			[]string{
				"Your taxi is not %s.", "Sorry, your taxi could not be %s.", "Is it %s?", "If it is %s, you get a message.", "Your taxi will be %s.",
				"It hasn't been %s.", "Press 1 when it is %s.", "I do not know whether it is %s.", "Unfortunately none is %s.", "Your taxi is already %s.",
			},
		},
		"de": {
			"gebucht", "storniert",
			[]string{
				"Ihr Taxi ist %s.", "Ihr Taxi wurde %s.", "Ich habe Ihr Taxi %s.", "Das Taxi ist nun %s.", "Ihre Taxis sind %s.",
				"Die Fahrt wurde soeben %s.", "Es ist %s.", "Ich habe es für Sie %s.", "Danke, Ihr Taxi ist %s.", "Die Fahrt ist hiermit %s.",
			},
			[]string{
				"Ihr Taxi ist nicht %s.", "Es konnte leider nicht %s werden.", "Ist es %s?", "Wenn es %s ist, hören Sie von uns.", "Ihr Taxi wird %s.",
				"Leider ist nichts %s.", "Sobald es %s ist, rufen wir an.", "Kein Taxi ist %s.", "Ob es %s ist, ist nicht bekannt.", "Drücken Sie 1, und es ist %s.",
			},
		},
		"fr": {
			"réservé", "annulé",
			[]string{
				"Votre taxi est %s.", "Votre taxi a été %s.", "Le taxi est bien %s.", "C'est %s.", "Vos taxis sont %ss.",
				"Votre course est %se.", "Votre taxi est maintenant %s.", "Merci, le taxi a été %s.", "Voilà, il est %s.", "Très bien : votre course a été %se.",
			},
			[]string{
				"Votre taxi n'est pas %s.", "Désolé, il n'a pas été %s.", "Est-ce que le taxi est %s ?", "Si le taxi est %s, vous recevrez un message.", "Il sera %s.",
				"Malheureusement, rien n'est %s.", "Quand il est %s, nous appelons.", "Le taxi est déjà %s.", "Tapez 1 et le taxi est %s.", "Impossible de dire : il est %s ?",
			},
		},
		"es": {
			"reservado", "cancelado",
			[]string{
				"Su taxi está %s.", "Su taxi ha sido %s.", "Queda %s.", "El taxi queda %s.", "Gracias, su taxi está %s.",
				"Muy bien, el taxi ha sido %s.", "Está %s.", "El taxi está ahora %s.", "Perfecto, queda %s.", "Su viaje ha sido %s.",
			},
			[]string{
				"Su taxi no está %s.", "Lo siento, no ha sido %s.", "¿Está %s?", "Si está %s, recibirá un mensaje.", "Su taxi será %s.",
				"Lamentablemente nada está %s.", "Cuando está %s, llamamos.", "El taxi ya está %s.", "Pulse 1 y está %s.", "Para saber si está %s, espere.",
			},
		},
		"nl": {
			"geboekt", "geannuleerd",
			[]string{
				"Uw taxi is %s.", "Uw taxi werd %s.", "Uw taxi's zijn %s.", "De rit is nu %s.", "Hij is %s.",
				"Dank u, uw taxi is %s.", "De taxi is voor u %s.", "Uw rit werd zojuist %s.", "Klaar: de taxi is %s.", "Het is %s.",
			},
			[]string{
				"Uw taxi is niet %s.", "Helaas, hij is niet %s.", "Is hij %s?", "Als hij is %s, hoort u van ons.", "Uw taxi wordt %s.",
				"Er is geen taxi %s.", "De taxi is al %s.", "Druk op 1 en hij is %s.", "Hij kon niet, en is niet %s.", "Helaas is niets %s.",
			},
		},
		"it": {
			"prenotato", "annullato",
			[]string{
				"Il taxi è %s.", "Il taxi è stato %s.", "È %s.", "Il taxi è ora %s.", "Grazie, il taxi è %s.",
				"I taxi sono %s.", "Il suo viaggio è stato %s.", "Fatto: il taxi è %s.", "Ecco, è %s.", "Va bene, il taxi è %s.",
			},
			[]string{
				"Il taxi non è %s.", "Spiacente, non è stato %s.", "È %s?", "Se è %s, riceve un messaggio.", "Il taxi sarà %s.",
				"Purtroppo nulla è %s.", "Quando è %s, chiamiamo.", "Il taxi è già %s.", "Prema 1 ed è %s.", "Per sapere se è %s, attenda.",
			},
		},
	} {
		require.Len(t, l.done, 10, language)
		require.Len(t, l.open, 10, language)
		for word, what := range map[string][]statement{l.booked: doneBooked, l.cancelled: doneCancelled} {
			for _, form := range l.done {
				said := fmt.Sprintf(form, word)
				require.NotEmpty(t, states([]string{said}, what), "%s: %s", language, said)
			}
			for _, form := range l.open {
				said := fmt.Sprintf(form, word)
				require.Empty(t, states([]string{said}, what), "%s: %s", language, said)
			}
		}
	}
}
