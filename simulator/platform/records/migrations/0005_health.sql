-- One row that is written to see whether changes are kept.
CREATE TABLE health (
  id   INTEGER PRIMARY KEY CHECK (id = 1),
  seen INTEGER NOT NULL -- Unix nanoseconds
) STRICT;
