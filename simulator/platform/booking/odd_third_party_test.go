package booking_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// oddThirdParty starts a third party that somebody wrote in Python who knew only
// the interface: right in all it does, and odd. It returns its address and a
// function that reads what it was asked.
func oddThirdParty(t *testing.T) (url string, asked func() string) {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3 here")
	}
	log := filepath.Join(t.TempDir(), "asked")
	program := exec.CommandContext(t.Context(), python, "testdata/odd_third_party.py", log)
	out, err := program.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, program.Start())
	t.Cleanup(func() { _ = program.Process.Kill(); _ = program.Wait() })
	port, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	return "http://127.0.0.1:" + strings.TrimSpace(port), func() string {
		text, err := os.ReadFile(log)
		require.NoError(t, err)
		return string(text)
	}
}

// TestAnOddThirdParty has each of its users call and listen: ids with slashes, names
// with markup, statuses and units that nobody knows, members that are null.
func TestAnOddThirdParty(t *testing.T) {
	t.Parallel()
	url, _ := oddThirdParty(t)
	w := newTown(t, url)
	for user, says := range map[int]string{
		1: "Hello Ann Other", 2: "Hello Bob", 3: "Smith", 4: "booked", 5: "outside", 7: "Welcome", 9: "on its way",
		10: "Hello Part", 11: "five taxis", 12: "switched off", 13: "", 14: "three minutes", 15: "", 16: "Hello Strange Status", 17: "Hello", 18: "on its way",
	} {
		v := w.call(fmt.Sprintf("4420794600%02d", user), `[{"wait":"40s"},{"hangup":true}]`)
		heard := said(v)
		require.Contains(t, heard, says, "user %d", user)
		for _, never := range []string{"null", "undefined", "<", "7700", "79460", "double zero nine"} {
			require.NotContains(t, heard, never, "user %d", user)
		}
	}
}

// TestABookingThatFailedAndWasMade is answered 500 after it was made: it is found in
// /user, told, and not sent again.
func TestABookingThatFailedAndWasMade(t *testing.T) {
	t.Parallel()
	url, asked := oddThirdParty(t)
	v := newTown(t, url).call("442079460006", `[{"expect":"pick you up"},{"press":"1"},{"expect":"for now"},{"press":"1"},
		{"expect":"where to"},{"press":"1"},{"expect":"to book it"},{"press":"1"},{"expect":"your taxi is booked"},{"wait":"20s"}]`)
	require.Equal(t, "done", v.Script, said(v))
	require.Equal(t, 1, strings.Count(asked(), " /book "), asked())
}
