-- A car's drive is a drive: a leg is one side of a phone call. A booking could be
-- marked as held by hand, and nothing ever marked one.

ALTER TABLE journeys RENAME COLUMN leg TO drive;
ALTER TABLE journeys DROP COLUMN manual_hold;
