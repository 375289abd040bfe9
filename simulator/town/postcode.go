package town

import "strings"

const (
	area           = "ZT"
	unitLetters    = "ABDEFGHJLNPQRSTUWXYZ"
	unitsPerSector = len(unitLetters) * len(unitLetters)
	unitsPerTown   = 10 * unitsPerSector // in one district
	plotsPerUnit   = 8
	noPostcode     = postcode(0) // no district is 0
)

// String returns the postcode with its space.
func (p postcode) String() string {
	district, unit := int(p)/unitsPerTown, int(p)%unitsPerTown
	b := make([]byte, 0, len("ZT99 9AA"))
	b = append(b, area...)
	if district >= 10 {
		b = append(b, byte('0'+district/10))
	}
	return string(append(b, byte('0'+district%10), ' ', byte('0'+unit/unitsPerSector),
		unitLetters[unit/len(unitLetters)%len(unitLetters)], unitLetters[unit%len(unitLetters)]))
}

// parsePostcode parses a postcode in upper case, without its space; false: it is not one.
func parsePostcode(s string) (postcode, bool) {
	digits, ok := strings.CutPrefix(s, area)
	n := len(digits) - 3
	if !ok || n < 1 || n > 2 {
		return 0, false
	}
	number := 0
	for i := range n + 1 {
		if digits[i] < '0' || digits[i] > '9' {
			return 0, false
		}
		number = number*10 + int(digits[i]-'0')
	}
	a, b := strings.IndexByte(unitLetters, digits[n+1]), strings.IndexByte(unitLetters, digits[n+2])
	if a < 0 || b < 0 {
		return 0, false
	}
	code := postcode((number*len(unitLetters)+a)*len(unitLetters) + b)
	return code, code != noPostcode
}

// assignPostcodes gives each run of eight plots a postcode.
func (t builder) assignPostcodes() {
	var used [100]int
	for i := range t.Streets {
		s := &t.Streets[i]
		for plot := int32(0); plot < s.plots; plot += plotsPerUnit {
			middle := s.plotMiddle(min(plot+plotsPerUnit/2, s.plots-1))
			district := t.district(t.At(t.kerbAlong(int32(i), middle)))
			unit := used[district]
			used[district]++
			// A district that is full goes on under the number ten higher, and after
			// ten of them without, which happens only on large imported maps.
			if district += 10 * (unit / unitsPerTown); district > 99 {
				s.runs = append(s.runs, noPostcode)
				continue
			}
			s.runs = append(s.runs, postcode(district*unitsPerTown+unit%unitsPerTown))
		}
	}
}

// district returns 1 for the middle of the town and 2 to 9 for the eight
// directions around it.
func (t builder) district(p XY) int {
	middle := int64(t.Size) * 1000 / 8
	if distance2(p, XY{}) < middle*middle {
		return 1
	}
	x, y := int64(p.X), int64(p.Y)
	octant := 0
	if y < 0 {
		x, y, octant = -x, -y, 4
	}
	if x < 0 {
		x, y, octant = y, -x, octant+2
	}
	if y > x {
		octant++
	}
	return 2 + octant
}

// postcodeOf returns the postcode of a plot of a street; none if the street
// has no doors.
func (s *Street) postcodeOf(plot int32) string {
	if len(s.runs) == 0 {
		return ""
	}
	code := s.runs[min(int(plot)/plotsPerUnit, len(s.runs)-1)]
	if code == noPostcode {
		return ""
	}
	return code.String()
}
