package dispatch

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha256"
	"encoding/binary"
	"fmt"

	"github.com/google/uuid"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// ids generates the ids of journeys and users from the seed, so that a run can be repeated
// exactly. From any number of ids neither the seed nor another id can be computed. Journeys
// and users have separate keys, so the ids of one reveal nothing about those of the other.
// Ids are short, since people read them out. They are generated within a change of the
// records, one at a time.
type ids struct {
	form            IDForm
	journeys, users idKey
}

// IDForm is the form of ids. Ids are opaque: a client that sends them back unchanged works
// with every form.
type IDForm int

// The forms.
const (
	ShortIDs  IDForm = iota // a letter and eight letters or digits, easy to read out
	NumberIDs               // fourteen digits
	UUIDs                   // RFC 9562, version 8
)

func newIDs(seed uint64, form IDForm) ids {
	return ids{form: form, journeys: newIDKey("journey", seed), users: newIDKey("user", seed)}
}

// journey returns the id of the n-th record, a journey.
func (k *ids) journey(n uint64) taxi.JourneyID {
	return taxi.JourneyID(k.journeys.write(k.form, 'J', n))
}

// user returns the id of the n-th record, a user.
func (k *ids) user(n uint64) taxi.UserID { return taxi.UserID(k.users.write(k.form, 'U', n)) }

const (
	halfBits  = 20 // the front of an id, and its tail
	blockBits = 10 // neighbours that share a front
	halfMask  = 1<<halfBits - 1
	frontMost = 1 << (halfBits + blockBits) // ids with eight letters
)

// idKey is a keyed permutation of record numbers.
type idKey struct {
	block   cipher.Block
	in, out [aes.BlockSize]byte // buffers for the cipher, to avoid an allocation for each block
	last    front
}

// front caches the front that the ids of a block of numbers share.
type front struct {
	known        bool
	round, block uint64
	bits         uint64
}

func newIDKey(domain string, seed uint64) idKey {
	secret := sha256.Sum256(binary.BigEndian.AppendUint64([]byte("cabrank id "+domain+" "), seed))
	block, err := aes.NewCipher(secret[:aes.BlockSize])
	if err != nil {
		panic(err) // the key has the right length
	}
	return idKey{block: block}
}

// id returns a letter and eight more characters that encode n, one to one: different
// numbers have different ids. A thousand neighbours share the front and are spread over a
// million tails in a secret order, so they cannot be enumerated. Yet they are close in the
// database's index, so that concurrent bookings touch few of its pages. Numbers from 2^30
// have longer ids, so that they differ from all others.
func (k *idKey) id(kind byte, n uint64) string {
	round, value := k.value(n)
	b := append(make([]byte, 0, 16), kind)
	if round > 0 {
		b = appendID(b, round, 5)
	}
	return string(appendID(b, value, 2*halfBits))
}

// value encodes n as a round and a value, one to one.
func (k *idKey) value(n uint64) (round, value uint64) {
	round = n / frontMost
	block := n % frontMost >> blockBits
	tail := k.permute(1<<63|n>>blockBits, n&(1<<blockBits-1))
	return round, k.front(round, block)<<halfBits | tail
}

// front returns the front of the ids of a block. The last block's front is
// cached.
func (k *idKey) front(round, block uint64) uint64 {
	if !k.last.known || k.last.round != round || k.last.block != block {
		k.last = front{true, round, block, k.permute(round, block)}
	}
	return k.last.bits
}

// write returns the id of n in a form.
func (k *idKey) write(form IDForm, kind byte, n uint64) string {
	switch form {
	case NumberIDs:
		round, value := k.value(n)
		return fmt.Sprintf("%d%013d", round+1, value) // no leading 0, and 2^40 has thirteen digits
	case UUIDs:
		return k.uuid(n)
	default:
		return k.id(kind, n)
	}
}

// uuid returns an id with the encryption of n as its bits: a collision is as unlikely as for
// random UUIDs.
func (k *idKey) uuid(n uint64) string {
	var in, id uuid.UUID
	in[8] = 0xff // not a block of permute
	binary.BigEndian.PutUint64(in[:], n)
	k.block.Encrypt(id[:], in[:])
	id[6], id[8] = id[6]&0x0f|0x80, id[8]&0x3f|0x80
	return id.String()
}

// permute is a permutation of the twenty-bit numbers, different for each tweak. It is a
// Feistel network of eight rounds; four are enough with a good round function.
func (k *idKey) permute(tweak, n uint64) uint64 {
	const bits, mask = halfBits / 2, 1<<(halfBits/2) - 1
	left, right := n>>bits&mask, n&mask
	k.in = [aes.BlockSize]byte{}
	binary.BigEndian.PutUint64(k.in[:], tweak)
	for round := range byte(8) {
		k.in[8] = round
		binary.BigEndian.PutUint16(k.in[9:], uint16(right))
		k.block.Encrypt(k.out[:], k.in[:])
		left, right = right, left^uint64(binary.BigEndian.Uint16(k.out[:]))&mask
	}
	return (left<<bits | right) & halfMask
}

// appendID appends the lowest bits of a number in Crockford's base 32, whose letters and
// digits are not confused when read aloud or copied by hand.
func appendID(b []byte, n uint64, bits int) []byte {
	const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
	for shift := bits - 5; shift >= 0; shift -= 5 {
		b = append(b, alphabet[n>>shift&31])
	}
	return b
}
