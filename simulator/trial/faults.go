package trial

import (
	"fmt"
	"strings"
)

// Faults is a set of faults of a run, besides the people's behaviour.
type Faults uint8

// The faults.
const (
	Lost      Faults = 1 << iota // a response is lost, after the request was served or not
	Duplicate                    // a request is served twice in a row
	Reorder                      // a second copy of a request arrives late, after others
	Garbled                      // a request is cut off in the middle
	Disk                         // the disk is full for some time
	Crash                        // the process ends, and starts again with its durable data

	NoFaults  Faults = 0
	AllFaults        = Lost | Duplicate | Reorder | Garbled | Disk | Crash
)

var faultNames = []string{"lost", "duplicate", "reorder", "garbled", "disk", "crash"}

// ParseFaults reads "all", "none", "seed" for [SeededFaults], or names with commas
// in between.
func ParseFaults(text string) (Faults, error) {
	switch text {
	case "all":
		return AllFaults, nil
	case "none", "":
		return NoFaults, nil
	case Seeded:
		return SeededFaults, nil
	}
	var set Faults
next:
	for name := range strings.SplitSeq(text, ",") {
		for i, known := range faultNames {
			if known == strings.TrimSpace(name) {
				set |= 1 << i
				continue next
			}
		}
		return 0, fmt.Errorf("%q is no fault; there are all, none, seed, %s", name, strings.Join(faultNames, ", "))
	}
	return set, nil
}

// String returns the text that [ParseFaults] parses.
func (f Faults) String() string {
	switch f {
	case NoFaults:
		return "none"
	case AllFaults:
		return "all"
	case SeededFaults:
		return Seeded
	}
	var names []string
	for i, name := range faultNames {
		if f&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, ",")
}

func (f Faults) has(one Faults) bool { return f&one != 0 }
