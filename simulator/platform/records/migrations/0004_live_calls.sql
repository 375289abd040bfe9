-- Calls that are up and that somebody has to hear the end of. Those that are here when
-- the platform starts were up when it was killed; body is what is known of a call from
-- its beginning on, as JSON.
CREATE TABLE live_calls (
  id      TEXT PRIMARY KEY,
  account TEXT NOT NULL,
  body    TEXT NOT NULL
) STRICT, WITHOUT ROWID;
