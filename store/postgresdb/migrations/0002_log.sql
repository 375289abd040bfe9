-- A log beside the records, such as the last calls of the world. Only its writer reads the
-- bodies.

CREATE TABLE log (
    world text   COLLATE "C" NOT NULL,
    id    bigint NOT NULL,
    body  bytea  NOT NULL,
    PRIMARY KEY (world, id)
);

CREATE OR REPLACE FUNCTION remove_records(text, text) RETURNS void LANGUAGE sql AS $$
    DELETE FROM journeys WHERE world >= $1 AND world < $2;
    DELETE FROM users    WHERE world >= $1 AND world < $2;
    DELETE FROM replies  WHERE world >= $1 AND world < $2;
    DELETE FROM meta     WHERE world >= $1 AND world < $2;
    DELETE FROM log      WHERE world >= $1 AND world < $2;
    DELETE FROM progress WHERE world >= $1 AND world < $2;
$$;
