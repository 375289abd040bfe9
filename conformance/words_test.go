package conformance_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// ofOneSuite are words of the systems that the suites judge.
var ofOneSuite = regexp.MustCompile(`(?i)journey|driver|passenger|taxi|dispatch|booking|vehicle|pickup|drop-?off|fare\b|\brides?\b|/(?:book|user|config|cancel|status)\b|en_route|dispatchside|callingside|platformapi`)

// refusals are the names by which the engine's HTTP refuses a request, in the one form that the
// house has (RFC 9457). It takes nothing else from the contract: a further name is found.
var refusals = regexp.MustCompile(`"dispatch/taxi"|\btaxi\.(?:Problem|NewProblem|InvalidFields?|FieldError|Code[A-Z]?\w*)\b`)

// mayStand are the lines of the engine that hold such a word all the same.
var mayStand = map[string]string{
	"conformance/report.go: \tID     string `json:\"journeyId\"`": "scripts read this member",
}

// TestEngineSourcesContainNoSuiteVocabulary checks that no file of the engine's packages, pages and styles
// included, has a word of the systems that the suites judge.
func TestEngineSourcesContainNoSuiteVocabulary(t *testing.T) {
	t.Parallel()
	read := 0
	for _, folder := range []string{".", "jsonvalue", "redact", "report", "client", "journal", "matrix"} {
		err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if entry.IsDir() {
				if path != folder && (folder == "." || entry.Name() == "testdata") {
					return filepath.SkipDir // a package of its own
				}
				return nil
			}
			if strings.HasSuffix(path, "_test.go") {
				return nil
			}
			read++
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			for line := range strings.SplitSeq(string(text), "\n") {
				bare := strings.ReplaceAll(line, `"github.com/cabrank/cabrank/`, `"`)
				bare = strings.ReplaceAll(bare, `"dispatch/outbound"`, "") // clients of HTTP, which know nothing of taxis
				bare = strings.ReplaceAll(bare, `"dispatch/inbound"`, "")  // nor do servers
				bare = refusals.ReplaceAllString(bare, "")
				if found := ofOneSuite.FindString(bare); found != "" {
					if _, known := mayStand["conformance/"+filepath.ToSlash(path)+": "+line]; !known {
						t.Errorf("%s has the word %q, which is of one suite: %s", path, found, line)
					}
				}
			}
			return nil
		})
		require.NoError(t, err)
	}
	require.Greater(t, read, 50)
}
