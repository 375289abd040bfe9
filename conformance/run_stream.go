package conformance

import (
	"net/http"
	"slices"
	"strings"
)

// results judges what has been recorded so far, and returns those verdicts that
// nothing yet to come can change, MUSTs first. They are few: any call may break
// most rules, and a server whose ids turn out to be unreliable takes back what was
// concluded from them. What is left are bad bodies, which only their own story
// sends; of these, what does not depend on whether ids can be relied on.
func (r *run) results() []Result {
	r.mu.Lock()
	history := slices.Clone(r.history)
	r.mu.Unlock()
	believed := r.weigh(read(history))
	doubted := resultsByKey(r.weigh(read(append(fickle(), history...))))
	firm := slices.DeleteFunc(believed, func(res Result) bool {
		other := doubted[filed{res.ID, res.Operation}]
		return !strings.HasPrefix(res.ID, "BAD-") || res.Outcome == NotVerified || other.Outcome != res.Outcome || headlineOf(other) != headlineOf(res)
	})
	return byWeight(whole(firm))
}

// headlineOf returns the first finding's message.
func headlineOf(r Result) string { return headline(r, Check{}) }

// whole leaves out checks on some of whose operations there is no verdict yet.
func whole(results []Result) []Result {
	n := map[string]int{}
	for _, res := range results {
		n[res.ID]++
	}
	return slices.DeleteFunc(results, func(res Result) bool { return n[res.ID] < len(byID[res.ID].Operations) })
}

// fickle is traffic with a server that gives one number two userIds, after which
// no id can be relied on.
func fickle() []*Exchange {
	var all []*Exchange
	for _, id := range []string{"a", "b"} {
		all = append(all, &Exchange{
			Operation: OpUser, Request: Request{Method: http.MethodPost, Body: encode(object{"phoneNumber": "1"})},
			Response: &Response{Status: http.StatusOK, Body: encode(object{"userId": id, "phoneNumber": "1", "name": "A"})},
		})
	}
	return all
}
