package controlling

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/control"
)

// book books a taxi for now.
func book(t *testing.T, url string) taxi.JourneyID {
	t.Helper()
	c, err := taxi.NewClient(url, taxi.ClientOptions{})
	require.NoError(t, err)
	places := fixtures.Places()
	j, err := c.Book(t.Context(), taxi.BookRequest{
		Name: "Ann Other", PhoneNumber: "+442079460020", Pickup: &places[0].Address,
		Dropoffs: []taxi.Address{places[1].Address}, PickupTime: taxi.At(monday),
	})
	require.NoError(t, err)
	return j.JourneyID
}

// as reads what a command prints with --json.
func as[A any](t *testing.T, text string) (a A) {
	t.Helper()
	require.NoError(t, json.Unmarshal([]byte(text), &a))
	return a
}

func TestClockIsAdvancedAndPaused(t *testing.T) {
	url, s := serve(t), newShell(t)
	require.Equal(t, "2026-06-01T08:00:00Z  stands still\n", s.OK("clock", "--url", url))
	id := string(book(t, url))
	out := s.OK("clock", "advance", "--until", "arrived", "--url", url)
	require.Regexp(t, `08:\d\d:\d\d  `+id+`  ARRIVED    arrive  car-\d\n2026-06-01T08:\d\d:\d\dZ now, `, out)
	moved := as[control.Advanced](t, s.OK("clock", "advance", "--until", "change", "--json", "--url", url))
	require.Equal(t, 1, moved.Changes)
	moved = as[control.Advanced](t, s.OK("clock", "advance", "--until", "idle", "--json", "--url", url))
	require.Equal(t, taxi.Complete, moved.Events[len(moved.Events)-1].To)
	require.Contains(t, s.Fails(cli.ExitFindings, "clock", "advance", "--until", "ARRIVED", "--journey", id, "--within", "1m", "--url", url), "the journey is COMPLETE")
	s.OK("clock", "advance", "--to", "2026-06-02T12:00:00Z", "--url", url)
	require.Equal(t, "2026-06-03T12:00:00Z now, 24h0m0s later\n", s.OK("clock", "advance", "--by", "24h", "--url", url))
	require.Contains(t, s.OK("clock", "speed", "60", "--url", url), "×60")
	require.Contains(t, s.OK("clock", "speed", "1", "--url", url), "×1\n")
	require.Contains(t, s.OK("clock", "speed", "0", "--url", url), "stands still")
	require.Equal(t, control.Manual, as[control.Clock](t, s.OK("clock", "pause", "--json", "--url", url)).Mode)
	for says, args := range map[string][]string{
		"want one of --by, --to and --until": {"advance"},
		"--journey goes with --until only":   {"advance", "--by", "1m", "--journey", id},
		`--to is "noon", want a time`:        {"advance", "--to", "noon"},
		"the speed is \"fast\"":              {"speed", "fast"},
		`--until is "SOON"`:                  {"advance", "--until", "SOON"},
	} {
		require.Contains(t, s.Fails(cli.ExitUsage, append(append([]string{"clock"}, args...), "--url", url)...), says)
	}
}

func TestJourneysAreOrderedAbout(t *testing.T) {
	url, s := serve(t), newShell(t)
	require.Equal(t, "scripts that wait for a booking: 1\n", s.OK("journeys", "script", "next", "1s:ACCEPTED", "1s:hold", "--phone", "442079460099", "--url", url))
	id := string(book(t, url))
	require.Regexp(t, id+`  WAITING  2026-\S+  \S.* → `, s.OK("journeys", "--url", url, "--status", "WAITING", "--phone", "442079460020", "--limit", "1"))
	require.Equal(t, "no journeys\n", s.OK("journeys", "--url", url, "--since", "2026-06-01T08:00:01Z"))
	require.Contains(t, s.OK("journeys", "latest", "--url", url), "next    ACCEPTED by ")
	require.Contains(t, s.OK("journeys", "transition", "latest", "accepted", "--url", url), "ACCEPTED")
	first := as[simulator.JourneyView](t, s.OK("journeys", id, "--json", "--url", url)).VehicleID
	require.NotContains(t, s.OK("journeys", "reassign", "latest", "--url", url), "car     "+first)
	require.Contains(t, s.OK("journeys", "reassign", id, "--vehicle", first, "--url", url), "car     "+first)
	require.Contains(t, s.OK("journeys", "hold", "latest", "--url", url), "held    ")
	require.Contains(t, s.OK("journeys", "script", "latest", "30s:EN_ROUTE", "1m:drop", "--url", url), "script  2 steps left")
	require.NotContains(t, s.OK("journeys", "release", "latest", "--url", url), "held")
	require.Contains(t, s.OK("journeys", "transition", "latest", "WAITING", "--event", "drop", "--url", url), "WAITING")
	require.Contains(t, s.OK("journeys", "transition", "latest", "COMPLETE", "--force", "--url", url), "COMPLETE")
	require.Contains(t, s.OK("__complete", "journeys", "hold", "--url", url, ""), "latest\tthe one booked last\n"+id+"\tCOMPLETE\n")
	require.Contains(t, s.OK("__complete", "journeys", "transition", "--url", url, id, ""), "EN_ROUTE\n")
	require.Contains(t, s.OK("__complete", "clock", "advance", "--url", url, "--journey", ""), id)
	require.Contains(t, s.Fails(cli.ExitFindings, "journeys", "transition", id, "POB", "--url", url), "refused: ")
	for says, args := range map[string][]string{
		`"ACCEPTED" is not a step`:       {"script", "latest", "ACCEPTED"},
		"ID STEP …":                      {"script", "latest"},
		"--phone goes with next only":    {"script", "latest", "1s:hold", "--phone", "442079460020"},
		`no journey "J0"`:                {"J0"},
		"go with 'cabrank journeys ID'":  {id, "--status", "POB"},
		`--limit is "0", want 1 to 500`:  {"--limit", "0"},
		`--since is "noon", want a time`: {"--since", "noon"},
	} {
		require.Contains(t, s.Fails(cli.ExitUsage, append(append([]string{"journeys"}, args...), "--url", url)...), says)
	}
}

func TestSandboxesAreAddedAndRemoved(t *testing.T) {
	url, s := serve(t), newShell(t)
	require.Equal(t, "no sandboxes\n", s.OK("sandbox", "list", "--url", url))
	require.Equal(t, url+"/s/ann\n", s.OK("sandbox", "add", "ann", "--seed", "7", "--now", "2030-01-01T00:00:00Z", "--cars", "3", "--town", "none",
		"--demand", "none", "--behaviour", "calm", "--ttl", "10m", "--empty", "--variation", "2", "--url", url))
	require.Contains(t, s.OK("sandbox", "list", "--json", "--url", url), `"variation": 2`)
	require.Regexp(t, `^ann  \S+/s/ann  seed 7, 3 cars  2030-01-01T00:00:00Z, stands still  until `, s.OK("sandbox", "list", "--url", url+"/s/ann"))
	require.Equal(t, "2030-01-01T00:00:00Z  stands still\n", s.OK("clock", "--sandbox", "ann", "--url", url))
	require.Equal(t, "2030-01-01T00:00:00Z  stands still\n", s.OK("clock", "--url", url+"/s/ann"))
	require.Empty(t, s.OK("users", "--sandbox", "ann", "--url", url))
	require.Contains(t, s.OK("__complete", "clock", "--url", url, "--sandbox", ""), "ann\n")
	require.Contains(t, s.OK("__complete", "sandbox", "rm", "--url", url, ""), "ann\n")
	s.OK("clock", "advance", "--by", "1h", "--sandbox", "ann", "--url", url)
	require.Regexp(t, `^2031-01-01T00:00:00Z  stands still, seed 8, 3 cars, \d+ journeys`, s.OK("reset", "--sandbox", "ann", "--url", url,
		"--to", "fixtures", "--seed", "8", "--now", "2031-01-01T00:00:00Z", "--keep", "journal,faults"))
	require.Contains(t, s.Fails(cli.ExitUsage, "reset", "--keep", "bookings", "--url", url), "want journal or faults")
	require.Equal(t, "removed ann\n", s.OK("sandbox", "rm", "ann", "--url", url))
	s.OK("sandbox", "add", "bob", "--town", "none", "--scenario", "no-cars", "--url", url)
	require.Contains(t, s.OK("sandbox", "list", "--json", "--url", url), `"scenario": "no-cars"`)
	require.Contains(t, s.Fails(cli.ExitUsage, "sandbox", "add", "--scenario", "rain", "--url", url), `--scenario is "rain", want one of bad-json, blacklisted`)
	require.Contains(t, s.Fails(cli.ExitUsage, "sandbox", "add", "--behaviour", "odd", "--url", url), `--behaviour: "odd" is none of`)
	require.Contains(t, s.Fails(cli.ExitUsage, "sandbox", "add", "B@ob", "--url", url), "NAME wants up to 40")
	require.Contains(t, s.Fails(cli.ExitUsage, "sandbox", "add", "--label", "a=1", "--label", "a=2", "--url", url), "--label sets a twice")
	require.Contains(t, s.Fails(cli.ExitUsage, "fault", "add", "delay", "--nth", "-3", "--url", url), "--nth is not 1 to")
	require.Contains(t, s.OK("__complete", "sandbox", "add", "--url", url, "--scenario", ""), "no-cars")
	require.Contains(t, s.Fails(cli.ExitUsage, "clock", "--sandbox", "ann", "--url", url), "ann")
}

func TestScenarioIsStartedAndFinished(t *testing.T) {
	url, s := serve(t), newShell(t)
	require.Contains(t, s.OK("scenario", "list", "--url", url), "no-cars ")
	require.Contains(t, s.OK("__complete", "scenario", "start", "--url", url, ""), "no-cars\tNo car is free\n")
	require.Contains(t, s.OK("scenario", "start", "no-cars", "--url", url), "run-1  no-cars: running\n  do   Book for now.")
	require.Contains(t, s.OK("__complete", "scenario", "follow", "--url", url, ""), "run-1\tno-cars\n")
	_, stderr, code := s.Run("scenario", "follow", "--within", "1ms", "--url", url)
	require.Equal(t, cli.ExitFindings, code, stderr)
	book(t, url)
	s.OK("clock", "advance", "--until", "CANCELLED", "--url", url)
	require.Contains(t, s.OK("scenario", "follow", "--url", url), "no-cars: seen\n")
	require.Equal(t, control.RunSeen, as[control.Run](t, s.OK("scenario", "finish", "run-1", "--json", "--url", url)).State)
	s.OK("scenario", "start", "no-cars", "--url", url)
	require.Contains(t, s.Fails(cli.ExitFindings, "scenario", "finish", "--url", url), "no-cars: not all expectations were met")
	require.Contains(t, s.Fails(cli.ExitUsage, "scenario", "start", "fire", "--url", url), "there is no scenario")
}

func TestSystemStatusAndUsersAreChanged(t *testing.T) {
	url, s := serve(t), newShell(t)
	require.Regexp(t, `^OK`, s.OK("system", "--url", url))
	require.Equal(t, "BUSY  a car in 25 minutes\n", s.OK("system", "busy", "--eta", "25", "--data", `{"skipDropOff":true}`, "--url", url))
	require.Contains(t, s.Fails(cli.ExitUsage, "system", "--eta", "3", "--url", url), "go with a status")
	require.Contains(t, s.Fails(cli.ExitUsage, "system", "OK", "--eta", "-1", "--url", url), "--eta is -1")
	require.Contains(t, s.Fails(cli.ExitUsage, "system", "OK", "--data", "{", "--url", url), "--data is not JSON")
	require.Contains(t, s.OK("users", "--url", url), "ENABLED")
	for line := range strings.Lines(s.OK("users", "--url", url)) {
		require.Less(t, utf8.RuneCountInString(line), 130, "one long name does not make all lines long")
	}
	require.Contains(t, s.OK("users", "442079460950", "--name", "Ada Byron", "--status", "blacklisted", "--data", `{"skipDropOff":true}`, "--url", url), "BLACKLISTED  Ada Byron")
	ada := as[control.User](t, s.OK("users", "442079460950", "--json", "--url", url))
	require.Contains(t, s.OK("__complete", "users", "--url", url, ""), string(ada.UserID)+"\tAda Byron\n")
	require.Contains(t, s.Fails(cli.ExitUsage, "users", "--name", "Ada", "--url", url), "want an id or a phone number")
}

func TestVehiclesAreMovedAndBreakDown(t *testing.T) {
	url, s := serve(t), newShell(t)
	id := string(book(t, url))
	s.OK("clock", "advance", "--until", "EN_ROUTE", "--url", url)
	on := as[control.VehicleList](t, s.OK("vehicles", "--state", "to-pickup", "--json", "--url", url)).Vehicles
	require.Len(t, on, 1)
	car := on[0].ID
	require.Regexp(t, `^`+car+`  to-pickup  at 5\d\.\d{5},-?\d\.\d{5}  .+ \(.+\), .+  for `+id+`\n$`, s.OK("vehicles", car, "--url", url))
	require.Regexp(t, `(?m)^car-\d  free +at `, s.OK("vehicles", "--url", url))
	require.Contains(t, s.OK("vehicles", "--limit", "1", "--url", url), "and others; --limit")
	require.Equal(t, "no cars\n", s.OK("vehicles", "--state", "on-board", "--url", url))
	place := fmt.Sprintf("%v,%v", on[0].Location.Latitude, on[0].Location.Longitude)
	require.Contains(t, s.OK("vehicles", "position", car, "--at", place, "--url", url), car+"  to-pickup  at ")
	require.Contains(t, s.OK("vehicles", "breakdown", car, "--for", "30m", "--url", url), car+"  off-duty  at ")
	require.Contains(t, s.OK("journeys", id, "--url", url), "WAITING")
	require.NotContains(t, s.OK("vehicles", car, "--json", "--url", url), `"onDuty": true`)
	s.OK("clock", "advance", "--by", "31m", "--url", url)
	require.Contains(t, s.OK("vehicles", car, "--json", "--url", url), `"onDuty": true`)
	require.Contains(t, s.OK("__complete", "vehicles", "breakdown", "--url", url, ""), car+"\t")
	require.Contains(t, s.OK("__complete", "vehicles", "--url", url, "--state", ""), "off-duty\n")
	for says, args := range map[string][]string{
		`no vehicle "car-9"`:             {"breakdown", "car-9"},
		"is 25h0m0s, want up to 24h0m0s": {"breakdown", car, "--for", "25h"},
		`--at is "", want LAT`:           {"position", car},
		`--at is "91,0", want`:           {"position", car, "--at", "91,0"},
		`--at is "NaN,0", want`:          {"position", car, "--at", "NaN,0"},
		"state is":                       {"--state", "flying"},
		"go with 'cabrank vehicles ID'":  {car, "--state", "free"},
	} {
		require.Contains(t, s.Fails(cli.ExitUsage, append(append([]string{"vehicles"}, args...), "--url", url)...), says)
	}
}

func TestControlTokenIsSent(t *testing.T) {
	url, s := serveWith(t, "s3cret"), newShell(t)
	require.Contains(t, s.Fails(cli.ExitUsage, "clock", "--url", url), "--token or CABRANK_TOKEN")
	s.OK("clock", "--url", url, "--token", "s3cret")
	s.Write("token", "s3cret\n")
	s.OK("clock", "--url", url, "--token", "@token")
	s.Env["CABRANK_TOKEN"] = "s3cret"
	s.OK("clock", "--url", url)
	require.Contains(t, s.Fails(cli.ExitUsage, "clock", "--url", url, "--token", "@none"), "--token")
}

func TestSnapshotIsSavedAndRestored(t *testing.T) {
	url, s := serve(t), newShell(t)
	require.Equal(t, "no snapshots\n", s.OK("snapshot", "list", "--url", url))
	id := string(book(t, url))
	require.Regexp(t, `^start  2026-06-01T08:00:00Z  seed 1, \d+ journeys`, s.OK("snapshot", "save", "start", "--url", url))
	require.Contains(t, s.OK("__complete", "snapshot", "restore", "--url", url, ""), "start\t2026-06-01T08:00:00Z\n")
	s.OK("clock", "advance", "--until", "COMPLETE", "--url", url)
	require.Contains(t, s.OK("snapshot", "restore", "start", "--url", url), "2026-06-01T08:00:00Z  stands still")
	require.Contains(t, s.OK("journeys", id, "--url", url), "WAITING")
	require.Len(t, as[control.Snapshots](t, s.OK("snapshot", "list", "--json", "--url", url)).Snapshots, 1)
	require.Equal(t, "removed start\n", s.OK("snapshot", "rm", "start", "--url", url))
	require.Contains(t, s.Fails(cli.ExitUsage, "snapshot", "restore", "start", "--url", url), "no snapshot")
}

func TestCtlMakesAnyControlAPICall(t *testing.T) {
	url, s := serve(t), newShell(t)
	ctl := func(args ...string) string { return s.OK(append([]string{"ctl", "--url", url}, args...)...) }
	require.Contains(t, ctl("PUT", "/system", "-f", "status=BUSY", "--field", "eta.value=7", "-f", "eta.unit=minutes"), `"value": 7`)
	require.Contains(t, ctl("put", control.Prefix+"/users/442079460950", "-f", "name=1234", "-f", `data={"skipDropOff":true}`), `"name": "1234"`, "a name is a string")
	require.Contains(t, ctl("GET", "/users", "-f", "limit=1"), `"next"`)
	require.Empty(t, ctl("DELETE", "/users/442079460950"))
	require.Contains(t, ctl("POST", "/clock/advance", "-f", "by=1s"), `"changes": `)
	require.Contains(t, ctl("POST", "/seed", "-f", "seed=7"), `"seed": 7`)
	ctl("PUT", "/snapshots/start")
	require.True(t, strings.HasPrefix(ctl("GET", "/snapshots/start/download"), "SQLite format 3"), "it is a file for 'cabrank serve --db'")
	require.Contains(t, ctl("POST", "/sandboxes", "-f", "name=ann", "-f", "labels.build=17"), `"build": "17"`, "a label is a string")
	require.Contains(t, ctl("GET", "/sandboxes", "--sandbox", "ann"), `"name": "ann"`, "only the main world has the call")
	require.Contains(t, s.OK("__complete", "ctl", ""), "PATCH\n")
	require.Contains(t, s.OK("__complete", "ctl", "POST", ""), "/clock/advance\tMove the clock")
	for says, args := range map[string][]string{
		`METHOD is "FETCH", want one of`:     {"fetch", "/users"},
		`PATH is "/users?limit=1", want one`: {"GET", "/users?limit=1"},
		`--field is "seed", want NAME=VALUE`: {"POST", "/seed", "-f", "seed"},
		"/seed wants a number":               {"POST", "/seed", "-f", "seed=many"},
		"nobody has this id":                 {"GET", "/users/nobody"},
		"there is no call GET /journey;":     {"GET", "/journey"},
		"there is no call DELETE /clock;":    {"DELETE", "/clock"},
		"there is no call GET /users//x;":    {"GET", "/users//x"},
		"sets seed, or":                      {"POST", "/seed", "-f", "seed=1", "-f", "seed=2"},
		"sets clock.now, or":                 {"POST", "/sandboxes", "-f", "clock=x", "-f", "clock.now=y"},
		"sets clock, or":                     {"POST", "/sandboxes", "-f", "clock.now=y", "-f", "clock=x"},
	} {
		require.Contains(t, s.Fails(cli.ExitUsage, append([]string{"ctl", "--url", url}, args...)...), says)
	}
}

func TestEventsAreFollowed(t *testing.T) {
	url, s := serve(t), newShell(t)
	id := string(book(t, url))
	s.OK("fault", "add", "close", "--op", "book", "--id", "shut", "--url", url)
	s.OK("clock", "advance", "--by", "1s", "--url", url)
	at := func(args ...string) []string {
		return append(append([]string{"events", "--url", url}, args...), "--since", "0")
	}
	require.Equal(t, `     1  08:00:00  world   the world was reset; the clock: stands still
     2  08:00:00  `+id+`  WAITING    book
     3  08:00:00  fault   shut (close) added, /book
     4  08:00:01  clock   stands still
`, s.OK(at("--count", "4")...))
	type line struct {
		ID    uint64
		Event string
		Data  struct{ What, JourneyID string }
	}
	require.Equal(t, line{ID: 3, Event: "fault", Data: struct{ What, JourneyID string }{What: "added"}},
		as[line](t, s.OK(at("--types", "fault", "--count", "1", "--json")...)))
	require.Equal(t, id, as[line](t, s.OK("events", "--url", url, "--since", "1", "--types", "journey,clock", "--count", "1", "--json")).Data.JourneyID)
	require.Regexp(t, `^     -  08:00:01  2 cars without a journey\n$`, s.OK("events", "--url", url, "--vehicles", "--types", "fault", "--count", "1"))
	require.Regexp(t, `^     -  earlier events are no longer stored\n     -  08:00:01  2 cars`, s.OK("events", "--url", url, "--since", "99", "--vehicles", "--types", "fault", "--count", "1"))
	s.OK("clock", "advance", "--until", "ACCEPTED", "--url", url)
	require.Regexp(t, `car-\d at \d+\.\d{5},\d\.\d{5} for `+id+`  1 cars without`, s.OK("events", "--url", url, "--vehicles", "--types", "fault", "--count", "1"))

	s.OK("sandbox", "add", "ann", "--cars", "1", "--town", "none", "--url", url)
	require.Contains(t, s.OK(at("--sandbox", "ann", "--count", "1")...), "was reset")
	require.Contains(t, s.OK("__complete", "events", "--types", "j"), "journey\n")
	for says, args := range map[string][]string{
		`--types has "cars"`: {"--types", "journey,cars"},
		"--count is -1":      {"--count", "-1"},
		"no sandbox":         {"--sandbox", "bob"},
	} {
		require.Contains(t, s.Fails(cli.ExitUsage, at(args...)...), says)
	}
	require.Contains(t, s.Fails(cli.ExitUnreachable, "events", "--url", "http://127.0.0.1:1"), "'cabrank serve' starts one")
}

func TestPersonalTokensHaveLimitedRights(t *testing.T) {
	url, s := serveWith(t, "s3cret"), newShell(t)
	s.Env["CABRANK_TOKEN"] = "s3cret"
	require.Equal(t, "no tokens\n", s.OK("token", "--url", url))
	ann := strings.TrimSpace(s.OK("token", "add", "ann", "--may", "sandboxes", "--sandboxes", "2", "--for", "30d", "--url", url))
	require.Regexp(t, `^[A-Z2-7]{26,}$`, ann)
	made := as[control.NewToken](t, s.OK("token", "add", "grafana", "--may", "read", "--json", "--url", url))
	require.NotEmpty(t, made.Secret)
	s.OK("token", "add", "team", "--url", url)
	require.Equal(t, `ann      2 sandboxes   made 2026-06-01T08:00:00Z  until 2026-07-01T08:00:00Z
grafana  read          made 2026-06-01T08:00:00Z  does not expire
team     20 sandboxes  made 2026-06-01T08:00:00Z  does not expire
`, s.OK("token", "list", "--url", url))
	require.Contains(t, s.OK("__complete", "token", "remove", "--url", url, "--token", "s3cret", ""), "ann\ngrafana\n")
	require.Contains(t, s.OK("__complete", "token", "add", "ann", "--may", ""), "everything\n")
	require.Contains(t, s.Fails(cli.ExitFindings, "token", "add", "ann", "--url", url), "there is a token ann already; remove it first")
	require.Contains(t, s.Fails(cli.ExitUsage, "token", "add", "Ann", "--url", url), "NAME wants 1 to 40")
	require.Contains(t, s.Fails(cli.ExitUsage, "token", "add", "bob", "--may", "much", "--url", url), `--may is "much", want read, sandboxes or everything`)
	require.Contains(t, s.Fails(cli.ExitUsage, "token", "add", "bob", "--for", "soon", "--url", url), `--for is "soon", want a time such as`)
	require.Contains(t, s.Fails(cli.ExitUsage, "token", "list", "--may", "read", "--url", url), "--may does not go with 'cabrank token list'")

	s.Env["CABRANK_TOKEN"] = ann
	require.Contains(t, s.Fails(cli.ExitFindings, "token", "list", "--url", url), "this needs the right everything, and the token ann has the right sandboxes")
	s.OK("sandbox", "add", "one", "--label", "team=checkout", "--label", "ticket=TAX-17", "--ends", "8h", "--url", url)
	s.OK("sandbox", "add", "two", "--url", url)
	require.Contains(t, s.Fails(cli.ExitFindings, "sandbox", "add", "three", "--url", url), "ann has 2 of 2 sandboxes: one, two; end one of them")
	require.Contains(t, s.Fails(cli.ExitFindings, "sandbox", "add", "three", "--owner", "bob", "--url", url), "a sandbox for others needs the right everything")
	s.OK("clock", "advance", "--by", "1m", "--sandbox", "one", "--url", url)
	require.Contains(t, s.Fails(cli.ExitFindings, "clock", "advance", "--by", "1m", "--url", url), "needs the right everything")

	s.Env["CABRANK_TOKEN"] = "s3cret"
	require.Regexp(t, `(?m)^one .*  of ann, team=checkout, ticket=TAX-17, ends 2026-06-01T16:00:00Z$`, s.OK("sandbox", "list", "--owner", "ann", "--label", "team=checkout", "--url", url))
	require.NotContains(t, s.OK("sandbox", "list", "--owner", "ann", "--label", "team=checkout", "--url", url), "two")
	require.Equal(t, "no sandboxes\n", s.OK("sandbox", "--owner", "bob", "--url", url))
	for says, args := range map[string][]string{
		`--label is "team", want NAME=VALUE`: {"add", "--label", "team"},
		`--label is "a-b=c", want a label`:   {"list", "--label", "a-b=c"},
		`--ends is "soon", want a time`:      {"add", "--ends", "soon"},
		`--owner wants 1 to 40`:              {"add", "--owner", "Bob"},
		"--ends does not go with":            {"list", "--ends", "8h"},
	} {
		require.Contains(t, s.Fails(cli.ExitUsage, append(append([]string{"sandbox"}, args...), "--url", url)...), says)
	}
	require.Equal(t, "removed ann\n", s.OK("token", "remove", "ann", "--url", url))
	require.Contains(t, s.Fails(cli.ExitUsage, "token", "remove", "ann", "--url", url), "there is no token")
	require.Contains(t, s.Fails(cli.ExitUsage, "clock", "--url", url, "--token", ann), "--token or CABRANK_TOKEN")
}
