-- Rows in the order in which they are written, found by small indexes. Before, each scan changed a page of `movements` in the place of
-- its ticket, among rows of 150 bytes, and the index of `scans` had its ids as text: 36 bytes in the place of 16.
CREATE TABLE `__new_movements` (
	`ticket` integer NOT NULL,
	`slot` text NOT NULL,
	`surplus` integer NOT NULL,
	`direction` text NOT NULL,
	`checkpoint` text NOT NULL,
	`from_zone` text,
	`to_zone` text,
	`occurrence` integer NOT NULL,
	`at` integer NOT NULL,
	`hlc` text NOT NULL,
	`scan_id` text NOT NULL,
	`provisional` integer NOT NULL,
	`entry` integer NOT NULL,
	PRIMARY KEY(`ticket`, `slot`, `surplus`)
);
--> statement-breakpoint
INSERT INTO `__new_movements` SELECT * FROM `movements` ORDER BY `entry`, `ticket`, `slot`, `surplus`;--> statement-breakpoint
DROP TABLE `movements`;--> statement-breakpoint
ALTER TABLE `__new_movements` RENAME TO `movements`;--> statement-breakpoint
CREATE TABLE `__new_scans` (
	`scan_id` blob PRIMARY KEY NOT NULL,
	`digest` blob NOT NULL,
	`passed` integer NOT NULL,
	`response` text NOT NULL,
	`entry` integer NOT NULL
);
--> statement-breakpoint
INSERT INTO `__new_scans` SELECT CASE WHEN `scan_id` GLOB '[0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f]-[0-9a-f][0-9a-f][0-9a-f][0-9a-f]-[0-9a-f][0-9a-f][0-9a-f][0-9a-f]-[0-9a-f][0-9a-f][0-9a-f][0-9a-f]-[0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f]' THEN unhex(replace(`scan_id`, '-', '')) ELSE `scan_id` END, `digest`, `passed`, `response`, `entry` FROM `scans` ORDER BY `rowid`;--> statement-breakpoint
DROP TABLE `scans`;--> statement-breakpoint
ALTER TABLE `__new_scans` RENAME TO `scans`;
