import { bulkInsert } from "../../packages/server/src/core/db/index.ts";
import type { NewRow, Table } from "../../packages/server/src/core/db/table.ts";
import type { Database } from "../../packages/server/src/core/ports/index.ts";
import { addDays, type Zone } from "../../packages/server/src/core/zone.ts";
import { absences } from "../../packages/server/src/features/absences/absences.schema.ts";
import { nameKey } from "../../packages/server/src/features/citizens/citizens.record.policy.ts";
import { citizens, citizensJobs } from "../../packages/server/src/features/citizens/citizens.schema.ts";
import { rankKey } from "../../packages/server/src/features/colleagues/colleagues.follow.policy.ts";
import {
  colleagues,
  colleaguesActivities,
  colleaguesGiven,
  colleaguesLabels,
} from "../../packages/server/src/features/colleagues/colleagues.schema.ts";
import { conductEntries, conductKinds } from "../../packages/server/src/features/conduct/conduct.schema.ts";
import { dutyPeople, dutyPeriods, dutySilences, dutySources } from "../../packages/server/src/features/duty/duty.schema.ts";
import { jobgroups, jobgroupsMembers } from "../../packages/server/src/features/jobgroups/jobgroups.schema.ts";
import {
  timeclockDays,
  timeclockEntries,
  timeclockLater,
  timeclockPeriods,
  timeclockRules,
  timeclockSums,
} from "../../packages/server/src/features/timeclock/timeclock.schema.ts";
import { rebuildSums } from "../../packages/server/src/features/timeclock/timeclock.sums.repo.ts";

const minute = 60_000;
const hour = 60 * minute;
const dayMs = 24 * hour;

/** A job with people and all that they leave behind. */
export interface JobOrder {
  readonly job: string;
  /** Its people have the ids behind this one. */
  readonly firstId: number;
  readonly people: number;
  /** Of each person within a year. */
  readonly entriesEach: number;
  readonly now: number;
  readonly zone: Zone;
}

/** Spread without a pattern, and the same in each run. */
const spread = (id: number, below: number) => ((id * 2_654_435_761) % 1_000_003) % below;

const range = (count: number) => Array.from({ length: count }, (_none, i) => i);

async function insert<T extends Table>(db: Database, table: T, rows: readonly NewRow<T>[]): Promise<void> {
  for (let at = 0; at < rows.length; at += 20_000)
    await db.write("bench.fill", async (tx) => void (await bulkInsert(tx, table, rows.slice(at, at + 20_000))));
}

const gradeOf = (id: number) => id % 10;
const nameOf = (id: number) => ({ first: `Mara ${spread(id, 997)}`, last: `Lind ${spread(id + 7, 9973)}` });

async function fillPeople(db: Database, { job, firstId, people, now }: JobOrder): Promise<void> {
  const ids = range(people).map((i) => firstId + i);
  const keyOf = (id: number) => nameKey(nameOf(id).first, nameOf(id).last);
  const blank = { date_of_birth: null, sex: null, height: null, phone_number: null, visum: null, playtime: null };
  const sync = {
    sync_hash: "",
    search_hash: "",
    source: "bench",
    version: 1,
    created_at: now,
    updated_at: now,
    deleted_at: null,
  };
  await insert(
    db,
    citizens,
    ids.map((id) => {
      const { first, last } = nameOf(id);
      const named = { first_name: first, last_name: last, name_key: keyOf(id) };
      return {
        id,
        identifier: `char1:bench-${id}`,
        licence: `bench-${id}`,
        ...named,
        job,
        grade: gradeOf(id),
        ...blank,
        ...sync,
      };
    }),
  );
  await insert(
    db,
    citizensJobs,
    ids.map((id) => ({ citizen_id: id, job, grade: gradeOf(id), is_primary: 1 as const, off_duty: 0 as const })),
  );
  await insert(
    db,
    colleagues,
    ids.map((id) => ({
      ...{ id, citizen_id: id, job, grade: gradeOf(id), name_key: keyOf(id), rank_key: rankKey(gradeOf(id), keyOf(id)) },
      ...{ since: now - spread(id, 700) * dayMs, left_at: null, note: null, name_prefix: null, name_suffix: null, version: 1 },
    })),
  );
  const labels = range(20).map((i) => firstId + i);
  await insert(
    db,
    colleaguesLabels,
    labels.map((id, i) => ({
      ...{ id, job, name: `Label ${i}`, name_key: `label ${i}`, deleted_marker: 0, colour: "#2563eb", icon: null },
      ...{ position: i, version: 1, deleted_at: null, deleted_by: null },
    })),
  );
  await insert(
    db,
    colleaguesGiven,
    ids.map((id) => ({
      colleague_id: id,
      label_id: labels[spread(id, labels.length)]!,
      ends_at: spread(id, 5) === 0 ? now + spread(id + 3, 30) * dayMs : null,
    })),
  );
  const change = JSON.stringify({ v: 1, before: { grade: 1 }, after: { grade: 2 } });
  await insert(
    db,
    colleaguesActivities,
    range(people * 10).map((i) => {
      const id = firstId + (i % people);
      const kind = ["hired", "promoted", "demoted", "left"][spread(i, 4)]!;
      const by = { actor_id: null, actor_name: null, reason: "What it says", change, game_key: null };
      return {
        job,
        citizen_id: id,
        grade: gradeOf(id),
        kind,
        at: now - 360 * dayMs + Math.floor((i * 359 * dayMs) / (people * 10)),
        ...by,
      };
    }),
  );
}

async function fillGroups(db: Database, { job, firstId, people }: JobOrder): Promise<void> {
  const groups = range(20).map((i) => firstId + i);
  const state = {
    icon: null,
    description: "What it is for",
    membership: "hand" as const,
    version: 1,
    deleted_at: null,
    deleted_by: null,
  };
  await insert(
    db,
    jobgroups,
    groups.map((id, i) => ({
      ...{ id, job, name: `Group ${i}`, name_key: `group ${i}`, deleted_marker: 0, short: `G${i}`, colour: "#2563eb" },
      ...{ position: i, ...state },
    })),
  );
  // Everybody is in the first one, and in one of the others.
  await insert(
    db,
    jobgroupsMembers,
    range(people).flatMap((i) =>
      [groups[0]!, groups[1 + (i % 19)]!].map((group) => {
        const id = firstId + i;
        return { group_id: group, citizen_id: id, job, name_key: nameKey(nameOf(id).first, nameOf(id).last) };
      }),
    ),
  );
}

async function fillAway(db: Database, { job, firstId, people, now, zone }: JobOrder): Promise<void> {
  const today = zone.dayOf(now);
  const decided = { requested_by: null, decided_by: null, decided_at: null, decision_reason: null, version: 1 };
  await insert(
    db,
    absences,
    range(people * 4).map((i) => {
      const first = addDays(today, spread(i, 400) - 340);
      const last = addDays(first, spread(i + 3, 14));
      const days = { first_day: first, last_day: last, from_at: zone.startOf(first), until_at: zone.endOf(last) };
      const state = ["approved", "approved", "approved", "declined", "cancelled"][i % 5]!;
      const more = { kind_id: null, reason: "On a journey", substitute_id: null, state, created_at: days.from_at - dayMs };
      return { job, citizen_id: firstId + (i % people), ...days, ...more, ...decided };
    }),
  );
}

async function fillConduct(db: Database, { job, firstId, people, now }: JobOrder): Promise<void> {
  const state = { acknowledge: 0 as const, position: 0, version: 1, deleted_at: null, deleted_by: null };
  const named = { name: "Warning", name_key: "warning", deleted_marker: 0, colour: "#2563eb", tone: "negative" };
  await insert(db, conductKinds, [{ id: firstId, job, ...named, points: 2, expires_after: 90, ...state }]);
  const nothing = {
    ...{ withdrawn_at: null, withdrawn_by: null, withdrawn_reason: null, acknowledged_at: null, replied_at: null, reply: null },
    ...{ left_at: null, deleted_at: null, deleted_by: null },
  };
  await insert(
    db,
    conductEntries,
    range(people * 4).map((i) => {
      const id = firstId + (i % people);
      const at = now - 360 * dayMs + Math.floor((i * 359 * dayMs) / (people * 4));
      const times = { created_at: at, updated_at: at, released_at: at, expires_on: null, expires_at: null, over_at: null };
      const kind = { kind_id: firstId, tone: "negative", points: 2, wants_ack: 0 as const };
      const about = {
        job,
        citizen_id: id,
        citizen_grade: gradeOf(id),
        author_id: firstId + spread(i, people),
        body: "What happened. ".repeat(10),
      };
      return { ...about, ...kind, state: "released", version: 1, ...times, ...nothing };
    }),
  );
}

async function fillDuty(db: Database, { job, firstId, people, now }: JobOrder): Promise<void> {
  const source = `bench-${job}`;
  const boots = { boot: "b", boot_count: 1, boot_since: null, boot_from: now - 300 * dayMs, earlier_boots: "[]" };
  await insert(db, dutySources, [{ source, sends_events: 1, ...boots, last_call_at: now, silent_from: null, behind_ms: 0 }]);
  await insert(
    db,
    dutySilences,
    range(365).map((i) => ({ source, from_at: now - (i + 1) * dayMs, to_at: now - (i + 1) * dayMs + (i % 7) * 10 * minute })),
  );
  await insert(
    db,
    dutyPeriods,
    range(people).map((i) => ({
      ...{ citizen_id: firstId + i, job, grade: gradeOf(firstId + i), from_at: now - dayMs, to_at: now - 20 * hour },
      ...{ started_by: "game", ending: "off", estimated: 0 as const, source, proposed: 0 as const },
    })),
  );
  await insert(
    db,
    dutyPeople,
    range(Math.min(300, people)).map((i) => ({
      ...{ citizen_id: firstId + i, licence: `bench-${firstId + i}`, job, grade: 1, start_grade: 1, since: now - hour },
      ...{ started_by: "hand", source: null, boot_count: 0, seen_at: now, missing_at: null, unnamed_since: null },
      ...{ ended_at: now - 2 * hour, applied_at: now, version: 1 },
    })),
  );
}

/** Each person works once on a day, so that the sum of the day is the entry. */
async function fillTimes(db: Database, { job, firstId, people, entriesEach, now, zone }: JobOrder): Promise<void> {
  const today = zone.dayOf(now);
  const days = range(365).map((i) => addDays(today, i - 365));
  const starts = days.map((day) => zone.startOf(day));
  for (let from = 0; from < people; from += 200) {
    const worked = range(Math.min(200, people - from)).flatMap((i) => {
      const id = firstId + from + i;
      return range(entriesEach).map((n) => {
        const at = Math.floor(((n + (id % 10) / 10) * 365) / entriesEach);
        const seed = id * 400 + n;
        const fromAt = starts[at]! + spread(seed, 18 * 60) * minute;
        return {
          id,
          period: -seed,
          day: days[at]!,
          dayAt: starts[at]!,
          fromAt,
          toAt: fromAt + (30 + spread(seed + 5, 240)) * minute,
        };
      });
    });
    await insert(
      db,
      timeclockEntries,
      worked.map(({ id, period, fromAt, toAt }) => ({
        ...{ period_id: period, citizen_id: id, job, grade: gradeOf(id), from_at: fromAt, to_at: toAt, started_by: "game" },
        ...{ ending: "off", estimated: 0 as const, state: "counted", version: 1, created_at: toAt },
      })),
    );
    await insert(
      db,
      timeclockDays,
      worked.map(({ id, day, dayAt, fromAt, toAt }) => ({
        citizen_id: id,
        job,
        day,
        day_at: dayAt,
        seconds: (toAt - fromAt) / 1000,
      })),
    );
  }
}

/** What the timeclock writes with each day. */
async function fillSums(db: Database, { job, firstId, people }: JobOrder): Promise<void> {
  for (let from = 0; from < people; from += 200) {
    const ids = range(Math.min(200, people - from)).map((i) => firstId + from + i);
    await db.write("bench.fill", async (tx) => await rebuildSums(tx, job, ids));
  }
}

/** Twelve that are closed, one that can be closed, and the present one. */
async function fillPeriods(db: Database, { job, firstId, people, now, zone }: JobOrder): Promise<void> {
  await insert(db, timeclockRules, [{ job, length: "month", version: 1, updated_at: now }]);
  const today = zone.dayOf(now);
  const periods = range(14).map((i) => ({ id: firstId + i, first: addDays(today, -28 * (13 - i)), closed: i < 12 }));
  await insert(
    db,
    timeclockPeriods,
    periods.map(({ id, first, closed }) => {
      const last = addDays(first, 27);
      const until = zone.endOf(last);
      const at = { first_day: first, last_day: last, from_at: zone.startOf(first), until_at: until };
      const sums = closed
        ? { people, seconds: people * 3600, closed_at: until + hour }
        : { people: null, seconds: null, closed_at: null };
      return {
        id,
        job,
        ...at,
        state: closed ? "closed" : "open",
        version: 1,
        after_id: 0,
        told_at: until,
        closed_by: null,
        created_at: now,
        ...sums,
      };
    }),
  );
  await insert(
    db,
    timeclockSums,
    periods
      .filter(({ closed }) => closed)
      .flatMap(({ id }) =>
        range(people).map((i) => ({ period_id: id, citizen_id: firstId + i, seconds: 3600, later_seconds: 0 })),
      ),
  );
  await insert(
    db,
    timeclockLater,
    range(people).map((i) => ({
      ...{ period_id: periods[11]!.id, carried_id: null, entry_id: 1 + i, citizen_id: firstId + i, job },
      ...{ seconds: 600, why: "corrected", created_at: now - dayMs },
    })),
  );
}

export async function fillJob(db: Database, order: JobOrder): Promise<void> {
  for (const part of [fillPeople, fillGroups, fillAway, fillConduct, fillDuty, fillTimes, fillSums, fillPeriods])
    await part(db, order);
}
