-- Which process runs which world, and the records of all worlds. Times of records are Unix
-- milliseconds in UTC. Texts that clients choose are bytea, byte by byte as they were sent,
-- which text would not store in every case: convert_from(id, 'UTF8') shows them.

-- An epoch is never used twice, even if a world is removed and created again.
CREATE SEQUENCE epochs;

-- A world belongs to its owner until a time by this server's clock. The facts are JSON. As the
-- epoch is unique, an UPDATE of it waits for those who hold the row FOR KEY SHARE, which are
-- the commits of records; a renewal changes the time only, and does not wait.
CREATE TABLE worlds (
    name    text        COLLATE "C" PRIMARY KEY,
    epoch   bigint      NOT NULL UNIQUE,
    owner   text        NOT NULL,
    address text        NOT NULL,
    until   timestamptz NOT NULL,
    facts   text        NOT NULL
) WITH (fillfactor = 50);

CREATE TABLE replicas (
    id      text        COLLATE "C" PRIMARY KEY,
    address text        NOT NULL,
    until   timestamptz NOT NULL,
    worlds  integer     NOT NULL
) WITH (fillfactor = 50);

CREATE TABLE settings (
    key   text COLLATE "C" PRIMARY KEY,
    value text NOT NULL
);

-- The records are those of store/migrations, each with its world. A world "ann@before" is a
-- copy of the records of "ann" and belongs to it: it has no row in worlds.

CREATE TABLE journeys (
    world       text   COLLATE "C" NOT NULL,
    serial      bigint NOT NULL,
    id          bytea  NOT NULL,
    user_id     bytea  NOT NULL,
    status      text   NOT NULL,
    created_at  bigint NOT NULL,
    updated_at  bigint NOT NULL,
    asked_at    bigint NOT NULL,
    released_at bigint NOT NULL,
    arrived_at  bigint NOT NULL,
    contacts    bigint NOT NULL,
    revision    bigint NOT NULL,
    category    bytea  NOT NULL,
    vehicle_id  bytea  NOT NULL,
    driver_id   bytea  NOT NULL,
    fingerprint bytea,
    plugin_data bytea,
    drive       bytea,
    body        bytea  NOT NULL,
    PRIMARY KEY (world, id)
);

CREATE UNIQUE INDEX journeys_serial ON journeys (world, serial);
CREATE INDEX journeys_live  ON journeys (world, serial)     WHERE status NOT IN ('COMPLETE', 'CANCELLED');
CREATE INDEX journeys_ended ON journeys (world, updated_at) WHERE status IN ('COMPLETE', 'CANCELLED');

CREATE TABLE users (
    world      text   COLLATE "C" NOT NULL,
    id         bytea  NOT NULL,
    phone      bytea  NOT NULL,
    created_at bigint NOT NULL,
    seen_at    bigint NOT NULL,
    body       bytea  NOT NULL,
    PRIMARY KEY (world, id)
);

CREATE INDEX users_phone ON users (world, phone);
CREATE INDEX users_seen  ON users (world, seen_at);

CREATE TABLE replies (
    world  text   COLLATE "C" NOT NULL,
    key    bytea  NOT NULL,
    hash   bytea  NOT NULL,
    status bigint NOT NULL,
    at     bigint NOT NULL,
    body   bytea  NOT NULL,
    PRIMARY KEY (world, key)
);

CREATE INDEX replies_at ON replies (world, at);

CREATE TABLE meta (
    world text  COLLATE "C" NOT NULL,
    key   text  COLLATE "C" NOT NULL,
    value bytea NOT NULL,
    PRIMARY KEY (world, key)
);

-- The highest serial ever used and the newest update ever made, and the commit that wrote them:
-- its epoch, and its number among those of one process.
CREATE TABLE progress (
    world  text   COLLATE "C" PRIMARY KEY,
    epoch  bigint NOT NULL,
    number bigint NOT NULL,
    serial bigint NOT NULL,
    latest bigint NOT NULL
) WITH (fillfactor = 50);

-- fence(world, epoch) fails with ZC001 if the world, or the one it is a copy of, has another
-- epoch. Otherwise the world cannot be taken or removed before the transaction ends.
CREATE FUNCTION fence(text, bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM worlds WHERE name = split_part($1, '@', 1) AND epoch = $2 FOR KEY SHARE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'the world "%" does not have epoch %', $1, $2 USING ERRCODE = 'ZC001';
    END IF;
END $$;

-- begin_commit(world, epoch, number, serial, latest) is a fence that makes the commits of a
-- world take turns. It fails with ZC002 after a later commit: a request whose client gave up
-- may arrive after the client's next one, and must not undo it.
CREATE FUNCTION begin_commit(text, bigint, bigint, bigint, bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM fence($1, $2);
    INSERT INTO progress AS p (world, epoch, number, serial, latest) VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (world) DO UPDATE
        SET epoch = excluded.epoch, number = excluded.number, serial = excluded.serial, latest = excluded.latest
        WHERE (p.epoch, p.number) < (excluded.epoch, excluded.number);
    IF NOT FOUND THEN
        RAISE EXCEPTION 'a later commit of the world "%" was made before', $1 USING ERRCODE = 'ZC002';
    END IF;
END $$;

-- remove_records(from, to) deletes the records of the worlds from one name up to another,
-- without that one.
CREATE FUNCTION remove_records(text, text) RETURNS void LANGUAGE sql AS $$
    DELETE FROM journeys WHERE world >= $1 AND world < $2;
    DELETE FROM users    WHERE world >= $1 AND world < $2;
    DELETE FROM replies  WHERE world >= $1 AND world < $2;
    DELETE FROM meta     WHERE world >= $1 AND world < $2;
    DELETE FROM progress WHERE world >= $1 AND world < $2;
$$;

-- remove_world(world, epoch) deletes a world, its records and their copies. It fails with ZC001
-- if the world has another epoch, and does nothing if there is no such world.
CREATE FUNCTION remove_world(text, bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM worlds WHERE name = $1 AND epoch = $2;
    IF FOUND THEN
        PERFORM remove_records($1, $1 || chr(1));
        PERFORM remove_records($1 || '@', $1 || 'A'); -- the letter after @
    ELSIF EXISTS (SELECT FROM worlds WHERE name = $1) THEN
        RAISE EXCEPTION 'the world "%" does not have epoch %', $1, $2 USING ERRCODE = 'ZC001';
    END IF;
END $$;
