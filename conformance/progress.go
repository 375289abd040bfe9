package conformance

import "time"

// Progress says how far a run is.
type Progress struct {
	Stage Stage
	Done  int           // of the things that the stage consists of
	All   int           // how many there are
	Left  time.Duration // how long the rest of the run takes, about; 0: not known
}

// Stage is a part of a run, in the words in which it is shown.
type Stage string

// The stages.
const (
	StageProbes     Stage = "probe"      // probes are run
	StageCancelling Stage = "cancelling" // what was made is taken away again, at the end
)
