package platform

import "github.com/cabrank/cabrank/simulator/platform/voice"

// Take takes a call on a line that carries sound.
func (p *Platform) Take(leg voice.Leg, from, to string) (id string, err error) {
	id = p.calls.NewID()
	return id, p.calls.Receive(id, leg, from, to)
}
