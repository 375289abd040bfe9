package rules

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNumbersInWhicheverSpelling(t *testing.T) {
	t.Parallel()
	const number = "+44 7700 900771"
	for _, told := range []string{
		"Call 07700900771 now.", "+447700900771", "tel:+44-7700-900-771", "0 7 7 0 0 9 0 0 7 7 1", "(07700) 900 771", "٠٧٧٠٠٩٠٠٧٧١",
		"oh seven seven zero zero, nine zero zero, seven seven one", "oh double seven double oh nine double oh double seven one",
		"O double-seven, double-O, nine hundred, seven seven one", "oh seventy-seven double oh nine double oh seventy-seven one",
		"null sieben sieben null null neun null null sieben sieben eins", "zéro sept sept zéro zéro neuf zéro zéro sept sept un",
		"cero siete siete cero cero nueve cero cero siete siete uno", "nul zeven zeven nul nul negen nul nul zeven zeven een",
	} {
		_, _, is := NumberSpoken(told, number)
		require.True(t, is, told)
	}
	for _, other := range []string{
		"To book, press 1. To cancel, press 2.", "Your taxi comes at 17:00 from 90 Oxford Road.", "It is 7 minutes away.", "07700 900 772", "", "double",
		"zero seventy-seven double zero nine double zero seventy-one", "at seven, for two people, bay nine", "Call 0800 7700900 for help.",
	} {
		_, _, is := NumberSpoken(other, number)
		require.False(t, is, other)
	}
	_, _, is := NumberSpoken("1234", "1234")
	require.False(t, is, "a short number is none")
}

func TestNumbersInFigures(t *testing.T) {
	t.Parallel()
	require.Equal(t, `{"said":["Call 447700900771.","Press 1."]}`,
		InFigures(`{"said":["Call double four double seven double oh nine double oh double seven one.","Press 1."]}`, []string{"+447700900771"}))
	require.Equal(t, "Press 1.", InFigures("Press 1.", []string{"+447700900771"}))
}

func TestStatementsAndWhatIsNone(t *testing.T) {
	t.Parallel()
	for _, says := range []string{
		"Your taxi is booked. Goodbye.", "Your taxi has been booked for ten.", "I have booked your taxi.", "I've booked it.", "Your booking is confirmed.",
		"Thank you! Your taxi is now booked, Ingrid.", "Ihr Taxi ist gebucht.", "Ich habe ein Taxi für Sie gebucht.", "Votre taxi est réservé.", "Su taxi está reservado.",
		"Uw taxi is geboekt.", "Il suo taxi è prenotato.",
	} {
		require.NotEmpty(t, states([]string{says}, doneBooked), says)
	}
	for _, says := range []string{
		"Sorry, your taxi is not booked.", "To book it, press 1.", "Once your taxi is booked, you will get a message.", "Is it booked?", "Your taxi could not be booked.",
		"Your taxi isn't booked yet.", "Ihr Taxi ist leider nicht gebucht.", "Votre taxi n'est pas réservé.", "Su taxi no está reservado.", "Uw taxi is niet geboekt.",
		"Il suo taxi non è prenotato.", "You already have a taxi that is booked.", "We will call you when it is booked.", "Taksi on varattu.", "", "All our cars are fully booked, sorry.",
	} {
		require.Empty(t, states([]string{says}, doneBooked), says)
	}
	for _, says := range []string{"Your taxi is cancelled.", "It has been canceled.", "We've cancelled your taxi.", "Ihr Taxi wurde storniert.", "Votre taxi est annulé."} {
		require.NotEmpty(t, states([]string{says}, doneCancelled), says)
	}
	for _, says := range []string{"Your taxi was not cancelled.", "To cancel, press 1.", "It could not be cancelled.", "Ihr Taxi wurde nicht storniert."} {
		require.Empty(t, states([]string{says}, doneCancelled), says)
	}
	require.True(t, denies([]string{"Sorry, it was not cancelled."}))
}

func TestWhatIsToldOfAJourney(t *testing.T) {
	t.Parallel()
	require.True(t, speechOf([]string{"Registration K X seven three R V T."}).spells("KX73 RVT"))
	require.True(t, speechOf([]string{"kx73rvt"}).spells("KX73 RVT"))
	require.False(t, speechOf([]string{"It is on its way."}).spells("KX73 RVT"))
	require.True(t, speechOf([]string{"Look for a silver Octavia"}).names("Silver Octavia"))
	require.False(t, speechOf([]string{"Silversmith Street"}).names("Silver Octavia"))
	require.Equal(t, "undefined", nothingSpoken([]string{"Hello undefined"}))
	require.Empty(t, nothingSpoken([]string{"Nullam, a Latin word; Nana"}))
	require.Equal(t, "barred", tellsOfList([]string{"You are barred."}))
}
