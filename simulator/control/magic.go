package control

import (
	"net/http"
	"strconv"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/fault"
)

func magicCalls() calls {
	return calls{
		get("listMagic", "/magic", "What callers' numbers mean by their last three digits", listMagic).answers("MagicNumbers"),
		put("defineMagic", "/magic/{number}", "Give a number a fault", defineMagic),
	}.tagged("Faults").where(parameter{name: "number", means: "900 to 999"})
}

// Magic says what callers' numbers mean by their last three digits.
type Magic struct {
	Base    string        `json:"base"`  // what the numbers begin with
	Alias   string        `json:"alias"` // what they may begin with instead, from 200 on
	Numbers []fault.Magic `json:"numbers" schema:"type: [array, 'null']"`
}

func listMagic(c *call) (Magic, error) {
	return Magic{fault.MagicBase, fault.MagicAlias, c.box.faults.Magic()}, nil
}

// defineMagic gives a number from 900 to 999 a fault.
func defineMagic(c *call, do fault.Do) (fault.Magic, error) {
	number, err := strconv.Atoi(c.path("number"))
	if err != nil {
		return fault.Magic{}, taxi.NewProblem(http.StatusNotFound, codeFaultNotFound, "a magic number has three digits, 900 to 999")
	}
	m, err := c.box.faults.Define(number, do)
	return m, faultProblem(err)
}
