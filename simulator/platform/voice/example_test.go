package voice_test

import (
	"context"
	"fmt"
	"time"

	"github.com/cabrank/cabrank/simulator/platform/voice"
	"github.com/cabrank/cabrank/simulator/platform/voice/simline"
)

// A caller hears a menu and presses a key; the call takes no time, since its clock
// is virtual.
func Example() {
	clock := voice.NewVirtual(time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC))
	engine := voice.New(voice.Options{
		Clock: clock,
		NewID: func() string { return "call-1" },
		Heard: func(_ voice.Info, line voice.Line) {
			fmt.Printf("%d %s %s %q\n", line.AtMs, line.Party, line.Kind, line.Text)
		},
	})
	menu := func(_ context.Context, r voice.TurnRequest) (voice.Document, error) {
		if r.Digits == "1" {
			return voice.Document{voice.Say{Text: []string{"You pressed one."}}}, nil
		}
		return voice.Document{voice.Gather{Verbs: voice.Document{voice.Say{Text: []string{"Press one, or another key."}}}}}, nil
	}
	var phone *simline.Phone
	caller := simline.Script{{Expect: "press one"}, {Press: "1"}}.Person(clock, nil)
	phone = simline.NewCaller(clock, func(h simline.Happening) { caller.Notice(phone, h) })

	if _, err := engine.Receive(voice.Incoming{Leg: phone.Leg(), Program: voice.Program{Turn: menu}}); err != nil {
		fmt.Println(err)
	}
	clock.Run(time.Minute)
	// Output:
	// 0 platform answer ""
	// 0 platform say "Press one, or another key."
	// 692 caller press "1"
	// 692 platform say "You pressed one."
	// 1892 platform hangup ""
}
