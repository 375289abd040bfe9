package conformance

// SetWording has each sentence about a verdict go through a function, until the
// function that it returns is called.
func SetWording(rewrite func(string) string) (restore func()) {
	was := wording
	wording = rewrite
	return func() { wording = was }
}
