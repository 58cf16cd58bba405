CREATE TABLE `staged_imports` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`pid` integer NOT NULL,
	`entry` integer,
	`last_id` integer,
	`done` blob
);
--> statement-breakpoint
CREATE TABLE `staged_names` (
	`first` blob PRIMARY KEY NOT NULL,
	`names` blob NOT NULL
);
--> statement-breakpoint
CREATE TABLE `staged_tickets` (
	`key` integer PRIMARY KEY NOT NULL,
	`ticket` integer,
	`tier` text NOT NULL,
	`seat` text,
	`holder_name` text,
	`email` text,
	`valid_from` integer,
	`valid_until` integer,
	`status` text NOT NULL,
	`status_detail` text,
	`ref` text,
	`shared_ref` text,
	`capability` text,
	`code` text,
	`code_hash` blob,
	`key_hash` blob,
	`seed` blob,
	`public_key` blob
);
