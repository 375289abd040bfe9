package control

import (
	"net/http"
	"net/url"
	"strconv"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/fault"
)

// Calls of a [Server].
var (
	ListMagic   = Call[url.Values, Magic]{get("listMagic", "/magic", "The meaning of the last three digits of callers' numbers", listMagic).answers("MagicNumbers")}
	DefineMagic = Call[fault.Do, fault.Magic]{put("defineMagic", "/magic/{number}", "Assign a fault to a number", defineMagic)}
)

// Magic lists the meaning of the last three digits of callers' numbers.
type Magic struct {
	Base    string        `json:"base"`  // prefix of the numbers
	Alias   string        `json:"alias"` // alternative prefix, from 200 on
	Numbers []fault.Magic `json:"numbers" schema:"type: [array, 'null']"`
}

func listMagic(c *call) (Magic, error) {
	return Magic{fault.MagicBase, fault.MagicAlias, c.box.faults.Magic()}, nil
}

// defineMagic assigns a fault to a number from 900 to 999.
func defineMagic(c *call, do fault.Do) (fault.Magic, error) {
	number, err := strconv.Atoi(c.path("number"))
	if err != nil {
		return fault.Magic{}, taxi.NewProblem(http.StatusNotFound, codeFaultNotFound, "a magic number has three digits, 900 to 999")
	}
	m, err := c.box.faults.Define(number, do)
	return m, c.faultsKept(err)
}
