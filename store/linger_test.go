package store

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

func TestChangesThatNobodyWaitsForCollect(t *testing.T) {
	inBubble(t, func(t *testing.T, k Kind) {
		s, disk := openMoody(t, k.Places(t)(), Options{Queue: 40})
		defer func() { require.NoError(t, s.Close()) }()
		commits := func() int {
			synctest.Wait()
			n, _ := disk.counts()
			return n
		}
		change := func(n int) Ticket {
			ticket, err := s.Apply(putUser(n))
			require.NoError(t, err)
			return ticket
		}

		for n := range 5 {
			change(n)
			synctest.Wait()
		}
		require.Zero(t, commits(), "they wait for more")
		<-time.After(lingerFor)
		require.Equal(t, 1, commits(), "and are written together, though nobody asked")

		change(5)
		require.NoError(t, change(6).Wait(t.Context()))
		require.Equal(t, 2, commits(), "somebody waits: at once")
		<-time.After(lingerFor)
		require.Equal(t, 2, commits(), "and nothing is left")

		for n := range 20 {
			change(10 + n)
		}
		require.Equal(t, 3, commits(), "half the queue is enough")
	})
}
