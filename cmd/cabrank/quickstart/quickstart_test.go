package quickstart

import (
	"runtime"
	"testing"
)

func TestStartEndsAtFirstGarbageCollection(t *testing.T) {
	collected := make(chan struct{})
	untilCollected(func() { close(collected) })
	select {
	case <-collected:
		t.Fatal("nothing was collected yet")
	default:
	}
	runtime.GC()
	<-collected
}
