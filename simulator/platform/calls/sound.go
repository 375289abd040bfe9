package calls

import (
	"context"
	"crypto/sha256"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// Limits of sounds. The line is simulated and needs the length of a sound; only
// recordings need its samples.
const (
	mostFetching  = 8                // simultaneous downloads
	mostOfAccount = 2                // simultaneous downloads of one account
	mostDecoded   = 5 * time.Minute  // longer sounds are silent in recordings
	decodedAtOnce = 10 * time.Minute // duration that one account may have decoded at once; the limit refills over time
	mostSamples   = 16 << 20         // stored samples: 32 MB, or half an hour
)

// sounds downloads the files of the verb play.
type sounds struct {
	client interface {
		Fetch(ctx context.Context, address string, most int64) ([]byte, error)
	}
	now func() time.Time

	fetching chan struct{} // contains one value for each current download

	mu       sync.Mutex
	accounts map[string]*listening
	decoded  map[sound][]int16
	order    []sound // oldest first
	samples  int     // total number in decoded
}

// sound is the hash of a file.
type sound [sha256.Size]byte

// listening limits the downloads of an account at one time, and the seconds of sound that it may decode.
type listening struct {
	fetching chan struct{}
	decoding *rate.Limiter // limits seconds of sound
}

func newSounds(o Options) *sounds {
	return &sounds{
		client: o.Client, now: o.Now, fetching: make(chan struct{}, mostFetching),
		accounts: map[string]*listening{}, decoded: map[sound][]int16{},
	}
}

// get downloads a sound.
func (s *sounds) get(ctx context.Context, call voice.Info, address string) (voice.Audio, error) {
	account := s.of(call.Owner)
	for _, slots := range []chan struct{}{account.fetching, s.fetching} {
		select {
		case slots <- struct{}{}:
			defer func() { <-slots }()
		case <-ctx.Done():
			return voice.Audio{}, ctx.Err()
		}
	}
	file, err := s.client.Fetch(ctx, address, voice.MaxAudioBytes)
	if err != nil {
		return voice.Audio{}, err
	}
	length, err := voice.MeasureAudio(file)
	if err != nil {
		return voice.Audio{}, err
	}
	key := sound(sha256.Sum256(file))
	if !s.known(key) && length <= mostDecoded && account.decoding.AllowN(s.now(), int(length/time.Second)+1) {
		audio, err := voice.DecodeAudio(file)
		if err != nil {
			return voice.Audio{}, err
		}
		s.keep(key, audio.Samples())
	}
	return voice.Audio{Length: length, Samples: func() []int16 { return s.find(key) }}, nil
}

func (s *sounds) of(account string) *listening {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.accounts[account] == nil {
		s.accounts[account] = &listening{
			fetching: make(chan struct{}, mostOfAccount), decoding: rate.NewLimiter(1, int(decodedAtOnce/time.Second)),
		}
	}
	return s.accounts[account]
}

// find returns the samples of a sound; nil, which is silence, if they are not stored.
func (s *sounds) find(key sound) []int16 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.decoded[key]
}

func (s *sounds) known(key sound) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, known := s.decoded[key]
	return known
}

// keep stores samples; the oldest are removed first.
func (s *sounds) keep(key sound, samples []int16) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, known := s.decoded[key]; known {
		return
	}
	s.decoded[key], s.order, s.samples = samples, append(s.order, key), s.samples+costOf(samples)
	for s.samples > mostSamples {
		oldest := s.order[0]
		s.order, s.samples = s.order[1:], s.samples-costOf(s.decoded[oldest])
		delete(s.decoded, oldest)
	}
}

// costOf returns how much the samples of a sound count towards the limit of stored sounds; an empty sound uses memory,
// too.
func costOf(samples []int16) int { return len(samples) + 1<<10 }
