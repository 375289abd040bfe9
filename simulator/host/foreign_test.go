package host_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/host"
)

// foreign is the beginning of a recording as anybody may write it.
func foreign(cars, sweep, recipe string) string {
	return fmt.Sprintf(`{"version":5,"seed":1,"start":1780286400000,"cars":%s,"sweep":%q,"options":"0","recipe":%s}`+"\n", cars, sweep, recipe)
}

// recipeWith is the recipe of a small world with one member that is another.
func recipeWith(member string) string {
	whole := `{"host":{"seed":1,"speed":1,"cars":3,"town":"none","demand":"none","assign":"eta","behaviour":"calm",` +
		`"system":{"status":"OK"},"unknownUser":"404","area":0,"refuseLateCancel":false,"duplicateWindow":"1m0s"}}`
	name, _, _ := strings.Cut(member, ":")
	at := strings.Index(whole, name+":")
	if at < 0 {
		return strings.Replace(whole, `"seed":1,`, `"seed":1,`+member+",", 1)
	}
	end := at + strings.IndexAny(whole[at:], ",}")
	return whole[:at] + member + whole[end:]
}

// TestAForeignRecordingDoesNoHarm repeats recordings that mean harm: they open no file, and
// nothing is made by their numbers.
func TestAForeignRecordingDoesNoHarm(t *testing.T) {
	t.Parallel()
	secret := filepath.Join(t.TempDir(), "never.geojson")
	for says, text := range map[string]string{
		"it has 2000000000 cars":          foreign("2000000000", "* * * * *", recipeWith(`"cars":3`)),
		"it has -1 cars":                  foreign("-1", "* * * * *", recipeWith(`"cars":3`)),
		"want 1 to":                       foreign("3", "* * * * *", recipeWith(`"cars":2000000000`)),
		"that time never comes":           foreign("3", "0 0 30 2 *", recipeWith(`"cars":3`)),
		"opens none by itself":            foreign("3", "* * * * *", recipeWith(fmt.Sprintf(`"town":%q`, secret))),
		`unknown field "auth"`:            foreign("3", "* * * * *", recipeWith(`"auth":"bearer:env:HOME"`)),
		"duplicateWindow cannot be":       foreign("3", "* * * * *", recipeWith(`"duplicateWindow":"-1s"`)),
		"duplicateWindow is more than a":  foreign("3", "* * * * *", recipeWith(`"duplicateWindow":"2000000h"`)),
		"maxAhead is more than a hundred": foreign("3", "* * * * *", recipeWith(`"maxAhead":"2000000h"`)),
	} {
		rec, err := simulator.ReadRecording(strings.NewReader(text))
		if err == nil {
			_, err = host.Replay(t.Context(), rec, "", nil)
		}
		require.ErrorContains(t, err, says)
	}
}

// FuzzReplay repeats whatever is taken for a recording, for a moment.
func FuzzReplay(f *testing.F) {
	good := foreign("3", "* * * * *", recipeWith(`"cars":3`))
	f.Add(good)
	f.Add(good + `{"at":1780286400000,"command":1,"op":"people","request":[{"phoneNumber":"+442079460001"}]}` + "\n")
	f.Add(good + `{"at":1780286500000,"command":1,"op":"admit","request":{"phoneNumber":"+442079460001"}}` + "\n")
	f.Add(foreign("3", "0 * * * *", recipeWith(`"demand":"2"`)))
	f.Add(foreign("2000000000", "* * * * *", recipeWith(`"town":"/dev/zero"`)))
	f.Fuzz(func(t *testing.T, text string) {
		rec, err := simulator.ReadRecording(strings.NewReader(text))
		if err != nil {
			return
		}
		ctx, stop := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer stop()
		_, _ = host.Replay(ctx, rec, "", nil) // it ends, whatever it says
	})
}
