-- A replica has one lease, for all its worlds: a world belongs to its owner while the owner has
-- a row that is not over. So what a replica renews is one row, however many worlds it has.

-- A term is the time from the beginning of a lease until another replica ends it, which one that
-- is over allows. It is never used twice. As it is unique, an UPDATE of it waits for those who
-- hold the row FOR KEY SHARE; a renewal changes the time only, and does not wait.
ALTER TABLE replicas ADD COLUMN term bigint NOT NULL UNIQUE DEFAULT nextval('epochs');

-- Replicas of the schema before had a lease for each world, which cannot last longer than this.
UPDATE replicas SET until = greatest(until, now() + interval '3 seconds');
ALTER TABLE worlds DROP COLUMN until;

ALTER TABLE worlds ALTER COLUMN owner TYPE text COLLATE "C";
CREATE INDEX worlds_owner ON worlds (owner);

-- beat(replica, address, length, worlds) renews a lease, or begins one, and returns its term. If
-- that is another than before, the lease was ended meanwhile, and others may have taken worlds.
-- Leases that ended long ago are forgotten.
CREATE FUNCTION beat(text, text, interval, integer) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    current bigint;
BEGIN
    DELETE FROM replicas WHERE id IN
        (SELECT id FROM replicas WHERE id <> $1 AND until < now() - interval '1 minute' FOR UPDATE SKIP LOCKED);
    UPDATE replicas SET address = $2, until = now() + $3, worlds = $4 WHERE id = $1 RETURNING term INTO current;
    IF NOT FOUND THEN
        INSERT INTO replicas (id, address, until, worlds) VALUES ($1, $2, now() + $3, $4)
            ON CONFLICT (id) DO UPDATE SET address = excluded.address, until = excluded.until, worlds = excluded.worlds RETURNING term INTO current;
    END IF;
    RETURN current;
END $$;

-- hold(replica, term) fails with ZC003 if the lease of the replica has another term. Otherwise
-- nobody can end it before the transaction ends.
CREATE FUNCTION hold(text, bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM replicas WHERE id = $1 AND term = $2 FOR KEY SHARE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'the lease of the replica % is over', $1 USING ERRCODE = 'ZC003';
    END IF;
END $$;

-- take_world(world, replica, address, term) gives a world to a replica, and returns false if
-- another one has it, or there is no such world. It waits for commits of the world that are
-- under way. Whoever takes a world from a replica ends the lease of that one first, also if
-- there is no row of it any more: it may come back and renew.
CREATE FUNCTION take_world(text, text, text, bigint) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    holder text;
BEGIN
    PERFORM FROM worlds, replicas WHERE name = $1 AND id = owner AND id <> $2 AND until > now();
    IF FOUND THEN -- before the lock, which would delay the commits of that one
        RETURN false;
    END IF;
    SELECT owner INTO holder FROM worlds WHERE name = $1 FOR UPDATE;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    IF holder NOT IN ('', $2) THEN
        INSERT INTO replicas (id, address, until, worlds) VALUES (holder, '', now(), 0)
            ON CONFLICT (id) DO UPDATE SET term = nextval('epochs') WHERE replicas.until <= now();
        IF NOT FOUND THEN -- it was renewed meanwhile
            RETURN false;
        END IF;
    END IF;
    PERFORM hold($2, $4);
    UPDATE worlds SET epoch = nextval('epochs'), owner = $2, address = $3 WHERE name = $1;
    RETURN true;
END $$;
