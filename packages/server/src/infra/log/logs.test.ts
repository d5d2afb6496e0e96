import { spawnSync } from "node:child_process";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { contents, emptyFolder, ManualClock, MemorySink, settings } from "./log.testkit.ts";
import { createLogs } from "./logs.ts";
import { installProcessLog } from "./processLog.ts";

const instant = Date.UTC(2026, 10, 20, 10, 15, 0, 123);

function logsTo(change: Parameters<typeof settings>[0] = {}, secrets: string[] = []) {
  const stdout = new MemorySink();
  const stderr = new MemorySink();
  const clock = new ManualClock(instant);
  return { stdout, stderr, clock, logs: createLogs(settings(change), { clock, stdout, stderr, secrets }) };
}

describe("the output of lines", () => {
  it("is standard error, or with logToStderr false standard output", () => {
    const a = logsTo();
    a.logs.subsystem("http").info({}, "up");
    expect([a.stderr.lines.length, a.stdout.lines.length]).toEqual([1, 0]);
    const b = logsTo({ logToStderr: false });
    b.logs.subsystem("http").info({}, "up");
    expect([b.stderr.lines.length, b.stdout.lines.length]).toEqual([0, 1]);
  });

  it.each([true, false])("is only the file with logToFile (logToStderr %s)", async (logToStderr) => {
    const folder = emptyFolder();
    const { logs, stdout, stderr } = logsTo({
      logToFile: true,
      logToStderr,
      path: path.join(folder, "deep", "rollcall.log"),
    });
    logs.subsystem("http").error({}, "up");
    expect(stdout.text + stderr.text).toBe("");
    // Written synchronously: nothing has to be flushed.
    expect(contents(path.join(folder, "deep"))["rollcall.log"]).toContain('"msg":"up"');
    await logs.close();
  });
});

describe("the streams of the process", () => {
  const module = new URL("./index.ts", import.meta.url).href;
  const runLogging = (logToStderr: boolean) => {
    const code = `
      const { createLogs } = await import(${JSON.stringify(module)});
      const clock = { now: () => 0, setTimeout: () => ({ cancel() {} }) };
      const logs = createLogs(${JSON.stringify(settings({ logToStderr }))}, { clock });
      for (let i = 0; i < 2000; i++) logs.subsystem("x").info({ i }, "line");
      process.exit(3);`;
    return spawnSync(process.execPath, ["--input-type=module", "--eval", code], { encoding: "utf8" });
  };

  it.each([true, false])("lose nothing when the process exits at once (logToStderr %s)", (logToStderr) => {
    const { status, stdout, stderr } = runLogging(logToStderr);
    expect(status).toBe(3);
    expect((logToStderr ? stderr : stdout).trim().split("\n")).toHaveLength(2000);
    expect(logToStderr ? stdout : stderr).toBe("");
  });
});

describe("the format of lines", () => {
  it("is short on a terminal, in debug as everywhere", () => {
    const lines: string[] = [];
    const terminal = { isTerminal: true, write: (line: string) => void lines.push(line), close: async () => undefined };
    const logTo = (mode: "debug" | "release") =>
      createLogs({ ...settings({}), mode }, { clock: new ManualClock(instant), stderr: terminal }).subsystem("broker");
    const log = logTo("release");
    log.info({ port: 8080 }, "up");
    log.warn({ attempt: 2, err: new Error("re\u001bfused") }, "lost");
    logTo("debug").info({ port: 8080 }, "up");
    expect(lines).toEqual([
      "10:15:00  up\n",
      "10:15:00  Warning: lost  re\\x1bfused\n",
      "10:15:00.123 INFO  broker       up  port=8080\n",
    ]);
  });

  it("names the migrations of a start only by their number on a terminal", () => {
    const lines: string[] = [];
    const terminal = { isTerminal: true, write: (line: string) => void lines.push(line), close: async () => undefined };
    const log = createLogs(settings({}), { clock: new ManualClock(instant), stderr: terminal }).subsystem("db");
    for (const migration of ["1_first", "2_second"]) log.info({ migration }, "migration applied");
    log.info({}, "serves");
    log.warn({ migration: "3_third" }, "slow");
    expect(lines.join("")).toBe("10:15:00  2 migrations applied\n10:15:00  serves\n10:15:00  Warning: slow\n");
  });

  it("is JSON in release, without stacks and statements", () => {
    const { logs, stderr } = logsTo();
    const err = Object.assign(new Error("gone", { cause: new TypeError("inner") }), {
      statement: "select ?",
      code: "E1",
    });
    logs.subsystem("database").warn({ attempt: 2, err }, "lost");
    expect(stderr.records).toEqual([
      {
        level: "warn",
        time: "2026-11-20T10:15:00.123Z",
        subsystem: "database",
        attempt: 2,
        err: { type: "Error", message: "gone", code: "E1", cause: { type: "TypeError", message: "inner" } },
        msg: "lost",
      },
    ]);
  });

  it("is readable in debug, with stacks and statements", () => {
    const { logs, stderr } = logsTo({ mode: "debug" });
    const err = Object.assign(new Error("gone"), { statement: "select ?" });
    logs.subsystem("database").warn({ attempt: 2, note: "two words", err }, "lost\nforged");
    expect(stderr.lines[0]).toBe(
      '10:15:00.123 WARN  database     lost\\x0aforged  attempt=2  note="two words"  err={"type":"Error","message":"gone","statement":"select ?"}',
    );
    expect(stderr.lines[1]).toBe("    Error: gone");
    expect(stderr.lines[2]).toMatch(/^ {8}at .*logs\.test\.ts/);
  });
});

it.each(["release", "debug"] as const)("fields cannot replace standard fields of a line in %s", (mode) => {
  const { logs, stderr } = logsTo({ mode });
  logs.subsystem("http").info({ level: 5, time: 1, subsystem: "x", msg: null }, "real");
  if (mode === "release")
    expect(stderr.records[0]).toMatchObject({
      level: "info",
      subsystem: "http",
      msg: "real",
      level_: 5,
      time_: 1,
      subsystem_: "x",
    });
  else expect(stderr.lines[0]).toMatch(/^10:15:00\.123 INFO {2}http {9}real {2}level_=5/);
});

describe("levels", () => {
  it("follow logLevel", () => {
    const { logs, stderr } = logsTo({ logLevel: "warn" });
    const log = logs.subsystem("http");
    log.debug({}, "d");
    log.info({}, "i");
    log.warn({}, "w");
    log.error({}, "e");
    expect(stderr.records.map((record) => record["msg"])).toEqual(["w", "e"]);
  });

  it("can be set by subsystem, including its children", () => {
    const { logs, stderr } = logsTo({ levelOverrides: { kvstore: "debug", cron: "error" } });
    for (const name of ["kvstore", "kvstore.watch", "cron", "perms"]) {
      logs.subsystem(name).debug({}, "debug");
      logs.subsystem(name).info({}, "info");
      logs.subsystem(name).error({}, "error");
    }
    expect(stderr.records.map((record) => `${record["subsystem"]} ${record["msg"]}`)).toEqual([
      ...["debug", "info", "error"].map((level) => `kvstore ${level}`),
      ...["debug", "info", "error"].map((level) => `kvstore.watch ${level}`),
      "cron error",
      "perms info",
      "perms error",
    ]);
  });
});

describe("secrets", () => {
  it("are hidden by the names of fields, at any depth", () => {
    const { logs, stderr } = logsTo();
    const headers = { authorization: "Bearer abc", Cookie: "rollcall=abc", accept: "x" };
    logs.subsystem("http").info(
      {
        headers,
        list: [{ password: "abc", clientSecret: "abc", apiTokens: ["abc"] }],
        dsn: "abc",
        tokenFingerprint: "fp",
        count: 1,
      },
      "request",
    );
    expect(stderr.text).not.toContain("abc");
    expect(stderr.records[0]).toMatchObject({ headers: { accept: "x" }, tokenFingerprint: "fp", count: 1 });
  });

  it("of links are hidden in headers, messages and errors", () => {
    const { logs, stderr } = logsTo();
    const secret = `${"7K2M-".repeat(12)}Q9XA`;
    const log = logs.subsystem("http");
    log.info({ headers: { authorization: "Link short" }, message: { type: "link", secret: "short" } }, `opened ${secret}`);
    log.error({ err: new Error(`no link ${secret}`) }, "failed");
    expect(stderr.text).not.toMatch(/7K2M|short/);
    expect(stderr.text).toContain("opened [hidden]");
  });

  it.each(["release", "debug"] as const)("are masked by value in %s", (mode) => {
    const { logs, stderr } = logsTo({ mode }, ['pass"word\\x', "short"]);
    logs.subsystem("database").error({ err: new Error('cannot reach u:pass"word\\x@tcp(h)') }, 'with pass"word\\x in short');
    expect(stderr.text).not.toContain("word");
    expect(stderr.text).toContain("[hidden]");
    expect(stderr.text).toContain("in short");
  });

  it("are removed from unusual values as well", () => {
    const { logs, stderr } = logsTo();
    const loop: Record<string, unknown> = {
      big: 10n,
      bytes: new Uint8Array(3),
      when: new Date(instant),
      map: new Map([["a", 1]]),
    };
    loop["self"] = loop;
    logs.subsystem("x").info({ loop, none: undefined, bad: new Date(Number.NaN) }, "odd");
    expect(stderr.records[0]).toMatchObject({
      loop: {
        big: "10",
        bytes: "[3 bytes]",
        when: "2026-11-20T10:15:00.123Z",
        map: { a: 1 },
        self: "[circular]",
      },
      bad: null,
    });
  });
});

describe("the log of the process", () => {
  function processWith(logToFile: boolean) {
    const { logs, stderr: sink } = logsTo();
    const listeners = new Map<string, (value: unknown) => void>();
    const codes: number[] = [];
    let printed = "";
    const processLog = installProcessLog({
      log: logs.subsystem("start"),
      logToFile,
      stderr: (text) => (printed += text),
      process: {
        on: (event, listener) => listeners.set(event, listener as (value: unknown) => void),
        removeListener: (event) => listeners.delete(event),
        removeAllListeners: (event) => listeners.delete(event),
        exit: (code) => void codes.push(code),
      },
    });
    return { processLog, sink, listeners, codes, printed: () => printed };
  }

  it("prints the reason of a refused start on standard error when the log is a file", () => {
    const file = processWith(true);
    file.processLog.fatal("http.listen: port 8080 is in use", { port: 8080 });
    expect(file.printed()).toBe("rollcall: http.listen: port 8080 is in use\n");
    expect(file.sink.records[0]).toMatchObject({ level: "error", port: 8080 });
    const plain = processWith(false);
    plain.processLog.fatal("no");
    expect(plain.printed()).toBe("");
    expect(plain.sink.lines).toHaveLength(1);
  });

  it("logs warnings of Node and uncaught errors, then ends", () => {
    const { sink, listeners, codes, processLog } = processWith(true);
    listeners.get("warning")?.(new Error("deprecated"));
    expect(codes).toEqual([]);
    listeners.get("unhandledRejection")?.(new Error("lost"));
    expect(codes).toEqual([1]);
    expect(sink.records.map((record) => record["msg"])).toEqual(["deprecated", "unexpected error, the process ends: lost"]);
    processLog.uninstall();
    expect(listeners.size).toBe(0);
  });
});
