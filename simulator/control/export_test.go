package control

// Routes are the calls as "METHOD /pattern", for the test of the document.
func Routes() []string {
	var all []string
	for _, r := range allRoutes() {
		all = append(all, r.method+" "+r.path)
	}
	return all
}

// TidyUp is what happens each minute.
func (s *Server) TidyUp() { s.worlds.TidyUp() }
