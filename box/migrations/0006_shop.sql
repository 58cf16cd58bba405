CREATE TABLE `shop_certificates` (
	`fingerprint` text PRIMARY KEY NOT NULL,
	`source` text NOT NULL,
	`issued_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`revoked_at` integer,
	`revoked_reason` text
);
--> statement-breakpoint
CREATE TABLE `shop_lookups` (
	`source` text NOT NULL,
	`tbl` text NOT NULL,
	`key` text NOT NULL,
	`row` integer NOT NULL,
	PRIMARY KEY(`source`, `tbl`, `key`, `row`)
);
--> statement-breakpoint
CREATE INDEX `shop_lookups_row` ON `shop_lookups` (`row`);--> statement-breakpoint
CREATE TABLE `shop_rows` (
	`id` integer PRIMARY KEY NOT NULL,
	`source` text NOT NULL,
	`tbl` text NOT NULL,
	`key` text NOT NULL,
	`image` text NOT NULL,
	`personal` text,
	`gone` integer DEFAULT 0 NOT NULL,
	`ticket` integer,
	`problem` text,
	`reason` text,
	`problem_at` integer,
	`load` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `shop_rows_key` ON `shop_rows` (`source`,`tbl`,`key`);--> statement-breakpoint
CREATE INDEX `shop_rows_ticket` ON `shop_rows` (`ticket`) WHERE ticket IS NOT NULL;--> statement-breakpoint
CREATE INDEX `shop_rows_problem` ON `shop_rows` (`problem`) WHERE problem IS NOT NULL;--> statement-breakpoint
CREATE TABLE `shop_sources` (
	`source` text PRIMARY KEY NOT NULL,
	`commit_lsn` text,
	`event_index` integer,
	`committed_at` real,
	`applied_at` integer,
	`lag_ms` integer,
	`events` integer DEFAULT 0 NOT NULL,
	`added` integer DEFAULT 0 NOT NULL,
	`changed` integer DEFAULT 0 NOT NULL,
	`load` integer DEFAULT 0 NOT NULL,
	`loading_at` integer,
	`mapping` text
);
