import type { Seen, SeenCall } from "./assignments.model.testkit.ts";
import type { Execute, Stage } from "./assignments.stage.testkit.ts";
import type { Id } from "./assignments.types.model.testkit.ts";

export type Numbers = ReadonlyMap<Id, number>;

export interface RealCall {
  readonly id: number;
  readonly version: number;
  readonly kind: string;
  readonly state: string;
  readonly ended: string | null;
  readonly mergedInto: number | null;
  readonly typeId: number | null;
  readonly message: string;
  readonly postal: string | null;
  readonly priority: number;
  readonly place: string;
  readonly jobs: readonly Id[];
  readonly viewers: readonly Id[];
  readonly alerts: readonly { readonly person: number | null; readonly anonymous: boolean }[];
  readonly waitSince: number;
  readonly idle: number;
  readonly links: readonly number[];
  readonly notes: readonly number[];
  readonly handover: { readonly to: Id; readonly due: number; readonly reported: boolean } | null;
}
export interface RealWork {
  readonly id: number;
  readonly version: number;
  readonly call: number;
  readonly unit: number;
  readonly state: string;
  readonly isOpen: boolean;
  readonly needsHelp: boolean;
  readonly until: number | null;
}
export interface RealUnit {
  readonly status: string;
  readonly crew: readonly number[];
  readonly dissolved: boolean;
  readonly emptyAt: number | null;
}
/** What the database of the program has, in seconds since the sequence began. */
export interface Real {
  readonly calls: ReadonlyMap<number, RealCall>;
  readonly works: ReadonlyMap<number, RealWork>;
  readonly units: ReadonlyMap<number, RealUnit>;
  /** The open panic of a call. */
  readonly panics: ReadonlyMap<number, { readonly id: number; readonly version: number }>;
}

const count = (value: unknown) => Number(value);
const orNull = (value: unknown) => (value === null || value === undefined ? null : Number(value));

export async function readReal(stage: Stage): Promise<Real> {
  return await stage.read(async (sql) => {
    const since = (value: unknown) => Math.floor((Number(value) - stage.begun) / 1000);
    return {
      calls: await readCalls(sql, since),
      works: await readWorks(sql, since),
      units: await readUnits(sql, since),
      panics: new Map(
        (await sql("select id, version, call_id from panic", [])).map((row) => [
          count(row["call_id"]),
          { id: count(row["id"]), version: count(row["version"]) },
        ]),
      ),
    };
  });
}

async function readCalls(sql: Execute, since: (value: unknown) => number): Promise<Map<number, RealCall>> {
  const all = async (table: string, columns: string, order: string) =>
    await sql(`select ${columns} from ${table} order by ${order}`, []);
  const jobs = await all("calls_jobs", "call_id, job, level", "job");
  const alerts = await sql(
    "select a.call_id, c.citizen_id, c.anonymous, a.caller_id from calls_alerts a left join calls_callers c on c.id = a.caller_id order by a.id",
    [],
  );
  const links = await all("calls_links", "a_id, b_id", "a_id");
  const notes = await sql("select id, call_id from calls_entries where kind = 'note' order by id", []);
  const asked = await sql("select call_id, to_job, asked_at, unanswered, brought from calls_handovers where state = 'asked'", []);
  const calls = await all("calls", "*", "id");
  const of = <T extends Readonly<Record<string, unknown>>>(rows: readonly T[], id: number) =>
    rows.filter((row) => count(row["call_id"]) === id);
  return new Map(
    calls.map((row) => {
      const id = count(row["id"]);
      const state = String(row["state"]);
      const handover = of(asked, id)[0];
      const brought = count(handover?.["brought"]) === 1 ? handover?.["to_job"] : null;
      const named = of(jobs, id).filter(({ job }) => job !== brought);
      const ofLevel = (isView: boolean) =>
        named.filter(({ level }) => (level === "view") === isView).map(({ job }) => String(job));
      return [
        id,
        {
          ...{ id, version: count(row["version"]), kind: String(row["kind"]), state, priority: count(row["priority"]) },
          ended: state === "open" ? null : state === "cancelled" && row["ended_by"] === null ? "tooOld" : state,
          mergedInto: orNull(row["merged_into"]),
          ...{ typeId: orNull(row["type_id"]), message: String(row["message"]), postal: row["postal"] as string | null },
          place: row["x"] === null ? "none" : `${Number(row["x"])} ${Number(row["y"])}`,
          ...{ jobs: ofLevel(false), viewers: ofLevel(true) },
          alerts: of(alerts, id).map((one) => ({ person: orNull(one["citizen_id"]), anonymous: count(one["anonymous"]) === 1 })),
          ...{ waitSince: since(row["waiting_since"]), idle: since(row["idle_at"]) },
          links: links.flatMap(({ a_id: a, b_id: b }) => (count(a) === id ? [count(b)] : count(b) === id ? [count(a)] : [])),
          notes: of(notes, id).map((one) => count(one["id"])),
          handover:
            handover === undefined
              ? null
              : {
                  to: String(handover["to_job"]),
                  due: since(handover["asked_at"]) + 60,
                  reported: count(handover["unanswered"]) === 1,
                },
        },
      ];
    }),
  );
}

async function readWorks(sql: Execute, since: (value: unknown) => number): Promise<Map<number, RealWork>> {
  const rows = await sql("select * from assignments order by id", []);
  return new Map(
    rows.map((row) => [
      count(row["id"]),
      {
        ...{ id: count(row["id"]), version: count(row["version"]), call: count(row["call_id"]), unit: count(row["unit_id"]) },
        ...{ state: String(row["state"]), isOpen: count(row["ended_marker"]) === 0, needsHelp: count(row["needs_help"]) === 1 },
        until: row["until"] === null ? null : since(row["until"]),
      },
    ]),
  );
}

async function readUnits(sql: Execute, since: (value: unknown) => number): Promise<Map<number, RealUnit>> {
  const members = await sql("select citizen_id, unit_id from units_members order by citizen_id", []);
  const rows = await sql("select id, base, deleted_at, empty_since from units", []);
  return new Map(
    rows.map((row) => {
      const crew = members.filter((one) => count(one["unit_id"]) === count(row["id"])).map((one) => count(one["citizen_id"]));
      const emptyAt = row["empty_since"] === null ? null : since(row["empty_since"]);
      return [count(row["id"]), { status: String(row["base"]), crew, dissolved: row["deleted_at"] !== null, emptyAt }];
    }),
  );
}

/** How the model names what the program has. */
export interface Names {
  readonly calls: Numbers;
  readonly works: Numbers;
  readonly units: Numbers;
  readonly people: Numbers;
}

const byText = (values: readonly unknown[]) => values.map((value) => JSON.stringify(value)).toSorted();

/** Alerts of a call and of what was merged into it. */
function alertsOf(real: Real, id: number): RealCall["alerts"] {
  const parts = [...real.calls.values()].filter(({ mergedInto }) => mergedInto === id);
  return [...(real.calls.get(id)?.alerts ?? []), ...parts.flatMap((part) => alertsOf(real, part.id))];
}

function callFaults(want: SeenCall, got: RealCall, real: Real, names: Names): string[] {
  const alerts = alertsOf(real, got.id);
  const callers = new Set(alerts.map(({ person }) => person)).size;
  const place = want.place === null || want.place === "none" ? want.place : `${want.place.x} ${want.place.y}`;
  const levels = (job: Id) => (got.jobs.includes(job) ? "dispatch" : got.viewers.includes(job) ? "view" : "none");
  const links = byText(want.links.map((id) => names.calls.get(id)));
  const pairs: readonly (readonly [string, unknown, unknown])[] = [
    ["state", want.state, got.state],
    ["end", want.ended, got.ended],
    ["survivor", want.mergedInto === null ? null : names.calls.get(want.mergedInto), got.mergedInto],
    ["jobs", want.jobs?.join(" ") ?? null, want.jobs === null ? null : got.jobs.toSorted().join(" ")],
    ["priority", want.priority, got.priority],
    ["place", place, want.place === null ? null : got.place],
    ["alerts", want.alerts, want.alerts === null ? null : alerts.length],
    ["callers", want.callers, want.callers === null ? null : callers],
    [
      "anonymous alerts",
      want.anonymousAlerts,
      want.anonymousAlerts === null ? null : alerts.filter((one) => one.anonymous).length,
    ],
    ["wait clock", want.waitSince, want.waitSince === null ? null : got.waitSince],
    ["links", links.join(), byText(got.links).join()],
    ...Object.entries(want.levels ?? {}).map(
      ([job, level]) => [`level of ${job}`, level, level === null ? null : levels(job)] as const,
    ),
  ];
  return pairs
    .filter(([, wanted, found]) => wanted !== found)
    .map(([what, wanted, found]) => `${what} ${String(wanted)}, not ${String(found)}`);
}

function unitFaults(want: Seen, real: Real, names: Names): string[] {
  return Object.entries(want.units).flatMap(([id, unit]) => {
    const got = real.units.get(names.units.get(id)!)!;
    const crew = unit.crew.map((one) => names.people.get(one)!).toSorted((a, b) => a - b);
    const dissolveAt = want.timers.temporaryUnits[id];
    return [
      ...(got.dissolved === unit.dissolved ? [] : [`${id}: dissolved ${unit.dissolved}, not ${got.dissolved}`]),
      ...(unit.dissolved || got.status === unit.status ? [] : [`${id}: ${unit.status}, not ${got.status}`]),
      ...(crew.join() === got.crew.join() ? [] : [`${id}: crew ${crew.join()}, not ${got.crew.join()}`]),
      ...(dissolveAt === undefined || got.emptyAt === dissolveAt - 900
        ? []
        : [`${id}: empty since ${dissolveAt - 900}, not ${got.emptyAt}`]),
    ];
  });
}

function workFaults(want: Seen, real: Real, names: Names): string[] {
  const due = new Map(want.timers.offers.map(({ call, unit, due: at }) => [`${call} ${unit}`, at]));
  const wanted = want.open.map(({ call, unit, state, needsHelp }) =>
    [names.calls.get(call), names.units.get(unit), state, needsHelp, due.get(`${call} ${unit}`) ?? null].join(" "),
  );
  const got = [...real.works.values()]
    .filter(({ isOpen }) => isOpen)
    .map(({ call, unit, state, needsHelp, until }) => [call, unit, state, needsHelp, until].join(" "));
  const ended = Object.entries(want.ended).flatMap(([id, state]) => {
    const row = real.works.get(names.works.get(id)!);
    return row?.state === state ? [] : [`${id}: ${state}, not ${row?.state}`];
  });
  const isSame = wanted.toSorted().join() === got.toSorted().join();
  return [...(isSame ? [] : [`open: ${wanted.toSorted().join()}, not ${got.toSorted().join()}`]), ...ended];
}

function timerFaults({ timers }: Seen, real: Real, names: Names): string[] {
  const idle = Object.entries(timers.idle).flatMap(([id, { from, to }]) => {
    const at = real.calls.get(names.calls.get(id)!)?.idle ?? NaN;
    return at >= from && at <= to ? [] : [`${id}: idle at ${from} to ${to}, not ${at}`];
  });
  const asked = [...names.calls].flatMap(([id, number]) => {
    const [want, call] = [timers.handovers[id] ?? null, real.calls.get(number)];
    const got = call?.state === "open" ? call.handover : null;
    return JSON.stringify(want) === JSON.stringify(got)
      ? []
      : [`${id}: hand over ${JSON.stringify(want)}, not ${JSON.stringify(got)}`];
  });
  return [...idle, ...asked];
}

/** What differs between the model and the program; empty where they agree. */
export function faultsOf(want: Seen, real: Real, names: Names): string[] {
  const missing = Object.keys(want.calls).filter((id) => !real.calls.has(names.calls.get(id) ?? -1));
  if (missing.length > 0 || Object.keys(want.calls).length !== real.calls.size)
    return [`${Object.keys(want.calls).length} calls, not ${real.calls.size}`];
  const calls = Object.entries(want.calls).flatMap(([id, call]) =>
    callFaults(call, real.calls.get(names.calls.get(id)!)!, real, names).map((fault) => `${id}: ${fault}`),
  );
  return [...calls, ...unitFaults(want, real, names), ...workFaults(want, real, names), ...timerFaults(want, real, names)];
}
