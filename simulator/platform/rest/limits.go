package rest

// Limits bounds what an account may do. Decision: the interface shows none.
type Limits struct {
	CallsPerSecond float64 // calls that an account may create, on average; 0: 10
	CallBurst      int     // and at once; 0: 20
	LiveCalls      int     // calls of an account at the same time; 0: 50
	Resources      int     // trunks, hooks and devices of an account, each; 0: 1000
}

// WithDefaults puts in what is not set.
func (l Limits) WithDefaults() Limits {
	if l.CallsPerSecond == 0 {
		l.CallsPerSecond = 10
	}
	if l.CallBurst == 0 {
		l.CallBurst = 20
	}
	if l.LiveCalls == 0 {
		l.LiveCalls = 50
	}
	if l.Resources == 0 {
		l.Resources = 1000
	}
	return l
}
