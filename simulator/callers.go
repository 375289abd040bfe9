package simulator

import "time"

// Callers is whose clock callers mean when they name a time.
type Callers string

// Whose clock callers mean.
const (
	CallersByWall  Callers = "wall"  // the wall's, by which "in half an hour" is half an hour of the world too; the zero value as well
	CallersByWorld Callers = "world" // the world's: a time is taken as it is written

	// CallersByEither is for callers of both kinds at once, in a world that runs ahead: a
	// time that is past in the world but not by the wall is by the wall, all others by the
	// world.
	CallersByEither Callers = "either"
)

// Known reports whether it is one of those.
func (c Callers) Known() bool {
	return c == CallersByWall || c == CallersByWorld || c == CallersByEither
}

// callersMean is whose clock callers mean here.
func (w *World) callersMean() Callers {
	switch {
	case w.clientNow == nil:
		return CallersByWorld
	case w.callers == "":
		return CallersByWall
	}
	return w.callers
}

// lately is how long before now a time still means now.
const lately = time.Minute

// byWall reports whether a time that a caller names is by the wall's clock, which shows wall.
func (w *World) byWall(asked, wall time.Time) bool {
	switch w.callersMean() {
	case CallersByWorld:
		return false
	case CallersByEither:
		return asked.Before(w.now.time().Add(-lately)) && !asked.Before(wall.Add(-lately))
	}
	return true
}
