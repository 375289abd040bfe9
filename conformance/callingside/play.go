package callingside

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/callingside/rules"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// play is a running scene, with the caller, the user and the journeys that it simulates.
type play struct {
	*scene
	caller string // digits
	number int    // number of the scene in its run
	nonce  string // part of all texts, unique to this scene
	now    time.Time

	mu       sync.Mutex
	probe    conformance.ProbeName
	journeys []object
	made     int
	changed  object // members of the user that change from the second request on
	answered map[conformance.Operation]int
}

// usualNumber is the beginning of the callers' numbers, unless the scene has another.
const usualNumber = "442079460"

func newPlay(s *scene, number int, nonce uint64, now time.Time) *play {
	p := &play{scene: s, number: number, now: now, answered: map[conformance.Operation]int{}}
	p.nonce = fmt.Sprintf("%d%05d", number, nonce%100000)
	p.caller = fmt.Sprintf("%s%03d", cmp.Or(s.Number, usualNumber), 100+number)
	for i, own := range s.World.Journeys {
		p.journeys = append(p.journeys, merged(p.journey(i), own))
	}
	return p
}

// userID returns the id of the scene's user. Calls with this id belong to the scene.
func (p *play) userID() string {
	if id, is := p.World.User["userId"].(string); is {
		return id
	}
	return "uX-" + p.nonce
}

// address returns a place that is unique to this scene.
func (p *play) address(n int, street string) taxi.Address {
	return taxi.Address{
		Address:  fmt.Sprintf("%d %s Street %s, Leeds LS1 4DY", 10+n, street, p.nonce),
		Location: &taxi.Point{Longitude: -1.5 - float64(p.number)/10000, Latitude: 53.8 + float64(n)/1000},
	}
}

func plain(v any) any {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // the objects of this package can be encoded
	}
	var o any
	if err := json.Unmarshal(text, &o); err != nil {
		panic(err)
	}
	return o
}

// journey returns the nth journey of the scene, with all members of the interface.
func (p *play) journey(n int) object {
	return object{
		"journeyId": fmt.Sprintf("JQ%s%c", p.nonce, 'A'+n%26), "status": "WAITING", "date": p.later().Format(time.RFC3339),
		"eta": object{"value": 37, "unit": "minutes"}, "price": object{"value": 14.6, "currency": "GBP", "type": "FIXED"},
		"pickup": plain(p.address(n, "Pickup")), "dropoffs": []any{plain(p.address(60+n, "Harbour"))},
		"passenger": object{"phoneNumber": "+" + p.caller, "name": p.userName()},
		"vehicle":   object{"description": "Silver Octavia", "registration": "KX73 RVT"},
		"driver":    object{"name": "Quentin Zvereva", "phoneNumber": p.driversNumber(), "badgeNumber": "PH9417"},
		"location":  object{"longitude": -1.54 - float64(p.number)/5000, "latitude": 53.81},
	}
}

func (p *play) driversNumber() string { return fmt.Sprintf("+441614960%03d", p.number%1000) }

// userName returns the name of the scene's user; other scenes of a run have other names.
func (p *play) userName() string {
	return firstNames[p.number%len(firstNames)] + " " + lastNames[p.number/len(firstNames)%len(lastNames)]
}

var (
	firstNames = strings.Fields("Ingrid Osbert Philippa Torvald Winifred Aurelio Beatrix Caspian Dorothea Ephraim Felicity Gideon Henrietta Isidore Jemima Konrad Leonora Mortimer Nerys Ottilie")
	lastNames  = strings.Fields("Testcaller Abernathy Blackwood Castellane Drinkwater Entwistle Fairweather Goldfinch Hathersage Inglethorpe Jessamine Kingfisher Lamplough Merriweather Nightingale Oxenham Pemberton Quillfeather Ravenscroft Silverthorne")
)

// later returns the pickup time of the scene's bookings, a week after its start.
func (p *play) later() time.Time { return p.now.Add(7 * 24 * time.Hour).UTC().Truncate(time.Minute) }

// task returns the nth request of the scene as a task, with its missing members filled in.
func (p *play) task(n int) rules.Task {
	ask := p.Asks[n]
	ask.Scene = string(p.probeOf(n + 1))
	if ask.Channel == "" {
		ask.Channel = rules.ChannelVoice
	}
	switch national := "0" + p.caller[2:]; {
	case ask.Withheld:
		ask.From = ""
	case ask.From == "national":
		ask.From = national
	case ask.From != "":
		ask.From += p.caller
	default:
		ask.From = p.caller
	}
	ask.JourneyID = p.idOf(ask.JourneyID)
	if ask.Want == rules.WantBook || ask.Want == rules.WantEdit {
		p.place(&ask, n)
	}
	return rules.Task{Ask: ask, Caller: p.caller, Checks: p.ids(), Alone: p.needsToBeAlone() && !p.AtOnce && p.TLS == nil, About: p.about()}
}

// idOf returns the journeyId that a placeholder stands for, or "" if there is no such journey. Other texts are returned
// unchanged.
func (p *play) idOf(stand string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	at := slices.Index([]string{ofScene, ofSecond}, stand)
	if at < 0 {
		return stand
	}
	if at >= len(p.journeys) {
		return ""
	}
	id, _ := p.journeys[at]["journeyId"].(string)
	return id
}

// place sets the places and the time of a booking; an edit changes only the pickup.
func (p *play) place(ask *rules.Ask, n int) {
	from, to := p.address(20+n, "Fresh"), p.address(40+n, "Station")
	if p.Script {
		from, to = p.address(20+n, "Łódź"), p.address(40+n, "Улица Мира")
	}
	if p.Houses {
		from.Address, to.Address = "Flat 2, "+strings.Replace(from.Address, " ", "a ", 1), "14-"+to.Address
	}
	ask.Pickup = &from
	if ask.Want == rules.WantEdit {
		return
	}
	ask.Dropoffs = []taxi.Address{to}
	for i := range p.Stops {
		ask.Dropoffs = slices.Insert(ask.Dropoffs, i, p.address(50+10*i+n, "Middle"))
	}
	switch {
	case p.FarAhead: // in summer when it is winter, and in winter when it is summer
		year, month := p.now.Year(), time.July
		if p.now.Month() >= time.April {
			year++
		}
		if summer := p.now.Month() >= time.April && p.now.Month() <= time.October; summer {
			month = time.January
		}
		ask.PickupTime = taxi.Time{Time: time.Date(year, month, 15, 15, 40, 0, 0, time.UTC)}
	case p.Past:
		ask.PickupTime = taxi.Time{Time: p.now.Add(-24 * time.Hour).UTC().Truncate(time.Minute)}
	case !p.ForNow:
		ask.PickupTime = taxi.Time{Time: p.later().In(time.FixedZone("", 2*60*60))} // a platform must keep the instant
	}
}

// special returns how the next answer of an operation differs from an ordinary one, and counts the answer; the zero value means
// that it does not.
func (p *play) special(op conformance.Operation) answer {
	all := p.World.Answers[op]
	n := p.answered[op]
	p.answered[op]++
	switch {
	case n < len(all):
		return all[n]
	case len(all) > 0 && all[len(all)-1].Again:
		return all[len(all)-1]
	}
	return answer{}
}

// reply carries out an operation and returns the status and the ordinary answer. The
// caller holds the lock.
func (p *play) reply(op conformance.Operation, sent jsonvalue.Value, effect bool) (int, object) {
	switch op {
	case rules.OpConfig:
		return 200, merged(object{"status": "OK"}, p.World.Config)
	case rules.OpUser:
		return p.replyUser(sent)
	case rules.OpBook:
		return p.replyBook(sent, effect)
	}
	at := p.find(sent.At("journeyId").Scalar())
	if at < 0 {
		return 404, object{"title": "there is no such journey"}
	}
	if op == rules.OpCancel && effect {
		p.journeys[at]["status"] = "CANCELLED"
	}
	return 200, maps.Clone(p.journeys[at])
}

func (p *play) replyUser(sent jsonvalue.Value) (int, object) {
	if p.World.Unknown && p.made == 0 {
		return 404, object{"title": "unknown"}
	}
	listed := []any{}
	for i, j := range p.journeys {
		over := j["status"] == "CANCELLED" || j["status"] == "COMPLETE"
		if !over && (!p.World.Hidden || i >= len(p.World.Journeys)) {
			listed = append(listed, j)
		}
	}
	number := sent.At("phoneNumber").Text()
	if number == "" {
		number = p.caller
	}
	return 200, merged(object{"userId": p.userID(), "phoneNumber": number, "name": p.userName(), "status": "ENABLED", "activeBookings": listed}, merged(p.World.User, p.changed))
}

// replyBook returns the answer to a /book, and creates or edits the journey if effect is true.
func (p *play) replyBook(sent jsonvalue.Value, effect bool) (int, object) {
	id := sent.At("journeyId").Scalar()
	at := p.find(id)
	if id != "" && at < 0 {
		return 404, object{"title": "there is no such journey"}
	}
	j := merged(p.journey(len(p.journeys)), object{"status": "WAITING", "driver": gone, "vehicle": gone, "location": gone, "eta": gone})
	if at >= 0 {
		j = maps.Clone(p.journeys[at])
	}
	for from, to := range map[string]string{"pickup": "pickup", "dropoffs": "dropoffs", "pickupTime": "date"} {
		if v := sent.At(from); v.Given() {
			j[to] = v.Raw()
		}
	}
	if name, number := sent.At("name"), sent.At("phoneNumber"); name.HasText() && number.HasText() {
		j["passenger"] = object{"name": name.Text(), "phoneNumber": number.Text()}
	}
	switch {
	case !effect:
	case at >= 0:
		p.journeys[at] = j
	default:
		p.journeys = append(p.journeys, j)
		p.made++
	}
	return 200, j
}

func (p *play) find(id string) int {
	return slices.IndexFunc(p.journeys, func(j object) bool { return j["journeyId"] == id })
}

// owns reports whether the ids in a request are those of this scene.
func (p *play) owns(sent jsonvalue.Value) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	id := sent.At("userId").Text()
	return id != "" && id == p.userID() || p.find(sent.At("journeyId").Text()) >= 0
}
