package voice_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// TestDocumentsHaveACanonicalEncoding checks the canonical encoding of each accepted form of a document, and that it is parsed as the
// same document.
func TestDocumentsHaveACanonicalEncoding(t *testing.T) {
	for _, row := range []struct{ name, in, canonical string }{
		{"nothing to do", `[]`, `[]`},
		{"the interface's fields", `[{"say":{"text":["Hello","again"],"voice":"en-GB-Standard-A","loop":"2"}}]`, ``},
		{"bare text", `[{"say":{"text":"Hello"}}]`, `[{"say":{"text":["Hello"]}}]`},
		{"loop as a number", `[{"say":{"text":["a"],"loop":3}}]`, `[{"say":{"text":["a"],"loop":"3"}}]`},
		{"loop without end", `[{"play":{"url":"https://a.example/b.wav","loop":0}}]`, `[{"play":{"url":"https://a.example/b.wav","loop":"1000"}}]`},
		{"gather with nothing", `[{"gather":{}}]`, ``},
		{
			"gather with all", `[{"gather":{"input":["speech","digits"],"action":"menu","verbs":[{"say":{"text":["a"]}},{"play":{"url":"http://a/b"}}],` +
				`"timeout":60,"minDigits":2,"maxDigits":32,"finishOnKey":"","interDigitTimeout":20,"hints":["a","b"],"language":"cy-GB","speechTimeout":10,"bargeIn":false}}]`, ``,
		},
		{"gather with numDigits", `[{"gather":{"numDigits":4,"finishOnKey":"*","bargeIn":true}}]`, ``},
		{"hints with commas", `[{"gather":{"hints":"yes, no ,,maybe"}}]`, `[{"gather":{"hints":["yes","no","maybe"]}}]`},
		{"single prompt", `[{"gather":{"say":{"text":"Well?"}}}]`, `[{"gather":{"verbs":[{"say":{"text":["Well?"]}}]}}]`},
		{"single recording", `[{"gather":{"play":{"url":"http://a/b"}}}]`, `[{"gather":{"verbs":[{"play":{"url":"http://a/b"}}]}}]`},
		{"dial as in the interface", `[{"dial":{"callerId":"+441632960001","timeLimit":60,"timeout":5,"targets":[{"phoneNumber":{"number":"+441632960002"}}]}}]`, ``},
		{
			"target types in any case", `[{"dial":{"targets":[{"Device":{"id":"d"}},{"SipURI":{"uri":"sip:a@b"}},{"PHONENUMBER":{"number":"01632 960002"}},{"Extension":{"extension":"101","overrideTo":"7"}}]}}]`,
			`[{"dial":{"targets":[{"device":{"id":"d"}},{"sipUri":{"uri":"sip:a@b"}},{"phoneNumber":{"number":"01632 960002"}},{"extension":{"extension":"101","overrideTo":"7"}}]}}]`,
		},
		{"sip with all", `[{"dial":{"targets":[{"sipUri":{"uri":"sips:a@b","username":"u","password":"p","headers":{"X-Job":"1"}}}]}}]`, ``},
		{"record", `[{"dial":{"targets":[{"device":{"id":"d"}}],"record":{},"action":"done"}}]`, ``},
		{"record with all", `[{"dial":{"targets":[{"device":{"id":"d"}}],"record":{"playBeep":true,"maxLength":60,"transcribe":true}}}]`, ``},
		{"withheld", `[{"dial":{"callerId":"anonymous","targets":[{"device":{"id":"d"}}]}}]`, ``},
		{"reject", `[{"reject":{}}]`, ``},
		{"decline", `[{"reject":{"reason":"decline"}}]`, `[{"reject":{"reason":"rejected"}}]`},
		{"busy", `[{"reject":{"reason":"busy"}}]`, ``},
		{"hangup", `[{"hangup":{"reason":"no more to say"}},{"hangup":{}}]`, ``},
		{"redirect", `[{"redirect":{"url":"../next?a=b"}},{"redirect":{"url":"https://a.example/x"}}]`, ``},
		{"characters are counted, not bytes", `[{"say":{"text":["` + strings.Repeat("é", 1000) + `"]}}]`, ``},
	} {
		t.Run(row.name, func(t *testing.T) {
			document, err := voice.ParseDocument([]byte(row.in))
			require.NoError(t, err)
			got, err := json.Marshal(document)
			require.NoError(t, err)
			if row.canonical == "" {
				row.canonical = row.in
			}
			require.JSONEq(t, row.canonical, string(got))
			again, err := voice.ParseDocument(got)
			require.NoError(t, err)
			require.Equal(t, document, again)
			require.NoError(t, document.Check())
		})
	}
}

// refused are invalid documents with all their errors.
var refused = []struct {
	in   string
	errs []string
}{
	{``, []string{": is empty; want JSON"}},
	{`{}`, []string{": wants an array, not an object"}},
	{`[`, []string{": is not well-formed JSON in UTF-8"}},
	{`[] []`, []string{": is not well-formed JSON in UTF-8"}},
	{"[{\"say\":{\"text\":[\"\xff\"]}}]", []string{"/0/say/text/0: is not well-formed JSON in UTF-8"}},
	{`[{"say":{"text":["a"],"text":["b"]}}]`, []string{"/0/say/text: appears twice in its object"}},
	{`[7,{},{"say":{"text":"a"},"play":{}},{"Say":{}},{"say":"a"}]`, []string{
		"/0: wants an object, not a number", "/1: wants exactly one member, the name of its verb", "/2: wants exactly one member, the name of its verb",
		"/3/Say: is not a verb; the verbs are say, dial, play, gather, reject, hangup, redirect", "/4/say: wants an object, not a string",
	}},
	{`[` + strings.Repeat(`{"hangup":{}},`, 50) + `{"hangup":{}}]`, []string{": wants at most 50 elements"}},
	{`[{"say":{"loop":"x","a~b/c":1}}]`, []string{
		"/0/say/text: is required", "/0/say/loop: wants a whole number from 0 to 1000, which may be written as a string", "/0/say/a~0b~1c: is not a known member",
	}},
	{`[{"say":{"text":[],"voice":7,"loop":1001}}]`, []string{
		"/0/say/text: wants 1 to 20 elements", "/0/say/voice: wants a string, not a number", "/0/say/loop: wants a whole number from 0 to 1000, which may be written as a string",
	}},
	{`[{"say":{"text":["","` + strings.Repeat("x", 1001) + `",3],"loop":"+1"}}]`, []string{
		"/0/say/text/0: wants 1 to 1000 characters", "/0/say/text/1: wants 1 to 1000 characters", "/0/say/text/2: wants a string, not a number",
		"/0/say/loop: wants a whole number from 0 to 1000, which may be written as a string",
	}},
	{`[{"play":{"url":"ftp://a/b"}},{"play":{"url":"/b"}},{"play":{}}]`, []string{
		"/0/play/url: wants an http or https address", "/1/play/url: wants an http or https address", "/2/play/url: is required",
	}},
	{`[{"gather":{"timeout":0,"numDigits":33,"maxDigits":1.5,"minDigits":"2","interDigitTimeout":21,"speechTimeout":11,"bargeIn":"no","language":"english!","finishOnKey":"a"}}]`, []string{
		"/0/gather/timeout: wants a whole number from 1 to 60", "/0/gather/numDigits: wants a whole number from 1 to 32",
		"/0/gather/minDigits: wants a number, not a string", "/0/gather/maxDigits: wants a whole number from 1 to 32",
		"/0/gather/interDigitTimeout: wants a whole number from 1 to 20", "/0/gather/speechTimeout: wants a whole number from 1 to 10",
		"/0/gather/bargeIn: wants a boolean, not a string", "/0/gather/language: wants a BCP 47 language tag such as en-GB",
		`/0/gather/finishOnKey: wants one of 0 to 9, * and #, or ""`,
	}},
	{`[{"gather":{"numDigits":1,"minDigits":3,"maxDigits":2}}]`, []string{
		"/0/gather/numDigits: stands for minDigits and maxDigits: give it, or them", "/0/gather/minDigits: is more than maxDigits",
	}},
	{`[{"gather":{"input":["digits","digits"]}},{"gather":{"input":["sms"]}},{"gather":{"input":[]}}]`, []string{
		"/0/gather/input/1: is in the array already", "/1/gather/input/0: is not one of digits, speech", "/2/gather/input: wants 1 to 2 elements",
	}},
	{`[{"gather":{"verbs":[{"hangup":{}}],"say":{"text":"a","x":1}}}]`, []string{
		"/0/gather/say/x: is not a known member", "/0/gather: wants one of verbs, say and play", "/0/gather/verbs/0/hangup: is not say or play, as a gather wants",
	}},
	{`[{"dial":{"timeLimit":59,"timeout":4,"callerId":"me","targets":[]}}]`, []string{
		"/0/dial/timeLimit: wants a whole number from 60 to 14400", "/0/dial/timeout: wants a whole number from 5 to 180",
		"/0/dial/targets: wants 1 to 10 elements", `/0/dial/callerId: wants a phone number such as +441632960001, or "anonymous"`,
	}},
	{`[{"dial":{"targets":[{},{"device":{"id":""},"extension":{"extension":"1"}},{"phoneNumber":{"number":"taxi"}},{"sms":{}},{"device":{"id":"d"},"timeout":9}]}}]`, []string{
		"/0/dial/targets/0: wants exactly one of phoneNumber, extension, device and sipUri",
		"/0/dial/targets/1/device/id: is required",
		"/0/dial/targets/1: wants exactly one of phoneNumber, extension, device and sipUri",
		"/0/dial/targets/2/phoneNumber/number: wants a phone number such as +441632960001",
		"/0/dial/targets/3: wants exactly one of phoneNumber, extension, device and sipUri",
		"/0/dial/targets/3/sms: is not a known member", "/0/dial/targets/4/timeout: is not a known member",
	}},
	{`[{"dial":{"targets":[{"sipUri":{"uri":"tel:1","headers":{"Via":"x","X-A":"b\r\nVia: c"}}}],"record":{"maxLength":0,"playBeep":1,"format":"mp3"}}}]`, []string{
		"/0/dial/targets/0/sipUri/uri: wants a SIP address such as sip:desk@pbx.example",
		"/0/dial/targets/0/sipUri/headers/Via: wants a header named X-…, with a value of one line",
		"/0/dial/targets/0/sipUri/headers/X-A: wants a header named X-…, with a value of one line",
		"/0/dial/record/playBeep: wants a boolean, not a number", "/0/dial/record/maxLength: wants a whole number from 1 to 14400", "/0/dial/record/format: is not a known member",
	}},
	{`[{"reject":{"reason":"no"}},{"hangup":{"reason":"` + strings.Repeat("x", 129) + `"}},{"redirect":{"url":"mailto:a@b"}}]`, []string{
		"/0/reject/reason: is not one of rejected, decline, busy", "/1/hangup/reason: wants at most 128 characters",
		"/2/redirect/url: wants an http or https address, or one relative to the address of the hook",
	}},
}

func TestInvalidDocumentsAreRefused(t *testing.T) {
	for _, row := range refused {
		document, err := voice.ParseDocument([]byte(row.in))
		var errs voice.Errors
		require.ErrorAs(t, err, &errs, row.in)
		got := make([]string, len(errs))
		for i, e := range errs {
			got[i] = e.Pointer + ": " + e.Detail
		}
		require.Equal(t, row.errs, got, row.in)
		_ = document
	}
}

func TestTooLongDocumentIsRefused(t *testing.T) {
	_, err := voice.ParseDocument([]byte(`[` + strings.Repeat(" ", voice.MaxDocumentBytes) + `]`))
	require.EqualError(t, err, "wants at most 65536 bytes")
}

func TestRequestIsEncodedUnchanged(t *testing.T) {
	in := `{"callerId":"+441632960000","tag":{"data":{"job":"7","n":12345678901234567890,"ok":true,"none":null}},` +
		`"target":{"extension":{"extension":"101"},"timeout":20},"verbs":[{"hangup":{}}]}`
	request, err := voice.ParseRequest([]byte(in))
	require.NoError(t, err)
	require.Equal(t, 20, request.Target.Timeout)
	got, err := json.Marshal(request)
	require.NoError(t, err)
	require.JSONEq(t, in, string(got))
	require.Contains(t, string(got), "12345678901234567890", "a tag comes back as it was written")
}

// TestNullMembersCountAsAbsent checks that a member with the value null counts as absent, so that a required one is missing.
func TestNullMembersCountAsAbsent(t *testing.T) {
	with, err := voice.ParseRequest([]byte(`{"callerId":null,"tag":null,"target":{"extension":{"extension":"101"},"timeout":null},"verbs":[{"say":{"text":["a"],"voice":null,"loop":null}}]}`))
	require.NoError(t, err)
	without, err := voice.ParseRequest([]byte(`{"target":{"extension":{"extension":"101"}},"verbs":[{"say":{"text":["a"]}}]}`))
	require.NoError(t, err)
	require.Equal(t, without, with)
	_, err = voice.ParseRequest([]byte(`{"target":null,"verbs":[{"say":{"text":null}}]}`))
	require.ErrorContains(t, err, "/target: is required")
	require.ErrorContains(t, err, "/verbs/0/say/text: is required")
}

func TestInvalidRequestsAreRefused(t *testing.T) {
	for _, row := range []struct{ in, want string }{
		{`[]`, "wants an object, not an array"},
		{`{}`, "/target: is required; /verbs: is required"},
		{`{"target":{"timeout":4},"verbs":{},"to":"x"}`, "/target: wants exactly one of phoneNumber, extension, device and sipUri; /target/timeout: wants a whole number from 5 to 180; /verbs: wants an array, not an object; /to: is not a known member"},
		{`{"callerId":"x","tag":{"data":{"a":{}},"b":1},"target":{"device":{"id":"d"}},"verbs":[]}`, "/tag/data/a: wants a string, a number, true, false or null; /tag/b: is not a known member; /callerId: wants a phone number such as +441632960001, or \"anonymous\""},
		{`{"tag":{"data":[]},"target":7,"verbs":[{"say":{}}]}`, "/tag/data: wants an object, not an array; /target: wants an object, not a number; /verbs/0/say/text: is required"},
		{`{"tag":{"data":{"a":"` + strings.Repeat("x", 4096) + `"}},"target":{"device":{"id":"d"}},"verbs":[]}`, "/tag/data: is longer than 4096 bytes"},
	} {
		_, err := voice.ParseRequest([]byte(row.in))
		require.EqualError(t, err, row.want, row.in)
	}
}

// TestDocumentsBuiltInGoAreChecked checks that documents that a plugin builds in Go have the same limits as parsed ones.
func TestDocumentsBuiltInGoAreChecked(t *testing.T) {
	require.NoError(t, voice.Document{voice.Hangup{Cause: voice.CauseBusy}}.Check())
	require.EqualError(t, voice.Document{voice.Say{}}.Check(), "/0/say/text: is required")
	require.EqualError(t, voice.Document{nil}.Check(), "/0: <nil> is not a verb of a document")
	require.EqualError(t, voice.Document{&voice.Say{Text: []string{"a"}}}.Check(), "/0: *voice.Say is not a verb of a document")
	require.EqualError(t, voice.Document{voice.Say{Text: []string{"a"}, Loop: -1}}.Check(), "/0/say/loop: wants a whole number from 0 to 1000, which may be written as a string")
}

func TestPhoneNumbersAreMasked(t *testing.T) {
	for in, want := range map[string]string{
		"+441632960001": "+*********001", "101": "101", "sip:441632960001@10.0.0.1": "sip:*********001@10.0.0.1", "": "", "12345 67890": "**345 **890",
	} {
		require.Equal(t, want, voice.Mask(in))
	}
	for in, want := range map[string]string{
		"02079460001": "********001", "+44 7700 900 123": "+*********123", "(020) 7946-0001": "********001", "101": "101",
		"sip:+44.7700.900123@10.0.0.1": "sip:+*********123@10.0.0.1", "sip:a.b-1@h": "sip:a.b-1@h", "anonymous": "anonymous", "a@b": "a@b",
	} {
		require.Equal(t, want, voice.MaskAddress(in))
	}
	require.Equal(t, "123456", voice.Target{Device: &voice.Device{ID: "123456"}}.Shown())
	require.Equal(t, "123456", voice.Target{Extension: &voice.Extension{Extension: "123456"}}.Shown())
	require.Equal(t, "driver", voice.Target{PhoneNumber: &voice.PhoneNumber{Number: "+441632960001"}, Role: "driver"}.Label())
}

// FuzzParse checks that an accepted request or document is encoded and parsed again as the same.
func FuzzParse(f *testing.F) {
	for _, row := range refused {
		f.Add([]byte(row.in))
	}
	samples, err := filepath.Glob("testdata/documents/*.json")
	require.NoError(f, err)
	require.NotEmpty(f, samples)
	for _, path := range samples {
		sample, err := os.ReadFile(path)
		require.NoError(f, err)
		f.Add(sample)
	}
	f.Add([]byte(`{"callerId":"+441632960000","tag":{"data":{"job":"7"}},"target":{"extension":{"extension":"101"},"timeout":20},"verbs":[{"hangup":{}}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if request, err := voice.ParseRequest(data); err == nil {
			canonical, err := json.Marshal(request)
			require.NoError(t, err)
			if len(canonical) > voice.MaxDocumentBytes {
				return
			}
			again, err := voice.ParseRequest(canonical)
			require.NoError(t, err, string(canonical))
			require.Equal(t, request.Target, again.Target)
			require.Equal(t, request.Verbs, again.Verbs)
		}
		document, err := voice.ParseDocument(data)
		if err != nil {
			require.NotEmpty(t, err.Error())
			return
		}
		canonical, err := json.Marshal(document)
		require.NoError(t, err)
		again, err := voice.ParseDocument(canonical)
		if len(canonical) > voice.MaxDocumentBytes {
			return // the canonical form spells out what an alias had shortened
		}
		require.NoError(t, err, string(canonical))
		require.Equal(t, document, again)
	})
}
