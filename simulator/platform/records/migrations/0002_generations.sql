-- Counts a user's passwords: tokens that were given before the newest one are good
-- no more.
ALTER TABLE users ADD COLUMN generation INTEGER NOT NULL DEFAULT 0;
