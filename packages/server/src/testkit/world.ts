import type { AttributeValue, LinkDefinition } from "#core/contract/index.ts";
import { accessApi } from "#features/access/access.api.ts";
import { accountsApi } from "#features/accounts/accounts.api.ts";
import { characters, enterJobAdmin, login as loginOperation, token as tokenOperation } from "#features/auth/auth.contract.ts";
import { syncUsers, type SyncUser } from "#features/citizens/citizens.contract.ts";
import { syncJobs } from "#features/jobs/jobs.contract.ts";
import { linksApi } from "#features/links/links.api.ts";
import { syncVehicles, type SyncVehicle } from "#features/vehicles/vehicles.contract.ts";
import { cookieOf, type TestApp, testSecrets } from "./app.ts";

export interface TestActor {
  readonly username: string;
  readonly password: string;
  readonly licence: string;
  readonly cookie: string;
  /** User token of the first character. */
  readonly token: string;
  readonly characterId: number;
}

type Grants = Record<string, Record<string, AttributeValue> | true | false>;

export interface ActorOptions {
  readonly job?: string;
  readonly grade?: number;
  readonly groups?: readonly string[];
  /** Enters job admin in the actor's own job; requires a group with that right, for example `lead`. */
  readonly jobAdmin?: boolean;
  /** Granted to the actor's job from its grade upwards. */
  readonly rights?: Grants;
}

/** Creates test data through the public interfaces; each method creates the objects that it depends on. */
export interface World {
  job(name: string, grades?: readonly number[]): Promise<void>;
  citizen(user?: Partial<SyncUser>): Promise<number>;
  vehicle(vehicle?: Partial<SyncVehicle>): Promise<number>;
  actor(options?: ActorOptions): Promise<TestActor>;
  grant(job: string, grade: number, rights: Grants): Promise<void>;
  /** The secret of a new link, by default to the first account. */
  link(definition: LinkDefinition, subject?: string): Promise<string>;
  /** A fresh user token, for example after rights changed. */
  tokenOf(actor: TestActor): Promise<string>;
}

const system = { kind: "system", name: "test" } as const;

/** The answer; throws unless it is a success. */
async function must<T extends { status: number; text: string }>(answer: Promise<T>): Promise<T> {
  const got = await answer;
  if (got.status >= 300) throw new Error(`test data could not be created: ${got.status} ${got.text}`);
  return got;
}

function grantsOf(rights: Grants) {
  return Object.fromEntries(
    Object.entries(rights).map(([permission, value]) => [
      permission,
      { allow: value !== false, attributes: typeof value === "object" ? value : {} },
    ]),
  );
}

export function createWorld(app: TestApp): World {
  const { assembly, container } = app.process;
  let counter = 0;
  const sync = { token: testSecrets.sync };

  async function idOf(table: "citizens" | "vehicles", column: string, value: string): Promise<number> {
    return await container.db.exclusive("test.idOf", async ({ connection }) => {
      const { rows } = await connection.execute(`select id from ${table} where ${column} = ?`, [value]);
      return rows[0]?.["id"] as number;
    });
  }

  const world: World = {
    async job(name, grades = [0, 1, 2, 3]) {
      const items = [
        {
          name,
          label: name.toUpperCase(),
          grades: grades.map((grade) => ({ grade, label: `${name} ${grade}` })),
        },
      ];
      await must(app.call(syncJobs, { body: { items } }, sync));
    },

    async citizen(user = {}) {
      counter += 1;
      const item = {
        identifier: `char1:licence-${counter}`,
        firstName: "Ada",
        lastName: `Person${counter}`,
        jobs: [{ name: "unemployed", grade: 0 }],
        ...user,
      };
      const { body } = await must(app.call(syncUsers, { body: { items: [item] } }, sync));
      if (body.rejected.length > 0) throw new Error(JSON.stringify(body.rejected));
      return await idOf("citizens", "identifier", item.identifier);
    },

    async vehicle(vehicle = {}) {
      counter += 1;
      const item = { plate: `PL ${counter}`, model: "sultan", type: "car", ...vehicle };
      await must(app.call(syncVehicles, { body: { items: [item] } }, sync));
      return await idOf("vehicles", "plate", item.plate);
    },

    async grant(job, grade, rights) {
      const grants = grantsOf(rights);
      await container.db.write(
        "test.grant",
        async (tx) => await assembly.api(accessApi).change(tx, system, { job, grade, grants }),
      );
    },

    async actor(options = {}) {
      counter += 1;
      const { job = `job${counter}`, grade = 1, groups = [], rights = {} } = options;
      const licence = `actor-${counter}`;
      const username = `actor${counter}`;
      const password = "a good password";
      await world.citizen({
        identifier: `char1:${licence}`,
        firstName: "Act",
        lastName: `Or${counter}`,
        jobs: [{ name: job, grade }],
      });
      if (Object.keys(rights).length > 0) await world.grant(job, grade, rights);
      await assembly.api(accountsApi).create(system, { licence, username, password, groups });
      const cookie = cookieOf(await must(app.call(loginOperation, { body: { username, password } })));
      const list = await must(app.call(characters, {}, { cookie }));
      const characterId = list.output.characters[0]?.id ?? 0;
      const actor = { username, password, licence, cookie, characterId, token: "" };
      const token = await world.tokenOf(actor);
      if (options.jobAdmin !== true) return { ...actor, token };
      await must(app.call(enterJobAdmin, { body: { reason: "a test" } }, { token }));
      return { ...actor, token: await world.tokenOf(actor) };
    },

    async link(definition, subject = "1") {
      const link = { subject, label: `test ${subject}`, expiresAt: container.ports.clock.now() + definition.maxAgeMs };
      const issue = container.db.write(
        "test.link",
        async (tx) => await assembly.api(linksApi).issue(tx, system, definition, link),
      );
      return (await issue).secret;
    },

    async tokenOf({ cookie, characterId }) {
      return (await must(app.call(tokenOperation, { body: { characterId } }, { cookie }))).output.token;
    },
  };
  return world;
}
