package booking

import (
	"slices"
	"strings"

	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// mostSpoken limits the names of places that a speech recogniser receives.
const mostSpoken = 300

// questionOpening is the question of a menu, whose answer may be a complete request.
const questionOpening = "opening"

// expects returns what a speech recogniser needs to know about the answer in a state: the question and the names of
// places.
func (s *Session) expects(r row) voice.Expected {
	e := voice.Expected{Question: string(r.asks), YesOrNo: s.yesOrNo()}
	switch {
	case e.YesOrNo:
		e.Question = string(AsksConfirm)
	case e.Question == "", r.menu:
		e.Question = questionOpening
	}
	add := func(to *[]string, name string) {
		words := voice.Phrase(name)
		for _, article := range []string{"the ", "my "} {
			words = strings.TrimPrefix(words, article)
		}
		if words != "" && !slices.Contains(*to, words) && len(*to) < mostSpoken {
			*to = append(*to, words)
		}
	}
	for _, p := range append(slices.Clone(s.list), s.places()...) {
		name, _, _ := strings.Cut(p.called(), ",")
		add(&e.Places, name)
		for _, short := range s.gazetteer().Short(name, p.Kind) {
			add(&e.Places, short)
		}
		if p.Street {
			add(&e.Streets, name)
		}
	}
	e.Places = append(e.Places, "home", "work")
	return e
}

// yesOrNo reports whether the question may be answered by yes or no alone.
func (s *form) yesOrNo() bool {
	switch s.state {
	case Confirm, Reconfirm, AskCancel, IsTime:
		return true
	case WhichPlace:
		return len(s.doubts) > 0 && len(s.doubts[0].index) == 1 && !s.doubts[0].number
	}
	return s.ear.surely != ""
}

// examples are two sentences as callers say them, for programs that learn from them how to write.
func (s *form) examples() (hints []string) {
	if places := s.places(); len(places) > 1 {
		hints = append(hints, "a taxi from "+places[0].called()+" to "+places[1].called()+" now please")
	}
	return append(hints, "yes please, go ahead")
}
