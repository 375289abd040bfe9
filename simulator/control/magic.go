package control

import (
	"net/http"
	"strconv"

	"github.com/cabrank/cabrank/simulator/fault"
)

var magicRoutes = []route{get("/magic", listMagic), put("/magic/{number}", defineMagic)}

// Magic says what callers' numbers mean by their last three digits.
type Magic struct {
	Base    string        `json:"base"`  // what the numbers begin with
	Alias   string        `json:"alias"` // what they may begin with instead, from 200 on
	Numbers []fault.Magic `json:"numbers"`
}

func listMagic(c *call) (any, error) {
	return Magic{fault.MagicBase, fault.MagicAlias, c.box.faults.Magic()}, nil
}

// defineMagic gives a number from 900 to 999 a fault.
func defineMagic(c *call) (any, error) {
	do, err := body[fault.Do](c)
	if err != nil {
		return nil, err
	}
	number, err := strconv.Atoi(c.path("number"))
	if err != nil {
		return nil, refuse(http.StatusNotFound, codeFaultNotFound, "a magic number has three digits, 900 to 999")
	}
	m, err := c.box.faults.Define(number, do)
	return m, faultProblem(err)
}
