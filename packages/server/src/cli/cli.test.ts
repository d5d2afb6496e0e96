import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { soundConfig, soundSecrets, workingDirectory } from "#config/config.testkit.ts";
import { loadConfig, type LoadedConfig } from "#config/index.ts";
import { StarterExists, starterPaths, writeStarterConfig } from "./starter.ts";

const program = fileURLToPath(new URL("../../bin/rollcall.cjs", import.meta.url));

function rollcall(cwd: string, ...args: string[]) {
  const { PATH } = process.env;
  const result = spawnSync(process.execPath, [program, ...args], {
    cwd,
    encoding: "utf8",
    env: { ...(PATH !== undefined && { PATH }) },
  });
  return { code: result.status, out: result.stdout, err: result.stderr };
}

function secretsFrom(start = 0) {
  let n = start;
  return { secret: (bytes: number) => `${String(n++).padStart(4, "0")}${"x".repeat(bytes)}` };
}

describe("rollcall config check", () => {
  it("refuses subsystems that nothing logs under", () => {
    const cwd = workingDirectory(`${soundConfig}log: { levelOverrides: { kvstore: debug, crom: warn } }\n`);
    const { code, out } = rollcall(cwd, "config", "check");
    expect([code, out]).toEqual([
      78,
      expect.stringMatching(
        /^config\.yaml:\d+:\d+ {2}log\.levelOverrides\.crom {2}is not a subsystem and has no effect {2}write cron\n$/,
      ),
    ]);
  });

  it("reports a valid configuration, with the warnings", () => {
    const cwd = workingDirectory(soundConfig.replace("[admin]", "[]"));
    expect(rollcall(cwd, "config", "check")).toEqual({
      code: 0,
      out: "warning  config.yaml:23:22  auth.configAdminGroups  no account is config admin  write for example [admin], or set auth.configAdminUsers\nhint     config.yaml:1:1  updateCheck.feedURL  is not set, so the update check is off  set it to the URL of a release feed, or follow the releases yourself\nconfig.yaml: no problems, 1 warning\n",
      err: "",
    });
  });

  it("prints one line for each problem and ends with 78", () => {
    const cwd = workingDirectory(soundConfig.replace(soundSecrets.cookie, "short").replace("127.0.0.1:8080", "8080"));
    const { code, out } = rollcall(cwd, "config", "check");
    expect(code).toBe(78);
    expect(
      out
        .trim()
        .split("\n")
        .map((line) => line.split("  ")[0]),
    ).toEqual(["config.yaml:2:11", "config.yaml:8:19"]);
  });

  it("prints JSON for programs", () => {
    const cwd = workingDirectory(soundConfig.replace(soundSecrets.cookie, "short"));
    const { code, out } = rollcall(cwd, "config", "check", "--json");
    expect(code).toBe(78);
    expect(JSON.parse(out)).toMatchObject({
      ok: false,
      file: "config.yaml",
      problems: [{ option: "http.sessions.cookieSecret", line: 8, column: 19 }],
    });
  });

  it("prints both paths when there is no file", () => {
    const cwd = workingDirectory();
    const { code, out } = rollcall(cwd, "config", "check");
    expect(code).toBe(78);
    expect(out).toContain(`neither ${path.join(cwd, "config.yaml")} nor /config/config.yaml exists`);
  });
});

describe("rollcall config print", () => {
  it("shows values and sources, hides secrets and lists what is not yet in effect", () => {
    const { code, out } = rollcall(workingDirectory(soundConfig), "config", "print");
    expect(code).toBe(0);
    expect(out).toMatch(/^http\.listen +127\.0\.0\.1:8080 +config\.yaml:2:11$/m);
    expect(out).toMatch(/^mode +release +default$/m);
    expect(out).toMatch(/^jwt\.secret +\*\*\* +config\.yaml:11:11$/m);
    expect(out).toMatch(/^sync\.apiTokens +\["\*\*\*"\]/m);
    expect(out).toMatch(/^Checked, but without effect in this version:\n(?: {2}.*\n)* {2}dispatchCenter\.type\n/m);
    for (const letter of ["a", "b", "c"]) expect(out).not.toContain(letter.repeat(8));
  });

  it("prints problems instead if there are any", () => {
    const { code, out, err } = rollcall(workingDirectory(`${soundConfig}mode: x\n`), "config", "print");
    expect([code, out]).toEqual([78, ""]);
    expect(err).toMatch(/^config\.yaml:\d+:7 {2}mode {2}/);
  });
});

describe("rollcall init", () => {
  it("writes a configuration that works at once, readable only by this user", () => {
    const cwd = workingDirectory();
    const { code, out } = rollcall(cwd, "init");
    expect(code).toBe(0);
    expect(out).toContain("http://localhost:8080");
    expect(statSync(path.join(cwd, "config.yaml")).mode & 0o777).toBe(0o600);
    const loaded = loadConfig({ cwd, env: {}, systemDirectory: "/nonexistent" });
    expect(loaded).toMatchObject({
      ok: true,
      config: {
        http: {
          publicURL: "http://localhost:8080",
          origins: ["http://localhost:8080"],
          sessions: { domain: "localhost" },
          listen: { host: "127.0.0.1", port: 8080 },
          adminListen: { host: "127.0.0.1", port: 7070 },
        },
        database: { dsn: { kind: "sqlite", file: path.join(cwd, "data/rollcall.db") } },
        nats: { url: { kind: "embedded" } },
        sync: { enabled: true },
        auth: { configAdminGroups: ["admin"] },
        storage: { filesystem: { path: path.join(cwd, "data/files") } },
      },
    });
    // With a hint about the time zone where this machine is in UTC.
    const hints = (loaded as LoadedConfig).hints.filter(({ path: option }) => option !== "database.dsn");
    expect({ ...loaded, hints }).toMatchObject({
      warnings: [],
      hints: [{ path: "postalsFile" }, { path: "updateCheck.feedURL" }],
    });
    const again = rollcall(cwd, "init");
    expect(again).toMatchObject({ code: 1, out: "" });
    expect(again.err).toContain("--force");
  });

  it("puts uploads in a separate folder next to the database, in the image on its volume", () => {
    const inImage = { data: "/data", database: "sqlite:/data/rollcall.db", files: "/data/files" };
    expect([starterPaths("/data"), starterPaths("/config/")]).toEqual([inImage, inImage]);
    const elsewhere = { data: "/srv/x/data", database: "sqlite:./data/rollcall.db", files: "./data/files" };
    expect(starterPaths("/srv/x")).toEqual(elsewhere);
  });

  it("does not overwrite silently", () => {
    const directory = workingDirectory("mine: 1\n");
    const file = path.join(directory, "config.yaml");
    expect(() => writeStarterConfig(directory, { ids: secretsFrom() })).toThrow(StarterExists);
    expect(readFileSync(file, "utf8")).toBe("mine: 1\n");
    writeFileSync(`${file}.1.bak`, "older\n");
    const { keptAs } = writeStarterConfig(directory, {
      ids: secretsFrom(),
      force: true,
      zone: "Europe/Berlin",
    });
    expect(keptAs).toBe(`${file}.2.bak`);
    expect(readFileSync(`${file}.2.bak`, "utf8")).toBe("mine: 1\n");
    expect(readFileSync(`${file}.1.bak`, "utf8")).toBe("older\n");
    const loaded = loadConfig({ cwd: directory, env: {}, systemDirectory: "/nonexistent" });
    expect(loaded).toMatchObject({ ok: true, config: { database: { dsn: { zone: "Europe/Berlin" } } } });
  });
});

describe("a wrong command line", () => {
  it.each([
    [["bogus"], /Unknown command bogus; run rollcall --help/],
    [["--verison"], /unknown option --verison; run rollcall --help/],
    [["-x", "serve"], /unknown option -x; run rollcall --help/],
    [["config", "--jsn"], /unknown option --jsn; run rollcall config --help/],
    [["config"], /No command specified; run rollcall config --help/],
    [["serve", "--roles=web,wokrer"], /--roles wokrer is not a role/],
    [["serve", "--roles="], /--roles names no role; write any of web, worker, bot, or leave it out/],
    [["config", "check", "--jsn"], /unknown option --jsn/],
    [["config", "check", "extra"], /unexpected argument extra/],
    [["config", "check", "--config"], /--config requires a value/],
  ])("%j ends with 2", (args, message) => {
    const { code, err } = rollcall(workingDirectory(soundConfig), ...args);
    expect(code).toBe(2);
    expect(err).toMatch(message);
    expect(err.trim().split("\n")).toHaveLength(1);
  });

  it("help lists the commands", () => {
    const { code, out } = rollcall(workingDirectory(), "--help");
    expect(code).toBe(0);
    expect(out).toMatch(/config +Check and print/);
    expect(out).toMatch(/init +Write a starter/);
  });
});

describe("the program on an older Node", () => {
  const pretend = path.join(workingDirectory(), "pretend.cjs");
  writeFileSync(pretend, 'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.19.0" } });');
  const runOld = (file: string) =>
    spawnSync(process.execPath, ["--require", pretend, file, "bogus"], { encoding: "utf8", env: {} });

  it("starts the installed Node and keeps its exit code", () => {
    const { status, stderr } = runOld(program);
    expect([status, stderr]).toEqual([2, "rollcall: Unknown command bogus; run rollcall --help\n"]);
  });

  it("prints a remedy if there is none", () => {
    const bin = path.join(workingDirectory(), "bin");
    mkdirSync(bin);
    copyFileSync(program, path.join(bin, "rollcall.cjs"));
    const { status, stderr } = runOld(path.join(bin, "rollcall.cjs"));
    expect(status).toBe(1);
    expect(stderr).toBe(
      "rollcall: needs Node 22.18 or later, this is 20.19.0; run npm install in its folder, or install Node 22.18 or later\n",
    );
  });
});
