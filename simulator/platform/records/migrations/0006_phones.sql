-- Telephones that may log in; body is the record as JSON, with a secret that stands for the
-- password.
CREATE TABLE phones (
  seq     INTEGER PRIMARY KEY,
  id      TEXT NOT NULL UNIQUE, -- the user that it logs in as
  account TEXT NOT NULL REFERENCES accounts (id),
  body    TEXT NOT NULL
) STRICT;
