package judging

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/conformance/dispatchside"
)

// areaFlags say where a server is and which addresses it serves.
type areaFlags struct {
	centre string
	places string
	zone   string
}

func (f *areaFlags) add(fs *pflag.FlagSet) {
	fs.StringVar(&f.centre, "centre", "", "LATITUDE,LONGITUDE of the centre of the served area, for generated addresses (default Leeds)")
	fs.StringVar(&f.places, "places", "", `JSON file [{"address","location":{"longitude","latitude"}}] of addresses to use instead of generated ones`)
	fs.StringVar(&f.zone, "zone", "Europe/London", "time zone of the server, for pickups around daylight-saving changes")
}

// apply sets the time zone and the addresses of a target.
func (f *areaFlags) apply(t *dispatchside.Target) error {
	var err error
	if t.Zone, err = time.LoadLocation(f.zone); err != nil {
		return cli.UsageError("--zone is %q, want a name such as Europe/London", f.zone)
	}
	if f.centre != "" {
		_, err := fmt.Sscanf(strings.ReplaceAll(f.centre, " ", ""), "%g,%g", &t.Centre.Latitude, &t.Centre.Longitude)
		if err != nil || math.Abs(t.Centre.Latitude) > 90 || math.Abs(t.Centre.Longitude) > 180 {
			return cli.UsageError("--centre is %q, want LATITUDE,LONGITUDE such as 53.7997,-1.5491", f.centre)
		}
	}
	if f.places == "" {
		return nil
	}
	return f.readPlaces(t)
}

// readPlaces reads the addresses of --places.
func (f *areaFlags) readPlaces(t *dispatchside.Target) error {
	text, err := cli.ReadText(f.places)
	if err != nil {
		return cli.UsageError("--places: %w", err)
	}
	if err := json.Unmarshal(text, &t.Places); err != nil {
		return cli.UsageError(`--places %s: want [{"address","location":{"longitude","latitude"}}]: %w`, f.places, err)
	}
	for i, p := range t.Places {
		if p.Address == "" || p.Location == nil {
			return cli.UsageError("--places %s: entry %d lacks an address or a location", f.places, i+1)
		}
	}
	if len(t.Places) < 2 {
		return cli.UsageError("--places %s: want two addresses at least, to go from one to another", f.places)
	}
	return nil
}
