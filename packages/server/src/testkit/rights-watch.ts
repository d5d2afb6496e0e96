import { expect } from "vitest";
import type { Viewer } from "#core/actor.ts";
import type { EventDefinition } from "#core/contract/index.ts";
import { queries } from "#core/db/index.ts";
import type { EventMessage, Tx } from "#core/ports/index.ts";
import { rolesChanged } from "#features/access/access.contract.ts";
import type { AccessTables } from "#features/access/access.schema.ts";
import { accountsChanged } from "#features/accounts/accounts.contract.ts";
import { sessionsChanged } from "#features/auth/auth.contract.ts";
import { citizensChanged, syncUsers } from "#features/citizens/citizens.contract.ts";
import { jobsChanged } from "#features/jobs/jobs.contract.ts";
import { settingsApi } from "#features/settings/settings.api.ts";
import { defaultSettings, type Settings, settingsChanged } from "#features/settings/settings.contract.ts";
import { TestClient } from "#infra/realtime/realtime.testkit.ts";
import { testSecrets } from "./app.ts";
import { countRechecks, settled } from "./rechecks.ts";
import type { AppUnderTest } from "./suite.ts";
import type { TestActor } from "./world.ts";

/** The job of the watched character, and one that its player may enter as job admin. */
export const [own, entered] = ["watched", "entered"] as const;
const system = { kind: "system", name: "test" } as const;

export type Value = string | number | null;
type Row = Record<string, Value>;
type Untyped = Record<string, Row>;
type Auth = Partial<Settings["auth"]>;

/** One row of a table that rights may read, and what its feature emits when columns of it change. */
export interface Watched {
  readonly table: string;
  readonly key: Row;
  emit(tx: Tx, columns: readonly string[]): Promise<void>;
}

/** What is true before a change: the same column matters in one and not in another. */
export interface Situation {
  readonly name: string;
  readonly session?: Row;
  readonly account?: Row;
  readonly settings?: Auth;
}

export const until = Date.now() + 24 * 3_600_000;
const lead = { staff_groups: '["lead"]', confirmed_groups: '["lead"]' };
const noFriend = 4_000_000;

const situationsOf = (identifier: string): readonly Situation[] => [
  { name: "plain" },
  { name: "lead", account: lead },
  { name: "unconfirmed", account: { ...lead, confirmed_groups: "[]" } },
  { name: "in a group of the panel", account: { staff_groups: '["panel"]' } },
  { name: "plays another", account: { game_character: null, last_character_id: noFriend } },
  { name: "job admin", account: lead, session: { admin_job: entered, admin_reason: "test", admin_until: until } },
  { name: "sees as", session: { see_job: own, see_grade: 1, see_until: until } },
  { name: "confirmed", account: lead, settings: { confirmGameAdmins: true } },
  { name: "second factor", account: lead, session: { factor_at: 1 }, settings: { secondFactorForAdmins: true } },
  {
    name: "locked by the game",
    account: { game_character: identifier, last_character_id: noFriend },
    settings: { lastCharacterLock: true },
  },
  { name: "locked by the last choice", account: { game_character: null }, settings: { lastCharacterLock: true } },
];

const parts = (event: EventDefinition, columns: readonly string[]) => columns.filter((name) => event.parts?.includes(name));

/** Everything but the user name, which decides nothing. */
function pictureOf(viewer: Viewer | undefined): string {
  if (viewer === undefined) return "closed";
  const { username: _username, rights, ...rest } = viewer;
  return JSON.stringify({ ...rest, epoch: rights.epoch, held: rights.all() });
}

async function raiseEpoch(tx: Tx): Promise<void> {
  const epochs = queries<AccessTables>(tx).updateTable("access_epochs");
  await epochs.set(({ eb }) => ({ epoch: eb("epoch", "+", 1) })).execute();
}

interface Ids {
  readonly account: number;
  readonly citizen: number;
  readonly session: string;
  readonly role: number;
}

function watchedOf({ app }: AppUnderTest, { account, citizen: id, session, role }: Ids): Watched[] {
  const { outbox } = app.process.container.ports;
  type Emit = Watched["emit"];
  const emitter =
    <D extends EventDefinition>(event: D, payload: (columns: readonly string[]) => unknown): Emit =>
    async (tx, columns) =>
      await outbox.emit(tx, event, { key: "test", version: 1, payload: payload(columns) as never });
  const citizen = (of: (columns: readonly string[]) => readonly string[]) =>
    emitter(citizensChanged, (columns) => ({ items: [{ id }], changed: [{ id, parts: of(columns) }] }));
  const job = (of: (columns: readonly string[]) => readonly string[]) =>
    emitter(jobsChanged, (columns) => ({ names: [entered], changed: of(columns) }));
  const roles: Emit = async (tx, columns) => {
    await raiseEpoch(tx);
    await emitter(rolesChanged, () => ({ job: own, epoch: 0 }))(tx, columns);
  };
  const rows: Watched[] = [
    { table: "citizens", key: { id }, emit: citizen((columns) => parts(citizensChanged, columns)) },
    { table: "citizens_jobs", key: { citizen_id: id }, emit: citizen(() => ["jobs"]) },
    { table: "citizens_phones", key: { citizen_id: id }, emit: citizen(() => ["phones"]) },
    { table: "citizens_licences", key: { citizen_id: id }, emit: citizen(() => ["licences"]) },
    {
      table: "accounts",
      key: { id: account },
      emit: emitter(accountsChanged, (columns) => ({
        accountIds: [account],
        endSessions: false,
        changed: parts(accountsChanged, columns),
      })),
    },
    { table: "auth_sessions", key: { id: session }, emit: emitter(sessionsChanged, () => ({ sessionIds: [session] })) },
    { table: "auth_factors", key: { account_id: account }, emit: emitter(sessionsChanged, () => ({ sessionIds: [session] })) },
    { table: "access_roles", key: { id: role }, emit: roles },
    { table: "access_grants", key: { role_id: role }, emit: roles },
    { table: "access_limits", key: { job: own }, emit: roles },
    { table: "jobs", key: { name: entered }, emit: job((columns) => parts(jobsChanged, columns)) },
    { table: "jobs_grades", key: { job: entered, grade: 5 }, emit: job(() => ["grades"]) },
  ];
  return rows;
}

const whole = ({ table, key }: Watched, tx: Tx) => {
  const from = queries<Untyped>(tx).selectFrom(table).selectAll();
  return Object.entries(key).reduce((query, [name, value]) => query.where(name, "=", value), from);
};

async function put({ table, key }: Watched, tx: Tx, row: Row | null): Promise<void> {
  const remove = queries<Untyped>(tx).deleteFrom(table);
  await Object.entries(key)
    .reduce((query, [name, value]) => query.where(name, "=", value), remove)
    .execute();
  if (row !== null) await queries<Untyped>(tx).insertInto(table).values(row).execute();
}

/** One connection, the rows that its rights depend on, and their first content. */
export class Watch {
  readonly watched: readonly Watched[];
  readonly #under: AppUnderTest;
  readonly #actor: TestActor;
  readonly #ids: Ids;
  readonly #first = new Map<Watched, Row>();
  #client: TestClient | null = null;
  #delivered = 0;

  private constructor(under: AppUnderTest, actor: TestActor, ids: Ids) {
    this.#under = under;
    this.#actor = actor;
    this.#ids = ids;
    this.watched = watchedOf(under, ids);
  }

  static async open(under: AppUnderTest): Promise<Watch> {
    const { app, world } = under;
    await world.job(entered, [0, 1, 5]);
    await world.job(own);
    const actor = await world.actor({ job: own, grade: 2, rights: { "citizens.list": { fields: ["phone"] } } });
    const user = {
      identifier: `char1:${actor.licence}`,
      ...{ phoneNumbers: [{ number: "555-0100" }], licences: ["drive"] },
      jobs: [{ name: own, grade: 2 }],
    };
    await world.citizen(user);
    const client = await TestClient.signedIn(app.process.hub, await world.tokenOf(actor));
    const viewer = app.process.hub.viewers().find(({ characterId }) => characterId === actor.characterId)!;
    client.leave();
    const role = await app.process.container.db.write("test.prepare", async (tx) => {
      const q = queries<Untyped>(tx);
      const factor = { account_id: viewer.accountId, secret: "x", created_at: 1, confirmed_at: 1, last_step: 0 };
      await q.insertInto("auth_factors").values(factor).execute();
      // Old enough for the shortest time that a session may last to end it.
      const opened = { created_at: Date.now() - 2 * 86_400_000 };
      await q.updateTable("auth_sessions").set(opened).where("id", "=", viewer.sessionId).execute();
      const limits = '{"v":1,"limits":{"citizens.list":{}}}';
      await q.insertInto("access_limits").values({ job: own, version: 1, limits, updated_at: 1 }).execute();
      return await q.selectFrom("access_roles").select("id").where("job", "=", own).executeTakeFirstOrThrow();
    });
    const ids = { account: viewer.accountId, citizen: actor.characterId, session: viewer.sessionId, role: Number(role["id"]) };
    const watch = new Watch(under, actor, ids);
    await app.process.container.db.read("test.first", async (tx) => {
      for (const one of watch.watched) watch.#first.set(one, await whole(one, tx).executeTakeFirstOrThrow());
    });
    return watch;
  }

  get #hub() {
    return this.#under.app.process.hub;
  }

  get situations(): readonly Situation[] {
    return situationsOf(`char1:${this.#actor.licence}`);
  }

  get licence(): string {
    return this.#actor.licence;
  }

  close(): void {
    this.#client?.leave();
  }

  viewer(): Viewer | undefined {
    return this.#hub.viewers().find(({ sessionId }) => sessionId === this.#ids.session);
  }

  async rechecks(): Promise<number> {
    return await countRechecks(this.#under.app);
  }

  async settle(): Promise<void> {
    if (this.#client) await settled([this.#client]);
  }

  /** Everything as it was at first, but for the situation; the connection is open afterwards. */
  async enter(situation: Situation): Promise<void> {
    await this.#arrange(situation);
    if (this.viewer() !== undefined) return;
    await this.#arrange({ name: "plain" });
    this.#client = await TestClient.signedIn(this.#hub, await this.#under.world.tokenOf(this.#actor));
    await this.#arrange(situation);
    expect(pictureOf(this.viewer()), situation.name).not.toBe("closed");
  }

  async #arrange({ session = {}, account = {}, settings = {} }: Situation): Promise<void> {
    const other: Readonly<Record<string, Row>> = { auth_sessions: session, accounts: account };
    await this.#under.app.process.container.db.write("test.arrange", async (tx) => {
      for (const one of this.watched) await put(one, tx, { ...this.#first.get(one)!, ...other[one.table] });
      await raiseEpoch(tx);
    });
    await this.set(() => ({ ...defaultSettings, auth: { ...defaultSettings.auth, ...settings } }));
    await this.checkFully();
  }

  async set(edit: (settings: Settings) => Settings): Promise<void> {
    const { assembly, container } = this.#under.app.process;
    await container.db.write("test.settings", async (tx) => void (await assembly.api(settingsApi).change(tx, system, edit)));
    await this.settle();
  }

  async valueOf(watched: Watched, column: string): Promise<Value> {
    const { db } = this.#under.app.process.container;
    const row = await db.read("test.value", async (tx) => await whole(watched, tx).executeTakeFirstOrThrow());
    return row[column] ?? null;
  }

  /** What a change did: the number of checks, and whether the connection knows less than a full check finds. */
  async observe(change: () => Promise<void>): Promise<{ checks: number; changed: boolean; stale: string | null }> {
    const [checks, before] = [await this.rechecks(), pictureOf(this.viewer())];
    await change();
    const done = { checks: (await this.rechecks()) - checks, known: pictureOf(this.viewer()) };
    await this.checkFully();
    const right = pictureOf(this.viewer());
    const stale = done.known === right ? null : `${done.known} is ${right}`;
    return { checks: done.checks, changed: before !== right, stale };
  }

  /** Changes one column; null removes the row. */
  async change(watched: Watched, column: string | null, value: Value): Promise<void> {
    const { db } = this.#under.app.process.container;
    await db.write("test.change", async (tx) => {
      const before = await whole(watched, tx).executeTakeFirstOrThrow();
      await put(watched, tx, column === null ? null : { ...before, [column]: value });
      await watched.emit(tx, column === null ? [] : [column]);
    });
    await this.settle();
  }

  async sync(change: object): Promise<void> {
    const base = {
      identifier: `char1:${this.#actor.licence}`,
      firstName: "Ada",
      lastName: "Lind",
      jobs: [{ name: own, grade: 2 }],
    };
    const body = { items: [{ ...base, ...change }] };
    const answer = await this.#under.app.call(syncUsers, { body }, { token: testSecrets.sync });
    expect(answer.output.rejected).toEqual([]);
    await this.settle();
  }

  /** Forgets every cached value and checks everybody, as events of earlier versions do, which do not name what changed. */
  async checkFully(): Promise<void> {
    const { listeners } = this.#under.app.process.container.ports;
    const { account, citizen, session } = this.#ids;
    const all: [EventDefinition, unknown][] = [
      [rolesChanged, { job: "", epoch: 0 }],
      [jobsChanged, { names: [own, entered] }],
      [accountsChanged, { accountIds: [account], endSessions: false }],
      [sessionsChanged, { sessionIds: [session] }],
      [citizensChanged, { items: [{ id: citizen }] }],
      [settingsChanged, { version: 0 }],
    ];
    for (const [{ id: type }, payload] of all) {
      this.#delivered += 1;
      const eventId = `full-${this.#ids.session}-${this.#delivered}`;
      const message = { eventId, type, schemaVersion: 1, key: "test", version: 1, at: Date.now(), payload } as EventMessage;
      listeners.deliver(message);
    }
    await this.settle();
  }
}
