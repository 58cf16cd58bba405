CREATE TABLE "gatehouse"."sales_all" (
	"box" text NOT NULL,
	"history" bigint NOT NULL,
	"at_sequence" bigint NOT NULL,
	"at_index" integer NOT NULL,
	"deleted" boolean DEFAULT false NOT NULL,
	"extra" jsonb,
	"id" text NOT NULL,
	"home_box" text NOT NULL,
	"receipt" bigint,
	"tier" text,
	"tickets" jsonb,
	"paid" text,
	"price" bigint,
	"currency" text,
	"sold_by" text,
	"sold_at" timestamp with time zone,
	"voided_at" timestamp with time zone,
	"voided_by" text,
	"entry" bigint,
	CONSTRAINT "sales_all_box_history_id_home_box_pk" PRIMARY KEY("box","history","id","home_box")
);
--> statement-breakpoint
CREATE VIEW gatehouse.sales AS
  SELECT box, id, home_box, receipt, tier, tickets, paid, price, currency, sold_by, sold_at, voided_at, voided_by, entry, extra
  FROM gatehouse.sales_all JOIN gatehouse.current_histories USING (box, history) WHERE NOT deleted;
