//go:build ignore

package main

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/town"
)

// scenario is the files that SUMO reads and writes.
type scenario struct{ nodes, edges, network, routes, rides string }

func files(work string) scenario {
	in := func(name string) string { return filepath.Join(work, name) }
	return scenario{in("town.nod.xml"), in("town.edg.xml"), in("town.net.xml"), in("day.rou.xml"), in("rides.xml")}
}

// write writes what SUMO reads, but for the network.
func (f scenario) write(t *town.Town, fleet []stop, journeys []journey) error {
	return errors.Join(
		os.WriteFile(f.nodes, nodes(t), 0o644),
		os.WriteFile(f.edges, edges(t), 0o644),
		os.WriteFile(f.routes, routes(fleet, journeys), 0o644),
	)
}

func nodes(t *town.Town) []byte {
	var b bytes.Buffer
	b.WriteString("<nodes>\n")
	for i, p := range t.Nodes {
		fmt.Fprintf(&b, `<node id="%d" x="%.3f" y="%.3f"/>`+"\n", i, metres(p.X), metres(p.Y))
	}
	b.WriteString("</nodes>\n")
	return b.Bytes()
}

// edges is one edge of one lane for each direction that a link may be driven in.
func edges(t *town.Town) []byte {
	var b bytes.Buffer
	b.WriteString("<edges>\n")
	for arc := range arcs(t) {
		l, shape := &t.Links[arc>>1], slices.Clone(t.Shape(arc>>1))
		from, to := l.From, l.To
		if arc&1 == 1 {
			from, to = to, from
			slices.Reverse(shape)
		}
		fmt.Fprintf(&b, `<edge id="%s" from="%d" to="%d" numLanes="1" priority="%d" speed="%.3f" length="%.3f" shape="`,
			edgeOf(arc), from, to, town.Minor-l.Class, metres(l.Speed), metres(l.Length))
		for _, p := range shape {
			fmt.Fprintf(&b, "%.3f,%.3f ", metres(p.X), metres(p.Y))
		}
		b.WriteString("\"/>\n")
	}
	b.WriteString("</edges>\n")
	return b.Bytes()
}

// arcs goes over 2l, which is along link l, and 2l+1, against it.
func arcs(t *town.Town) iter.Seq[int32] {
	return func(yield func(int32) bool) {
		for arc := range 2 * int32(len(t.Links)) {
			if against := arc&1 == 1; against && t.Links[arc>>1].OneWay {
				continue
			}
			if !yield(arc) {
				return
			}
		}
	}
}

// routes is the fleet and the bookings. A driver who has dropped off stays there:
// SUMO's have no ranks to go to. In its mesoscopic mode it fails where passengers get
// out in no time, so they take a second.
func routes(fleet []stop, journeys []journey) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, `<routes><vType id="taxi" vClass="taxi"><param key="has.taxi.device" value="true"/>`+
		`<param key="device.taxi.pickUpDuration" value="%.0f"/><param key="device.taxi.dropOffDuration" value="1"/></vType>`+"\n", boarding.Seconds())
	for i, s := range fleet {
		fmt.Fprintf(&b, `<vehicle id="%d" type="taxi" depart="0" departPos="stop"><route edges="%s"/>`+
			`<stop lane="%s_0" endPos="%.3f" parking="true" triggered="person"/></vehicle>`+"\n", i, s.edge, s.edge, s.at)
	}
	for _, j := range journeys {
		fmt.Fprintf(&b, `<person id="%s" depart="%.3f" departPos="%.3f"><ride lines="taxi" from="%s" to="%s" arrivalPos="%.3f"/></person>`+"\n",
			j.id, j.at, j.from.at, j.from.edge, j.to.edge, j.to.at)
	}
	b.WriteString("</routes>\n")
	return b.Bytes()
}

// convert makes SUMO's network of the town, and makes sure that it is the same.
func (f scenario) convert(ctx context.Context, t *town.Town) (network, error) {
	said, err := exec.CommandContext(ctx, "netconvert", "--node-files", f.nodes, "--edge-files", f.edges, "--output-file", f.network,
		"--no-internal-links", "--xml-validation", "never").CombinedOutput()
	if err != nil {
		return network{}, fmt.Errorf("netconvert: %w: %s", err, said)
	}
	want, got := network{junctions: len(t.Nodes)}, network{}
	for arc := range arcs(t) {
		want.edges++
		want.metres += metres(t.Links[arc>>1].Length)
	}
	err = eachElement(f.network, func(tag string, value func(string) string) {
		switch tag {
		case "junction":
			got.junctions++
		case "edge":
			got.edges++
		case "lane":
			got.metres += number(value("length"))
		}
	})
	if err == nil && (got.junctions != want.junctions || got.edges != want.edges || math.Abs(got.metres-want.metres) > want.metres/10_000) {
		err = fmt.Errorf("SUMO's network has %v, the town %v", got, want)
	}
	return got, err
}

// contender is SUMO moving cars in one of its ways.
func (f scenario) contender(mode string, options ...string) *contender {
	return &contender{name: "SUMO, " + mode, rides: f.readRides, command: append([]string{
		"sumo", "--net-file", f.network, "--route-files", f.routes, "--end", fmt.Sprint(day.Seconds()), "--step-length", "1",
		"--device.taxi.dispatch-algorithm", "greedy", "--device.taxi.dispatch-period", "10", "--device.taxi.idle-algorithm", "stop",
		"--routing-algorithm", "CH", "--device.rerouting.adaptation-interval", "0",
		"--tripinfo-output", f.rides, "--no-step-log", "--duration-log.statistics",
		"--xml-validation", "never", "--xml-validation.net", "never",
	}, options...)}
}

// readRides reads what SUMO tells of the passengers who have arrived. It counts the
// time that they take to get in as waiting.
func (f scenario) readRides() (rides, error) {
	over := make(rides)
	var id taxi.JourneyID
	err := eachElement(f.rides, func(tag string, value func(string) string) {
		switch tag {
		case "personinfo":
			id = taxi.JourneyID(value("id"))
		case "ride":
			over[id] = ride{
				wait:    number(value("waitingTime")) - boarding.Seconds(),
				seconds: number(value("duration")),
				metres:  number(value("routeLength")),
			}
		}
	})
	return over, err
}

// network is what two descriptions of the same streets agree in.
type network struct {
	junctions, edges int
	metres           float64
}

func (n network) String() string {
	return fmt.Sprintf("%d junctions, %d edges, %.1f km", n.junctions, n.edges, n.metres/1000)
}

// eachElement goes over the elements of an XML file, which SUMO may not have ended.
func eachElement(name string, do func(tag string, value func(attribute string) string)) error {
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	for d := xml.NewDecoder(file); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read %s: %w", name, err)
		}
		if e, ok := token.(xml.StartElement); ok {
			do(e.Name.Local, func(attribute string) string {
				for _, a := range e.Attr {
					if a.Name.Local == attribute {
						return a.Value
					}
				}
				return ""
			})
		}
	}
}

// number reads a figure that SUMO wrote; none is 0.
func number(text string) float64 {
	v, _ := strconv.ParseFloat(text, 64)
	return v
}
