import { describe, expect, test } from "vitest";
import { bulkInsert, type NewRow, queries, type Table } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import type { BoundStep } from "#core/retention.ts";
import { absences } from "#features/absences/absences.schema.ts";
import { accesslistsEntries } from "#features/accesslists/accesslists.schema.ts";
import { accounts, accountsTokens } from "#features/accounts/accounts.schema.ts";
import { approvalsDelegations, approvalsRequests } from "#features/approvals/approvals.schema.ts";
import { auditEntries, auditPostings, auditWords } from "#features/audit/audit.schema.ts";
import { authAddresses, authAgents, authFactors, authFailures, authSessions } from "#features/auth/auth.schema.ts";
import { calls, callsArrivals, callsFolds, callsStorms } from "#features/calls/calls.schema.ts";
import { citizens, citizensMoves, citizensPhones } from "#features/citizens/citizens.schema.ts";
import { jobgroupsExclusions } from "#features/jobgroups/jobgroups.schema.ts";
import { conductEntries } from "#features/conduct/conduct.schema.ts";
import { colleagues, colleaguesActivities, colleaguesGiven, colleaguesMoves } from "#features/colleagues/colleagues.schema.ts";
import { drafts } from "#features/drafts/drafts.schema.ts";
import { dutyMismatches, dutyPeriods, dutyReports, dutySilences, dutySources } from "#features/duty/duty.schema.ts";
import { exportsTable } from "#features/exports/exports.schema.ts";
import { files } from "#features/files/files.schema.ts";
import { gamerequestsServers, gamerequestsTable } from "#features/gamerequests/gamerequests.schema.ts";
import { ingameToasts } from "#features/ingame/ingame.schema.ts";
import { links } from "#features/links/links.schema.ts";
import { notices } from "#features/notices/notices.schema.ts";
import { notifications, notificationsPreferences } from "#features/notifications/notifications.schema.ts";
import { oauthAttempts, oauthConnections } from "#features/oauth/oauth.schema.ts";
import { schedulerRuns } from "#features/scheduler/scheduler.schema.ts";
import {
  timeclockCorrections,
  timeclockDays,
  timeclockEntries,
  timeclockMonths,
  timeclockPeriods,
  timeclockYears,
} from "#features/timeclock/timeclock.schema.ts";
import { syncIdempotencyKeys } from "#features/sync/sync.schema.ts";
import { deskWindows } from "#features/desk/desk.schema.ts";
import { panic } from "#features/panic/panic.schema.ts";
import { assignments, assignmentsMoves } from "#features/assignments/assignments.schema.ts";
import { unitsEvents } from "#features/units/units.schema.ts";
import { type AppUnderTest, describeApps } from "#testkit/suite.ts";
import { features } from "./features.ts";

const day = 86_400_000;
const old = 620;
/** Above every id that other tests create. */
const base = 5_000_000;

/** A kind by the id of its schedule, with the column that gives the age of a row. */
type Kept = [job: string, kind: string, table: Table, column: string, more?: Record<string, unknown>];

const special: readonly Kept[] = [
  ["absences.purge", "ended", absences, "until_at"],
  ["accounts.cleanUp", "accounts", accounts, "deleted_at", { staff_groups: "[]" }],
  ["accounts.cleanUp", "tokens", accountsTokens, "expires_at"],
  ["approvals.purge", "requests", approvalsRequests, "decided_at"],
  ["approvals.purge", "delegations", approvalsDelegations, "until_at"],
  ["audit.retention", "entries", auditEntries, "at"],
  ["audit.retention", "postings", auditPostings, "at"],
  ["audit.retention", "words", auditWords, "used_at"],
  ["auth.cleanUp", "sessions", authSessions, "expires_at"],
  ["auth.cleanUp", "failures", authFailures, "last_at"],
  ["auth.cleanUp", "addresses", authAddresses, "last_at"],
  ["auth.cleanUp", "agents", authAgents, "last_at"],
  ["calls.purge", "ended", calls, "ended_at"],
  ["citizens.purge", "moves", citizensMoves, "at"],
  ["colleagues.purge", "left", colleagues, "left_at"],
  ["colleagues.purge", "ended", colleaguesGiven, "ends_at"],
  ["colleagues.purge", "moves", colleaguesMoves, "asked_at"],
  ["colleagues.purge", "activities", colleaguesActivities, "at"],
  ["conduct.purge", "drafts", conductEntries, "updated_at", { state: "draft" }],
  ["conduct.purge", "deleted", conductEntries, "deleted_at"],
  ["conduct.purge", "over", conductEntries, "over_at"],
  ["jobgroups.purge", "exclusions", jobgroupsExclusions, "ends_at"],
  ["drafts.purge", "drafts", drafts, "saved_at"],
  ["duty.purge", "reports", dutyReports, "received_at"],
  ["duty.purge", "periods", dutyPeriods, "to_at"],
  ["duty.purge", "mismatches", dutyMismatches, "at"],
  ["duty.purge", "silences", dutySilences, "to_at"],
  ["duty.purge", "sources", dutySources, "last_call_at"],
  ["exports.purge", "exports", exportsTable, "kept_since"],
  ["gamerequests.purge", "requests", gamerequestsTable, "kept_since", { ended_at: 1 }],
  ["gamerequests.purge", "servers", gamerequestsServers, "last_polled_at"],
  ["ingame.purge", "toasts", ingameToasts, "at"],
  ["files.clean", "loose", files, "loose_since"],
  ["links.purge", "links", links, "expires_at"],
  ["notices.purge", "notices", notices, "deleted_at"],
  ["notices.purge", "notices", notices, "expires_at"],
  ["notifications.purge", "notifications", notifications, "at"],
  ["oauth.cleanUp", "attempts", oauthAttempts, "expires_at"],
  ["scheduler.prune", "runs", schedulerRuns, "started_at"],
  ["sync.purge", "idempotencyKeys", syncIdempotencyKeys, "created_at"],
  ["timeclock.purge", "entries", timeclockEntries, "to_at"],
  ["timeclock.purge", "corrections", timeclockCorrections, "created_at"],
  ["timeclock.purge", "days", timeclockDays, "day_at"],
  ["timeclock.purge", "months", timeclockMonths, "ends_at"],
  ["timeclock.purge", "years", timeclockYears, "ends_at"],
  ["timeclock.purge", "periods", timeclockPeriods, "until_at"],
  ["calls.purge", "folds", callsFolds, "at"],
  ["calls.purge", "storms", callsStorms, "ended_at"],
  ["calls.purge", "arrivals", callsArrivals, "at"],
  ["panic.purge", "ended", panic, "ended_at"],
  ["desk.purge", "windows", deskWindows, "until"],
  ["assignments.purge", "ended", assignments, "ended_at"],
  ["assignments.purge", "moves", assignmentsMoves, "at"],
  ["units.purge", "events", unitsEvents, "at"],
];

/** Their bytes are in the storage: files.routes.db.test.ts tests their removal. */
const elsewhere = "files.clean deleted";

const named = new Set([...special.map(([job, kind]) => `${job} ${kind}`), elsewhere]);

/** Every other kind whose rows count from their deletion; one that counts from something else belongs into the list above. */
const deleted = features.flatMap(({ contract, tables }) =>
  (contract.retention ?? []).flatMap(({ id, steps }) =>
    Object.entries(steps).flatMap(([kind, step]): Kept[] => {
      const table = tables.find(({ name, columns }) => name === step.tables[0] && "deleted_at" in columns);
      return table === undefined || named.has(`${id} ${kind}`) ? [] : [[id, kind, table, "deleted_at"]];
    }),
  ),
);

const kinds: readonly Kept[] = [...special, ...deleted];

type Values = Record<string, unknown>;

/** Texts are `r<n>`, except for keys of objects. */
const textOf = (name: string, n: number, length: number | null) =>
  `${name === "object_key" ? "tests/" : ""}r${n}`.slice(0, length ?? 20);

/** A row that is unique by `n`. */
function rowOf(table: Table, n: number, more: Values): NewRow<Table> {
  const filled = Object.entries(table.columns).flatMap(([name, { type, nullable, generated, length }]) => {
    if (generated && name in more) return [[name, more[name]]];
    if (generated) return [[name, base + n]];
    if (nullable) return [[name, null]];
    if (type === "flag") return [[name, 0]];
    if (type === "int" || type === "double") return [[name, base + n]];
    return [[name, textOf(name, n, length)]];
  });
  return { ...Object.fromEntries(filled), ...more } as NewRow<Table>;
}

/** The test's own rows of a table, by their first key. */
async function left(tx: Tx, table: Table, column: string): Promise<number[]> {
  const rows = await queries<Record<string, Values>>(tx).selectFrom(table.name).select(column).orderBy(column).execute();
  return rows.map((row) => Number(row[column]));
}

describeApps("what features keep for a time", (get: () => AppUnderTest) => {
  const ports = () => get().app.process.container.ports;
  const assembly = () => get().app.process.assembly;
  const system = { kind: "system", name: "test" } as const;
  const stepOf = (job: string, kind: string): BoundStep => {
    const handler = assembly()
      .registry.parts("retention")
      .find(({ retention }) => retention.id === job);
    return handler!.steps.find((step) => step.kind === kind)!;
  };
  const insert = async (table: Table, rows: readonly NewRow<Table>[]) =>
    await ports().db.write("test.fill", async (tx) => void (await bulkInsert(tx, table, rows)));
  const empty = async (table: Table) =>
    await ports().db.write("test.empty", async (tx) => {
      await queries<Record<string, Values>>(tx).deleteFrom(table.name).execute();
    });

  test("every kind is covered", () => {
    const declared = assembly()
      .registry.parts("retention")
      .flatMap(({ retention, steps }) => steps.map(({ kind }) => `${retention.id} ${kind}`));
    const tried = [...kinds.map(([job, kind]) => `${job} ${kind}`), elsewhere];
    expect([...new Set(tried)].toSorted()).toEqual(declared.toSorted());
  });

  describe.each(kinds)("%s: %s", (job, kind, table, column, more = {}) => {
    test(`by ${column}: a unit of work removes no more than a chunk, all old rows are removed, the rest stays`, async () => {
      const { db, clock } = ports();
      const step = stepOf(job, kind);
      const keptMs = await db.read("test.kept", async (tx) => await step.keptMs(tx));
      const now = clock.now();
      const young = [now - keptMs + day / 2, now];
      const ages = [...Array.from({ length: old }, (_, n) => now - keptMs - 3 * day - n), ...young];
      await empty(table);
      // Numbers of their own: the removed accounts are also removed elsewhere, by their ids and a moment later.
      const start = 1000 * (1 + kinds.findIndex((one) => one[1] === kind && one[2] === table && one[3] === column));
      await insert(
        table,
        ages.map((at, n) => rowOf(table, start + n, { ...more, [column]: at })),
      );
      if (!("remove" in step)) throw new Error(`${kind} is removed apart`);
      const most = 100;
      const first = await db.write("test.step", async (tx) => await step.remove(tx, now - keptMs, most));
      // Postings of one instant are removed together, so there may be one more than requested.
      expect(first).toBeGreaterThanOrEqual(most);
      expect(first).toBeLessThanOrEqual(most + 1);
      const removed = await assembly().retain(job, system);
      expect(removed.get(kind)).toBe(old - first);
      const stays = await db.read("test.left", async (tx) => await left(tx, table, column));
      expect(stays.filter((at) => at === young[0] || at === young[1])).toEqual(young);
      expect(stays.filter((at) => at < now - keptMs)).toEqual([]);
      expect((await assembly().retain(job, system)).get(kind)).toBe(0);
      await empty(table);
    });
  });

  describe.each(kinds.filter(([, , , column]) => column === "deleted_at"))("%s: %s", (job, kind, table, column, more = {}) => {
    test("a row that is restored at the same moment stays", async () => {
      // SQLite has one writer: nothing is concurrent.
      if (get().kind === "sqlite") return;
      const { db, clock } = ports();
      const step = stepOf(job, kind);
      await empty(table);
      await insert(table, [rowOf(table, 1, { ...more, [column]: clock.now() - 100 * day })]);
      const [changed, finished] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const bringingBack = get().app.process.container.db.exclusive("test.back", async ({ connection }) => {
        await connection.begin("write");
        await connection.execute(`update ${table.name} set ${column} = null`, []);
        changed.resolve();
        await finished.promise;
        await connection.commit();
      });
      await changed.promise;
      if (!("remove" in step)) throw new Error(`${kind} is removed apart`);
      const removing = db.write("test.step", async (tx) => await step.remove(tx, clock.now(), 100));
      const waits = `select 1 from information_schema.processlist where db = database() and info like '%\`${table.name}\`%'`;
      const asked = async () =>
        (
          await get().app.process.container.db.exclusive(
            "test.waits",
            async ({ connection }) => await connection.execute(waits, []),
          )
        ).rows;
      while ((await asked()).length === 0);
      finished.resolve();
      await bringingBack;
      expect(await removing).toBe(0);
      const stays = await db.read("test.left", async (tx) => (await left(tx, table, table.options.primary[0]!)).length);
      expect(stays).toBe(1);
      await empty(table);
    });
  });

  test("dependent rows are removed too, and the audit log has the counts once", async () => {
    const { db, clock } = ports();
    const long = clock.now() - 60 * day;
    const ids = Array.from({ length: 5 }, (_, n) => base + n);
    await insert(
      citizens,
      ids.map((id, n) => rowOf(citizens, n, { id, deleted_at: long })),
    );
    await insert(
      citizensPhones,
      ids.map((citizen_id, n) => rowOf(citizensPhones, n, { citizen_id })),
    );
    await insert(
      notices,
      ids.map((id, n) => rowOf(notices, n, { id, deleted_at: long })),
    );
    await insert(
      accesslistsEntries,
      ids.map((object_id, n) => rowOf(accesslistsEntries, n, { object_kind: "notices", object_id })),
    );
    await assembly().retain("citizens.purge", system);
    await assembly().retain("notices.purge", system);
    await db.read("test.left", async (tx) => {
      expect((await left(tx, citizensPhones, "citizen_id")).filter((id) => ids.includes(id))).toEqual([]);
      expect((await left(tx, accesslistsEntries, "object_id")).filter((id) => ids.includes(id))).toEqual([]);
      const entries = await queries<Record<string, Values>>(tx)
        .selectFrom("audit_entries")
        .select("data")
        .where("action", "=", "citizens.purge")
        .where("actor_name", "=", "test")
        .execute();
      expect(JSON.parse(String(entries.at(-1)?.["data"]))).toMatchObject({ info: { kind: "citizens", removed: 5 } });
    });
  });

  test("a purged account leaves no personal data behind", async () => {
    const { db, clock } = ports();
    const account_id = base + 77;
    const own: readonly Table[] = [
      authSessions,
      authFactors,
      authAddresses,
      authAgents,
      accountsTokens,
      oauthConnections,
      notifications,
      notificationsPreferences,
    ];
    const fresh = { last_at: clock.now(), expires_at: clock.now() + day, at: clock.now() };
    const only = (table: Table, values: Values) =>
      Object.fromEntries(Object.entries(values).filter(([name]) => name in table.columns));
    for (const table of own)
      await insert(
        table,
        [77, 78].map((n) => rowOf(table, n, { account_id: base + n, ...only(table, fresh) })),
      );
    await insert(accounts, [rowOf(accounts, 77, { id: account_id, staff_groups: "[]", deleted_at: clock.now() - 22 * day })]);
    await assembly().retain("accounts.cleanUp", system);
    // Other features delete their rows in reactions to the purge.
    for (const table of own) {
      const ids = async () =>
        (await db.read("test.left", async (tx) => await left(tx, table, "account_id"))).filter(
          (id) => id === account_id || id === account_id + 1,
        );
      await expect.poll(async () => [table.name, await ids()], { timeout: 10_000 }).toEqual([table.name, [account_id + 1]]);
    }
  });
});
