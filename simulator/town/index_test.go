package town_test

import (
	"cmp"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/cabrank/cabrank/simulator/town"
)

func TestIndexNearestMatchesASort(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const most = 60
		ix := town.NewIndex(2_000_000, most)
		at := map[int32]town.XY{}
		// A coarse lattice, so that equal distances happen; some of it outside.
		point := rapid.Custom(func(t *rapid.T) town.XY {
			return town.XY{X: rapid.Int32Range(-15, 15).Draw(t, "x") * 100_000, Y: rapid.Int32Range(-15, 15).Draw(t, "y") * 100_000}
		})
		for range rapid.IntRange(0, 200).Draw(t, "changes") {
			id := rapid.Int32Range(0, most-1).Draw(t, "id")
			if rapid.IntRange(0, 4).Draw(t, "change") == 0 {
				ix.Remove(id)
				delete(at, id)
			} else {
				at[id] = point.Draw(t, "at")
				ix.Insert(id, at[id])
			}
		}
		p, k := point.Draw(t, "p"), rapid.IntRange(0, 10).Draw(t, "k")
		require.Equal(t, sorted(at, p, k), ix.Nearest(p, k, []int32{}, nil))
		even := func(id int32) bool { return id%2 == 0 }
		maps.DeleteFunc(at, func(id int32, _ town.XY) bool { return !even(id) })
		require.Equal(t, sorted(at, p, k), ix.Nearest(p, k, []int32{}, even))
	})
}

func sorted(at map[int32]town.XY, p town.XY, k int) []int32 {
	ids := make([]int32, 0, len(at))
	far := func(id int32) int64 {
		x, y := int64(at[id].X-p.X), int64(at[id].Y-p.Y)
		return x*x + y*y
	}
	for id := range at {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b int32) int { return cmp.Or(cmp.Compare(far(a), far(b)), cmp.Compare(a, b)) })
	return ids[:min(k, len(ids))]
}
