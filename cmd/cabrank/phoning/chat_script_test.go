package phoning

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzParseChatScript checks that each step of an accepted chat script has an action, and that no pause is too long.
func FuzzParseChatScript(f *testing.F) {
	f.Add([]byte(`[{"expect":"where"},{"write":"mill lane"},{"press":"Yes"},{"wait":"5s"}]`))
	f.Add([]byte(`[{"wait":"-1s"}]`))
	f.Add([]byte(`[{"expect":"a","write":"b"}]`))
	f.Add([]byte(`null`))
	f.Fuzz(func(t *testing.T, text []byte) {
		script, err := parseChatScript(text)
		if err != nil {
			return
		}
		require.LessOrEqual(t, len(script), mostChatSteps)
		for _, s := range script {
			require.True(t, s.wait >= 0 && s.wait <= longestPause)
			require.True(t, s.Wait != nil || s.Expect != nil || s.Write != nil || s.Press != nil)
		}
	})
}
