package report

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/url"
	"strings"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
)

const sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool        sarifTool         `json:"tool"`
	Invocations []sarifInvocation `json:"invocations"`
	Results     []sarifResult     `json:"results"`
	Properties  map[string]any    `json:"properties"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name           string      `json:"name"`
	Version        string      `json:"version"`
	InformationURI string      `json:"informationUri"`
	Rules          []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID               string         `json:"id"`
	ShortDescription sarifText      `json:"shortDescription"`
	FullDescription  sarifText      `json:"fullDescription"`
	Help             sarifText      `json:"help"`
	Default          sarifDefault   `json:"defaultConfiguration"`
	Properties       map[string]any `json:"properties,omitempty"`
}

type sarifDefault struct {
	Level string `json:"level"`
}

type sarifText struct {
	Text string `json:"text"`
}

type sarifInvocation struct {
	Successful    bool          `json:"executionSuccessful"`
	ExitCode      int           `json:"exitCode"`
	StartTimeUTC  string        `json:"startTimeUtc"`
	Notifications []sarifNotice `json:"toolExecutionNotifications,omitempty"`
}

type sarifNotice struct {
	Level   string    `json:"level"`
	Message sarifText `json:"message"`
}

type sarifResult struct {
	RuleID       string             `json:"ruleId"`
	RuleIndex    int                `json:"ruleIndex"`
	Kind         string             `json:"kind"`
	Level        string             `json:"level"`
	Message      sarifText          `json:"message"`
	Locations    []sarifLocation    `json:"locations"`
	Fingerprints map[string]string  `json:"partialFingerprints"`
	Suppressions []sarifSuppression `json:"suppressions,omitempty"`
}

type sarifSuppression struct {
	Kind          string `json:"kind"`
	Justification string `json:"justification"`
}

type sarifLocation struct {
	Physical sarifPhysical  `json:"physicalLocation"`
	Logical  []sarifLogical `json:"logicalLocations,omitempty"`
}

type sarifPhysical struct {
	Artifact sarifArtifact `json:"artifactLocation"` //nolint:misspell // the format's word
	Region   sarifRegion   `json:"region"`
}

type sarifRegion struct {
	StartLine int `json:"startLine"`
}

type sarifArtifact struct {
	URI string `json:"uri"`
}

type sarifLogical struct {
	Name string `json:"fullyQualifiedName"`
	Kind string `json:"kind"`
}

// WriteSARIF writes the run as SARIF 2.1.0, for upload to GitHub code scanning: a rule for
// each check, and a result for each verdict that fails or warns. All results are located in
// file, a path relative to the root of the repository; "": each at the path of its operation.
// Unverified checks are no results, since readers would show them as alerts; they are in the
// run's properties. Other reasons for a failed run are results of a separate rule; the reason
// for an incomplete run is a notification.
func WriteSARIF(w io.Writer, f *conformance.RunFile, file string) error {
	exit := f.ExitCode()
	run := sarifRun{
		Tool: sarifTool{sarifDriver{
			Name: f.Judge.Name, Version: f.Judge.Version,
			InformationURI: "https://github.com/cabrank/cabrank", Rules: sarifRules(f),
		}},
		Results:    []sarifResult{},
		Properties: map[string]any{"causes": sarifCauses(f), "target": f.Target, "seed": f.Seed, "requirements": f.Requirements, "notVerified": sarifNotVerified(f)},
	}
	at := map[string]int{}
	for i, c := range f.Catalogue {
		at[c.ID] = i
	}
	for _, r := range byCause(f) {
		switch r.Outcome {
		case conformance.Pass, conformance.Seen, conformance.NotVerified:
		default:
			run.Results = append(run.Results, sarifOf(f, r, f.Catalogue[at[r.ID]], at[r.ID]))
		}
	}
	invoked := sarifInvocation{
		Successful: exit == conformance.ExitPass || exit == conformance.ExitFail, ExitCode: exit, StartTimeUTC: f.Started.UTC().Format("2006-01-02T15:04:05.000Z"),
	}
	for _, why := range f.Reasons() {
		switch {
		case why.Code != conformance.ExitFail:
			invoked.Notifications = append(invoked.Notifications, sarifNotice{"error", sarifText{why.Name + ": " + why.Message}})
		case why.OfRun():
			run.Results = append(run.Results, sarifOfRun(f, why))
		}
	}
	run.Invocations = []sarifInvocation{invoked}
	if file != "" {
		for i := range run.Results {
			run.Results[i].Locations[0].Physical = sarifIn(file)
		}
	}
	return conformance.WriteJSON(w, sarifLog{sarifSchema, "2.1.0", []sarifRun{run}})
}

// sarifNotVerified lists the unverified verdicts: "USR-07@user".
func sarifNotVerified(f *conformance.RunFile) []string {
	names := []string{}
	for _, r := range f.Checks {
		if r.Outcome == conformance.NotVerified {
			names = append(names, r.ID+"@"+string(r.Operation))
		}
	}
	return names
}

// sarifCauses lists the causes, the most severe first.
func sarifCauses(f *conformance.RunFile) []string {
	causes := []string{}
	for _, c := range f.Causes {
		causes = append(causes, c.Message)
	}
	return causes
}

// sarifIn locates a result in a file, by a reference without a scheme: code scanning refuses a
// whole log if a scheme differs from that of the checkout.
func sarifIn(path string) sarifPhysical {
	path = strings.TrimPrefix(strings.ReplaceAll(path, "\\", "/"), "./")
	relative := url.URL{Path: strings.TrimLeft(path, "/")}
	return sarifPhysical{sarifArtifact{relative.String()}, sarifRegion{1}}
}

// sarifPlace locates a result at the path of an operation below the target's.
func sarifPlace(f *conformance.RunFile, op conformance.Operation) sarifPhysical {
	base := ""
	if u, err := url.Parse(f.Target); err == nil {
		base = strings.Trim(u.Path, "/")
	}
	return sarifIn(base + op.Path())
}

// sarifWhole is the rule for failures of the run as a whole.
const sarifWhole = "RUN"

// sarifRules lists the rules: one for each check, and the last for the run.
func sarifRules(f *conformance.RunFile) []sarifRule {
	rules := []sarifRule{}
	for _, c := range f.Catalogue {
		rules = append(rules, sarifRule{
			ID: c.ID, ShortDescription: sarifText{c.Requirement}, FullDescription: sarifText{c.Requirement + " " + c.Why},
			Help: sarifText{c.Hint}, Default: sarifDefault{sarifLevel(c.Level)},
			Properties: map[string]any{"level": c.Level, "clause": c.Clause, "tier": c.Tier},
		})
	}
	return append(rules, sarifRule{
		ID: sarifWhole, ShortDescription: sarifText{"The run as a whole is good."},
		FullDescription: sarifText{"The server answers to the end, what is claimed is shown, and the baseline of known failures is up to date."},
		Help:            sarifText{"See the message."}, Default: sarifDefault{sarifLevel(conformance.Must)},
	})
}

// sarifOfRun makes a result of a failure of the run as a whole.
func sarifOfRun(f *conformance.RunFile, why conformance.ExitReason) sarifResult {
	return sarifResult{
		RuleID: sarifWhole, RuleIndex: len(f.Catalogue), Kind: "fail", Level: sarifLevel(conformance.Must), Message: sarifText{why.Name + ": " + why.Message},
		Locations:    []sarifLocation{{Physical: sarifPlace(f, "run")}},
		Fingerprints: sarifFingerprint(sarifWhole + "@" + why.Name),
	}
}

func sarifOf(f *conformance.RunFile, r conformance.Result, c conformance.Check, index int) sarifResult {
	kind := map[conformance.Outcome]string{conformance.Fail: "fail", conformance.Broken: "open"}[r.Outcome]
	if kind == "" {
		kind = "review" // a warning, for a person to judge
	}
	level := "none" // required by SARIF for every kind but fail
	if r.Outcome == conformance.Fail {
		level = sarifLevel(r.Level)
	}
	place := sarifLocation{Physical: sarifPlace(f, r.Operation)}
	for _, finding := range r.Findings {
		if finding.Pointer != "" {
			place.Logical = append(place.Logical, sarifLogical{finding.Pointer, "member"})
		}
	}
	out := sarifResult{
		RuleID: r.ID, RuleIndex: index, Kind: kind, Level: level, Message: sarifText{sarifMessage(f, r, c)},
		Locations: []sarifLocation{place}, Fingerprints: sarifFingerprint(r.ID + "@" + string(r.Operation)),
	}
	if r.Known != nil {
		out.Suppressions = []sarifSuppression{{"external", "owner " + r.Known.Owner + ": " + r.Known.Reason}}
	}
	if r.Unscored {
		out.Suppressions = append(out.Suppressions, sarifSuppression{"external", "not scored: it is not in requirements/" + f.Requirements})
	}
	return out
}

// sarifFingerprint identifies a result across runs, so that a persistent failure is a single
// alert.
func sarifFingerprint(name string) map[string]string {
	sum := sha256.Sum256([]byte(name))
	return map[string]string{"primaryLocationLineHash": hex.EncodeToString(sum[:8]) + ":1", "check/v1": name}
}

// sarifMessage returns the finding and the hint.
func sarifMessage(f *conformance.RunFile, r conformance.Result, c conformance.Check) string {
	const most = 1000
	text, hint := causedLine(f, r, c), ""
	if cause, caused := causeOf(f, r); caused {
		hint = cureOf(cause)
	} else if len(r.Findings) > 0 {
		hint = r.Findings[0].Hint
	}
	if hint != "" {
		text += ". " + hint
	}
	return jsonvalue.Clip(text, most)
}

func sarifLevel(l conformance.Level) string {
	switch l {
	case conformance.Must:
		return "error"
	case conformance.Should:
		return "warning"
	}
	return "note"
}
