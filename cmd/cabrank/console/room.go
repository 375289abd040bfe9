package console

import (
	"encoding/json"
	"net/http"
)

// Room is guests with phones of their own, whom the page invites.
type Room interface {
	View() RoomView
	End()
}

// RoomView is what the page shows of a room. Its address is a QR code, too: the dark modules are the path of
// an SVG picture.
type RoomView struct {
	Open   bool   `json:"open"`
	URL    string `json:"url,omitempty"`
	Path   string `json:"path,omitempty"`
	Side   int    `json:"side,omitempty"` // of the picture
	Guests int    `json:"guests"`
	Most   int    `json:"most"`
}

// Invite has the page invite to a room.
func (c *Console) Invite(r Room) { c.room.Store(&r) }

// showRoom answers with the room, which is not open if there is none.
func (c *Console) showRoom(w http.ResponseWriter, _ *http.Request) {
	var view RoomView
	if room := c.room.Load(); room != nil {
		view = (*room).View()
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	_ = json.NewEncoder(w).Encode(view) // who has gone needs no answer
}

// endRoom ends the room, if there is one.
func (c *Console) endRoom(w http.ResponseWriter, _ *http.Request) {
	if room := c.room.Load(); room != nil {
		(*room).End()
	}
	w.WriteHeader(http.StatusNoContent)
}
