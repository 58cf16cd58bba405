CREATE TABLE `shop_push` (
	`target` text NOT NULL,
	`box` text NOT NULL,
	`place` integer NOT NULL,
	PRIMARY KEY(`target`, `box`)
);
--> statement-breakpoint
CREATE TABLE `shop_push_waiting` (
	`target` text NOT NULL,
	`box` text NOT NULL,
	`place` integer NOT NULL,
	`hlc` text NOT NULL,
	`ticket` text,
	`step` text NOT NULL,
	`again` integer NOT NULL,
	`attempts` integer NOT NULL,
	`next_at` integer,
	`refusal` text,
	`tried_code` text,
	PRIMARY KEY(`target`, `box`, `place`)
);
--> statement-breakpoint
CREATE INDEX `shop_push_waiting_next` ON `shop_push_waiting` (`target`,`next_at`,`hlc`);--> statement-breakpoint
CREATE INDEX `shop_push_waiting_ticket` ON `shop_push_waiting` (`target`,`ticket`);--> statement-breakpoint
ALTER TABLE `flags` ADD `shop` text;