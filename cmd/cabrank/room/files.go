package room

import (
	"embed"
	"io/fs"
	"net/http"
	"path"

	"github.com/cabrank/cabrank/cmd/cabrank/console"
)

//go:embed static
var static embed.FS

// shared lists the files of the console that a guest's page also uses.
var shared = []string{"vendor/preact.js", "store.js", "phone/line.js", "phone/pcm.js", "phone/worklet.js", "icon.svg"}

var kinds = map[string]string{".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8"}

// files returns the files that a guest's browser may fetch, by path.
func files() map[string]http.Handler {
	all := map[string]http.Handler{}
	for _, name := range shared {
		all[name] = console.File(name)
	}
	sub, err := fs.Sub(static, "static")
	if err != nil {
		panic(err) // the folder is embedded
	}
	for _, name := range []string{"index.html", "room.js", "room.css"} {
		text, err := fs.ReadFile(sub, name)
		if err != nil {
			panic(err) // it is embedded
		}
		kind := kinds[path.Ext(name)]
		all[name] = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", kind)
			_, _ = w.Write(text) // who has gone needs no answer
		})
	}
	return all
}
