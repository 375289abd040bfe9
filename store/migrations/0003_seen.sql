-- Who has not been heard of for long is forgotten. For those who are there already
-- that begins today; the people of the fixtures stay.

ALTER TABLE users ADD COLUMN seen_at INTEGER NOT NULL DEFAULT 0;

UPDATE users SET seen_at = max(created_at, coalesce((SELECT latest FROM progress), 0));
UPDATE users SET seen_at = 253402300799000 WHERE id LIKE 'u-%';

CREATE INDEX users_seen ON users (seen_at);
