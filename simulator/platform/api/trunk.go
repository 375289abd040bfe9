package api

// Trunk is an authorised address of a customer's own telephone system.
type Trunk struct {
	ID           string `json:"id"`
	IP           string `json:"ip"`
	Port         int    `json:"port"` // Decision: 5060 when absent
	Vendor       string `json:"vendor"`
	CallerFormat string `json:"callerFormat"` // FormatE164P when absent
	CalledFormat string `json:"calledFormat"`
	Description  string `json:"description"`
	Zone         string `json:"zone"`
	CountryCode  string `json:"countryCode"` // two letters
}

// How a trunk wants numbers spelled. Decision: the interface shows no values.
const (
	FormatE164     = "e164"     // digits, 442079460000
	FormatE164P    = "e164p"    // with a plus sign, +442079460000
	FormatNational = "national" // as dialled within the trunk's country, 02079460000
)

// TrunkFormats lists the values of callerFormat and calledFormat.
func TrunkFormats() []string { return []string{FormatE164, FormatE164P, FormatNational} }

// SetID gives the trunk its id.
func (t *Trunk) SetID(id string) { t.ID = id }
