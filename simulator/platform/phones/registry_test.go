package phones

import (
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// Phones that were put away before anybody rang them are forgotten with the place where
// they waited, which whoever attaches them chooses.
func TestPlacesAreForgotten(t *testing.T) {
	n := 0
	clock := voice.NewVirtual(time.Unix(0, 0))
	r := NewRegistry(clock, clock, func() string { n++; return strconv.Itoa(n) })
	for i := range mostPhones + 50 {
		p, err := r.Attach(Far{Kind: Extension, Account: "a", Address: strconv.Itoa(i)}, nil)
		require.NoError(t, err)
		p.Hangup()
	}
	require.Len(t, r.attached, mostPhones)
	require.Len(t, r.phones, mostPhones)
}
