CREATE TABLE `paper_queue` (
	`id` text PRIMARY KEY NOT NULL,
	`sheet` text NOT NULL,
	`checkpoint` text NOT NULL,
	`from_at` integer NOT NULL,
	`until_at` integer NOT NULL,
	`tickets` text NOT NULL,
	`entry` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `sales` (
	`id` text NOT NULL,
	`home_box` text NOT NULL,
	`receipt` integer NOT NULL,
	`tier` text NOT NULL,
	`tickets` text NOT NULL,
	`paid` text NOT NULL,
	`price` integer NOT NULL,
	`currency` text NOT NULL,
	`sold_by` text NOT NULL,
	`sold_at` integer NOT NULL,
	`override_reason` text,
	`voided_at` integer,
	`voided_by` text,
	`void_reason` text,
	`entry` integer NOT NULL,
	PRIMARY KEY(`id`, `home_box`)
);
--> statement-breakpoint
CREATE INDEX `sales_sold` ON `sales` (`sold_at`);