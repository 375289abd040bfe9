# curl alone, as somebody types it: the login, every kind of thing, a call.
set -euo pipefail
field() { sed -n "s/.*\"$1\": *\"\([^\"]*\)\".*/\1/p" | head -1; }
status() { curl -s -o /dev/null -w '%{http_code}' "$@"; }
is() { [ "$2" = "$3" ] || { echo "$1: $2, want $3" >&2; exit 1; }; echo "ok  $1"; }

base=$(field base_url <"$CREDENTIALS")
password=$(grep -A1 '"username": "admin"' "$CREDENTIALS" | field password)
token=$(curl -s "$base/api/v1/oauth/authorize" -d username=admin --data-urlencode "password=$password" | field access_token)
bearer=(-H "Authorization: Bearer $token")
json=(-H 'Content-Type: application/json')
is "my organisation" "$(status "${bearer[@]}" "$base/api/v1/userAccounts/me")" 200
is "without a token" "$(status "$base/api/v1/userAccounts/me")" 401
account=$(curl -s "${bearer[@]}" "$base/api/v1/account" | sed 's/^\[{"id":"\([^"]*\)".*/\1/')
at=$base/api/v1/account/$account
for part in "" /address /ddi /trunk /hook /device; do is "GET account$part" "$(status "${bearer[@]}" "$at$part")" 200; done
is "a trunk" "$(status "${bearer[@]}" "${json[@]}" "$at/trunk" -d '{"ip":"192.0.2.1"}')" 201
is "a trunk without ip" "$(status "${bearer[@]}" "${json[@]}" "$at/trunk" -d '{}')" 400
is "no JSON" "$(status "${bearer[@]}" "$at/trunk" -d '{"ip":"192.0.2.1"}')" 415
is "DELETE" "$(status -X DELETE "${bearer[@]}" "$at/trunk")" 405
is "PATCH of a trunk" "$(status -X PATCH "${bearer[@]}" "$at/trunk/x")" 405
client=$(field client_id <"$CREDENTIALS")
call='{"target":{"phoneNumber":{"number":"+442079460001"}},"verbs":[{"say":{"text":["Hello."]}}]}'
is "a call" "$(status -u "$account:$client" "${json[@]}" "$base/channels/voice" -d "$call")" 201
is "its twin" "$(status "${bearer[@]}" "${json[@]}" "$at/channels/voice" -d "$call")" 201
is "a wrong client id" "$(status -u "$account:x" "${json[@]}" "$base/channels/voice" -d "$call")" 401
is "an emergency number" "$(status -u "$account:$client" "${json[@]}" "$base/channels/voice" -d '{"target":{"phoneNumber":{"number":"999"}},"verbs":[]}')" 403
is "the keys" "$(status "$base/.well-known/jwks.json")" 200
