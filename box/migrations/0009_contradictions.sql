CREATE TABLE `contradictions` (
	`box` text NOT NULL,
	`why` text NOT NULL,
	`size` integer NOT NULL,
	`note` text NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`box`, `why`)
);
