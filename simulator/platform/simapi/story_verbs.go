package simapi

import (
	"encoding/json"
	"slices"

	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// shownVerbs spells a document as it is on the wire, for people: without the numbers of
// those who are dialled and of whoever they see calling.
func shownVerbs(d voice.Document) json.RawMessage {
	shown := slices.Clone(d)
	for i, v := range shown {
		dial, ok := v.(voice.Dial)
		if !ok {
			continue
		}
		dial.CallerID = voice.MaskAddress(dial.CallerID)
		dial.Targets = slices.Clone(dial.Targets)
		for j, t := range dial.Targets {
			dial.Targets[j] = maskedTarget(t)
		}
		shown[i] = dial
	}
	text, err := json.Marshal(shown)
	if err != nil || shown == nil {
		return noVerbs // verbs are made of strings and numbers
	}
	return text
}

// shownDial is what became of a dial, without the numbers of who was dialled and of whom they saw
// calling; nil: there was none.
func shownDial(d *voice.DialResult) *voice.DialResult {
	if d == nil {
		return nil
	}
	shown := *d
	shown.To, shown.From = voice.MaskAddress(d.To), voice.MaskAddress(d.From)
	return &shown
}

var noVerbs = json.RawMessage("[]")

func maskedTarget(t voice.Target) voice.Target {
	switch {
	case t.PhoneNumber != nil:
		t.PhoneNumber = &voice.PhoneNumber{Number: voice.MaskAddress(t.PhoneNumber.Number)}
	case t.Extension != nil:
		t.Extension = &voice.Extension{Extension: t.Extension.Extension, OverrideTo: voice.MaskAddress(t.Extension.OverrideTo)}
	case t.SIPURI != nil:
		t.SIPURI = &voice.SIPURI{URI: voice.MaskAddress(t.SIPURI.URI)}
	}
	return t
}
