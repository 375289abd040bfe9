package phoning

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/simulator/platform/booking/chat"
	"github.com/cabrank/cabrank/simulator/platform/simapi"
)

// thread is a chat with a platform, shown in the terminal.
type thread struct {
	*chatFlags

	id  string
	out cli.Outside

	mu       sync.Mutex
	messages []chat.Message
	buttons  []chat.Button // that can be pressed
	version  int           // number of messages read
}

func (t *thread) path() string { return "/sim/v1/chats/" + t.id }

// chatAct is an action in a chat.
type chatAct struct {
	Text  string `json:"text,omitempty"`
	Press string `json:"press,omitempty"`
}

func (t *thread) act(ctx context.Context, a chatAct) error {
	if err := t.do(ctx, http.MethodPost, t.path(), a, nil); err != nil {
		return err
	}
	return t.read(ctx, false)
}

// read reads new messages; with wait, it waits until there are some.
func (t *thread) read(ctx context.Context, wait bool) error {
	t.mu.Lock()
	query := url.Values{"from": {strconv.Itoa(t.version)}}
	if wait {
		query.Set("version", strconv.Itoa(t.version))
	}
	t.mu.Unlock()
	var view simapi.ChatView
	if err := t.do(ctx, http.MethodGet, t.path()+"?"+query.Encode(), nil, &view); err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	known := min(max(0, t.version-view.First), len(view.Messages)) // another reader may have read some
	t.version = max(t.version, view.Version)
	for _, m := range view.Messages[known:] {
		t.messages = append(t.messages, m)
		if len(m.Buttons) > 0 {
			t.buttons = m.Buttons
		}
		if !t.asJSON {
			t.show(m)
		}
	}
	return nil
}

// show prints a message.
func (t *thread) show(m chat.Message) {
	const indent = "                    "
	fmt.Fprintf(t.out.Stdout, "%s  %-8s  %s\n", m.At.Format("15:04:05"), m.From, cli.Printable(m.Text))
	if at := m.Location; at != nil {
		fmt.Fprintf(t.out.Stdout, "%s(on the map: latitude %.5f, longitude %.5f)\n", indent, at.Latitude, at.Longitude)
	}
	for i, b := range m.Buttons {
		fmt.Fprintf(t.out.Stdout, "%s[%d] %s\n", indent, i+1, cli.Printable(b.Label))
	}
}

// end closes the chat.
func (t *thread) end() {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	_ = t.do(ctx, http.MethodDelete, t.path(), nil, nil) // an error cannot be reported any more
}

// button returns the id of the button with a number, id or label; false: there is none.
func (t *thread) button(named string) (string, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for i, b := range t.buttons {
		if named == strconv.Itoa(i+1) || strings.EqualFold(named, b.ID) || strings.EqualFold(named, b.Label) {
			return b.ID, true
		}
	}
	return "", false
}

// typed sends each line of input, or presses the button that it names, until the input ends. It prints messages as they
// arrive.
func (t *thread) typed(ctx context.Context, in io.Reader) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	go func() { // ends with stop
		for t.read(ctx, true) == nil { // until the chat is over
		}
	}()
	lines := bufio.NewScanner(in)
	for lines.Scan() && ctx.Err() == nil {
		line := strings.TrimSpace(lines.Text())
		if line == "" {
			continue
		}
		act := chatAct{Text: line}
		if id, ok := t.button(line); ok {
			act = chatAct{Press: id}
		}
		if err := t.act(ctx, act); err != nil {
			return err
		}
	}
	return ctx.Err()
}
