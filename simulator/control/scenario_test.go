package control_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
	"github.com/cabrank/cabrank/simulator/control"
	"github.com/cabrank/cabrank/simulator/host"
)

// player acts as the platform in a scenario, over HTTP.
type player struct {
	*rig

	run string
}

// journey returns the nth booking since the start.
func (p *player) journey(n int) taxi.JourneyRef {
	p.Helper()
	ids := do[control.Run](p.rig, "GET", "/scenarios/runs/"+p.run, "").Journeys
	require.GreaterOrEqual(p, len(ids), n)
	snap, err := p.Host().Records().Journey(p.Context(), ids[n-1])
	require.NoError(p, err)
	return taxi.JourneyRef{UserID: snap.UserID, JourneyID: ids[n-1]}
}

func (p *player) play(s control.PlayStep) {
	p.Helper()
	clock := p.Host().World().Clock()
	switch {
	case s.Advance != 0:
		require.NoError(p, clock.Advance(p.Context(), time.Duration(s.Advance)))
		return
	case s.Until != "":
		require.NoError(p, clock.UntilStatus(p.Context(), p.journey(s.Of).JourneyID, s.Until, 48*time.Hour))
		return
	}
	caller, err := strconv.ParseInt(string(cmp.Or(s.Caller, "442079460020")), 10, 64)
	require.NoError(p, err)
	for i := range int64(max(1, s.Times)) {
		answer, err := p.call(s, taxi.E164(strconv.FormatInt(caller+i, 10)))
		var refusal *taxi.Problem
		switch s.Fails {
		case "":
			require.NoError(p, err)
			p.holds(s, answer)
		case "*":
			require.Error(p, err)
		case "?":
		default:
			require.ErrorAs(p, err, &refusal)
			require.Equal(p, s.Fails, refusal.Code)
		}
	}
}

func (p *player) call(s control.PlayStep, caller taxi.E164) (any, error) {
	ctx := p.Context()
	switch s.Call {
	case "config":
		return p.desk.Config(ctx, taxi.ConfigRequest{})
	case "user":
		return p.desk.User(ctx, taxi.UserRequest{PhoneNumber: caller})
	case "book", "edit":
		places := fixtures.Places()
		r := taxi.BookRequest{
			Name: "Hester Vane", PhoneNumber: caller.International(), Pickup: &places[0].Address,
			PickupTime: taxi.At(p.Host().World().Clock().Now().Add(time.Duration(s.Ahead))),
		}
		for i := range max(1, s.Dropoffs) {
			r.Dropoffs = append(r.Dropoffs, places[3+i].Address)
		}
		if s.Call == "edit" {
			r.JourneyID = &[]taxi.JourneyID{p.journey(s.Of).JourneyID}[0]
		}
		return p.desk.Book(ctx, r)
	case "cancel":
		return p.desk.Cancel(ctx, p.journey(s.Of))
	case "status":
		return p.desk.Status(ctx, p.journey(s.Of))
	}
	return nil, fmt.Errorf("no call is named %q", s.Call)
}

// holds compares an answer with the expectations of a step.
func (p *player) holds(s control.PlayStep, answer any) {
	p.Helper()
	text, err := json.Marshal(answer)
	require.NoError(p, err)
	var members map[string]any
	require.NoError(p, json.Unmarshal(text, &members))
	for _, name := range s.Has {
		require.Contains(p, members, name)
	}
	for _, name := range s.Lacks {
		require.NotContains(p, members, name)
	}
	if s.Active > 0 {
		require.Len(p, members["activeBookings"], s.Active)
	}
	if s.System != "" {
		require.Equal(p, string(s.System), members["status"])
	}
}

// TestEveryScenarioPlaysAsDescribed plays each scenario as its data says, and checks that its expectations are met,
// and that its faults and settings are gone when it has ended.
func TestEveryScenarioPlaysAsDescribed(t *testing.T) {
	list := do[control.ScenarioList](newEmptyRig(t), "GET", "/scenarios", "").Scenarios
	require.Len(t, list, 24)
	for _, title := range list {
		t.Run(title.Name, func(t *testing.T) {
			t.Parallel()
			s := func() control.Scenario {
				config := still()
				r := newRig(t, config, host.Deps{})
				s := do[control.Scenario](r, "GET", "/scenarios/"+title.Name, "")
				if s.Setup.Cars > 0 {
					p := r.refused("POST", "/scenarios/"+title.Name+"/start", "", http.StatusConflict)
					require.Contains(t, p.Detail, "needs 200 cars, and this world has 5")
				}
				return s
			}()
			config := still()
			config.Cars = max(config.Cars, s.Setup.Cars)
			r := newRig(t, config, host.Deps{})
			run := do[control.Run](r, "POST", "/scenarios/"+title.Name+"/start", "")
			require.Equal(t, title.Do, run.Do)
			p := &player{r, run.ID}
			for _, step := range s.Play {
				p.play(step)
			}
			run = do[control.Run](r, "GET", "/scenarios/runs/"+run.ID, "")
			require.Equal(t, control.RunSeen, run.State, "%+v", run.Seen)
			run = do[control.Run](r, "DELETE", "/scenarios/runs/latest", "")
			require.Equal(t, control.RunSeen, run.State, "%+v", run.Seen)
			require.Equal(t, run, do[control.Run](r, "DELETE", "/scenarios/runs/"+run.ID, ""), "it stays as it ended")
			require.Equal(t, taxi.SystemOK, do[taxi.ConfigResponse](r, "GET", "/system", "").Status)
			for _, f := range do[control.Faults](r, "GET", "/faults", "").Faults {
				require.NotContains(t, run.FaultIDs, f.ID)
			}
		})
	}
}

// TestUnplayedScenarioIsReportedAsMissed checks that a run is missed if nobody does what the scenario
// says, or does more than that.
func TestUnplayedScenarioIsReportedAsMissed(t *testing.T) {
	r := newEmptyRig(t)
	first := do[control.Run](r, "POST", "/scenarios/happy-asap/start", "{}")
	require.Equal(t, control.RunGoes, first.State)
	do[control.Run](r, "POST", "/scenarios/timeout-after-commit/start", "")
	first = do[control.Run](r, "GET", "/scenarios/runs/"+first.ID, "")
	require.Equal(t, control.RunMissed, first.State)
	require.Equal(t, "another scenario was started", first.EndReason)
	_, err := r.desk.Book(t.Context(), r.requestOf("+442079460020"))
	require.Error(t, err, "its answer is lost")
	for caller := range 2 {
		r.book(caller)
	}
	require.Equal(t, control.RunMissed, do[control.Run](r, "GET", "/scenarios/runs/latest", "").State, "there are three taxis")
	do[control.Overview](r, "POST", "/reset", "")
	runs := do[control.RunList](r, "GET", "/scenarios/runs", "").Runs
	require.Len(t, runs, 2)
	require.Equal(t, "the world began anew", runs[0].EndReason)
	r.refused("GET", "/scenarios/runs/run-9", "", 404)
	r.refused("GET", "/scenarios/nothing", "", 404)
	r.refused("POST", "/scenarios/nothing/start", "", 404)
}

// TestCustomScenarioIsPlayedAndValidated checks that a scenario in a request body can be played, and that an
// invalid one is refused.
func TestCustomScenarioIsPlayedAndValidated(t *testing.T) {
	r := newEmptyRig(t)
	run := do[control.Run](r, "POST", "/scenarios/start", `{"name":"mine","title":"","do":"Book.","setup":{"users":{"442079460033":{"name":"Ada"}},
		"scripts":[{"steps":[{"to":"CANCELLED"}]}],"faults":[{"do":{"kind":"eta-is"}}]},"seen":[{"what":"it is cancelled","journey":1,"goes":["WAITING","CANCELLED"]}]}`)
	r.book(0)
	require.NoError(t, r.Host().World().Clock().Advance(t.Context(), time.Second))
	run = do[control.Run](r, "GET", "/scenarios/runs/"+run.ID, "")
	require.Equal(t, control.RunSeen, run.State)
	require.Len(t, run.Journeys, 1)
	for body, pointer := range map[string]string{
		`{}`:                                "/name",
		`{"name":"a"}`:                      "/seen",
		`{"name":"a","seen":[{"what":""}]}`: "/seen/0",
		`{"name":"a","seen":[{"goes":["HELD"]}]}`:                                                             "/seen/0/journey",
		`{"name":"a","seen":[{"bookings":{"least":1}}],"setup":{"answers":"few"}}`:                            "/setup/answers",
		`{"name":"a","seen":[{"bookings":{"least":1}}],"setup":{"scripts":[{"steps":[{"to":"POB"}]}]}}`:       "/setup/scripts/0/steps/0",
		`{"name":"a","seen":[{"bookings":{"least":1}}],"setup":{"users":{"442079460001":{"bookings":21}}}}`:   "/setup/users/442079460001/bookings",
		`{"name":"a","seen":[{"bookings":{"least":1}}],"setup":{"faults":[{"do":{"kind":"rain"}}]}}`:          "/setup/faults/0/do/kind",
		`{"name":"a","seen":[{"bookings":{"least":1}}],"setup":{"users":{"442079460001":{"status":"GONE"}}}}`: "/setup/users/442079460001/status",
	} {
		p := r.refused("POST", "/scenarios/start", body, 422)
		require.Equal(t, pointer, p.Errors[0].Pointer, body)
	}
	require.Equal(t, control.RunMissed, do[control.RunList](r, "GET", "/scenarios/runs", "").Runs[0].State, "the last could not be set up")
}

// TestScenarioFileNamesMatchTheirScenarios checks that the file of each scenario has its name.
func TestScenarioFileNamesMatchTheirScenarios(t *testing.T) {
	files, err := os.ReadDir("scenarios")
	require.NoError(t, err)
	for i, s := range control.Scenarios() {
		require.Equal(t, files[i].Name(), s.Name+".json")
		require.NotEmpty(t, s.Do)
	}
}

// TestScenariosAndClockRunConcurrently checks that scenarios can be started, read and ended while
// the clock advances and residents book, without a deadlock.
func TestScenariosAndClockRunConcurrently(t *testing.T) {
	config := still()
	config.Demand, config.Cars = "city", 50 // so that something changes all the time
	r := newRig(t, config, host.Deps{People: []fixtures.Person{}})
	clock := r.Host().World().Clock()
	var all sync.WaitGroup
	stop := make(chan struct{})
	all.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				if clock.Advance(t.Context(), time.Second) != nil {
					return
				}
			}
		}
	})
	for i := range 30 {
		run := do[control.Run](r, "POST", "/scenarios/timeout-after-commit/start", "")
		_, _ = r.desk.Book(t.Context(), r.request(clock.Now().Add(7*24*time.Hour))) // its answer is lost
		is := do[control.Run](r, "GET", "/scenarios/runs/latest", "")
		require.Equal(t, run.ID, is.ID)
		require.LessOrEqual(t, len(is.Journeys), 1, "what the town's residents book is none of it")
		if i%2 == 0 {
			do[control.Run](r, "DELETE", "/scenarios/runs/"+run.ID, "")
		}
	}
	close(stop)
	all.Wait()
}
