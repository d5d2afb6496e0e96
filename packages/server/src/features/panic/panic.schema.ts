import { col, defineOrderedList, defineTable, type TableOf } from "#core/db/index.ts";
import { panicOrders } from "./panic.contract.ts";

export const panic = defineTable(
  "panic",
  {
    id: col.id(),
    version: col.int(),
    state: col.key(12),
    call_id: col.int(),
    citizen_id: col.int().orNull(),
    /** The job that the person was on duty in. */
    job: col.key(50),
    pressed_at: col.int(),
    last_pressed_at: col.int(),
    presses: col.int(),
    /** When a line about further presses was written last; 0 for none. */
    line_at: col.int().defaultsTo(0),
    x: col.double().orNull(),
    y: col.double().orNull(),
    postal: col.key(200).orNull(),
    /** When that place was known. */
    place_at: col.int().orNull(),
    /** Where the person was followed to, for those who answer; nothing once the panic has ended. */
    seen_x: col.double().orNull(),
    seen_y: col.double().orNull(),
    seen_postal: col.key(200).orNull(),
    seen_at: col.int().orNull(),
    place_until: col.int(),
    ended_at: col.int().orNull(),
    /** As it was called then. */
    ended_by: col.text(110).orNull(),
    ended_by_id: col.int().orNull(),
    note: col.text(255).orNull(),
  },
  {
    primary: ["id"],
    indexes: {
      panic_state: ["state", "id"],
      panic_call: ["call_id"],
      panic_person: ["citizen_id", "pressed_at"],
      panic_pressed: ["pressed_at"],
      panic_ended: ["ended_at"],
      panic_ended_by: ["ended_by_id"],
    },
  },
);

export const panicList = defineOrderedList(panic, panicOrders, { by: { pressedAt: "pressed_at" } });

/** One row a job that a panic alarms. */
export const panicAlarms = defineTable(
  "panic_alarms",
  {
    panic_id: col.int(),
    job: col.key(50),
    position: col.int(),
    state: col.key(12),
    /** When everybody on duty is alarmed next, what a timer compares itself with; 0 after the last time. */
    next_at: col.int(),
    repeats: col.int(),
    /** Alarmed everybody on duty from the start, because nobody on duty answered panics. */
    everybody: col.flag().defaultsTo(0),
    acknowledged_at: col.int().orNull(),
    acknowledged_by: col.text(110).orNull(),
    acknowledged_by_id: col.int().orNull(),
  },
  {
    primary: ["panic_id", "job"],
    indexes: { panic_alarms_job: ["job", "panic_id"], panic_alarms_by: ["acknowledged_by_id"] },
  },
);

/** One row a job that has changed its rules. */
export const panicRules = defineTable(
  "panic_rules",
  { job: col.key(50), to_job: col.key(50).orNull(), version: col.int(), updated_at: col.int() },
  { primary: ["job"], indexes: { panic_rules_to: ["to_job"] } },
);

export interface PanicTables {
  panic: TableOf<typeof panic>;
  panic_alarms: TableOf<typeof panicAlarms>;
  panic_rules: TableOf<typeof panicRules>;
}
