package conformance

import "time"

// Progress is the progress of a run.
type Progress struct {
	Stage Stage
	Done  int           // steps of the stage that are done
	All   int           // all steps of the stage
	Left  time.Duration // estimated time until the run ends; 0: not known
}

// Stage is a part of a run, named as it is shown.
type Stage string

// The stages.
const (
	StageProbes     Stage = "probe"      // probes are run
	StageCancelling Stage = "cancelling" // what was made is cancelled, at the end
)
