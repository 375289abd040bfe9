package control

import (
	"net/http"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/worlds"
)

// confirmed sends an answer only while it is certainly true. The request may have waited for a
// database that does not answer, so that another process may run the world by now. A change
// was committed while this process ran the world, so its answer is always sent.
type confirmed struct {
	http.ResponseWriter

	world   *worlds.World
	changes bool   // whether the request changes something
	refuse  func() // answers that the world may have moved
	begun   bool
	refused bool
}

// confirmed returns a writer for the answer of an operation that may be outdated.
func (s *Server) confirmed(w http.ResponseWriter, r *http.Request, box *sandbox) http.ResponseWriter {
	return &confirmed{
		ResponseWriter: w, world: box.World, changes: r.URL.Path == taxi.PathBook || r.URL.Path == taxi.PathCancel,
		refuse: func() { s.fail(w, r, worlds.ErrLapsed) },
	}
}

// WriteHeader implements [http.ResponseWriter].
func (c *confirmed) WriteHeader(status int) {
	if !c.begun {
		c.begun = true
		sure := status >= http.StatusInternalServerError || c.changes && status < http.StatusMultipleChoices
		if c.refused = !sure && !c.world.Holds(); c.refused {
			c.refuse()
		}
	}
	if !c.refused {
		c.ResponseWriter.WriteHeader(status)
	}
}

// Write implements [http.ResponseWriter].
func (c *confirmed) Write(b []byte) (int, error) {
	if !c.begun {
		c.WriteHeader(http.StatusOK)
	}
	if c.refused {
		return len(b), nil
	}
	return c.ResponseWriter.Write(b)
}

// Unwrap is for [http.ResponseController].
func (c *confirmed) Unwrap() http.ResponseWriter { return c.ResponseWriter }
