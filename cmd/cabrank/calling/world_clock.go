package calling

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
)

// worldClock is the clock of a server's world, read from /version. For other dispatch
// systems it is the wall clock.
type worldClock struct {
	ctx    context.Context // of the command
	client *http.Client
	url    string
	note   func(words string) // called once if the clock differs from the wall clock

	asked bool
	ahead time.Duration // of the wall clock, at the last reading
}

// now returns the time of the world. If the server does not give it, that is the wall clock plus the last known
// difference.
func (c *worldClock) now() time.Time {
	wall := cli.Now()
	if c.asked && c.ahead == 0 {
		return wall
	}
	world, err := c.ask()
	if err != nil {
		c.asked = true
		return wall.Add(c.ahead) // it has no /version, or is busy
	}
	c.ahead = world.Sub(wall)
	if by := c.ahead.Round(time.Minute); !c.asked && by != 0 {
		c.note(fmt.Sprintf("times are those of the server's world, which is %s; the wall clock shows %s", clockDifference(by), wall.Format(time.TimeOnly)))
	}
	c.asked = true
	return world
}

// clockDifference describes how far the world's clock is from the wall clock.
func clockDifference(by time.Duration) string {
	if by < 0 {
		return strings.TrimSuffix((-by).String(), "0s") + " behind the wall"
	}
	return strings.TrimSuffix(by.String(), "0s") + " ahead of the wall"
}

func (c *worldClock) ask() (time.Time, error) {
	const most = 64 << 10
	r, err := http.NewRequestWithContext(c.ctx, http.MethodGet, strings.TrimRight(c.url, "/")+"/version", nil)
	if err != nil {
		return time.Time{}, err
	}
	resp, err := c.client.Do(r)
	if err != nil {
		return time.Time{}, err
	}
	defer resp.Body.Close()
	var told struct{ Now time.Time }
	err = json.NewDecoder(io.LimitReader(resp.Body, most)).Decode(&told)
	if err == nil && (resp.StatusCode != http.StatusOK || told.Now.IsZero()) {
		err = fmt.Errorf("%s returned no time", r.URL.Path)
	}
	return told.Now, err
}
