package platform

import (
	"context"
	"time"
)

// tidyEvery is how often what is too old is forgotten.
const tidyEvery = time.Hour

// tidyLater forgets deliveries and recordings that are too old, again and again
// until the platform is closed.
func (p *Platform) tidyLater() {
	p.tidying = p.opts.Work.AfterFunc(tidyEvery, func() {
		p.opts.Work.Go(func() {
			p.closing.Lock()
			defer p.closing.Unlock()
			if p.closed {
				return
			}
			p.tidy(context.Background())
			p.tidyLater()
		})
	})
}

func (p *Platform) tidy(ctx context.Context) {
	for more := true; more; {
		var err error
		if more, err = p.records.PruneDeliveries(ctx, p.now()); err != nil {
			p.log.WarnContext(ctx, "old deliveries are kept for now", "error", err)
			break
		}
	}
	if p.recordings == nil {
		return
	}
	if err := p.recordings.Prune(); err != nil {
		p.log.WarnContext(ctx, "old recordings are kept for now", "error", err)
	}
}
