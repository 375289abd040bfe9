package platform_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"regexp"
	"strings"
	"sync/atomic"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/platform/phones"
	"github.com/cabrank/cabrank/simulator/platform/simapi"
	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// wish is what a caller wants.
type wish string

const (
	wantsTaxi     wish = "a taxi now"
	wantsLater    wish = "a taxi later"
	wantsEdit     wish = "a change"
	wantsCancel   wish = "a cancellation"
	wantsStatus   wish = "news"
	wantsSilence  wish = "silence"
	wantsNonsense wish = "nonsense"
	wantsPerson   wish = "a person"
	wantsComing   wish = "coming now"
	wantsDriver   wish = "the driver"
)

// chooses contains, for each wish, the words of menu choices that lead to it, best first. An empty text stands for
// the first choice of the menu.
var chooses = map[wish][]string{
	wantsTaxi:   {"our automatic service", "go on without a name", "book it", "another taxi", "a taxi now from", "now", "today", ""},
	wantsLater:  {"our automatic service", "go on without a name", "book it", "another taxi", "a different pickup", "today", ""},
	wantsEdit:   {"change your booking", "change the time", "change the drop-off", "change it", "the one", "today", ""},
	wantsCancel: {"cancel your taxi", "cancel it", "the one"},
	wantsStatus: {"the one"},
	wantsComing: {"you are coming now", "the one"},
	wantsDriver: {"call the driver", "the one"},
}

// endsCaller is a caller who listens to menus and presses the key that fits best.
type endsCaller struct {
	ends   *ends
	chance *rand.Rand
	number string // as it is given to the line; "anonymous": withheld
	wish   wish
	leaves time.Duration // they hang up then, wherever they are; 0: when they are done

	phone string
	began time.Time
	shown int
	heard string    // since they did something
	last  time.Time // when something was heard
	acts  int
	gone  bool // they have hung up while something may have been under way
	over  atomic.Bool
	view  simapi.PhoneView
	said  []string
}

// ring places the call.
func (c *endsCaller) ring() {
	var view simapi.PhoneView
	body := c.ends.ask(http.MethodPost, "/sim/v1/phones", fmt.Sprintf(`{"from":%q,"to":"taxi"}`, c.number))
	require.NoError(c.ends.t, json.Unmarshal(body, &view))
	c.phone, c.began, c.last = view.ID, c.ends.line.Now(), c.ends.line.Now()
	c.ends.line.AfterFunc(time.Second, c.tick)
}

// Seconds of patience.
const (
	callersTick   = 700 * time.Millisecond
	listensFor    = 2 * time.Second  // before they choose
	waitsFor      = 30 * time.Second // in silence
	longestCall   = 4 * time.Minute
	mostActs      = 25
	somebodyTalks = 12 * time.Second // with a person or a driver
)

// tick reads what was said since the last tick, and reacts after two seconds of silence, or hangs up.
func (c *endsCaller) tick() {
	now := c.ends.line.Now()
	c.listen(now)
	quiet := now.Sub(c.last)
	switch {
	case c.over.Load():
		return
	case c.leaves > 0 && now.Sub(c.began) >= c.leaves, now.Sub(c.began) > longestCall, c.acts > mostActs, quiet > waitsFor:
		c.gone = c.leaves > 0 || c.ends.byWall
		c.do(`{"hangup":true}`)
	case c.heard != "" && quiet >= listensFor:
		c.act()
	}
	c.ends.line.AfterFunc(callersTick, c.tick)
}

// listen reads the new lines of the transcript.
func (c *endsCaller) listen(now time.Time) {
	var view simapi.PhoneView
	require.NoError(c.ends.t, json.Unmarshal(c.ends.ask(http.MethodGet, fmt.Sprintf("/sim/v1/phones/%s?from=%d", c.phone, c.shown), ""), &view))
	for _, line := range view.Transcript {
		c.shown++
		if line.Kind == voice.LineSay {
			c.said = append(c.said, line.Text)
			c.heard += " " + strings.ToLower(line.Text)
			c.last = now
		}
		if line.Kind == voice.LineBridge {
			c.leaves = now.Sub(c.began) + somebodyTalks
		}
	}
	if view.Status == phones.Over {
		c.view = view
		c.over.Store(true)
	}
}

// endsMenu matches the choices of a menu.
var endsMenu = regexp.MustCompile(`(?:to|for) ([^.]*?), press (\d)\.`)

// act responds to what was heard.
func (c *endsCaller) act() {
	defer func() { c.heard = ""; c.acts++ }()
	choices := endsMenu.FindAllStringSubmatch(c.heard, -1)
	switch {
	case c.wish == wantsSilence:
		return
	case c.wish == wantsPerson:
		c.do(`{"press":"0"}`)
		return
	case c.wish == wantsNonsense:
		c.do(`{"say":"purple monkey dishwasher"}`)
		return
	case strings.Contains(c.heard, "four digits") && c.wish != wantsTaxi:
		c.do(fmt.Sprintf(`{"press":"%02d%02d"}`, 15+c.chance.IntN(8), c.chance.IntN(60)))
		return
	}
	for _, words := range chooses[c.wish] {
		for _, choice := range choices {
			if choice[2] != "0" && strings.Contains(choice[1], words) {
				c.do(fmt.Sprintf(`{"press":%q}`, choice[2]))
				return
			}
		}
	}
}

func (c *endsCaller) do(body string) { c.ends.ask(http.MethodPost, "/sim/v1/phones/"+c.phone, body) }

// digits returns the caller's number as dispatch stores it.
func (c *endsCaller) digits() taxi.E164 { return taxi.E164(strings.TrimPrefix(c.number, "+")) }

// heardTimes returns how many sentences began with one of these texts.
func (c *endsCaller) heardTimes(begins ...string) (n int) {
	for _, sentence := range c.said {
		for _, b := range begins {
			if strings.HasPrefix(sentence, b) {
				n++
			}
		}
	}
	return n
}
