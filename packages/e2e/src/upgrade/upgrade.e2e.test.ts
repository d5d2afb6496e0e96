import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { call, signIn } from "@rollcall/testkit/api.ts";
import { hasMariadb, makeDatabase, type OwnDatabase } from "@rollcall/testkit/backing.ts";
import { type Instance, makeInstance, serve } from "@rollcall/testkit/program.ts";
import { queryOf } from "@rollcall/testkit/stored.ts";

/**
 * Databases of 0.1.0: 3 jobs, 12 people, one of them deleted, 6 vehicles, 2 notices, a role, and the account `chief` of
 * the third person. They are never changed; a later schema gets a file of its own.
 */
const fixture = (name: string) => gunzipSync(readFileSync(path.join(import.meta.dirname, "fixtures", name)));
const password = "correct horse battery";

/** As 0.1.0 was configured, so that its sealed columns and tokens are read with the same keys. */
const configOf =
  (dsn: string) =>
  ({ port, adminPort }: { port: number; adminPort: number }) =>
    `secret: "upgrade-fixture-secret-of-0.1.0-7Yq2"
jwt: { secret: "upgrade-fixture-jwt-of-0.1.0-4Kd9wPz" }
http:
  listen: "127.0.0.1:${port}"
  adminListen: "127.0.0.1:${adminPort}"
  publicURL: http://localhost:${port}
  origins: ["http://localhost:${port}"]
  trustedProxies: []
  sessions: { cookieSecret: "upgrade-fixture-cookie-of-0.1.0-8Ht3", domain: localhost }
database: { dsn: "${dsn}" }
nats: { url: "embedded:" }
storage: { filesystem: { path: ./data/files } }
auth: { configAdminGroups: [admin] }
sync: { enabled: true, apiTokens: ["upgrade-fixture-token-of-0.1.0-5Bn6"] }
`;

interface Installation {
  readonly instance: Instance;
  readonly database: OwnDatabase | null;
}

async function onSqlite(): Promise<Installation> {
  const instance = await makeInstance({ config: configOf("sqlite:./data/rollcall.db?loc=Europe%2FBerlin") });
  writeFileSync(path.join(instance.folder, "data", "rollcall.db"), fixture("0.1.0.sqlite.gz"));
  return { instance, database: null };
}

async function onMariadb(): Promise<Installation> {
  const database = makeDatabase();
  execFileSync("mariadb", [database.name], { input: fixture("0.1.0.mariadb.sql.gz") });
  return { instance: await makeInstance({ config: configOf(database.dsn) }), database };
}

const kept: readonly [name: string, statement: string][] = [
  ["citizens", "select id, identifier, first_name, last_name, height, deleted_at from citizens order by id"],
  ["jobs of citizens", "select citizen_id, job, grade from citizens_jobs order by citizen_id, job"],
  ["phones", "select citizen_id, number from citizens_phones order by citizen_id, number"],
  ["vehicles", "select id, plate, model, owner_identifier from vehicles order by id"],
  ["notices", "select id, title, body, creator_id, is_public from notices order by id"],
  ["accounts", "select id, username, licence, password_hash from accounts order by id"],
  ["the audit log", "select id, action, result, actor_name from audit_entries order by id"],
  ["grants", "select permission from access_grants order by permission"],
];

describe.concurrent.each([
  ["SQLite", true, onSqlite],
  ["MariaDB", hasMariadb, onMariadb],
] as const)("an installation of 0.1.0 on %s", (_name, there, install) => {
  const open: Installation[] = [];
  afterAll(() => {
    for (const { instance, database } of open) {
      instance.remove();
      database?.drop();
    }
  });

  it.skipIf(!there)("is upgraded with all its data, and goes on", async () => {
    const one = await install();
    open.push(one);
    const { instance, database } = one;
    const rows = queryOf(instance, database);
    const before = kept.map(([what, statement]) => [what, rows(statement)] as const);
    const program = await serve(instance);
    try {
      for (const [what, was] of before) {
        const is = rows(kept.find(([name]) => name === what)![1]);
        expect([what, is.slice(0, was.length)]).toEqual([what, was]);
      }
      const chief = await signIn(instance.url, "chief", password);
      const as = { cookie: chief.cookie, token: chief.token };
      const { body: citizens } = await call(instance.url, "/api/citizens", as);
      expect(citizens.total).toBe(before[0]![1].length - 1);
      const { body: found } = await call(instance.url, "/api/citizens?q=lukasz", as);
      expect(found.items.map(({ firstName }: { firstName: string }) => firstName)).toContain("Łukasz");
      const { body: notices } = await call(instance.url, "/api/notices", as);
      expect(notices.items.map(({ title }: { title: string }) => title).toSorted()).toEqual([
        "Radio check at 20:00",
        "Übung am Sonntag",
      ]);
      const body = {
        items: [
          {
            identifier: "char1:0a1b2c01",
            firstName: "Mara",
            lastName: "Lind",
            jobs: [{ name: "police", grade: 1 }],
            playtime: 7200,
          },
        ],
      };
      const sent = await call(instance.url, "/api/sync/v1/users", { body, token: "upgrade-fixture-token-of-0.1.0-5Bn6" });
      expect([sent.status, sent.body]).toMatchObject([200, { accepted: 1, rejected: [] }]);
      expect(program.output()).not.toMatch(/"level":"error"/);
    } finally {
      await program.stop();
    }
  });
});
