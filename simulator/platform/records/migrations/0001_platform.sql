-- Who is here: organisations, their users, their accounts and numbers.
CREATE TABLE organisations (
  seq  INTEGER PRIMARY KEY,
  id   TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL
) STRICT;

CREATE TABLE users (
  seq          INTEGER PRIMARY KEY,
  id           TEXT NOT NULL UNIQUE,
  organisation TEXT NOT NULL REFERENCES organisations (id),
  username     TEXT NOT NULL UNIQUE COLLATE NOCASE,
  password     TEXT NOT NULL, -- argon2id, PHC form
  roles        TEXT NOT NULL  -- JSON array
) STRICT;

CREATE TABLE accounts (
  seq          INTEGER PRIMARY KEY,
  id           TEXT NOT NULL UNIQUE,
  organisation TEXT NOT NULL REFERENCES organisations (id),
  name         TEXT NOT NULL,
  mbn          TEXT NOT NULL,
  domain       TEXT NOT NULL,
  client       TEXT NOT NULL, -- SHA-256 of the client id, in hexadecimal
  country      TEXT NOT NULL, -- two letters: how national numbers are read
  address      TEXT NOT NULL  -- JSON
) STRICT;

CREATE TABLE ddis (
  seq     INTEGER PRIMARY KEY,
  id      TEXT NOT NULL UNIQUE,
  account TEXT NOT NULL REFERENCES accounts (id),
  name    TEXT NOT NULL UNIQUE -- the number, digits
) STRICT;

-- What an account sets up; body is the record as JSON.
CREATE TABLE trunks (
  seq     INTEGER PRIMARY KEY,
  id      TEXT NOT NULL UNIQUE,
  account TEXT NOT NULL REFERENCES accounts (id),
  body    TEXT NOT NULL
) STRICT;

CREATE TABLE hooks (
  seq     INTEGER PRIMARY KEY,
  id      TEXT NOT NULL UNIQUE,
  account TEXT NOT NULL REFERENCES accounts (id),
  body    TEXT NOT NULL -- with its secrets
) STRICT;

CREATE TABLE devices (
  seq     INTEGER PRIMARY KEY,
  id      TEXT NOT NULL UNIQUE,
  account TEXT NOT NULL REFERENCES accounts (id),
  body    TEXT NOT NULL
) STRICT;

-- Keys that sign tokens.
CREATE TABLE keys (
  id   TEXT PRIMARY KEY,
  made INTEGER NOT NULL, -- Unix nanoseconds
  der  BLOB NOT NULL     -- PKCS #8
) STRICT;

-- Calls that were asked for with an Idempotency-Key.
CREATE TABLE repeats (
  account TEXT NOT NULL,
  key     TEXT NOT NULL,
  hash    TEXT NOT NULL,    -- SHA-256 of the request body
  call    TEXT NOT NULL,    -- what it made
  made    INTEGER NOT NULL, -- Unix seconds
  PRIMARY KEY (account, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX repeats_by_age ON repeats (made);

-- Events on their way to a hook, and those that arrived or never will.
CREATE TABLE deliveries (
  seq      INTEGER PRIMARY KEY,
  id       TEXT NOT NULL UNIQUE, -- webhook-id
  hook     TEXT NOT NULL,
  account  TEXT NOT NULL,
  call     TEXT NOT NULL,
  type     TEXT NOT NULL,
  body     TEXT NOT NULL,
  state    TEXT NOT NULL,    -- pending, delivered, dead
  attempts INTEGER NOT NULL,
  made     INTEGER NOT NULL, -- Unix nanoseconds
  due      INTEGER NOT NULL, -- of the next attempt
  status   INTEGER NOT NULL, -- HTTP status of the last attempt; 0: none
  error    TEXT NOT NULL
) STRICT;
CREATE INDEX deliveries_by_state ON deliveries (state, seq);
