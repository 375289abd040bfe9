package main

import (
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/clitest"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/store/postgresdb/postgrestest"
)

// whatCallsTake are bodies with which calls change something.
var whatCallsTake = map[string]string{
	"PUT /system":              `{"status":"BUSY"}`,
	"PUT /magic":               `{"enabled":false}`,
	"PUT /answers":             `{"fields":"required"}`,
	"POST /faults":             `{"fault":"close","op":"config"}`,
	"POST /tokens":             `{"name":"new","may":"read"}`,
	"POST /sandboxes":          `{"name":"new"}`,
	"POST /clock/advance":      `{"by":"1m"}`,
	"POST /clock/speed":        `{"speed":2}`,
	"POST /users":              `{"phoneNumber":"447700900123","name":"Ann"}`,
	"PUT /vehicles/{id}/duty":  `{"onDuty":false}`,
	"PATCH /sandboxes/{name}":  `{"ends":"8h"}`,
	"POST /scenarios/{name}":   `{}`,
	"PUT /users/{id}":          `{"status":"DISABLED"}`,
	"PUT /vehicles/{id}/point": `{"latitude":54,"longitude":2}`,
}

// sayUnsure are the codes of refusals that leave open whether the call was made; the others say that it was not: it can be made again.
var sayUnsure = map[taxi.Code]bool{taxi.CodeOutcomeUnknown: true, "world-ended": true}

// TestControlAPIAnswers503WithoutDatabase checks that while the database is down, each call of the control API is
// answered with a status below 500, or with 503 and Retry-After; the refusal is retryable unless the outcome is
// unknown. The calls are made right after the database has ended, and again when the lease is no longer trusted.
func TestControlAPIAnswers503WithoutDatabase(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts a database")
	}
	s, server := newParallelShell(t), postgrestest.Start(t, postgrestest.Options{})
	base, stop := s.Serve("--town", "none", "--db", server.URL(t), "--control-token", teamToken)
	s.OK("sandbox", "add", "ann", "--url", base, "--token", teamToken)
	s.OK("ctl", "POST", "/tokens", "-f", "name=old", "-f", "may=read", "--url", base, "--token", teamToken)
	for _, world := range []string{"", "/s/ann"} {
		require.Less(t, clitest.Send(t, http.MethodPut, base+world+"/_control/v1/snapshots/old", "", withTeamToken).Status, 300)
	}
	text := clitest.Get(t, base+"/_control/v1/openapi.json", withTeamToken).Body
	var document struct {
		Paths map[string]map[string]json.RawMessage
	}
	require.NoError(t, json.Unmarshal([]byte(text), &document))
	require.Greater(t, len(document.Paths), 40)
	var seen sync.Map
	walk := func() {
		var calls sync.WaitGroup
		for path, methods := range document.Paths {
			for method := range methods {
				call := strings.ToUpper(method) + " " + path
				if method == "parameters" || strings.HasSuffix(path, "/stream") || strings.HasSuffix(path, "/events") || strings.HasSuffix(path, "/wait") {
					continue
				}
				at := strings.NewReplacer("{id}", "missing", "{name}", "old", "{nickname}", "missing").Replace(path)
				for _, world := range []string{"", "/s/ann"} {
					calls.Go(func() {
						body := whatCallsTake[call]
						if body == "" && method != "get" && method != "delete" {
							body = "{}"
						}
						answer := clitest.Send(t, strings.ToUpper(method), base+world+"/_control/v1"+at, body, withTeamToken)
						seen.Store(answer.Status, true)
						if answer.Status < 500 {
							return
						}
						var says taxi.Problem
						_ = json.Unmarshal([]byte(answer.Body), &says) // what is no problem says nothing
						if answer.Status != http.StatusServiceUnavailable || answer.Header.Get("Retry-After") == "" || says.Retryable == sayUnsure[says.Code] {
							t.Errorf("%s%s: %d, Retry-After %q: %s", world, call, answer.Status, answer.Header.Get("Retry-After"), answer.Body)
						}
					})
				}
			}
		}
		calls.Wait()
	}
	server.Kill(t)
	walk()
	require.Eventually(t, func() bool {
		return clitest.Get(t, base+"/s/ann/_control/v1/system", withTeamToken).Status == http.StatusServiceUnavailable
	}, time.Minute, 10*time.Millisecond, "no lease is trusted")
	walk()
	_, unavailable := seen.Load(http.StatusServiceUnavailable)
	require.True(t, unavailable)
	server.Start(t)
	for _, world := range []string{"", "/s/ann"} {
		require.Eventually(t, func() bool {
			return clitest.Post(t, base+world+"/config", "{}").Status == http.StatusOK
		}, time.Minute, 10*time.Millisecond, "%q answers again", world)
	}
	stop()
}
