package control_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/control"
	"github.com/cabrank/cabrank/simulator/host"
)

// TestSandboxesAreFoundByOwnerAndLabel checks that sandboxes have owners and labels, and that the list can be
// filtered by them.
func TestSandboxesAreFoundByOwnerAndLabel(t *testing.T) {
	main, _ := tokenRig(t, ownToken, "", nil)
	ann := main.as(main.secret(`{"name":"ann","may":"sandboxes"}`))
	made := do[control.Sandbox](ann, "POST", "/sandboxes", `{"name":"a","labels":{"team":"checkout","_ticket":"TAX=17"},"ends":"8h"}`)
	require.Equal(t, "ann", made.Owner)
	require.Equal(t, map[string]string{"team": "checkout", "_ticket": "TAX=17"}, made.Labels)
	require.Equal(t, monday.Add(8*time.Hour), made.Ends)
	require.Equal(t, monday.Add(time.Hour), made.Expires)
	require.Equal(t, "carol", do[control.Sandbox](main, "POST", "/sandboxes", `{"name":"b","owner":"carol","labels":{"team":"checkout"}}`).Owner)
	plain := do[control.Sandbox](main, "POST", "/sandboxes", `{"name":"c"}`)
	require.Empty(t, plain.Owner)
	require.Zero(t, plain.Ends)
	for query, want := range map[string]string{
		"": "a b c", "?owner=ann": "a", "?owner=nobody": "", "?label=team=checkout": "a b", "?label=_ticket=TAX=17": "a",
		"?label=team=checkout&label=_ticket=TAX=17": "a", "?owner=carol&label=team=checkout": "b", "?label=team=": "",
	} {
		var names []string
		for _, box := range do[control.SandboxList](ann, "GET", "/sandboxes"+query, "").Sandboxes {
			names = append(names, box.Name)
		}
		require.Equal(t, want, strings.Join(names, " "), query)
	}
	for _, query := range []string{"?label=team", "?label==x", "?label=a-b=c", "?label=a=1&label=a=2", "?team=checkout"} {
		ann.refused("GET", "/sandboxes"+query, "", 422)
	}
}

// TestInvalidSandboxAttributesAreRefused checks that invalid owners, labels and ends are
// refused, and that the largest valid ones are accepted.
func TestInvalidSandboxAttributesAreRefused(t *testing.T) {
	main, _ := tokenRig(t, ownToken, "", nil)
	many := map[string]string{}
	for i := range 11 {
		many["l"+strconv.Itoa(i)] = ""
	}
	eleven, err := json.Marshal(many)
	require.NoError(t, err)
	for order, want := range map[string]string{
		`{"owner":"Ann"}`: "/owner", `{"owner":"a/b"}`: "/owner",
		`{"labels":` + string(eleven) + `}`: "/labels", `{"labels":{"a-b":"c"}}`: "/labels", `{"labels":{"1a":"c"}}`: "/labels", `{"labels":{"":"c"}}`: "/labels",
		`{"labels":{"` + strings.Repeat("a", 41) + `":""}}`: "/labels", `{"labels":{"a":"` + strings.Repeat("ä", 101) + `"}}`: "/labels/a",
		`{"labels":{"a":"b\nc"}}`: "/labels/a", `{"labels":{"a":7}}`: "/labels/a",
		`{"ends":"soon"}`: "/ends", `{"ends":"0s"}`: "/ends", `{"ends":"-1h"}`: "/ends", `{"ends":"31d"}`: "/ends", `{"ends":"720h1s"}`: "/ends",
		`{"ends":"99999999999d"}`: "/ends", `{"ends":"2026-06-01T08:00:00Z"}`: "/ends", `{"ends":"2026-07-01T08:00:01Z"}`: "/ends",
	} {
		require.Equal(t, want, main.refused("POST", "/sandboxes", order, 422).Errors[0].Pointer, order)
	}
	ends := do[control.Sandbox](main, "POST", "/sandboxes", `{"ends":"2026-07-01T10:00:00+02:00","labels":{"a":"`+strings.Repeat("ä", 100)+`"}}`).Ends
	require.Equal(t, monday.Add(30*24*time.Hour), ends)
}

// TestSandboxEndsAtItsDeadlineEvenIfUsed checks that a sandbox ends at the time that was set, although
// it is used and one of its answers takes longer.
func TestSandboxEndsAtItsDeadlineEvenIfUsed(t *testing.T) {
	r, passed := tokenRig(t, "", "", nil)
	made := do[control.Sandbox](r, "POST", "/sandboxes", `{"name":"a","ends":"10m"}`)
	require.Equal(t, made.Ends, made.Expires, "sooner than an hour without requests")
	slow := &meanwhile{ResponseRecorder: httptest.NewRecorder(), do: func() {
		passed.Store(int64(10*time.Minute - 1))
		do[control.Clock](r.at("/s/a"), "GET", "/clock", "")
		passed.Store(int64(10 * time.Minute))
		require.Equal(t, taxi.Code("sandbox-not-found"), r.at("/s/a").refused("GET", "/clock", "", 404).Code)
	}}
	r.ServeHTTP(slow, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://localhost/s/a"+control.Prefix+"/clock", nil))
	require.Equal(t, http.StatusOK, slow.Code)
	r.TidyUp()
	require.Empty(t, do[control.SandboxList](r, "GET", "/sandboxes", "").Sandboxes)
	do[control.Sandbox](r, "POST", "/sandboxes", `{"name":"a"}`)
}

// TestTokenQuotaLimitsSandboxes checks that a token cannot own more sandboxes than its quota, also if they are
// created at the same time.
func TestTokenQuotaLimitsSandboxes(t *testing.T) {
	main, passed := tokenRig(t, ownToken, "", nil)
	ann := main.as(main.secret(`{"name":"ann","may":"sandboxes","sandboxes":3}`))
	var all sync.WaitGroup
	var mu sync.Mutex
	made := map[int]int{}
	for range 12 {
		all.Go(func() {
			status, _ := ann.send("POST", "/sandboxes", `{"ttl":"10m"}`)
			mu.Lock()
			defer mu.Unlock()
			made[status]++
		})
	}
	all.Wait()
	require.Equal(t, map[int]int{http.StatusCreated: 3, http.StatusConflict: 9}, made)
	p := ann.refused("POST", "/sandboxes", `{}`, 409)
	require.Equal(t, taxi.Code("sandbox-quota"), p.Code)
	require.Regexp(t, `^ann has 3 of 3 sandboxes: box-\d+, box-\d+, box-\d+; end one of them$`, p.Detail)
	do[control.Sandbox](main, "POST", "/sandboxes", `{"owner":"ann"}`)
	require.Len(t, do[control.SandboxList](main, "GET", "/sandboxes?owner=ann", "").Sandboxes, 4, "the quota is the token's")
	do[control.Sandbox](main.as(main.secret(`{"name":"bob","may":"sandboxes"}`)), "POST", "/sandboxes", `{}`)
	passed.Store(int64(20 * time.Minute))
	do[control.Sandbox](ann, "POST", "/sandboxes", `{"scenario":"no-cars"}`)
}

// TestRefusedSandboxDoesNotUseQuota checks that a sandbox that cannot be created does not count
// towards the quota.
func TestRefusedSandboxDoesNotUseQuota(t *testing.T) {
	main, _ := tokenRig(t, ownToken, "", nil)
	ann := main.as(main.secret(`{"name":"ann","may":"sandboxes","sandboxes":1}`))
	for range 2 {
		ann.refused("POST", "/sandboxes", `{"cars":3,"scenario":"rush-hour-200-cars"}`, 409)
	}
	do[control.Sandbox](ann, "POST", "/sandboxes", `{}`)
}

// TestServiceDiscoveryListsMetricsTargets checks that the scrape targets have the address that was asked, or the public
// one, and labels.
func TestServiceDiscoveryListsMetricsTargets(t *testing.T) {
	for public, want := range map[string]control.TargetGroup{
		"":                              {Targets: []string{"HERE"}, Labels: map[string]string{"__scheme__": "http", "__metrics_path__": "/s/a/metrics"}},
		"https://taxis.example":         {Targets: []string{"taxis.example:443"}, Labels: map[string]string{"__scheme__": "https", "__metrics_path__": "/s/a/metrics"}},
		"http://[::1]:81/taxis":         {Targets: []string{"[::1]:81"}, Labels: map[string]string{"__scheme__": "http", "__metrics_path__": "/taxis/s/a/metrics"}},
		"http://taxis.example/a%20room": {Targets: []string{"taxis.example:80"}, Labels: map[string]string{"__scheme__": "http", "__metrics_path__": "/a room/s/a/metrics"}},
	} {
		main, _ := tokenRig(t, "", public, nil)
		do[control.Sandbox](main, "POST", "/sandboxes", `{"name":"a","owner":"ann","labels":{"team":"checkout"}}`)
		groups := do[[]control.TargetGroup](main, "GET", "/sd", "")
		require.Len(t, groups, 2)
		require.NotContains(t, groups[0].Labels, "world", "the main one")
		maps.Copy(want.Labels, map[string]string{"world": "a", "owner": "ann", "label_team": "checkout"})
		want.Targets[0] = strings.Replace(want.Targets[0], "HERE", main.http.Listener.Addr().String(), 1)
		require.Equal(t, want, groups[1], public)
		if public == "" {
			status, _ := main.page(http.MethodGet, want.Labels["__metrics_path__"], "", want.Targets[0])
			require.Equal(t, http.StatusOK, status)
		}
		main.at("/s/a").refused("GET", "/sd", "", 404)
	}
}

// TestPublicAddressIsUsedInAllURLs checks that each address in an answer of control is below
// the public address, if there is one.
func TestPublicAddressIsUsedInAllURLs(t *testing.T) {
	const public = "https://taxis.example/team"
	main, _ := tokenRig(t, "", public, nil)
	at := func(r *rig, path, body string) *httptest.ResponseRecorder {
		req := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "http://localhost"+path, strings.NewReader(body))
		req.Header.Set("Content-Type", "application/json")
		answer := httptest.NewRecorder()
		r.ServeHTTP(answer, req)
		require.Equal(t, http.StatusCreated, answer.Code, answer.Body)
		return answer
	}
	made := at(main, control.Prefix+"/sandboxes", `{"name":"a","scenario":"no-cars"}`)
	require.Equal(t, public+control.Prefix+"/sandboxes/a", made.Header().Get("Location"))
	var box control.Sandbox
	require.NoError(t, json.Unmarshal(made.Body.Bytes(), &box))
	require.Equal(t, []string{public + "/s/a", public + "/s/a" + control.Prefix, public + "/s/a" + control.Prefix + "/scenarios/runs/run-1"},
		[]string{box.ThirdPartyURL, box.ControlURL, box.Run.URL})
	started := at(main, "/s/a"+control.Prefix+"/scenarios/happy-asap/start", "")
	require.Equal(t, public+"/s/a"+control.Prefix+"/scenarios/runs/run-2", started.Header().Get("Location"))
	require.Equal(t, public+"/s/a", do[control.Overview](main.at("/s/a"), "GET", "/", "").ThirdPartyURL)
	plain, _ := tokenRig(t, "", "", nil)
	started = at(plain, control.Prefix+"/scenarios/happy-asap/start", "")
	require.Equal(t, control.Prefix+"/scenarios/runs/run-1", started.Header().Get("Location"), "a path, where there is no public address")
	at(plain, control.Prefix+"/sandboxes", `{"name":"a"}`)
	started = at(plain, "/s/a"+control.Prefix+"/scenarios/happy-asap/start", "")
	require.Equal(t, "/s/a"+control.Prefix+"/scenarios/runs/run-1", started.Header().Get("Location"), "of the sandbox")
}

// TestSandboxOwnerSurvivesResetAndTokenRemoval checks that a sandbox has the same owner after a reset, and
// after the token is removed.
func TestSandboxOwnerSurvivesResetAndTokenRemoval(t *testing.T) {
	main, _ := tokenRig(t, ownToken, "", nil)
	ann := main.as(main.secret(`{"name":"ann","may":"sandboxes"}`))
	do[control.Sandbox](ann, "POST", "/sandboxes", `{"name":"a"}`)
	do[control.Overview](ann.at("/s/a"), "POST", "/reset", `{}`)
	status, _ := main.send("DELETE", "/tokens/ann", "")
	require.Equal(t, http.StatusNoContent, status)
	require.Equal(t, "ann", do[control.Sandbox](main, "GET", "/sandboxes/a", "").Owner)
	do[control.Clock](main.as(main.secret(`{"name":"ann","may":"sandboxes"}`)).at("/s/a"), "PUT", "/clock", "{}")
}

// TestSandboxesAreIsolatedFromEachOther checks that bookings, the clock and a reset of one sandbox do
// not affect another or the main world, and that a sandbox can be ended.
func TestSandboxesAreIsolatedFromEachOther(t *testing.T) {
	main := newRig(t, still(), host.Deps{})
	made := do[control.Sandbox](main, "POST", "/sandboxes", `{"name":"pr-4711","seed":7,"cars":3,"clock":{"now":"2030-01-01T12:00:00Z"},"ttl":"10m"}`)
	require.Equal(t, main.http.URL+"/s/pr-4711", made.ThirdPartyURL)
	require.Equal(t, main.http.URL+"/s/pr-4711/_control/v1", made.ControlURL)
	require.Equal(t, uint64(7), made.Seed)
	require.Equal(t, 3, made.Cars)
	require.Equal(t, control.Manual, made.Clock.Mode)
	require.Equal(t, simulator.CallersByWorld, made.Clock.Callers)
	require.Equal(t, monday.Add(10*time.Minute), made.Expires)
	other := do[control.Sandbox](main, "POST", "/sandboxes", `{}`)
	require.Equal(t, "box-1", other.Name)

	one, two := main.at("/s/pr-4711"), main.at("/s/box-1")
	newYear := time.Date(2030, 1, 1, 12, 0, 0, 0, time.UTC)
	for _, r := range []*rig{one, two, main} {
		at := monday
		if r == one {
			at = newYear
		}
		j, err := r.desk.Book(t.Context(), r.request(at))
		require.NoError(t, err)
		require.Equal(t, taxi.Waiting, j.Status)
	}
	do[control.Advanced](one, "POST", "/clock/advance", `{"until":{"journey":"latest","status":"COMPLETE"}}`)
	require.True(t, do[control.Clock](one, "GET", "/clock", "").Now.After(newYear))
	require.Equal(t, monday, do[control.Clock](two, "GET", "/clock", "").Now)
	require.Equal(t, monday, do[control.Clock](main, "GET", "/clock", "").Now)
	before := do[control.Overview](main, "GET", "/", "").Live
	do[control.Overview](two, "POST", "/reset", `{"to":"empty"}`)
	require.Equal(t, before, do[control.Overview](main, "GET", "/", "").Live)
	require.Equal(t, "box-1", do[control.Overview](two, "GET", "/", "").Sandbox)

	all := do[struct{ Sandboxes []control.Sandbox }](main, "GET", "/sandboxes", "").Sandboxes
	require.Len(t, all, 2)
	status, _ := main.send("DELETE", "/sandboxes/box-1", "")
	require.Equal(t, http.StatusNoContent, status)
	require.Equal(t, taxi.Code("sandbox-not-found"), two.refused("GET", "/clock", "", 404).Code)
	_, err := two.desk.Config(t.Context(), taxi.ConfigRequest{})
	require.ErrorIs(t, err, &taxi.Problem{Code: "sandbox-not-found"})
	require.Equal(t, "pr-4711", do[control.Sandbox](main, "GET", "/sandboxes/pr-4711", "").Name)
	main.refused("GET", "/sandboxes/box-1", "", 404)
	main.refused("DELETE", "/sandboxes/box-1", "", 404)
	one.refused("GET", "/sandboxes", "", 404)
}

func TestInvalidSandboxRequestsAreRefused(t *testing.T) {
	r := newRig(t, still(), host.Deps{})
	for order, want := range map[string]string{
		`{"name":"PR"}`: "/name", `{"name":"-a"}`: "/name", `{"name":"a/b"}`: "/name", `{"name":".."}`: "/name",
		`{"name":"` + strings.Repeat("a", 41) + `"}`: "/name",
		`{"ttl":"-1s"}`: "/ttl", `{"ttl":"169h"}`: "/ttl", `{"ttl":5}`: "/ttl",
		`{"cars":-1}`: "/cars", `{"cars":1001}`: "/cars",
		`{"town":"/etc/passwd"}`: "/town", `{"town":"map.geojson"}`: "/town", `{"town":"4000"}`: "/town",
		`{"variation":-1}`: "/variation", `{"variation":3}`: "/variation", `{"demand":"much"}`: "/demand", `{"behaviour":"wild"}`: "/behaviour",
		`{"clock":{"mode":"fast"}}`: "/clock/mode", `{"clock":{"speed":-1}}`: "/clock/speed",
		`{"clock":{"now":"1999-01-01T00:00:00Z"}}`: "/clock/now", `{"clock":{"callers":"nobody"}}`: "/clock/callers",
	} {
		p := r.refused("POST", "/sandboxes", order, 422)
		require.Equal(t, want, p.Errors[0].Pointer, order)
		require.NotContains(t, p.Detail, "  ", order)
	}
	require.Empty(t, do[struct{ Sandboxes []control.Sandbox }](r, "GET", "/sandboxes", "").Sandboxes)
	do[control.Sandbox](r, "POST", "/sandboxes", `{"name":"a"}`)
	require.Equal(t, taxi.Code("sandbox-exists"), r.refused("POST", "/sandboxes", `{"name":"a"}`, 409).Code)
}

// TestSandboxIsRefusedWithoutMemory checks that a new sandbox is refused while memory is short, and
// that the main world and the existing sandboxes continue.
func TestSandboxIsRefusedWithoutMemory(t *testing.T) {
	full := false
	r := serveRig(t, openServer(t, control.Options{Config: still(), Full: func() bool { return full }}, host.Deps{}, host.Deps{}))
	do[control.Sandbox](r, "POST", "/sandboxes", `{"name":"a","town":"none"}`)
	full = true
	require.Equal(t, taxi.Code("too-many-sandboxes"), r.refused("POST", "/sandboxes", `{"name":"b","town":"none"}`, http.StatusConflict).Code)
	do[control.Clock](r.at("/s/a"), "GET", "/clock", "")
	do[control.Clock](r, "GET", "/clock", "")
}

// TestSandboxStartsItsScenario checks that a sandbox can be created with a scenario, whose
// run is found at the address in the answer, and that no sandbox is created if the scenario
// cannot be started.
func TestSandboxStartsItsScenario(t *testing.T) {
	r := newRig(t, still(), host.Deps{})
	made := do[control.Sandbox](r, "POST", "/sandboxes", `{"name":"a","scenario":"no-cars"}`)
	require.Equal(t, &control.SandboxRun{ID: "run-1", Scenario: "no-cars", URL: made.ControlURL + "/scenarios/runs/run-1"}, made.Run)
	require.Equal(t, made, do[control.Sandbox](r, "GET", "/sandboxes/a", ""))
	run := do[control.Run](r.at("/s/a"), "GET", "/scenarios/runs/"+made.Run.ID, "")
	require.Equal(t, control.RunGoes, run.State)
	require.NotEmpty(t, do[control.Faults](r.at("/s/a"), "GET", "/faults", "").Faults)
	require.Empty(t, do[control.Faults](r, "GET", "/faults", "").Faults, "the main world is as it was")

	large := do[control.Sandbox](r, "POST", "/sandboxes", `{"name":"b","town":"none","scenario":"rush-hour-200-cars"}`)
	require.Equal(t, 200, large.Cars, "as many as it needs")
	p := r.refused("POST", "/sandboxes", `{"name":"c","cars":3,"scenario":"rush-hour-200-cars"}`, 409)
	require.Contains(t, p.Detail, "needs 200 cars, and this world has 3")
	p = r.refused("POST", "/sandboxes", `{"name":"c","scenario":"rain"}`, 422)
	require.Equal(t, "/scenario", p.Errors[0].Pointer)
	require.Contains(t, p.Detail, "no-cars, no-show")
	require.Len(t, do[control.SandboxList](r, "GET", "/sandboxes", "").Sandboxes, 2)
	require.Nil(t, do[control.Sandbox](r, "POST", "/sandboxes", `{"name":"c","cars":3}`).Run, "the name is free")
}
