package callingside_test

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/callingside"
	"github.com/cabrank/cabrank/conformance/callingside/mutants"
	"github.com/cabrank/cabrank/conformance/callingside/rules"
	"github.com/cabrank/cabrank/conformance/matrix"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// heard makes a run that only listens, and returns the report on the calls that it gets.
func heard(t *testing.T, calls func(address string)) *conformance.Report {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	address := ""
	report, err := callingside.Run(t.Context(), callingside.Options{
		Listener: listener, Now: time.Now, Nonce: 5,
		Ready: func(url string) error { address = url; return nil },
		Wait:  func(context.Context, time.Duration) { calls(address) },
	})
	require.NoError(t, err)
	return report
}

func post(t *testing.T, address string, body io.Reader) int {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address, body)
	require.NoError(t, err)
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	return resp.StatusCode
}

// TestUnrequestedCallsAreAnsweredAndJudged checks that calls which the run did not ask for are answered by an ordinary world, and judged.
func TestUnrequestedCallsAreAnsweredAndJudged(t *testing.T) {
	t.Parallel()
	report := heard(t, func(address string) {
		require.Equal(t, 200, post(t, address+"/config", strings.NewReader("{}")))
		require.Equal(t, 200, post(t, address+"/user", strings.NewReader(`{"phoneNumber":"0 anybody"}`)))
		require.Equal(t, 404, post(t, address+"/bookings", strings.NewReader(`{}`)))
		require.Equal(t, 200, post(t, address+"/book", strings.NewReader(`{"journeyId":""}`)))
	})
	require.Equal(t, conformance.ExitFail, report.ExitCode())
	require.Subset(t, having(report, conformance.Fail, conformance.Must), []string{"P-01", "P-05", "P-08", "P-11"})
	require.Len(t, report.Exchanges, 4)
}

// TestRunWithoutCallsDoesNotSucceed checks that a run that receives no calls does not succeed.
func TestRunWithoutCallsDoesNotSucceed(t *testing.T) {
	t.Parallel()
	require.Equal(t, conformance.ExitUnreachable, heard(t, func(string) {}).ExitCode())
}

// TestOversizedRequestBodiesAreRefused checks that a body that is too long is answered 413 and cut, and that
// the next call is served.
func TestOversizedRequestBodiesAreRefused(t *testing.T) {
	t.Parallel()
	report := heard(t, func(address string) {
		require.Equal(t, http.StatusRequestEntityTooLarge, post(t, address+"/book", bytes.NewReader(make([]byte, 2<<20))))
		require.Equal(t, 200, post(t, address+"/config", strings.NewReader("{}")), "the next caller is served")
	})
	require.LessOrEqual(t, len(report.Exchanges[0].Request.Body), 1<<20)
}

// deadlines notes until when answers may be written.
type deadlines struct {
	net.Listener
	set chan time.Time
}

func (l deadlines) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	return deadlined{conn, l.set}, err
}

type deadlined struct {
	net.Conn
	set chan<- time.Time
}

func (c deadlined) SetWriteDeadline(at time.Time) error {
	select {
	case c.set <- at:
	default:
	}
	return c.Conn.SetWriteDeadline(at)
}

// TestResponsesHaveAWriteDeadline checks that answers have a write deadline, between one and two minutes ahead.
func TestResponsesHaveAWriteDeadline(t *testing.T) {
	t.Parallel()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	set, began := make(chan time.Time, 1), time.Now()
	_, err = callingside.Run(t.Context(), callingside.Options{
		Listener: deadlines{listener, set}, Now: time.Now, Nonce: 5,
		Wait: func(context.Context, time.Duration) {
			require.Equal(t, 200, post(t, "http://"+listener.Addr().String()+"/config", strings.NewReader("{}")))
		},
	})
	require.NoError(t, err)
	require.NotEmpty(t, set, "no deadline for an answer")
	within := (<-set).Sub(began)
	require.Greater(t, within, time.Minute)
	require.Less(t, within, 2*time.Minute)
}

// TestARunFileIsJudgedAlike checks that the calls in a run file, whose numbers are hidden, lead to the same
// verdicts as the run. WHOLE=1 tries every fault below, as the gate does; otherwise it is a sample.
func TestARunFileIsJudgedAlike(t *testing.T) {
	t.Parallel()
	faults := [][]mutants.Switch{{}, {"the driver's number with double"}, {"ids in small letters"}, {"Coming Now at EN_ROUTE"}, {"/book retried blindly"}, {"the driver sees the caller's number"}, {"the number in the address"}}
	if os.Getenv("WHOLE") == "" {
		faults = slices.DeleteFunc(faults, func(all []mutants.Switch) bool { return len(all) > 0 && !matrix.InSample(string(all[0]), 6) })
	}
	for _, fault := range faults {
		report := judged(t, nil, fault...)
		var text bytes.Buffer
		require.NoError(t, conformance.NewRunFile(report, "1.2.3").Write(&text))
		run, err := conformance.ReadRunFile(&text, &callingside.Suite)
		require.NoError(t, err)
		for i, c := range callingside.Suite.Verdicts(run.History(), run.Observations...) {
			require.Equal(t, report.Checks[i].Outcome, c.Outcome, "%q: %s@%s %+v %+v", fault, c.ID, c.Operation, report.Checks[i].Findings, c.Findings)
		}
	}
}

// TestDriverNumbersInSpeechAreHidden checks that the texts in a report never contain a driver's number, in whichever spelling
// the platform told it to the caller.
func TestDriverNumbersInSpeechAreHidden(t *testing.T) {
	t.Parallel()
	for _, fault := range []mutants.Switch{"the driver's number in figures", "the driver's number spaced", "the driver's number in words", "the driver's number with double", "the driver's number in German"} {
		report := judged(t, []string{"P-44"}, fault)
		require.Contains(t, having(report, conformance.Fail, conformance.Must), "P-44")
		for _, o := range report.Observations {
			for _, x := range report.Exchanges {
				if n := x.Reply().At("driver").At("phoneNumber").Text(); n != "" {
					_, _, told := rules.NumberSpoken(o.Text, n)
					require.False(t, told, "%s: %s", fault, o.Text)
				}
			}
		}
	}
}

// TestNumbersInURLsAreHiddenInRunFiles checks that a run file contains neither a caller's number that a platform put
// into a URL nor the credentials of the call.
func TestNumbersInURLsAreHiddenInRunFiles(t *testing.T) {
	t.Parallel()
	report := judged(t, []string{"P-86"}, "the number in the address")
	require.Contains(t, having(report, conformance.Fail, conformance.Should), "P-86")
	var text bytes.Buffer
	require.NoError(t, conformance.NewRunFile(report, "1.2.3").Write(&text))
	require.NotRegexp(t, `442079460[1-9]|Kj3vQ9xW2mZp`, text.String())
}

// TestPersonIsPromptedAndAnswersAreRead checks what a person at a terminal is asked to do, and how answers, a skipped scene and the
// end of the input are understood.
func TestPersonIsPromptedAndAnswersAreRead(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	p := callingside.NewPerson(strings.NewReader("\ny\nn\n\ns\n"), &out)
	task := rules.Task{Ask: rules.Ask{Scene: "the first menu", From: "442079460101", Channel: rules.ChannelVoice, Want: rules.WantOffer}, Checks: []string{"P-40"}}
	acted := p.Act(t.Context(), task)
	require.Equal(t, &rules.Answer{Outcome: rules.OutcomeCompleted, Offered: []string{"status"}}, acted.Answer)
	require.Contains(t, out.String(), "Call from 442079460101 and listen to the first menu")
	require.True(t, p.Act(t.Context(), task).Unsupported, "left out")
	require.True(t, p.Act(t.Context(), task).Unsupported, "there is nobody any more")
	require.Equal(t, "whoever calls", p.Name())
}

// TestPersonIsGivenOneSceneAtATime checks that a person is given one scene at a time, and no further scene after the
// end of the input.
func TestPersonIsGivenOneSceneAtATime(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	report, err := callingside.Run(t.Context(), callingside.Options{
		Listener: listener, Actor: callingside.NewPerson(strings.NewReader("s\ns\ns\n"), &out), Nonce: 3,
		Now: time.Now, Wait: virtual().Wait,
	})
	require.NoError(t, err)
	require.Regexp(t, `^whoever calls http://127\.0\.0\.1:\d+$`, report.Target)
	require.Equal(t, 4, strings.Count(out.String(), "Press Enter"), out.String())
	for scene := range strings.SplitSeq(strings.TrimSpace(out.String()), "skip it: ") {
		require.LessOrEqual(t, strings.Count(scene, " from 442079460"), 1, "two instructions before an answer: %s", out.String())
	}
}

// TestPersonIsToldEitherNowOrATime checks that a person is told to ask for a taxi now or at a time, but not both.
func TestPersonIsToldEitherNowOrATime(t *testing.T) {
	t.Parallel()
	ask := rules.Ask{From: "442079460101", Channel: rules.ChannelVoice, Want: rules.WantBook}
	for want, at := range map[string]taxi.Time{
		"ask for a taxi now.": {},
		"ask for a taxi, at 10:30 on 29 November 2026 (UTC).": {Time: time.Date(2026, 11, 29, 10, 30, 0, 0, time.UTC)},
	} {
		var out bytes.Buffer
		ask.PickupTime = at
		callingside.NewPerson(strings.NewReader(""), &out).Act(t.Context(), rules.Task{Ask: ask})
		require.Contains(t, out.String(), want)
	}
}
