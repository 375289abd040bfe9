package lags_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/lags"
)

func TestLagQuantilesAreWithinAnEighth(t *testing.T) {
	var l lags.Counter
	require.Zero(t, l.Quantile(99))
	for i := range 1000 {
		l.Add(time.Duration(i+1) * time.Millisecond)
	}
	require.InEpsilon(t, 500, l.Quantile(50).Milliseconds(), 0.13)
	require.InEpsilon(t, 990, l.Quantile(99).Milliseconds(), 0.13)
	require.Equal(t, time.Second, l.Most())
	l.Add(1000 * time.Hour)
	require.Equal(t, 1000*time.Hour, l.Most())
	all := l.Read()
	require.Equal(t, uint64(1001), all.Count)
	require.Equal(t, 500500*time.Millisecond+1000*time.Hour, all.Total)
	require.Equal(t, uint64(1), all.Below[1024*time.Microsecond], "exactly: two milliseconds are more")
	require.Equal(t, uint64(262), all.Below[262144*time.Microsecond])
	require.Equal(t, uint64(1000), all.Below[16777216*time.Microsecond])
	require.Len(t, all.Below, 10)
}
