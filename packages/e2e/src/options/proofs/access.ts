import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { call, sendTo, type Person } from "@rollcall/testkit/api.ts";
import { secrets } from "@rollcall/testkit/program.ts";
import type { OptionProof, Stage } from "../proof.ts";

interface Powers {
  /** Status of entering job admin. */
  readonly jobAdmin: number;
  /** Status of the page that only config admins may read. */
  readonly status: number;
}

async function powersOf(url: string, { cookie, token }: Person): Promise<Powers> {
  const [jobAdmin, status] = await Promise.all([
    call(url, "/api/auth/job-admin", { token, body: { reason: "proof of an option" } }),
    call(url, "/api/system/status", { cookie }),
  ]);
  return { jobAdmin: jobAdmin.status, status: status.status };
}

const powerless = { jobAdmin: 403, status: 403 };
const jobAdmin = { jobAdmin: 200, status: 403 };
const configAdmin = { jobAdmin: 200, status: 200 };
/** What each account may do with the first and with the second value of the list. */
const list =
  (
    option: string,
    second: readonly string[],
    expected: Readonly<Record<string, readonly [Powers, Powers]>>,
    groups: Readonly<Record<string, string>>,
  ) =>
  (stage: Stage) => ({
    settings: [{ [option]: [] }, { [option]: second }],
    async observe(value: number) {
      for (const [username, powers] of Object.entries(expected))
        assert.deepEqual(await powersOf(stage.url, await stage.person(username, groups[username])), powers[value], username);
    },
  });

export const proofs: readonly OptionProof[] = [
  {
    option: "postalsFile",
    first: { value: "north.json", observed: "/api/postals returns the codes of that file" },
    second: { value: "south.json", observed: "it returns those of the other file" },
    group: "web",
    play(stage) {
      const names = ["north", "south"];
      const files = names.map((name) => path.join(stage.instance.folder, `${name}.json`));
      for (const [i, file] of files.entries()) writeFileSync(file, JSON.stringify([{ code: names[i], x: 1, y: 2.5 }]));
      return {
        settings: files.map((file) => ({ postalsFile: file })),
        async observe(value) {
          const { token } = await stage.person("postman");
          const { body } = await call(stage.url, "/api/postals", { token });
          assert.deepEqual(body.postals, [[names[value], 1, 2.5]]);
        },
      };
    },
  },
  {
    option: "auth.jobAdminGroups",
    first: { value: "[]", observed: "an account of the group Lead may not enter job admin (403)" },
    second: {
      value: "[Lead]",
      observed: "it may (200), but is no config admin; an account of the group lead may not",
    },
    group: "web",
    play: list(
      "auth.jobAdminGroups",
      ["Lead"],
      { jobgroup: [powerless, jobAdmin], wronglead: [powerless, powerless] },
      { jobgroup: "Lead", wronglead: "lead" },
    ),
  },
  {
    option: "auth.jobAdminUsers",
    first: { value: "[]", observed: "an account may not enter job admin (403)" },
    second: {
      value: "[license:LICENCE]",
      observed: "the account of this licence may (200), without any group",
    },
    group: "web",
    play: list("auth.jobAdminUsers", ["license:licence-of-jobuser"], { jobuser: [powerless, jobAdmin] }, {}),
  },
  {
    option: "auth.configAdminGroups",
    first: { value: "[]", observed: "an account of the group Staff may not read /api/system/status (403)" },
    second: {
      value: "[Staff]",
      observed: "it may (200), and may enter job admin; an account of the group staff may not",
    },
    group: "web",
    play: list(
      "auth.configAdminGroups",
      ["Staff"],
      { configgroup: [powerless, configAdmin], wrongstaff: [powerless, powerless] },
      { configgroup: "Staff", wrongstaff: "staff" },
    ),
  },
  {
    option: "auth.configAdminUsers",
    first: { value: "[]", observed: "an account may not read /api/system/status (403)" },
    second: { value: "[LICENCE]", observed: "the account of this licence may (200), without any group" },
    group: "web",
    play: list("auth.configAdminUsers", ["licence-of-configuser"], { configuser: [powerless, configAdmin] }, {}),
  },
  {
    option: "game.startJobGrade",
    first: {
      value: "0",
      observed: "editors begin at grade 0; the default role is at grade 0, and a role at grade 0 is accepted",
    },
    second: {
      value: "1",
      observed: "editors begin at grade 1; the default role is at grade 1, and a role at grade 0 is refused",
    },
    async run(kit) {
      const pair = await kit.pair({}, { "game.startJobGrade": 1 });
      const seen = await Promise.all(
        pair.map(async ({ instance, url }) => {
          const grades = [0, 1].map((grade) => ({ grade, label: `Grade ${grade}` }));
          await sendTo(url, "jobs", [{ name: "police", label: "Police", grades }]);
          assert.equal((await kit.run(["role", "allow", "citizens.list"], instance)).code, 0);
          const low = await kit.run(["role", "allow", "citizens.list", "--job", "police", "--grade", "0"], instance);
          const roles = await kit.run(["role", "list"], instance);
          const { body } = await call(url, "/api/system/client");
          return {
            start: body.startJobGrade,
            low: low.code,
            defaultRole: /^\(default\)\t(\d+)/m.exec(roles.stdout)?.[1],
          };
        }),
      );
      assert.deepEqual(seen, [
        { start: 0, low: 0, defaultRole: "0" },
        { start: 1, low: 1, defaultRole: "1" },
      ]);
    },
  },
  {
    option: "sync.enabled",
    first: { value: "true", observed: "the Sync API answers 200" },
    second: { value: "false", observed: "the Sync API answers 404, with the same token" },
    group: "log",
    play: (stage) => ({
      settings: [{ "sync.enabled": true }, { "sync.enabled": false }],
      async observe(value) {
        const job = { name: "police", label: "Police", grades: [{ grade: 0, label: "Cadet" }] };
        assert.equal((await sendTo(stage.url, "jobs", [job])).status, [200, 404][value]);
      },
    }),
  },
  {
    option: "sync.apiTokens",
    first: { value: "[A]", observed: "token A is accepted (200), token B refused (401)" },
    second: { value: "[B, C]", observed: "tokens B and C are accepted, token A refused" },
    group: "web",
    play(stage) {
      const [a, b, c] = ["a", "b", "c"].map((letter) => letter.repeat(30)) as [string, string, string];
      return {
        settings: [{ "sync.apiTokens": [a, secrets.sync] }, { "sync.apiTokens": [b, c, secrets.sync] }],
        async observe(value) {
          const statuses = await Promise.all(
            [a, b, c].map(async (token) => (await call(stage.url, "/api/sync/v1/status", { token })).status),
          );
          assert.deepEqual(statuses, value === 0 ? [200, 401, 401] : [401, 200, 200]);
        },
      };
    },
  },
];
