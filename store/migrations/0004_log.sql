-- A log beside the records, such as the last calls of the world. Only its writer
-- reads the bodies.

CREATE TABLE log (
    id   INTEGER PRIMARY KEY,
    body BLOB    NOT NULL
) STRICT;
