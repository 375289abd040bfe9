package dispatchside_test

import "net/http"

// nullPeers do nothing at all. None may be reported as passing.
var nullPeers = []fault{
	null("200 {}", func(w http.ResponseWriter, _ *http.Request) { write(w, http.StatusOK, "application/json", "{}") }),
	null("404 to all", func(w http.ResponseWriter, _ *http.Request) {
		write(w, http.StatusNotFound, "application/json", `{"error":"not found"}`)
	}),
	null("HTML", func(w http.ResponseWriter, _ *http.Request) {
		write(w, http.StatusOK, "text/html", "<!doctype html><p>hello</p>")
	}),
	null("500 to all", func(w http.ResponseWriter, _ *http.Request) {
		write(w, http.StatusInternalServerError, "text/plain", "oops")
	}),
	null("401 to all", func(w http.ResponseWriter, _ *http.Request) {
		write(w, http.StatusUnauthorized, "application/json", "{}")
	}),
	null("echo", func(w http.ResponseWriter, r *http.Request) {
		write(w, http.StatusOK, "application/json", string(readAll(r)))
	}),
	null("accept and close", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }),
}

func null(name string, answer http.HandlerFunc) fault {
	return fault{name: name, own: true, http: func(http.Handler) http.Handler { return answer }}
}
