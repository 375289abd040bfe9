package dispatchside

import (
	"fmt"
	"math/rand/v2"
)

// numbers allocates the telephone numbers of a run's end users. Made-up numbers are
// unlimited. A number given by the target belongs to one probe at a time, since two probes
// with one end user would disturb each other.
type numbers struct {
	target *Target
	made   int         // how many numbers were made up
	idle   chan string // given numbers that no probe uses
}

func newNumbers(t *Target) *numbers {
	n := &numbers{target: t, idle: make(chan string, len(t.Phones))}
	for _, phone := range t.Phones {
		n.idle <- string(phone.Digits())
	}
	return n
}

// take returns want numbers, or all if there are fewer, and waits until no other probe uses
// them. Only one goroutine may call it at a time: two callers that each hold some and wait
// for more would deadlock.
func (n *numbers) take(want int) []string {
	if given := cap(n.idle); given > 0 {
		want = min(want, given)
	}
	held := make([]string, want)
	for i := range held {
		if cap(n.idle) > 0 {
			held[i] = <-n.idle
		} else {
			n.made++
			held[i] = n.target.fictional(n.made)
		}
	}
	return held
}

// release makes numbers available to other probes again.
func (n *numbers) release(held []string) {
	for _, phone := range held[:min(len(held), cap(n.idle))] {
		n.idle <- phone
	}
}

// fictional are the first digits of ranges of British numbers that no telephone has.
var fictional = []string{
	"44114496", "44115496", "44116496", "44117496", "44118496",
	"44121496", "44131496", "44141496", "44151496", "44161496",
}

// A block is a range of numbers that no telephone has: its first digits, and how many digits follow.
type block struct {
	first string
	more  int
}

// abroad are such blocks of several countries, as their regulators publish them: the United
// Kingdom, North America, Ireland, Germany, Sweden and France.
var abroad = []block{{"44113496", 4}, {"120255501", 2}, {"3532091", 5}, {"493023125", 3}, {"46846500", 3}, {"3319900", 4}}

// number returns a random number of the block.
func (b block) number(r *rand.Rand) string {
	most := 1
	for range b.more {
		most *= 10
	}
	return fmt.Sprintf("%s%0*d", b.first, b.more, r.IntN(most))
}

// fictional returns the nth number of a run that no telephone has.
func (t *Target) fictional(n int) string {
	const each, prime = 1000, 7919 // a prime step visits every number once
	all := uint64(each * len(fictional))
	i := (t.nonce()%all + uint64(n)*prime) % all
	return fmt.Sprintf("%s0%03d", fictional[i/each], i%each)
}
