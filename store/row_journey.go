package store

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	jsonv2 "github.com/go-json-experiment/json"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/store/sqlitedb"
)

// journeyColumns are a journey's columns in the order of addJourney and
// scanJourney.
const journeyColumns = "serial, id, user_id, status, created_at, updated_at, asked_at, released_at, arrived_at, contacts, revision, " +
	"category, vehicle_id, driver_id, fingerprint, plugin_data, drive, body"

// addJourney appends the columns of a journey.
func addJourney(to []any, snap *Snapshot) ([]any, error) {
	j := snap.Journey
	drive, err := driveBytes(j.Drive)
	if err != nil {
		return to, err
	}
	var fingerprint []byte
	if j.Fingerprint != ([32]byte{}) {
		fingerprint = j.Fingerprint[:]
	}
	plugin := []byte(j.PluginData)
	if plugin != nil {
		plugin = sqlitedb.Sealed(plugin)
	}
	return append(to, int64(j.Serial), string(j.JourneyID), string(j.UserID), string(j.Status),
		j.CreatedAt.UnixMilli(), j.UpdatedAt.UnixMilli(), j.AskedAt.UnixMilli(), j.ReleasedAt.UnixMilli(), j.ArrivedAt.UnixMilli(),
		int64(j.Contacts), int64(j.Revision),
		j.Category, j.VehicleID, j.DriverID, fingerprint, plugin, drive, sqlitedb.Sealed(snap.JSON())), nil
}

// scanJourney decodes a journey's row. If the row is damaged, it returns a [Damage], and a snapshot
// of which only the serial may be used.
func scanJourney(row scanner) (*Snapshot, error) {
	j, body, err := scanColumns[[]byte](row)
	if j == nil {
		return nil, err
	}
	return &Snapshot{Journey: j, body: body}, err
}

// scanLive is [scanJourney] for many rows that stay in memory. To save half of the memory, it
// drops their bodies, which are encoded again when first needed. B is the driver's type for
// bytes that are valid until the next row.
func scanLive[B ~[]byte](row scanner) (*Snapshot, error) {
	j, _, err := scanColumns[B](row)
	if j == nil {
		return nil, err
	}
	j.PluginData = bytes.Clone(j.PluginData)
	return &Snapshot{Journey: j}, err
}

// scanColumns reads the columns of a row. The PluginData and the body are valid as long as a B
// of the driver is.
func scanColumns[B ~[]byte](row scanner) (*Journey, B, error) {
	j := &Journey{}
	var created, updated, asked, released, arrived int64
	var id, user, status, category, vehicle, driver, fingerprint, plugin, drive, body B
	err := row.Scan(&j.Serial, &id, &user, &status, &created, &updated, &asked, &released, &arrived,
		&j.Contacts, &j.Revision,
		&category, &vehicle, &driver, &fingerprint, &plugin, &drive, &body)
	if err != nil {
		return nil, nil, err
	}
	j.UserID, j.Category, j.VehicleID, j.DriverID = taxi.UserID(user), string(category), string(vehicle), string(driver)
	if body, err = sqlitedb.Unsealed(body); err == nil {
		err = jsonv2.Unmarshal(body, &j.Journey)
	}
	if err == nil {
		plugin, err = sqlitedb.Unsealed(plugin)
	}
	if err == nil {
		drive, err = sqlitedb.Unsealed(drive)
	}
	if err == nil {
		j.Drive, err = readDrive(drive)
	}
	if err == nil && (string(j.JourneyID) != string(id) || string(j.Status) != string(status)) {
		err = fmt.Errorf("its body is of journey %q, %s", j.JourneyID, j.Status)
	}
	if err != nil {
		return j, nil, &Damage{Table: "journeys", Key: string(id), Err: err}
	}
	j.CreatedAt, j.UpdatedAt, j.AskedAt = fromMilli(created), fromMilli(updated), fromMilli(asked)
	j.ReleasedAt, j.ArrivedAt = fromMilli(released), fromMilli(arrived)
	copy(j.Fingerprint[:], fingerprint)
	j.PluginData = json.RawMessage(plugin)
	return j, body, nil
}

// fromMilli converts a stored time; the zero time stays the zero time.
func fromMilli(ms int64) time.Time { return time.UnixMilli(ms).UTC() }

// storedDrive is the form in which a [Drive] is stored in its column.
type storedDrive struct {
	From    taxi.Point `json:"from"`
	To      taxi.Point `json:"to"`
	Departs int64      `json:"departs"`
	Arrives int64      `json:"arrives"`
	Stop    int        `json:"stop,omitempty"`
	Meter   Meter      `json:"meter,omitzero"`
}

func driveBytes(drive *Drive) ([]byte, error) {
	if drive == nil {
		return nil, nil
	}
	text, err := json.Marshal(storedDrive{drive.From, drive.To, drive.Departs.UnixMilli(), drive.Arrives.UnixMilli(), drive.Stop, drive.Meter})
	return sqlitedb.Sealed(text), err
}

func readDrive(b []byte) (*Drive, error) {
	if b == nil {
		return nil, nil
	}
	var l storedDrive
	if err := json.Unmarshal(b, &l); err != nil {
		return nil, fmt.Errorf("drive: %w", err)
	}
	return &Drive{
		From: l.From, To: l.To, Departs: fromMilli(l.Departs), Arrives: fromMilli(l.Arrives),
		Stop: l.Stop, Meter: l.Meter,
	}, nil
}
