package booking

// Watch is somebody who knows beforehand who is about to call, and follows the
// conversation.
type Watch struct {
	Settings *Settings // in place of the account's, for this call; nil: those
	Wish     *Wish
	Step     func(Step) // told each step before it is spoken; it must not wait
}

// Watch has a phone call watched that is about to come in, by its id. stop ends it.
func (d *Desk) Watch(call string, w Watch) (stop func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.watched[call] = w
	return func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		delete(d.watched, call)
	}
}

// watcher returns who watches a call.
func (d *Desk) watcher(call string) Watch {
	d.mu.Lock()
	defer d.mu.Unlock()
	w := d.watched[call]
	if w.Step == nil {
		w.Step = func(Step) {}
	}
	return w
}
