package vary

// shape describes how an object of a response may vary.
type shape struct {
	id      string // the member that identifies its owner; "": it has the owner of the enclosing object
	members map[string]member
	bare    odds   // has only the required members
	unknown odds   // has an unknown member
	adds    string // a list that may be empty instead of absent; "": none
}

// odds is, for each level, the n in "once in n times"; 0: never.
type odds [Rich + 1]uint64

// member describes how a member of an object may vary. A member without an entry only varies
// in its style.
type member struct {
	required bool
	absent   odds
	only     string // absent only with this value; "": with any
	with     string // absent only together with this member; "": on its own
	kind     kind
	in       *shape // of the object, or of each object in the list
}

// kind is the kind of a value, which determines the other forms in which it can be written.
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

// person describes a passenger, a driver or a vehicle, all of whose members are required.
var person = shape{unknown: richly}

// journey describes the response of /status, and the items that /user lists.
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

// journeyAnswer describes the response of /book and /cancel.
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
