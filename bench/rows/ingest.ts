import { createSyncClient, type SendResult, type SyncClient, type User, type Vehicle } from "@rollcall/sync-sdk";
import type { Connection } from "mysql2/promise";
import { makeInstance, secrets, serve } from "@rollcall/testkit/program.ts";
import { copyRows, copySchema, lastEvent, takeOut, upsertBare } from "../kit/bare.ts";
import { createDatabase, hasMariadb } from "../kit/mariadb.ts";
import { makeUsers, makeVehicles } from "../kit/people.ts";
import { type Finding, finding, type Machine, type Row } from "../kit/report.ts";
import { percentile, timed } from "../kit/stats.ts";

const batch = 500;
const rounds = 12;
const batchesPerRound = 2;
/** How often everything is sent again, as a game server does that sends its whole city again. */
const passes = 3;
const perRound = batch * batchesPerRound;
/** Calls until the program is warmed up: a city is sent in one series. */
const warmUp = 16 * batch;

interface Kind<Item> {
  readonly kind: "citizens" | "vehicles";
  readonly label: string;
  make(count: number, first: number): Item[];
  send(client: SyncClient, items: readonly Item[]): Promise<SendResult>;
  keyOf(item: Item): string;
  /** The same item with other data that is not part of the search. */
  change(item: Item): Item;
}

const users: Kind<User> = {
  kind: "citizens",
  label: "users",
  make: (count, first) => makeUsers(count, 11, first),
  send: async (client, items) => await client.users(items),
  keyOf: ({ identifier }) => identifier,
  change: (user) => ({ ...user, playtime: (user.playtime ?? 0) + 60, visum: (user.visum ?? 0) + 1 }),
};

const vehicles: Kind<Vehicle> = {
  kind: "vehicles",
  label: "vehicles",
  make: (count, first) => makeVehicles(count, 11, first),
  send: async (client, items) => await client.vehicles(items),
  keyOf: ({ plate }) => plate,
  change: (vehicle) => ({ ...vehicle, job: vehicle.job === null ? "taxi" : null }),
};

interface Times {
  fresh: number[];
  changed: number[];
  unchanged: number[];
  bareFresh: number[];
  bareChanged: number[];
  mainFresh: number[];
  mainChanged: number[];
}

interface Sides {
  readonly client: SyncClient;
  readonly ours: Connection;
  readonly oursName: string;
  readonly bare: Connection;
  /** A third copy, for the upsert of the main table alone. */
  readonly main: Connection;
}

const searchTables = ["search_documents", "search_words", "search_postings", "search_variants", "search_codes"];
const dataTables = ["citizens", "citizens_jobs", "citizens_phones", "citizens_licences", "vehicles", ...searchTables];

async function measure<Item>(of: Kind<Item>, { client, ours, oursName, bare, main }: Sides): Promise<Times> {
  const times: Times = { fresh: [], changed: [], unchanged: [], bareFresh: [], bareChanged: [], mainFresh: [], mainChanged: [] };
  const known = new Set<number>();
  const send = async (items: readonly Item[], expected: "accepted" | "unchanged") => {
    const result = await of.send(client, items);
    if (result[expected] !== items.length)
      throw new Error(`${of.label}: ${JSON.stringify({ ...result, rejected: result.rejected[0] })}`);
  };
  const warm = of.make(warmUp, 0);
  await send(warm, "accepted");
  await send(warm.map(of.change), "accepted");
  await send(warm.map(of.change), "unchanged");
  await copyRows(oursName, bare, dataTables);
  await copyRows(oursName, main, [of.kind]);
  const [words] = await ours.query("select word from search_words where kind = ?", [of.kind]);
  for (const { word } of words as { word: number }[]) known.add(word);

  const sent: Item[] = [];
  for (let round = 0; round < rounds; round++) {
    const items = of.make(perRound, warmUp + round * perRound);
    const changed = items.map(of.change);
    const keys = Array.from({ length: batchesPerRound }, (_, at) => items.slice(at * batch, (at + 1) * batch).map(of.keyOf));
    const taken = { kind: of.kind, batches: keys, knownWords: known };
    let afterEvent = await lastEvent(ours);
    times.fresh.push(await timed(async () => await send(items, "accepted")));
    const fresh = await takeOut(ours, { ...taken, search: true, afterEvent });
    times.bareFresh.push(await upsertBare(bare, fresh));
    times.mainFresh.push(await upsertBare(main, fresh, of.kind));
    afterEvent = await lastEvent(ours);
    times.changed.push(await timed(async () => await send(changed, "accepted")));
    const after = await takeOut(ours, { ...taken, search: false, afterEvent });
    times.bareChanged.push(await upsertBare(bare, after));
    times.mainChanged.push(await upsertBare(main, after, of.kind));
    sent.push(...changed);
  }
  for (let pass = 0; pass < passes; pass++) times.unchanged.push(await timed(async () => await send(sent, "unchanged")));
  return times;
}

/** Rows per second of two series that took turns, and the median of their ratios. */
function compare(ours: readonly number[], theirs: readonly number[]) {
  const rate = (times: readonly number[]) => ({ value: (perRound * 1000) / percentile(times, 0.5), unit: "rows/s" });
  const ratio = percentile(
    ours.map((ms, round) => theirs[round]! / ms),
    0.5,
  );
  return { measured: rate(ours), baseline: rate(theirs), ratio };
}

/** The same for passes over all rows compared with rounds: there are no pairs. */
function again(unchanged: readonly number[], changed: readonly number[]) {
  const measured = { value: (perRound * rounds * 1000) / percentile(unchanged, 0.5), unit: "rows/s" };
  const baseline = { value: (perRound * 1000) / percentile(changed, 0.5), unit: "rows/s" };
  return { measured, baseline };
}

function findings(label: string, { fresh, changed, unchanged, ...bare }: Times): Finding[] {
  return [
    finding({ row: `ingest of new ${label}`, ...compare(fresh, bare.bareFresh), ratioAtLeast: 0.5 }),
    finding({ row: `ingest of changed ${label}`, ...compare(changed, bare.bareChanged), ratioAtLeast: 0.5 }),
    finding({ row: `unchanged against changed ${label}`, ...again(unchanged, changed), ratioAtLeast: 5 }),
    finding({ row: `new ${label} against the main table alone`, ...compare(fresh, bare.mainFresh) }),
    finding({ row: `changed ${label} against the main table alone`, ...compare(changed, bare.mainChanged) }),
  ];
}

const note =
  `${rounds} rounds of ${perRound} items in calls of ${batch} through the SDK, one call after the other, against the running program (MariaDB, embedded broker); program and baseline take turns, medians of the rounds. ` +
  "Baseline: the very same rows upserted into equal tables (main table, jobs, phones, licences, search tables, outbox) with mysql2 alone, " +
  "one statement a table and one transaction a call: without HTTP, validation, hashing, comparison and events. " +
  `Unchanged: everything sent once more, ${passes} times over. The lines without a budget compare with an upsert of the main table alone.`;

async function run(machine: Machine): Promise<Finding[]> {
  if (!(await hasMariadb())) throw new Error("the ingest row requires MariaDB; start it, or set ROLLCALL_TEST_MARIADB_DSN");
  const [oursAt, bareAt, mainAt] = [await createDatabase("ingest"), await createDatabase("bare"), await createDatabase("main")];
  const instance = await makeInstance({ dsn: oursAt.dsn });
  const program = await serve(instance);
  const client = createSyncClient({ url: instance.url, token: secrets.sync, source: "bench" });
  const [ours, bare, main] = [await oursAt.connect(), await bareAt.connect(), await mainAt.connect()];
  try {
    await copySchema(ours, oursAt.name, bare);
    await copySchema(ours, oursAt.name, main);
    const sides: Sides = { client, ours, oursName: oursAt.name, bare, main };
    const found: Finding[] = [];
    for (const result of [findings("users", await measure(users, sides)), findings("vehicles", await measure(vehicles, sides))]) {
      found.push(...result);
      for (const { row, measured, baseline, ratio } of result)
        machine.log(`${row}: ${measured}, baseline ${baseline}, ${ratio?.toFixed(2)}`);
    }
    const [first, ...rest] = found;
    return [{ ...first!, note }, ...rest];
  } finally {
    await client.close();
    await program.stop();
    await Promise.all([ours.end(), bare.end(), main.end()]);
    await Promise.all([oursAt.drop(), bareAt.drop(), mainAt.drop()]);
    instance.remove();
  }
}

export const ingest: Row = { name: "ingest", title: "Sync ingest of users and vehicles on MariaDB", run };
