package dispatchside

import "github.com/cabrank/cabrank/conformance/dispatchside/rules"

func statusProbes() []probe {
	return []probe{
		{name: rules.ProbeManyReads, checks: ids("STA-10 STA-13"), run: fiftyReads},
	}
}

func fiftyReads(c *testUser) {
	j := c.book()
	for range 50 {
		j.status()
	}
}
