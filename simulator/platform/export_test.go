package platform

import "github.com/cabrank/cabrank/simulator/platform/voice"

// Take handles an incoming call on a line that carries sound, and returns its id.
func (p *Platform) Take(leg voice.Leg, from, to string) (id string, err error) {
	id = p.calls.NewID()
	return id, p.calls.Receive(id, leg, from, to)
}
