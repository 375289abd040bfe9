package control

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"sync"

	"golang.org/x/time/rate"

	"github.com/cabrank/cabrank/dispatch/inbound"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/control/tokens"
	"github.com/cabrank/cabrank/simulator/fault"
	"github.com/cabrank/cabrank/simulator/worlds"
)

// New returns a server, and opens its main world unless another process runs that.
func New(ctx context.Context, o Options) (*Server, error) {
	if o.Open == nil || o.Now == nil {
		return nil, errors.New("control: Open and Now must be given")
	}
	s := &Server{options: o, log: o.Log, guesses: inbound.NewGuesses(), newer: rate.NewLimiter(10, 20)}
	s.calls.main, s.calls.sandbox = mainRouter, sandboxRouter
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	if o.Settings == nil {
		o.Settings = tokens.InMemory()
	}
	s.tokens = tokens.New(o.Settings, o.Now)
	s.making.all = make(map[*unmade]bool)
	var err error
	s.worlds, err = worlds.New(ctx, worlds.Options{
		Config: o.Config, Open: o.Open, Opened: s.furnish, Directory: o.Directory, Most: o.Sandboxes, Full: o.Full, Now: o.Now, Log: o.Log,
	})
	if err != nil {
		return nil, err
	}
	return s, nil
}

// furnish adds the metrics, faults, journal and other parts of this package to a world.
func (s *Server) furnish(w *worlds.World) {
	box := &sandbox{World: w, clock: make(chan struct{}, 1)}
	w.Beside = box
	box.metrics = s.newMetrics(box)
	w.Gate.Latest().Follow(box.changed)
	box.faults = s.newFaults(box)
	s.remember(box)
	box.handler = fault.Handler(box.faults, s.operations(box))
	if s.options.Journal != nil {
		box.journal = s.options.Journal(w.Name, w.Now, box.handler)
		box.handler = box.journal
		w.Gate.Latest().Follow(func(*simulator.World) { box.journal.StoreIn(w.Gate.Latest().Records()) })
		w.Ends = box.journal.Close
	}
	box.handler = box.metrics.Count(s.options.Now, box.handler)
}

// allRoutes returns the routes of all calls.
var allRoutes = sync.OnceValue(func() calls {
	return slices.Concat(
		calls{
			ReadOverview.row(), ReadClock.row(), SetClock.row(), AdvanceClock.row(), AdvanceJourney.row(), ResetWorld.row(),
			ReseedWorld.row(), Listen.row(), ReadDocument.row(), ReadTown.row(),
		}.tagged("World"),
		calls{
			ListSandboxes.row(), MakeSandbox.row(), ReadSandbox.row(), EndSandbox.row(), ListTokens.row(), AddToken.row(),
			RemoveToken.row(), ReadTargets.row(),
		}.tagged("Sandboxes"),
		calls{
			ListSnapshots.row(), ReadSnapshot.row(), TakeSnapshot.row(), DropSnapshot.row(), RestoreSnapshot.row(),
			DownloadSnapshot.row(),
		}.tagged("Snapshots"),
		calls{
			ListJourneys.row(), ReadJourney.row(), ReadJourneyRoute.row(), TransitionJourney.row(), HoldJourney.row(),
			ReleaseJourney.row(), ReassignJourney.row(), ScriptJourney.row(), ScriptNextJourney.row(), ForgetScripts.row(),
		}.tagged("Journeys").where(parameter{name: "id", means: "its id, or `latest` for the newest booking since the world began or was reset"}),
		calls{
			ListVehicles.row(), ReadVehicle.row(), PutVehicle.row(), PlaceVehicle.row(), BreakVehicleDown.row(),
		}.tagged("Fleet").where(parameter{name: "id", example: "car-1"}),
		calls{
			ListUsers.row(), ReadUser.row(), PutUser.row(), ForgetUser.row(), ReadSystem.row(), SetSystem.row(),
		}.tagged("People").where(parameter{name: "key", means: "the user's id or phone number", example: "442079460020"}),
		calls{
			ListScenarios.row(), ReadScenario.row(), StartScenario.row(), StartOwnScenario.row(), ListRuns.row(), ReadRun.row(),
			FinishRun.row(),
		}.tagged("Scenarios").where(parameter{name: "id", means: "its id, or `latest`"}),
		calls{
			ListFaults.row(), AddFault.row(), ClearFaults.row(), ReadFaultCatalogue.row(), ReadFault.row(), ChangeFault.row(),
			RemoveFault.row(), ListMagic.row(), DefineMagic.row(),
		}.tagged("Faults").where(parameter{name: "number", means: "900 to 999"}),
		journalCalls(),
	)
})

// The routers are created at the first request.
var (
	mainRouter    = sync.OnceValue(func() http.Handler { return newRouter(allRoutes()) })
	sandboxRouter = sync.OnceValue(func() http.Handler {
		return newRouter(slices.DeleteFunc(slices.Clone(allRoutes()), func(r *route) bool { return r.isMain }))
	})
)
