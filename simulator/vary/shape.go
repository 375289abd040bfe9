package vary

// shape says what the interface leaves open about an object.
type shape struct {
	id      string // the member that says whose it is; "": it is the owner's
	members map[string]member
	bare    odds   // has nothing but what is required
	unknown odds   // has a member that nobody knows
	adds    string // a list that may be empty where it is left out; "": none
}

// odds say for each level how often something is so: once in so many; 0: never.
type odds [Rich + 1]uint64

// member says what the interface leaves open about a member. One without an entry is
// written as it is, but for its style.
type member struct {
	required bool
	absent   odds
	only     string // absent only with this value; "": with any
	with     string // absent where this other one is; "": on its own
	kind     kind
	in       *shape // of the object, or of each in the list
}

// kind is how a value may be written otherwise.
type kind int

const (
	asIs kind = iota
	date
	number
	priceType
)

var (
	nowAndThen = odds{Mild: 4, Rich: 2}
	richly     = odds{Rich: 4}
)

var point = shape{unknown: richly, members: map[string]member{
	"longitude": {required: true, kind: number},
	"latitude":  {required: true, kind: number},
}}

var address = shape{unknown: richly, members: map[string]member{
	"address":  {required: true},
	"location": {required: true, in: &point},
}}

var eta = shape{unknown: richly, members: map[string]member{
	"value": {required: true, kind: number},
	"unit":  {required: true},
}}

var price = shape{unknown: richly, members: map[string]member{
	"value":    {required: true, kind: number},
	"currency": {required: true},
	"type":     {absent: richly, only: `"ESTIMATED"`, kind: priceType},
}}

// person is a passenger, a driver or a vehicle, all of whose members are required.
var person = shape{unknown: richly}

// journey is the answer to /status, and what /user lists.
var journey = shape{id: "journeyId", unknown: nowAndThen, members: map[string]member{
	"journeyId": {required: true},
	"status":    {required: true},
	"date":      {required: true, kind: date},
	"pickup":    {required: true, in: &address},
	"dropoffs":  {required: true, in: &address},
	"passenger": {absent: richly, in: &person},
	"price":     {absent: richly, in: &price},
	"eta":       {absent: richly, in: &eta},
	"location":  {absent: richly, in: &point},
	"vehicle":   {absent: richly, with: "driver", in: &person},
	"driver":    {absent: richly, in: &person},
}}

// journeyAnswer is the answer to /book and /cancel, which is a journey as far as it goes.
var journeyAnswer = shape{id: "journeyId", unknown: nowAndThen, bare: richly, members: partial(journey.members)}

func partial(members map[string]member) map[string]member {
	all := make(map[string]member, len(members))
	for name, m := range members {
		m.required = name == "journeyId" || name == "status"
		all[name] = m
	}
	return all
}

var endUser = shape{id: "userId", unknown: nowAndThen, adds: "activeBookings", members: map[string]member{
	"userId":         {required: true},
	"phoneNumber":    {required: true},
	"name":           {required: true},
	"status":         {absent: odds{Mild: 2, Rich: 2}, only: `"ENABLED"`},
	"activeBookings": {required: true, in: &journey},
}}

var configAnswer = shape{unknown: nowAndThen, members: map[string]member{
	"status": {required: true},
	"eta":    {absent: richly, in: &eta},
}}
