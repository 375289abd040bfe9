-- What accounts have set for the taxi plugin; body is the settings as JSON, with
-- their secrets.
CREATE TABLE taxi (
  seq     INTEGER PRIMARY KEY,
  id      TEXT NOT NULL UNIQUE, -- the account's
  account TEXT NOT NULL REFERENCES accounts (id),
  body    TEXT NOT NULL
) STRICT;
