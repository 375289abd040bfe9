package serving

import (
	"bytes"
	"fmt"
	"net/http"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// cost is what one request takes on its way through a server, without what the server does
// beside it.
type cost struct {
	allocations, bytes float64
	decoders           []string // the packages of ours that decode its body
}

// costOf reads the cost from the profile of the heap, which has each allocation with the
// stack that made it. It is the same on every machine, and costs nothing but here: decoding
// allocates, so that whoever decodes is in the profile.
func (c *composed) costOf(t testing.TB, request func() (string, []byte)) cost {
	t.Helper()
	const requests = 100
	ask := func() {
		path, body := request()
		w := &discarded{header: http.Header{}, status: http.StatusOK}
		c.handler().ServeHTTP(w, posted(path, body))
		require.Equal(t, http.StatusOK, w.status)
	}
	usual := runtime.MemProfileRate
	runtime.MemProfileRate = 1
	defer func() { runtime.MemProfileRate = usual }()
	for range 3 { // what is made once, and of a body that comes again
		ask()
	}
	before := allocated(t)
	gc := debug.SetGCPercent(-1) // a collection empties pools, and comes when it likes
	for range requests {
		ask()
	}
	debug.SetGCPercent(gc)
	var all cost
	for stack, now := range allocated(t) {
		objects, bytes := now.objects-before[stack].objects, now.bytes-before[stack].bytes
		decoder, served := readStack(now.stack)
		if objects < requests/20 || !served { // an array that grew, or done beside the request
			continue
		}
		all.allocations, all.bytes = all.allocations+float64(objects)/requests, all.bytes+float64(bytes)/requests
		if decoder != "" && !slices.Contains(all.decoders, decoder) {
			all.decoders = append(all.decoders, decoder)
		}
	}
	slices.Sort(all.decoders)
	return all
}

// site is a stack that allocates, and how much it has allocated so far.
type site struct {
	objects, bytes int64
	stack          []uintptr
}

// allocated is the profile of the heap, by the stack as the profile writes it. Its text has
// the whole of each stack, where [runtime.MemProfile] has its end only.
func allocated(t testing.TB) map[string]site {
	t.Helper()
	runtime.GC() // the profile is of what was allocated before a collection was done
	runtime.GC()
	var text bytes.Buffer
	require.NoError(t, pprof.Lookup("allocs").WriteTo(&text, 1))
	sites := map[string]site{}
	for line := range strings.Lines(text.String()) {
		counts, stack, isSite := strings.Cut(line, "] @ ")
		_, counts, ours := strings.Cut(counts, "[")
		if !isSite || !ours || strings.HasPrefix(line, "heap profile") {
			continue
		}
		var s site
		_, err := fmt.Sscanf(counts, "%d: %d", &s.objects, &s.bytes)
		require.NoError(t, err, line)
		for field := range strings.FieldsSeq(stack) {
			pc, err := strconv.ParseUint(field, 0, 64)
			require.NoError(t, err, line)
			s.stack = append(s.stack, uintptr(pc))
		}
		s.objects, s.bytes = s.objects+sites[stack].objects, s.bytes+sites[stack].bytes // one for each size
		sites[stack] = s
	}
	return sites
}

// readStack finds in a stack the package of ours that decodes JSON, if one does, and reports
// whether a request is being served.
func readStack(stack []uintptr) (decoder string, served bool) {
	frames, decodes := runtime.CallersFrames(stack), false
	for more := len(stack) > 0; more; {
		var f runtime.Frame
		f, more = frames.Next()
		served = served || strings.HasSuffix(f.Function, ".ServeHTTP")
		switch {
		case strings.Contains(f.Function, "json.Unmarshal"), strings.Contains(f.Function, "json.(*Decoder).Decode"):
			decodes = true
		case strings.HasSuffix(f.Function, "/jsonvalue.Parse") && decoder == "":
			decoder = packageOf(f.Function)
		case decodes && decoder == "" && strings.HasPrefix(f.Function, "github.com/cabrank/"):
			decoder = packageOf(f.Function)
		}
	}
	return decoder, served
}

// packageOf is the package of a function, without the module.
func packageOf(function string) string {
	name := strings.TrimPrefix(function, "github.com/cabrank/cabrank/")
	slash := strings.LastIndex(name[:strings.IndexAny(name+"[", "[(")], "/") + 1
	return name[:slash+strings.Index(name[slash:], ".")]
}
