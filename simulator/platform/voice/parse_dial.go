package voice

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

func (Dial) read(o *object) Verb {
	d := Dial{
		CallerID: o.optionalText("callerId", 0, 40), Action: o.optionalText("action", 1, 64),
		TimeLimit: o.number("timeLimit", 60, 14400), Timeout: o.number("timeout", 5, 180),
	}
	if d.CallerID != "" && d.CallerID != Anonymous && !dialable(d.CallerID) {
		o.p.wrong(o.at("callerId"), "must be a phone number such as +441632960001, or \"anonymous\"")
	}
	if value, ok := o.take("record"); ok {
		if fields, ok := o.p.object(o.at("record"), value); ok {
			d.Record = readRecord(fields)
		}
	}
	if value, ok := o.require("targets"); ok {
		for i, element := range o.p.elements(o.at("targets"), value, 1, MaxTargets) {
			d.Targets = append(d.Targets, o.p.target(o.at("targets").AppendToken(strconv.Itoa(i)), element))
		}
	}
	return d
}

func readRecord(o *object) *Record {
	defer o.done()
	r := &Record{MaxLength: o.number("maxLength", 1, 14400)}
	if flag := o.flag("playBeep"); flag != nil {
		r.PlayBeep = *flag
	}
	if flag := o.flag("transcribe"); flag != nil {
		r.Transcribe = *flag
	}
	return r
}

// target reads a target of a dial.
func (p *parser) target(at jsontext.Pointer, value jsontext.Value) Target {
	o, ok := p.object(at, value)
	if !ok {
		return Target{}
	}
	defer o.done()
	return o.target()
}

// callTarget reads the target of a call request, which may hold a timeout beside
// its type.
func (p *parser) callTarget(at jsontext.Pointer, value jsontext.Value) CallTarget {
	o, ok := p.object(at, value)
	if !ok {
		return CallTarget{}
	}
	defer o.done()
	return CallTarget{Timeout: o.number("timeout", 5, 180), Target: o.target()}
}

// target reads the one member of a target that names its type, in any case.
func (o *object) target() Target {
	var t Target
	types := 0
	for i, m := range o.members {
		read := targetReaders[strings.ToLower(m.name)]
		if m.taken || read == nil {
			continue
		}
		types++
		o.members[i].taken = true
		if fields, ok := o.p.object(o.at(m.name), m.value); ok {
			read(fields, &t)
			fields.done()
		}
	}
	if types != 1 {
		o.p.wrong(o.pointer, "must have exactly one of phoneNumber, extension, device and sipUri")
	}
	return t
}

var targetReaders = map[string]func(*object, *Target){
	"phonenumber": func(o *object, t *Target) {
		t.PhoneNumber = &PhoneNumber{o.requiredText("number", 40)}
		if number := t.PhoneNumber.Number; number != "" && !dialable(number) {
			o.p.wrong(o.at("number"), "must be a phone number such as +441632960001")
		}
	},
	"extension": func(o *object, t *Target) {
		t.Extension = &Extension{o.requiredText("extension", 32), o.optionalText("overrideTo", 1, 128)}
	},
	"device": func(o *object, t *Target) { t.Device = &Device{o.requiredText("id", 64)} },
	"sipuri": readSIPURI,
}

func readSIPURI(o *object, t *Target) {
	t.SIPURI = &SIPURI{
		URI: o.requiredText("uri", 512), Username: o.optionalText("username", 1, 128),
		Password: o.optionalText("password", 1, 128),
	}
	if uri := t.SIPURI.URI; uri != "" && !sipAddress.MatchString(uri) {
		o.p.wrong(o.at("uri"), "must be a SIP address such as sip:desk@pbx.example")
	}
	value, ok := o.take("headers")
	if !ok {
		return
	}
	headers, ok := o.p.object(o.at("headers"), value)
	if !ok {
		return
	}
	if len(headers.members) > 20 {
		o.p.wrong(headers.pointer, "must have at most 20 headers")
	}
	if len(headers.members) > 0 {
		t.SIPURI.Headers = make(map[string]string, len(headers.members))
	}
	for _, m := range headers.members {
		text := o.p.text(headers.at(m.name), m.value, 0, 512)
		if !headerName.MatchString(m.name) || strings.ContainsAny(text, "\r\n\x00") {
			o.p.wrong(headers.at(m.name), "must be a header named X-…, with a value of one line")
		}
		t.SIPURI.Headers[m.name] = text
	}
}

var (
	sipAddress = regexp.MustCompile(`^(?i:sips?):[^\s<>"]+$`)
	headerName = regexp.MustCompile(`^[Xx]-[A-Za-z0-9-]{1,62}$`)
)

// dialable tells whether s is written like a phone number.
func dialable(s string) bool {
	digits := 0
	for i, r := range s {
		switch {
		case r >= '0' && r <= '9':
			digits++
		case r == '+' && i == 0, slices.Contains([]rune(" -.()"), r):
		default:
			return false
		}
	}
	return digits > 0
}
