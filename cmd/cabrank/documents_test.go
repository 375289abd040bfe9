package main

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/clitest"
	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/fixtures"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/demand"
	"github.com/cabrank/cabrank/simulator/fare"
)

var (
	markdownLink = regexp.MustCompile(`\]\(([^)#:]*)(?:#([^)]*))?\)`)
	heading      = regexp.MustCompile(`(?m)^#+ (.+)$`)
	notInAnchor  = regexp.MustCompile(`[^\pL\pN_ -]`)
	codePath     = regexp.MustCompile("`((?:cmd|dispatch|store|simulator|fixtures|conformance)/[\\w./-]+)`")
)

// TestDocumentLinksAndPathsExist checks that each relative link of the documents with its anchor, and each path in
// code type, exists in the repository.
func TestDocumentLinksAndPathsExist(t *testing.T) {
	const top = "../.."
	pages, err := filepath.Glob("docs/*.md")
	require.NoError(t, err)
	pages = append(pages, filepath.Join(top, "README.md"), filepath.Join(top, "CONTRIBUTING.md"))
	for _, page := range pages {
		text := clitest.Read(t, page)
		links := markdownLink.FindAllStringSubmatch(text, -1)
		require.NotEmpty(t, links, page)
		for _, link := range links {
			to := page
			if link[1] != "" {
				to = filepath.Join(filepath.Dir(page), link[1])
			}
			require.FileExists(t, existing(to), "%s links to %s", page, link[1])
			if link[2] != "" {
				require.Contains(t, anchors(clitest.Read(t, to)), link[2], "%s links to %s", page, to)
			}
		}
		for _, path := range codePath.FindAllStringSubmatch(text, -1) {
			if !strings.Contains(path[1], "NNNN") { // a pattern for names
				require.FileExists(t, existing(filepath.Join(top, path[1])), "%s speaks of %s", page, path[1])
			}
		}
	}
}

// anchors are the names that GitHub gives to the headings of a page.
func anchors(page string) (names []string) {
	for _, h := range heading.FindAllStringSubmatch(page, -1) {
		names = append(names, strings.ReplaceAll(notInAnchor.ReplaceAllString(strings.ToLower(h[1]), ""), " ", "-"))
	}
	return names
}

// existing names a file: of a folder, some file in it.
func existing(path string) string {
	entries, err := os.ReadDir(path)
	if err != nil || len(entries) == 0 {
		return path
	}
	return existing(filepath.Join(path, entries[0].Name()))
}

// TestDocumentedWorldFiguresAreCorrect compares the figures of docs/world.md, and of the contract, with the program.
func TestDocumentedWorldFiguresAreCorrect(t *testing.T) {
	page, p := "cmd/cabrank/docs/world.md", dispatch.DefaultPolicy()
	days, categories := p.MaxAhead/(24*time.Hour), strings.Join(p.Categories, "`, `")
	requireSays(t, page,
		fmt.Sprintf("more than %.0f minutes ahead | HELD, and WAITING %.0f minutes before", p.LeadTime.Minutes(), p.LeadTime.Minutes()),
		fmt.Sprintf("`NO_DRIVER`, %.0f minutes after the pickup time", p.NoCarTimeout.Minutes()),
		fmt.Sprintf("`NO_SHOW`, %.0f minutes after the car arrived, or %.0f minutes for a booking ahead", p.WaitASAP.Minutes(), p.WaitPrebooked.Minutes()),
		fmt.Sprintf("can be read for %d days", p.Retention/(24*time.Hour)),
		fmt.Sprintf("up to %.0f minutes: it means now", p.PastTolerance.Minutes()), fmt.Sprintf("up to %d days", days),
		fmt.Sprintf("1 to %d |", p.MaxDropoffs), fmt.Sprintf("active journeys of one user | %d |", p.MaxLive),
		fmt.Sprintf("within %.0f minute the same booking; with the same `Idempotency-Key`, within %.0f hours", p.DuplicateWindow.Minutes(), p.KeepReplies.Hours()),
		"`"+categories+"`, upper or lower case")
	requireSays(t, "dispatch/taxi/openapi.yaml",
		fmt.Sprintf("up to %.0f minutes in the past, which means now, and up to %d days ahead", p.PastTolerance.Minutes(), days),
		fmt.Sprintf("at most %d.", p.MaxDropoffs), fmt.Sprintf("maximum: %d", simulator.MaxSpeed), "one of "+strings.Join(p.Categories, ", "))

	c := fare.Council()
	day := c.Bands[len(c.Bands)-1]
	requireSays(t, page, fmt.Sprintf("by day: £%.2f for the first %d m, then %dp for each %d m and for each %.0f s of standing after %.0f minutes",
		float64(day.Flag)/100, c.FlagMetres, day.Step, c.StepMetres, c.WaitSpell.Seconds(), c.FreeWait.Minutes()),
		fmt.Sprintf("£%.2f more at the airport", float64(c.Airport)/100))
	requireSays(t, page, behaviours()...)
	for _, name := range []string{"quiet", "town", "city"} {
		d, err := demand.Parse(name)
		require.NoError(t, err)
		requireSays(t, page, fmt.Sprintf("| `%s` | %d |", name, d.PerHour))
	}
}

// behaviours are the rows of the table of behaviours.
func behaviours() []string {
	all := []simulator.Behaviour{simulator.Calm(), simulator.Typical(), simulator.Stormy()}
	row := func(what string, cell func(simulator.Behaviour) string) string {
		return "| " + what + " | " + cell(all[0]) + " | " + cell(all[1]) + " | " + cell(all[2]) + " |"
	}
	share := func(what string, of func(simulator.Behaviour) int) string {
		return row(what, func(b simulator.Behaviour) string { return fmt.Sprintf("%g%%", float64(of(b))/100) })
	}
	return []string{
		share("offers that a driver rejects", func(b simulator.Behaviour) int { return b.Reject }),
		share("offers that a driver does not answer", func(b simulator.Behaviour) int { return b.Silence }),
		share("accepted jobs that the driver cancels", func(b simulator.Behaviour) int { return b.Drop }),
		share("accepted jobs on which the car breaks down", func(b simulator.Behaviour) int { return b.Breakdown }),
		share("journeys that the passenger cancels", func(b simulator.Behaviour) int { return b.Cancel }),
		share("passengers who do not come", func(b simulator.Behaviour) int { return b.NoShow }),
		row("how late a passenger is, median", func(b simulator.Behaviour) string { return b.Lateness.String() }),
	}
}

// TestPhoneNumberEndingsMatchDocumentedPersonKinds checks that the last three digits of each person's number stand
// for the kind that docs/numbers.md gives.
func TestPhoneNumberEndingsMatchDocumentedPersonKinds(t *testing.T) {
	means := map[string]fixtures.PersonKind{
		"000": fixtures.PersonMinimal, "001": fixtures.PersonRich, "101": fixtures.PersonDisabled, "102": fixtures.PersonBlacklisted,
		"103": fixtures.PersonUnknown, "104": fixtures.PersonSkipDropOff, "105": fixtures.PersonNoOptions,
	}
	for _, p := range fixtures.People() {
		last := string(p.PhoneNumber[len(p.PhoneNumber)-3:])
		switch kind, named := means[last]; {
		case named:
			require.Equal(t, kind, p.Kind, last)
			requireSays(t, "cmd/cabrank/docs/numbers.md", "| "+last+" |")
		case last >= "010" && last <= "019":
			require.Equal(t, []any{fixtures.PersonBusy, (int(last[2]-'0')+9)%10 + 1}, []any{p.Kind, p.Bookings}, last)
		case last >= "106" && last <= "109":
			require.Equal(t, fixtures.PersonOddName, p.Kind, last)
		default:
			require.Equal(t, fixtures.PersonOrdinary, p.Kind, last)
		}
	}
}

// requireSays looks for phrases in a document, wherever its lines end.
func requireSays(t *testing.T, document string, phrases ...string) {
	t.Helper()
	text := clitest.Read(t, filepath.Join("../..", document))
	words := strings.Join(strings.Fields(text), " ")
	for _, phrase := range phrases {
		if !strings.Contains(words, phrase) { // require would print the whole document
			t.Errorf("%s does not say: %s", document, phrase)
		}
	}
}

// TestHousePageListsEveryFolder checks that the table in docs/house.md has a row for each folder with Go files in the
// first two levels, except those below cmd.
func TestHousePageListsEveryFolder(t *testing.T) {
	for _, pattern := range []string{"*/*.go", "*/*/*.go"} {
		files, err := fs.Glob(os.DirFS("../.."), pattern)
		require.NoError(t, err)
		for _, file := range files {
			if folder := filepath.Dir(file); !strings.HasPrefix(folder, "cmd") && !strings.HasPrefix(folder, ".") {
				requireSays(t, "cmd/cabrank/docs/house.md", "| `"+folder+"` |")
			}
		}
	}
}

// TestTheReadmeIsShort checks that the README has at most 155 lines of at most 120 characters, and links to every
// page of docs.
func TestTheReadmeIsShort(t *testing.T) {
	text := clitest.Read(t, "../../README.md")
	lines := strings.Split(text, "\n")
	require.LessOrEqual(t, len(lines), 155)
	for i, line := range lines {
		require.LessOrEqual(t, utf8.RuneCountInString(line), 120, "line %d", i+1)
	}
	pages, err := filepath.Glob("docs/*.md")
	require.NoError(t, err)
	for _, page := range pages {
		requireSays(t, "README.md", "](cmd/cabrank/"+page+")")
	}
}

var (
	readsVariable  = regexp.MustCompile(`(?:os\.Getenv\(|number\(t, )"([A-Z_]+)"`)
	listedVariable = regexp.MustCompile("(?m)^\\| `([A-Z_]+)=")
)

// TestContributingListsTestVariables compares the environment variables that tests read with the table in CONTRIBUTING.md.
// Those of every program, such as PATH, need no row.
func TestContributingListsTestVariables(t *testing.T) {
	text := clitest.Read(t, "../../CONTRIBUTING.md")
	var listed []string
	for _, row := range listedVariable.FindAllStringSubmatch(text, -1) {
		listed = append(listed, row[1])
	}
	read := map[string]bool{}
	require.NoError(t, filepath.WalkDir("../..", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		for _, call := range readsVariable.FindAllStringSubmatch(string(source), -1) {
			read[call[1]] = true
		}
		return err
	}))
	for _, usual := range []string{"PATH", "HTTP_PROXY", "CHROMIUM"} {
		delete(read, usual)
	}
	require.ElementsMatch(t, listed, slices.Collect(maps.Keys(read)))
	require.LessOrEqual(t, len(listed), 5)
}

// namedIn is a function that house.md names, such as `World.Track`, with the file in which it is.
var namedIn = regexp.MustCompile("`(?:[\\w.]+\\.)?(\\w+)` in \\[[^\\]]*\\]\\(([^)]+)\\)")

// TestHousePageNamesExistingFunctions checks that each function that docs/house.md names is in the file that the page gives
// for it.
func TestHousePageNamesExistingFunctions(t *testing.T) {
	text, err := os.ReadFile("docs/house.md")
	require.NoError(t, err)
	names := namedIn.FindAllStringSubmatch(string(text), -1)
	require.Greater(t, len(names), 10)
	for _, name := range names {
		source, err := os.ReadFile(filepath.Join("docs", name[2]))
		require.NoError(t, err)
		require.Regexp(t, `\b(?:func|function|const)\b.*\b`+name[1]+`\b`, string(source), "%s is in another file than %s", name[1], name[2])
	}
}
