import { col, defineTable, migration } from "./kit.ts";

const callsArrivals = defineTable(
  "calls_arrivals",
  { id: col.id(), origin_key: col.key(64), at: col.int() },
  { primary: ["id"], indexes: { calls_arrivals_origin: ["origin_key", "at"], calls_arrivals_at: ["at"] } },
);

const callsStorms = defineTable(
  "calls_storms",
  {
    id: col.id(),
    state: col.key(12),
    storm_key: col.key(64),
    source: col.text(64).orNull(),
    citizen_id: col.int().orNull(),
    began_at: col.int(),
    last_at: col.int(),
    above_at: col.int(),
    touch_at: col.int(),
    alerts: col.int(),
    alerts_left: col.int(),
    places: col.int(),
    ended_at: col.int().orNull(),
    ended_by: col.text(110).orNull(),
    ended_by_id: col.int().orNull(),
    ended_text: col.text(255).orNull(),
  },
  {
    primary: ["id"],
    indexes: {
      calls_storms_key: ["storm_key", "state", "above_at"],
      calls_storms_ended: ["ended_at"],
      calls_storms_ended_by: ["ended_by_id"],
      calls_storms_citizen: ["citizen_id"],
    },
  },
);

const callsStormsJobs = defineTable(
  "calls_storms_jobs",
  { storm_id: col.int(), job: col.key(50), position: col.int() },
  { primary: ["storm_id", "job"], indexes: { calls_storms_jobs_job: ["job", "storm_id"] } },
);

const callsStormsPlaces = defineTable(
  "calls_storms_places",
  {
    storm_id: col.int(),
    place: col.key(220),
    postal: col.key(200).orNull(),
    x: col.double().orNull(),
    y: col.double().orNull(),
    alerts: col.int(),
    alerts_left: col.int(),
  },
  { primary: ["storm_id", "place"] },
);

const callsStormsAlerts = defineTable(
  "calls_storms_alerts",
  {
    id: col.id(),
    storm_id: col.int(),
    place: col.key(220),
    call_id: col.int().orNull(),
    at: col.int(),
    type_id: col.int().orNull(),
    message: col.text(1000),
    priority: col.int(),
    x: col.double().orNull(),
    y: col.double().orNull(),
    caller: col.key(8).orNull(),
    citizen_id: col.int().orNull(),
    phone: col.text(32).orNull(),
    answers: col.longText(),
  },
  {
    primary: ["id"],
    indexes: {
      calls_storms_alerts_storm: ["storm_id", "id"],
      calls_storms_alerts_place: ["storm_id", "place", "id"],
      calls_storms_alerts_citizen: ["citizen_id", "at"],
    },
  },
);

export default migration(async (steps) => {
  await steps.createTable(callsArrivals);
  await steps.createTable(callsStorms);
  await steps.createTable(callsStormsJobs);
  await steps.createTable(callsStormsPlaces);
  await steps.createTable(callsStormsAlerts);
});
