CREATE TABLE `products` (
	`key` text PRIMARY KEY NOT NULL,
	`product` text NOT NULL,
	`hlc` text NOT NULL,
	`box` text,
	`entry` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `products_entry` ON `products` (`entry`);--> statement-breakpoint
ALTER TABLE `staged_tickets` ADD `product` text;--> statement-breakpoint
ALTER TABLE `staged_tickets` ADD `order_code` text;--> statement-breakpoint
ALTER TABLE `staged_tickets` ADD `position` integer;--> statement-breakpoint
ALTER TABLE `staged_tickets` ADD `addon_to` integer;--> statement-breakpoint
ALTER TABLE `staged_tickets` ADD `price` text;--> statement-breakpoint
ALTER TABLE `staged_tickets` ADD `attention` integer;--> statement-breakpoint
ALTER TABLE `staged_tickets` ADD `personal` text;--> statement-breakpoint
ALTER TABLE `staged_tickets` ADD `extras` text;--> statement-breakpoint
ALTER TABLE `tickets` ADD `product` text;--> statement-breakpoint
ALTER TABLE `tickets` ADD `order_code` text;--> statement-breakpoint
ALTER TABLE `tickets` ADD `position` integer;--> statement-breakpoint
ALTER TABLE `tickets` ADD `addon_to` integer;--> statement-breakpoint
ALTER TABLE `tickets` ADD `price` text;--> statement-breakpoint
ALTER TABLE `tickets` ADD `attention` integer;--> statement-breakpoint
ALTER TABLE `tickets` ADD `personal` text;--> statement-breakpoint
ALTER TABLE `tickets` ADD `extras` text;--> statement-breakpoint
ALTER TABLE `tickets` ADD `forgotten_at` integer;--> statement-breakpoint
CREATE INDEX `tickets_order` ON `tickets` (`order_code`) WHERE order_code IS NOT NULL;