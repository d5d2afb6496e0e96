import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import type { Column, Table } from "#core/db/table.ts";
import { accountsChanged } from "#features/accounts/accounts.contract.ts";
import { authApi } from "#features/auth/auth.api.ts";
import { citizensChanged, SyncUser } from "#features/citizens/citizens.contract.ts";
import { jobsChanged } from "#features/jobs/jobs.contract.ts";
import { settingPaths, type Settings, settingsChanged } from "#features/settings/settings.contract.ts";
import { entered, own, until, type Value, Watch, type Watched } from "#testkit/rights-watch.ts";
import { describeApps } from "#testkit/suite.ts";
import { features } from "./features.ts";

const casesEach = 2 * Number(process.env["ROLLCALL_TEST_FACTOR"] ?? 1);
const seed = 20_261_123;
const slow = 120_000 + casesEach * 120_000;

const tables = new Map(features.flatMap((feature) => feature.tables).map((table): [string, Table] => [table.name, table]));

/** Values that matter somewhere, and some that do not. JSON keeps its kind, because programs write it. */
function valuesOf(column: Column, now: Value): fc.Arbitrary<Value> {
  const text = String(now);
  const nothing = column.nullable ? [null] : [];
  if (column.type === "flag") return fc.constantFrom(...nothing, now === 1 ? 0 : 1);
  if (column.type === "int") return fc.constantFrom(...nothing, 0, 1, 2, 3, Number(now ?? 0) + 1, Date.now() - 1, until);
  if (column.type === "double") return fc.constantFrom(...nothing, 1.5, 180);
  if (text.startsWith("[")) return fc.constantFrom("[]", '["lead"]', '["admin"]', '["other"]');
  if (text.startsWith('{"v":1'))
    return fc.constantFrom('{"v":1,"limits":{}}', '{"v":1,"limits":{"citizens.list":{"fields":[]}}}');
  if (text.startsWith("{")) return fc.constantFrom("{}", '{"fields":["playtime"]}', '{"fields":[]}');
  const words = [own, entered, "citizens.view", "drawn", ""].map((word) => (column.length ? word.slice(0, column.length) : word));
  return fc.constantFrom(...nothing, ...words.filter((word) => word !== now));
}

/** Every column but those that identify the row, so that a new one is drawn as well. */
function columnsOf({ table }: Watched): [string, Column][] {
  const { columns, options } = tables.get(table)!;
  return Object.entries(columns).filter(([name]) => !options.primary.includes(name));
}

describeApps("the rights of an open connection", (get) => {
  let watch: Watch | null = null;
  const inputs = () =>
    new Map(
      get()
        .app.process.assembly.api(authApi)
        .rightsEvents.map((one) => [one.event.id, one.inputs]),
    );
  const opened = async () => (watch ??= await Watch.open(get()));
  afterAll(() => {
    watch?.close();
    watch = null;
  });

  test(`follow every column that they read, and nothing else (${casesEach} changes of each)`, { timeout: slow }, async () => {
    const w = await opened();
    const read = (table: string, column: string) => {
      const event = { citizens: citizensChanged, accounts: accountsChanged, jobs: jobsChanged }[table];
      return event === undefined ? !table.startsWith("citizens_") : inputs().get(event.id)?.includes(column) === true;
    };
    const faults: string[] = [];
    const drawn = fc.record({ situation: fc.constantFrom(...w.situations), pick: fc.nat() });
    for (const [place, watched] of w.watched.entries()) {
      for (const [at, [name, column]] of columnsOf(watched).entries()) {
        for (const { situation, pick } of fc.sample(drawn, { seed: seed + 100 * place + at, numRuns: casesEach })) {
          await w.enter(situation);
          const now = await w.valueOf(watched, name);
          const [value = null] = fc.sample(valuesOf(column, now), { seed: pick, numRuns: 1 });
          const { checks, stale } = await w.observe(async () => await w.change(watched, name, value));
          const what = `${watched.table}.${name} ${String(now)} -> ${String(value)} (${situation.name})`;
          if (stale !== null) faults.push(`stale after ${what}: ${stale}`);
          if (checks > 0 && !read(watched.table, name)) faults.push(`checked after ${what}`);
        }
      }
    }
    expect(faults).toEqual([]);
  });

  test("follow rows that are removed", { timeout: slow }, async () => {
    const w = await opened();
    const faults: string[] = [];
    for (const watched of w.watched.filter(({ table }) => /^access_|^jobs_grades|^auth_factors/.test(table))) {
      for (const situation of w.situations) {
        await w.enter(situation);
        const { stale } = await w.observe(async () => await w.change(watched, null, null));
        if (stale !== null) faults.push(`stale after ${watched.table} (${situation.name}): ${stale}`);
      }
    }
    expect(faults).toEqual([]);
  });

  test("follow every setting that they read, and no other", { timeout: slow }, async () => {
    const w = await opened();
    const changed = new Set<string>();
    const faults: string[] = [];
    const other = (value: unknown) =>
      Array.isArray(value) ? ["panel", w.licence] : typeof value === "boolean" ? !value : typeof value === "number" ? 1 : "de";
    for (const path of settingPaths) {
      for (const situation of path.startsWith("auth.") ? w.situations : w.situations.slice(0, 1)) {
        const [section = "", name = ""] = path.split(".", 2);
        await w.enter(situation);
        const { checks, stale, ...found } = await w.observe(async () => {
          await w.set((before) => {
            const all = structuredClone(before) as unknown as Record<string, Record<string, unknown>>;
            all[section]![name] = other(all[section]![name]);
            return all as unknown as Settings;
          });
        });
        if (found.changed) changed.add(path);
        if (stale !== null) faults.push(`stale after ${path} (${situation.name}): ${stale}`);
        if (checks > 0 && !path.startsWith("auth.")) faults.push(`checked after ${path}`);
      }
    }
    expect(faults).toEqual([]);
    expect([...changed].sort()).toEqual([...(inputs().get(settingsChanged.id) ?? [])].sort());
  });

  test("follow what the game sends, and are not checked after the rest of it", { timeout: slow }, async () => {
    const w = await opened();
    const faults: string[] = [];
    const sent: Readonly<Record<string, unknown>> = {
      ...{ firstName: "Eve", lastName: "Berg", dateOfBirth: "1990-01-02", sex: "f", height: 171, visum: 3, playtime: 60 },
      ...{ phoneNumbers: [{ number: "555-0199" }], licences: ["boat"], licence: "license:another" },
      jobs: [{ name: own, grade: 1 }],
    };
    expect(Object.keys(sent).sort()).toEqual(
      Object.keys(SyncUser.properties)
        .filter((name) => name !== "identifier")
        .sort(),
    );
    const second = {
      jobs: [
        { name: own, grade: 2 },
        { name: entered, grade: 1 },
      ],
    };
    const changes = [...Object.entries(sent).map(([name, value]) => ({ [name]: value })), second];
    for (const change of changes) {
      await w.enter({ name: "plain" });
      await w.sync({});
      const { checks, changed, stale } = await w.observe(async () => await w.sync(change));
      const what = JSON.stringify(change);
      if (stale !== null) faults.push(`stale after ${what}: ${stale}`);
      if (changed !== checks > 0) faults.push(`${checks} checks after ${what}`);
    }
    expect(faults).toEqual([]);
  });
});
