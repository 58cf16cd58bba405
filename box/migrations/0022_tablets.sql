ALTER TABLE `staff_sessions` ADD `device_name` text;--> statement-breakpoint
ALTER TABLE `staff_sessions` ADD `public_key` blob;