package conformance

func statusProbes() []*probe {
	return []*probe{
		{name: "fifty reads", covers: "STA-10 STA-13", tell: fiftyReads},
	}
}

func fiftyReads(c *caller) {
	j := c.book()
	for range 50 {
		j.status()
	}
}
