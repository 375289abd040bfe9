package dispatchsidetest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"
)

// object is a JSON object.
type object = map[string]any

// A Fault is something that a [Vendor] does wrong.
type Fault string

// The faults of a vendor. None: it is correct.
const (
	None           Fault = ""
	Canceled       Fault = "CANCELED"                 // the word for a cancelled journey
	NoConfigStatus Fault = "config without status"    // /config answers {}
	CrashesOnText  Fault = "what is not JSON crashes" // 500 in place of 400
)

// vendor is a dispatch system that returns as little as the interface allows: /book, /cancel and
// /status answer only an id and a status, errors are plain text in JSON, ids are numbers in
// strings.
type vendor struct {
	fault Fault
	mu    sync.Mutex
	users map[string]object // by phone
	rides map[string]*vendorRide
}

type vendorRide struct {
	user, status string
	booking      object
}

// NewVendor returns a small dispatch system with one fault; with None it is correct.
func NewVendor(fault Fault) http.Handler {
	return &vendor{fault: fault, users: map[string]object{}, rides: map[string]*vendorRide{}}
}

func (v *vendor) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	operation := map[string]func(object) (int, object){
		"/config": v.config, "/user": v.user, "/book": v.book, "/cancel": v.cancel, "/status": v.status,
	}[r.URL.Path]
	status, reply := http.StatusNotFound, object{"error": "no such path"}
	var in object
	switch {
	case operation == nil:
	case r.Method != http.MethodPost:
		status, reply = http.StatusMethodNotAllowed, object{"error": "POST only"}
	case json.NewDecoder(r.Body).Decode(&in) != nil || in == nil:
		status, reply = http.StatusBadRequest, object{"error": "not a JSON object"}
		if v.fault == CrashesOnText {
			status = http.StatusInternalServerError
		}
	default:
		v.mu.Lock()
		defer v.mu.Unlock()
		status, reply = operation(in)
	}
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(reply)
}

func (v *vendor) config(object) (int, object) {
	if v.fault == NoConfigStatus {
		return http.StatusOK, object{}
	}
	return http.StatusOK, object{"status": "open"}
}

func (v *vendor) user(in object) (int, object) {
	phone := strings.TrimPrefix(text(in["phoneNumber"]), "+")
	u := v.users[phone]
	if u == nil {
		return http.StatusNotFound, object{"error": "unknown"}
	}
	reply := object{"userId": u["userId"], "phoneNumber": phone, "name": u["name"]}
	var active []any
	for id, ride := range v.rides {
		if ride.user == u["userId"] && ride.status != "CANCELLED" {
			active = append(active, object{
				"journeyId": id, "status": ride.status, "date": ride.booking["pickupTime"],
				"pickup": ride.booking["pickup"], "dropoffs": ride.booking["dropoffs"],
			})
		}
	}
	if active != nil {
		reply["activeBookings"] = active
	}
	return http.StatusOK, reply
}

func refusal(why string) (int, object) { return http.StatusBadRequest, object{"error": why} }

func (v *vendor) book(in object) (int, object) {
	if why := badBooking(in); why != "" {
		return refusal(why)
	}
	user := text(in["userId"])
	if user == "" {
		phone := strings.TrimPrefix(text(in["phoneNumber"]), "+")
		if v.users[phone] == nil {
			v.users[phone] = object{"userId": fmt.Sprint("U", len(v.users)+1), "name": in["name"]}
		}
		user = text(v.users[phone]["userId"])
	}
	id := text(in["journeyId"])
	if id == "" {
		id = fmt.Sprint(len(v.rides) + 1001)
		v.rides[id] = &vendorRide{user: user, status: "WAITING", booking: in}
	}
	ride := v.rides[id]
	switch {
	case ride == nil || ride.user != user:
		return http.StatusNotFound, object{"error": "no such journey"}
	case ride.status == "CANCELLED":
		return http.StatusConflict, object{"error": "cancelled"}
	}
	ride.booking = in
	return http.StatusOK, object{"journeyId": id, "status": ride.status}
}

func badBooking(in object) string {
	for _, field := range []string{"journeyId", "userId", "vehicleCategory"} {
		if _, is := in[field].(string); in[field] != nil && !is {
			return field
		}
	}
	drops, _ := in["dropoffs"].([]any)
	if text(in["name"]) == "" || text(in["phoneNumber"]) == "" || len(drops) == 0 {
		return "something is missing"
	}
	if _, err := time.Parse(time.RFC3339, text(in["pickupTime"])); err != nil {
		return "pickupTime"
	}
	for _, a := range append(drops, in["pickup"]) {
		place, _ := a.(object)
		where, _ := place["location"].(object)
		lon, ok1 := where["longitude"].(float64)
		lat, ok2 := where["latitude"].(float64)
		if text(place["address"]) == "" || !ok1 || !ok2 || lon < -180 || lon > 180 || lat < -90 || lat > 90 {
			return "address"
		}
	}
	return ""
}

func (v *vendor) find(in object) *vendorRide {
	ride := v.rides[text(in["journeyId"])]
	if ride == nil || ride.user != text(in["userId"]) {
		return nil
	}
	return ride
}

func (v *vendor) cancel(in object) (int, object) {
	ride := v.find(in)
	if ride == nil {
		return http.StatusNotFound, object{"error": "no such journey"}
	}
	ride.status = "CANCELLED"
	if v.fault == Canceled {
		return http.StatusOK, object{"journeyId": in["journeyId"], "status": Canceled}
	}
	return http.StatusOK, object{"journeyId": in["journeyId"], "status": ride.status}
}

func (v *vendor) status(in object) (int, object) {
	ride := v.find(in)
	if ride == nil {
		return http.StatusNotFound, object{"error": "no such journey"}
	}
	return http.StatusOK, object{"journeyId": in["journeyId"], "status": ride.status}
}

func text(v any) string { s, _ := v.(string); return s }
