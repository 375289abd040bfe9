-- Times are Unix milliseconds in UTC. Bodies are the wire type as JSON; what
-- stands beside a body in a column is what is looked for, and what never goes on
-- the wire.

CREATE TABLE journeys (
    serial      INTEGER PRIMARY KEY,
    id          TEXT    NOT NULL UNIQUE,
    user_id     TEXT    NOT NULL,
    status      TEXT    NOT NULL,
    created_at  INTEGER NOT NULL,
    updated_at  INTEGER NOT NULL,
    asked_at    INTEGER NOT NULL,
    released_at INTEGER NOT NULL,
    arrived_at  INTEGER NOT NULL,
    contacts    INTEGER NOT NULL,
    revision    INTEGER NOT NULL,
    manual_hold INTEGER NOT NULL,
    category    TEXT    NOT NULL,
    vehicle_id  TEXT    NOT NULL,
    driver_id   TEXT    NOT NULL,
    fingerprint BLOB,
    plugin_data BLOB,
    leg         BLOB,
    body        BLOB    NOT NULL
) STRICT;

-- Both are partial: a booking enters the first when it is made and changes over
-- to the second when it ends.
CREATE INDEX journeys_live  ON journeys (serial)     WHERE status NOT IN ('COMPLETE', 'CANCELLED');
CREATE INDEX journeys_ended ON journeys (updated_at) WHERE status IN ('COMPLETE', 'CANCELLED');

-- A number belongs to one user, which is the rules' business: within one commit
-- it may change hands.
CREATE TABLE users (
    id         TEXT    PRIMARY KEY,
    phone      TEXT    NOT NULL,
    created_at INTEGER NOT NULL,
    body       BLOB    NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX users_phone ON users (phone);

CREATE TABLE replies (
    key    TEXT    PRIMARY KEY,
    hash   BLOB    NOT NULL,
    status INTEGER NOT NULL,
    at     INTEGER NOT NULL,
    body   BLOB    NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX replies_at ON replies (at);

CREATE TABLE meta (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- One row: the highest serial ever given and the newest update ever made, which
-- outlive the journeys they came from.
CREATE TABLE progress (
    one    INTEGER PRIMARY KEY CHECK (one = 1),
    serial INTEGER NOT NULL,
    latest INTEGER NOT NULL
) STRICT;
