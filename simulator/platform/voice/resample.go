package voice

import "math"

// Resampler converts sound from one sample rate to another, piece by piece. Frequencies that the lower of both rates
// cannot represent are filtered out.
type Resampler struct {
	from, to int         // reduced: 441 and 160 for 22050 to 8000
	phases   [][]float32 // the filter, for each place between two samples
	held     []int16     // samples that are still needed; the first is numbered start
	start    int
	made     int // samples delivered
	taken    int // samples given
}

const (
	zeroCrossings = 12   // of the filter, on each side
	passed        = 0.93 // of the lower rate's band
	mostPhases    = 640  // odd rates get the nearest
)

// NewResampler returns a resampler; both rates are positive.
func NewResampler(from, to int) *Resampler {
	d := divisor(from, to)
	r := &Resampler{from: from / d, to: to / d}
	if r.from == r.to {
		return r
	}
	n := min(r.to, mostPhases)
	r.phases = make([][]float32, n)
	half := r.half()
	for p := range r.phases {
		r.phases[p] = taps(float64(p)/float64(n), half, r.band())
	}
	r.start = -half + 1
	r.held = make([]int16, half-1)
	return r
}

func divisor(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// half returns the number of input samples on each side of a position that contribute to one output sample.
func (r *Resampler) half() int {
	return int(math.Ceil(zeroCrossings * max(1, float64(r.from)/float64(r.to))))
}

// band returns the share of the input bandwidth that passes the filter.
func (r *Resampler) band() float64 { return passed * min(1, float64(r.to)/float64(r.from)) }

// taps returns the filter for a fractional position after a sample: a windowed sinc.
func taps(place float64, half int, band float64) []float32 {
	weights := make([]float64, 2*half)
	sum := 0.0
	for i := range weights {
		x := float64(i-half+1) - place
		w := 0.42 + 0.5*math.Cos(math.Pi*x/float64(half)) + 0.08*math.Cos(2*math.Pi*x/float64(half))
		if math.Abs(x) >= float64(half) {
			w = 0
		}
		if x == 0 {
			weights[i] = band
		} else {
			weights[i] = math.Sin(math.Pi*band*x) / (math.Pi * x) * w
		}
		sum += weights[i]
	}
	filter := make([]float32, len(weights))
	for i, w := range weights {
		filter[i] = float32(w / sum)
	}
	return filter
}

// Add adds samples, and appends the resampled ones to out. Those at the end follow with the next samples, or with
// Flush.
func (r *Resampler) Add(out, pcm []int16) []int16 {
	r.taken += len(pcm)
	if r.phases == nil {
		return append(out, pcm...)
	}
	return r.run(out, pcm, r.taken-r.half())
}

// Flush appends the remaining samples to out, as if silence followed, so that their total length is that of the added
// ones, and resets the resampler.
func (r *Resampler) Flush(out []int16) []int16 {
	if r.phases == nil {
		return out
	}
	half := r.half()
	out = r.run(out, make([]int16, half), r.taken)
	r.held, r.start, r.made, r.taken = make([]int16, half-1), -half+1, 0, 0
	return out
}

// run appends the resampled samples that lie before the input sample until.
func (r *Resampler) run(out, pcm []int16, until int) []int16 {
	r.held = append(r.held, pcm...)
	half := r.half()
	for {
		at := r.made * r.from
		sample, rest := at/r.to, at%r.to
		if sample >= until {
			break
		}
		phase := r.phases[rest*len(r.phases)/r.to]
		from := sample - half + 1 - r.start
		sum := float32(0)
		for i, v := range r.held[from : from+len(phase)] {
			sum += phase[i] * float32(v)
		}
		out = append(out, int16(max(-32768, min(32767, math.Round(float64(sum))))))
		r.made++
	}
	r.forget(half)
	return out
}

// forget drops input samples that are no longer needed, and keeps the counters small.
func (r *Resampler) forget(half int) {
	next := r.made * r.from / r.to
	n := max(0, min(next-half+1-r.start, len(r.held)))
	r.held = r.held[:copy(r.held, r.held[n:])]
	r.start += n
	if rounds := min(r.made/r.to, r.taken/r.from); rounds > 1<<16 {
		rounds--
		r.made, r.taken, r.start = r.made-rounds*r.to, r.taken-rounds*r.from, r.start-rounds*r.from
	}
}

// Resampled returns sound at another sample rate.
func Resampled(pcm []int16, from, to int) []int16 {
	if from == to {
		return pcm
	}
	r := NewResampler(from, to)
	out := make([]int16, 0, len(pcm)*to/from+1)
	return r.Flush(r.Add(out, pcm))
}
