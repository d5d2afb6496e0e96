import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { call, person, sendTo, type Person, signIn } from "../../kit/api.ts";
import type { Settings } from "../../kit/settings.ts";
import type { OptionProof, ProofKit } from "../proof.ts";

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

const nobody = { jobAdmin: 403, status: 403 };
const jobAdmin = { jobAdmin: 200, status: 403 };
const configAdmin = { jobAdmin: 200, status: 200 };
const none: Settings = { "auth.configAdminGroups": [] };
const lists: Settings = {
  "auth.jobAdminGroups": ["Lead"],
  "auth.jobAdminUsers": ["license:licence-of-jobuser"],
  "auth.configAdminGroups": ["Staff"],
  "auth.configAdminUsers": ["licence-of-configuser"],
};

let powers: Promise<Record<string, readonly [Powers, Powers]>> | null = null;

/** The same four people, once with empty lists and once with each of the four lists naming one of them. */
async function flipped(kit: ProofKit) {
  powers ??= (async () => {
    const { place, program } = await kit.start(none);
    const people = [
      { username: "jobgroup", groups: "Lead" },
      { username: "jobuser" },
      { username: "configgroup", groups: "Staff" },
      { username: "configuser" },
      { username: "wrongcase", groups: "lead,staff" },
    ];
    const made: Person[] = [];
    for (const one of people) made.push(await person(place, one));
    const before = await Promise.all(made.map(async (one) => await powersOf(place.url, one)));
    await program.stop();
    place.set({ ...none, ...lists });
    await kit.serve(place);
    const again = await Promise.all(made.map(async ({ username, password }) => await signIn(place.url, username, password)));
    const after = await Promise.all(again.map(async (one) => await powersOf(place.url, one)));
    return Object.fromEntries(made.map(({ username }, i) => [username, [before[i]!, after[i]!] as const]));
  })();
  return await powers;
}

export const proofs: readonly OptionProof[] = [
  {
    option: "postalsFile",
    first: { value: "north.json", observed: "/api/system/postals tells the codes of that file" },
    second: { value: "south.json", observed: "it tells those of the other file" },
    async run(kit) {
      const codes = await Promise.all(
        ["north", "south"].map(async (name) => {
          const file = path.join((await kit.usual()).place.folder, `${name}.json`);
          writeFileSync(file, JSON.stringify([{ code: name, x: 1, y: 2.5 }]));
          const { place } = await kit.start({ postalsFile: file });
          const { token } = await person(place, { username: name });
          const { body } = await call(place.url, "/api/system/postals", { token });
          return body.postals;
        }),
      );
      assert.deepEqual(codes, [[{ code: "north", x: 1, y: 2.5 }], [{ code: "south", x: 1, y: 2.5 }]]);
    },
  },
  {
    option: "auth.jobAdminGroups",
    first: { value: "[]", observed: "an account of the group Lead may not enter job admin (403)" },
    second: {
      value: "[Lead]",
      observed: "it may (200), but is no config admin; an account of the group lead may not",
    },
    async run(kit) {
      const { jobgroup, wrongcase } = await flipped(kit);
      assert.deepEqual(jobgroup, [nobody, jobAdmin]);
      assert.deepEqual(wrongcase, [nobody, nobody]);
    },
  },
  {
    option: "auth.jobAdminUsers",
    first: { value: "[]", observed: "an account may not enter job admin (403)" },
    second: {
      value: "[license:LICENCE]",
      observed: "the account of this licence may (200), without any group",
    },
    async run(kit) {
      assert.deepEqual((await flipped(kit))["jobuser"], [nobody, jobAdmin]);
    },
  },
  {
    option: "auth.configAdminGroups",
    first: { value: "[]", observed: "an account of the group Staff may not read /api/system/status (403)" },
    second: {
      value: "[Staff]",
      observed: "it may (200), and may enter job admin; an account of the group staff may not",
    },
    async run(kit) {
      const { configgroup, wrongcase } = await flipped(kit);
      assert.deepEqual(configgroup, [nobody, configAdmin]);
      assert.deepEqual(wrongcase, [nobody, nobody]);
    },
  },
  {
    option: "auth.configAdminUsers",
    first: { value: "[]", observed: "an account may not read /api/system/status (403)" },
    second: { value: "[LICENCE]", observed: "the account of this licence may (200), without any group" },
    async run(kit) {
      assert.deepEqual((await flipped(kit))["configuser"], [nobody, configAdmin]);
    },
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
        pair.map(async ({ place, url }) => {
          assert.equal((await kit.run(["role", "allow", "citizens.list"], place)).code, 0);
          const low = await kit.run(["role", "allow", "citizens.list", "--job", "police", "--grade", "0"], place);
          const roles = await kit.run(["role", "list"], place);
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
    async run(kit) {
      const [on, off] = [await kit.usual(), await kit.start({ "sync.enabled": false })];
      const job = { name: "police", label: "Police", grades: [{ grade: 0, label: "Cadet" }] };
      assert.deepEqual([(await sendTo(on.url, "jobs", [job])).status, (await sendTo(off.url, "jobs", [job])).status], [200, 404]);
    },
  },
  {
    option: "sync.apiTokens",
    first: { value: "[A]", observed: "token A is accepted (200), token B refused (401)" },
    second: { value: "[B, C]", observed: "tokens B and C are accepted, token A refused" },
    async run(kit) {
      const [a, b, c] = ["a", "b", "c"].map((letter) => letter.repeat(30));
      const [one, two] = await kit.pair({ "sync.apiTokens": [a] }, { "sync.apiTokens": [b, c] });
      const statuses = async (url: string) =>
        await Promise.all([a, b, c].map(async (token) => (await call(url, "/api/sync/v1/status", { token: token! })).status));
      assert.deepEqual(await statuses(one.url), [200, 401, 401]);
      assert.deepEqual(await statuses(two.url), [401, 200, 200]);
    },
  },
];
