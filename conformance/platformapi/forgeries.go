package platformapi

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/platformapi/rules"
)

// forgery is a way to change one claim of a real token: a platform that refuses other wrong tokens for
// other reasons may still not check the signature.
type forgery struct {
	intent conformance.Intent
	claim  func(claims object)
}

var forgeries = []forgery{
	{rules.IntentForged, func(claims object) {
		claims["realm_access"] = object{"roles": []any{"OrganisationAdmin", "AdminRecorder", "VoiceChannel"}}
	}},
	{rules.IntentForgedSubject, func(claims object) { claims["sub"] = "somebody else" }},
	{rules.IntentForgedExpiry, func(claims object) { claims["exp"] = 4102444800 }},
}

// change returns the second part of a JWT with the claim changed; "": the part cannot be read.
func (f forgery) change(part string) string {
	text, err := base64.RawURLEncoding.DecodeString(part)
	if err != nil {
		return ""
	}
	claims := object{}
	if json.Unmarshal(text, &claims) != nil {
		return ""
	}
	f.claim(claims)
	return base64.RawURLEncoding.EncodeToString(encode(claims))
}

// withAnotherKey returns a JWT, given in its parts, with a signature that is not the platform's: for HS256
// by another key, and otherwise changed bytes of the same length.
func withAnotherKey(parts []string) string {
	text := parts[0] + "." + parts[1]
	header, _ := base64.RawURLEncoding.DecodeString(parts[0])
	signature, _ := base64.RawURLEncoding.DecodeString(parts[2])
	mac := hmac.New(sha256.New, []byte("secret"))
	mac.Write([]byte(text))
	if other := mac.Sum(nil); bytes.Contains(header, []byte(`"HS256"`)) {
		signature = other
	} else {
		for i := range signature {
			signature[i] ^= other[i%len(other)] | 1
		}
	}
	return text + "." + base64.RawURLEncoding.EncodeToString(signature)
}
