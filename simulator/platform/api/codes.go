package api

import (
	"maps"
	"net/http"
	"slices"
	"time"
)

// Code is the machine-readable error code of a problem, stable across releases. Decision:
// the interface shows no errors.
type Code string

// The codes; kinds has the HTTP status of each.
const (
	CodeMalformed        Code = "malformed_json"
	CodeForm             Code = "malformed_form"
	CodeValidation       Code = "validation_failed"
	CodeIDMismatch       Code = "id_mismatch"
	CodeUnauthenticated  Code = "unauthenticated"
	CodeCredentials      Code = "invalid_credentials"
	CodeTokenInvalid     Code = "token_invalid"
	CodeTokenExpired     Code = "token_expired"
	CodeRole             Code = "role_required"
	CodeHTTPS            Code = "https_required"
	CodeEmergency        Code = "emergency_not_supported"
	CodeNotFound         Code = "not_found"
	CodeMethodNotAllowed Code = "method_not_allowed"
	CodeNotAcceptable    Code = "not_acceptable"
	CodeTimeout          Code = "request_timeout"
	CodeConflict         Code = "conflict"
	CodeLimit            Code = "limit_reached"
	CodeKeyReused        Code = "idempotency_key_reused"
	CodeInFlight         Code = "request_in_flight"
	CodeTooLarge         Code = "too_large"
	CodeMediaType        Code = "unsupported_media_type"
	CodeRateLimited      Code = "rate_limited"
	CodeTooManyCalls     Code = "too_many_calls"
	CodeLoginThrottled   Code = "login_throttled"
	CodeInternal         Code = "internal"
	CodeUnavailable      Code = "unavailable"
	CodeStorage          Code = "storage_unavailable"
	CodeControlForbidden Code = "control_token_required"
	CodeOrigin           Code = "origin_forbidden"
	CodeDeliveryPending  Code = "delivery_pending"
	CodeCallOver         Code = "call_over"
	CodeInUse            Code = "in_use"
)

// kinds maps each code to its HTTP status and texts. They are defined only here.
var kinds = map[Code]kind{
	CodeMalformed:        {http.StatusBadRequest, "The body is not one JSON value of the right kind", 0},
	CodeForm:             {http.StatusBadRequest, "The form is not right", 0},
	CodeValidation:       {http.StatusBadRequest, "Some fields are not right", 0},
	CodeIDMismatch:       {http.StatusBadRequest, "The body is about something else than the address", 0},
	CodeUnauthenticated:  {http.StatusUnauthorized, "Credentials are missing", 0},
	CodeCredentials:      {http.StatusUnauthorized, "Credentials are wrong", 0},
	CodeTokenInvalid:     {http.StatusUnauthorized, "The token is not one of ours", 0},
	CodeTokenExpired:     {http.StatusUnauthorized, "The token has expired", 0},
	CodeRole:             {http.StatusForbidden, "The user lacks a role", 0},
	CodeHTTPS:            {http.StatusForbidden, "Credentials must not travel in the clear", 0},
	CodeEmergency:        {http.StatusForbidden, "Emergency numbers are never dialled", 0},
	CodeControlForbidden: {http.StatusForbidden, "The control API wants its token", 0},
	CodeOrigin:           {http.StatusForbidden, "Pages of other sites may not call this", 0},
	CodeNotFound:         {http.StatusNotFound, "There is no such thing", 0},
	CodeMethodNotAllowed: {http.StatusMethodNotAllowed, "Wrong method", 0},
	CodeNotAcceptable:    {http.StatusNotAcceptable, "Only JSON is served here", 0},
	CodeTimeout:          {http.StatusRequestTimeout, "The request took too long to arrive", time.Second},
	CodeConflict:         {http.StatusConflict, "Something else stands in the way", 0},
	CodeLimit:            {http.StatusConflict, "The account has as many as it may have", 0},
	CodeKeyReused:        {http.StatusConflict, "The Idempotency-Key was used for another request", 0},
	CodeInFlight:         {http.StatusConflict, "The same request is being answered", time.Second},
	CodeDeliveryPending:  {http.StatusConflict, "The delivery is still under way", time.Second},
	CodeCallOver:         {http.StatusConflict, "The call is over", 0},
	CodeInUse:            {http.StatusConflict, "Something else still refers to it", 0},
	CodeTooLarge:         {http.StatusRequestEntityTooLarge, "The body is too large", 0},
	CodeMediaType:        {http.StatusUnsupportedMediaType, "The body has the wrong media type", 0},
	CodeRateLimited:      {http.StatusTooManyRequests, "Too many requests", time.Second},
	CodeTooManyCalls:     {http.StatusTooManyRequests, "Too many calls at once", time.Second},
	CodeLoginThrottled:   {http.StatusTooManyRequests, "Too many failed logins", time.Second},
	CodeInternal:         {http.StatusInternalServerError, "Something went wrong here", 0},
	CodeUnavailable:      {http.StatusServiceUnavailable, "Too busy just now", time.Second},
	CodeStorage:          {http.StatusServiceUnavailable, "Nothing can be kept right now", 2 * time.Second},
}

// Codes lists all codes.
func Codes() []Code { return slices.Sorted(maps.Keys(kinds)) }
