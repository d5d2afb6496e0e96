import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { call } from "@rollcall/testkit/api.ts";
import type { ConfiguredInstance, Settings } from "@rollcall/testkit/settings.ts";
import { until } from "@rollcall/testkit/until.ts";
import { type OptionProof, player, type ProofKit } from "../proof.ts";

const toFile = { "log.logToFile": true } as const;
const rotation = "log.file.rotation";
const backup = /^rollcall-\d{8}T\d{9}Z(?:-\d+)?\.log(?:\.gz)?$/;

const backupsOf = (instance: ConfiguredInstance) =>
  readdirSync(instance.folder)
    .filter((name) => backup.test(name))
    .toSorted();
const logOf = (instance: ConfiguredInstance, name = "rollcall.log") => readFileSync(path.join(instance.folder, name), "utf8");

/** Name of a file that was rotated some hours ago. */
function rotatedName(hoursAgo: number): string {
  return `rollcall-${new Date(Date.now() - hoursAgo * 3_600_000).toISOString().replaceAll(/[-:.]/g, "")}.log`;
}

/** Starts the program in a folder with these files of earlier runs. */
async function startAmong(
  kit: ProofKit,
  files: Readonly<Record<string, string>>,
  settings: Settings,
): Promise<ConfiguredInstance> {
  const instance = await kit.instance({ ...toFile, ...settings });
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(instance.folder, name), text);
  kit.launch(instance);
  await kit.answers(instance);
  return instance;
}

const sixBackups = Object.fromEntries([1, 2, 3, 4, 5, 6].map((hours) => [rotatedName(hours), `${hours} hours ago\n`]));

export const proofs: readonly OptionProof[] = [
  {
    option: "log.logToStderr",
    first: { value: "true", observed: "lines come on standard error, nothing on standard output" },
    second: { value: "false", observed: "lines come on standard output, nothing on standard error" },
    group: "log",
    play: (stage) => ({
      settings: [{}, { "log.logToStderr": false }],
      observe(value) {
        const { stdout, stderr } = stage.program;
        const [used, unused] = value === 0 ? [stderr(), stdout()] : [stdout(), stderr()];
        assert.match(used, /Rollcall [\d.]+ serves/);
        assert.equal(unused, "");
        return Promise.resolve();
      },
    }),
  },
  {
    option: "log.logToFile",
    first: { value: "false", observed: "there is no log file" },
    second: {
      value: "true",
      observed:
        "the log file has the lines; standard output and error stay empty until the end, except for the reason of a refused start",
    },
    async run(kit) {
      const [usual, instance] = [await kit.usual(), await kit.instance(toFile)];
      assert.equal(existsSync(path.join(usual.instance.folder, "rollcall.log")), false);
      const program = kit.launch(instance);
      await kit.answers(instance);
      await until("the log file has the line", () => logOf(instance).includes("serves"));
      const refused = kit.launch(instance);
      assert.equal(await refused.exited, 1);
      assert.equal(refused.stderr().trim().split("\n").length, 1, refused.stderr());
      assert.equal(await program.stop(), 0);
      assert.equal(program.output(), "");
      assert.match(logOf(instance), /"msg":"stopping"/);
    },
  },
  {
    option: "log.file.path",
    first: { value: "rollcall.log", observed: "lines are in rollcall.log of the working directory" },
    second: {
      value: "logs/of/city.log",
      observed: "lines are in that file, its folders are created, and there is no rollcall.log",
    },
    async run(kit) {
      const [a, b] = await Promise.all([startAmong(kit, {}, {}), startAmong(kit, {}, { "log.file.path": "logs/of/city.log" })]);
      await until("the first file has the line", () => logOf(a).includes("serves"));
      await until("the second file has the line", () => logOf(b, "logs/of/city.log").includes("serves"));
      assert.equal(existsSync(path.join(a.folder, "logs")), false);
      assert.equal(existsSync(path.join(b.folder, "rollcall.log")), false);
    },
  },
  {
    option: `${rotation}.maxSize`,
    first: { value: "1", observed: "a log file of 1 MB is moved away and a new one begun" },
    second: { value: "2", observed: "the same file grows further" },
    async run(kit) {
      const full = { "rollcall.log": `${"x".repeat(999_999)}\n` };
      const common = { [`${rotation}.compress`]: false };
      const [a, b] = await Promise.all([
        startAmong(kit, full, { ...common, [`${rotation}.maxSize`]: 1 }),
        startAmong(kit, full, { ...common, [`${rotation}.maxSize`]: 2 }),
      ]);
      for (const instance of [a, b]) await until("the file has the line", () => logOf(instance).includes("serves"));
      assert.equal(backupsOf(a).length, 1);
      assert.equal(logOf(a, backupsOf(a)[0]).length, 1_000_000);
      assert.ok(logOf(a).length < 100_000);
      assert.deepEqual(backupsOf(b), []);
      assert.ok(logOf(b).length > 1_000_000);
    },
  },
  {
    option: `${rotation}.maxBackups`,
    first: { value: "2", observed: "of six rotated files the two newest are left" },
    second: { value: "4", observed: "the four newest are left" },
    async run(kit) {
      const common = { [`${rotation}.compress`]: false };
      const newest = Object.keys(sixBackups);
      for (const count of [2, 4]) {
        const instance = await startAmong(kit, sixBackups, { ...common, [`${rotation}.maxBackups`]: count });
        assert.deepEqual(backupsOf(instance), newest.slice(0, count).toSorted());
      }
    },
  },
  {
    option: `${rotation}.maxAge`,
    first: { value: "2", observed: "a file rotated three days ago is removed, one of yesterday stays" },
    second: { value: "5", observed: "both stay" },
    async run(kit) {
      const files = { [rotatedName(24)]: "yesterday\n", [rotatedName(72)]: "three days ago\n" };
      const common = { [`${rotation}.compress`]: false };
      for (const [days, left] of [
        [2, 1],
        [5, 2],
      ] as const) {
        const instance = await startAmong(kit, files, { ...common, [`${rotation}.maxAge`]: days });
        assert.deepEqual(backupsOf(instance), Object.keys(files).slice(0, left).toSorted());
      }
    },
  },
  {
    option: `${rotation}.compress`,
    first: { value: "true", observed: "a rotated file becomes .gz with the same text" },
    second: { value: "false", observed: "it stays as it is" },
    async run(kit) {
      const name = rotatedName(1);
      const files = { [name]: "an hour ago\n" };
      const [a, b] = await Promise.all([
        startAmong(kit, files, { [`${rotation}.compress`]: true }),
        startAmong(kit, files, { [`${rotation}.compress`]: false }),
      ]);
      await until("the file is compressed", () => backupsOf(a).length === 1 && backupsOf(a)[0] === `${name}.gz`);
      assert.equal(gunzipSync(readFileSync(path.join(a.folder, `${name}.gz`))).toString(), "an hour ago\n");
      assert.deepEqual(backupsOf(b), [name]);
    },
  },
  {
    option: `${rotation}.rotationInterval`,
    first: { value: "1s", observed: "the file is moved away a second after it was begun" },
    second: { value: "24h", observed: "at the same time the file is still the first one" },
    async run(kit) {
      const [a, b] = await Promise.all([
        startAmong(kit, {}, { [`${rotation}.rotationInterval`]: "1s" }),
        startAmong(kit, {}, { [`${rotation}.rotationInterval`]: "24h" }),
      ]);
      await until("the file was rotated by its age", () => backupsOf(a).length > 0);
      await until("the other file has the line", () => logOf(b).includes("serves"));
      assert.deepEqual(backupsOf(b), []);
    },
  },
  {
    option: "log.levelOverrides",
    first: {
      value: "none",
      observed: "at logLevel INFO start and broker leave info lines, and no subsystem leaves a debug line",
    },
    second: {
      value: "{http: debug, locks: debug, perms: debug, citizens: debug, kvstore: warn, start: warn}",
      observed:
        "requests, leases, roles and the feature citizens leave debug lines and no other subsystem does; broker and start leave no info line",
    },
    async run(kit) {
      const loud = ["http", "locks", "perms", "citizens"];
      const overrides = Object.fromEntries(loud.map((name) => [name, "debug"]));
      const instance = await kit.instance({
        "log.levelOverrides": { ...overrides, kvstore: "warn", start: "warn" },
      });
      const [usual, program] = [await kit.usual(), kit.launch(instance)];
      await kit.answers(instance);
      for (const { url } of [instance, usual]) assert.equal((await call(url, "/api/system/client")).status, 200);
      await player(instance, "logged");
      for (const name of loud) await program.seen(new RegExp(`"level":"debug","time":"[^"]*","subsystem":"${name}"`));
      const quiet = /"level":"info","time":"[^"]*","subsystem":"(?:kvstore|start)"/;
      assert.doesNotMatch(program.output(), quiet);
      assert.doesNotMatch(program.output(), new RegExp(`"level":"debug","time":"[^"]*","subsystem":"(?!(?:${loud.join("|")})")`));
      assert.match(usual.program.output(), quiet);
      assert.doesNotMatch(usual.program.output(), /"level":"debug"/);
    },
  },
];
