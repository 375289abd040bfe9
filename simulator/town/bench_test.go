package town_test

import (
	"math/rand/v2"
	"testing"

	"github.com/cabrank/cabrank/simulator/town"
)

func BenchmarkGenerate(b *testing.B) {
	for _, size := range []int{town.SmallTown, town.Town8km, town.City} {
		b.Run(map[int]string{town.SmallTown: "4km", town.Town8km: "8km", town.City: "20km"}[size], func(b *testing.B) {
			nodes := 0
			for b.Loop() {
				t := town.Generate(town.Options{Seed: 1, Size: size})
				t.AwaitRoutes()
				nodes = len(t.Nodes)
			}
			b.ReportMetric(float64(nodes), "junctions")
		})
	}
}

func BenchmarkHierarchy(b *testing.B) {
	for name, n := range map[string]int{"10k": 100, "100k": 316} {
		b.Run(name, func(b *testing.B) {
			t := town.Grid(n)
			for b.Loop() {
				t.BuildHierarchy()
			}
		})
	}
}

func BenchmarkRoute(b *testing.B) {
	for _, tc := range []struct {
		name string
		town *town.Town
	}{
		{"town of 4k", eightKm(b)},
		{"grid of 10k", town.Grid(100)},
		{"grid of 100k", town.Grid(316)},
	} {
		chance := rand.New(rand.NewPCG(1, 1))
		kerbs := make([]town.Kerb, 4096)
		for i := range kerbs {
			kerbs[i] = randomKerb(chance, tc.town)
		}
		r := tc.town.NewRouter()
		path, etas := make([]town.Step, 0, 4096), make([]int64, 0, 8)
		b.Run(tc.name, func(b *testing.B) {
			b.ReportAllocs()
			steps, n := 0, 0
			for b.Loop() {
				route, _ := r.Route(kerbs[n%4096], kerbs[(n*7+13)%4096], path)
				steps += len(route.Steps)
				n++
			}
			b.ReportMetric(float64(steps)/float64(n), "steps")
		})
		b.Run(tc.name+"/measured", func(b *testing.B) {
			b.ReportAllocs()
			for n := 0; b.Loop(); n++ {
				r.Measure(kerbs[n%4096], kerbs[(n*7+13)%4096])
			}
		})
		b.Run(tc.name+"/8 ETAs", func(b *testing.B) {
			b.ReportAllocs()
			for n := 0; b.Loop(); n += 8 {
				etas = r.ETAs(kerbs[n%4096:n%4096+8], kerbs[(n*7+13)%4096], etas[:0])
			}
		})
	}
}

func BenchmarkAlongTheWay(b *testing.B) {
	t := eightKm(b)
	r := t.NewRouter()
	chance := rand.New(rand.NewPCG(1, 1))
	routes := make([]town.Route, 1024)
	for i := range routes {
		routes[i], _ = r.Route(randomKerb(chance, t), randomKerb(chance, t), nil)
	}
	b.Run("At", func(b *testing.B) {
		b.ReportAllocs()
		for n := 0; b.Loop(); n++ {
			route := &routes[n&1023]
			route.At(route.Duration * int64(n&7) / 8)
		}
	})
	points := make([]town.XY, 1024)
	for i := range points {
		points[i] = town.XY{X: chance.Int32N(6_000_000) - 3_000_000, Y: chance.Int32N(6_000_000) - 3_000_000}
	}
	b.Run("Kerb", func(b *testing.B) {
		for n := 0; b.Loop(); n++ {
			t.Kerb(points[n&1023])
		}
	})
	b.Run("Nearest", func(b *testing.B) {
		for n := 0; b.Loop(); n++ {
			t.Nearest(points[n&1023])
		}
	})
	b.Run("Locate", func(b *testing.B) {
		for b.Loop() {
			_, _ = t.Locate("fourteen mil lane")
		}
	})
}
