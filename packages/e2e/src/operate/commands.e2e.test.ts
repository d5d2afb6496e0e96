import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { call, person, sendTo } from "@rollcall/testkit/api.ts";
import { hasMariadb, ownDatabase } from "@rollcall/testkit/servers.ts";
import { type ConfiguredInstance, createScope } from "@rollcall/testkit/settings.ts";

const mariadb = await hasMariadb();

/** One line for a person, and no stack. */
const line = (text: string) => expect.stringMatching(new RegExp(`^rollcall: ${text}\\n$`)) as string;

describe.each(["sqlite", "mariadb"].filter((engine) => engine === "sqlite" || mariadb))("commands on %s", (engine) => {
  const scope = createScope();
  let instance: ConfiguredInstance;
  const rollcall = async (...args: string[]) => {
    const { code, stdout, stderr } = await scope.run(args, instance);
    return { code, stdout, stderr };
  };

  beforeAll(async () => {
    const database = engine === "mariadb" ? await ownDatabase() : null;
    if (database) scope.defer(async () => await database.drop());
    instance = await scope.instance(database ? { "database.dsn": database.dsn() } : {});
    await scope.serve(instance);
    const grades = [0, 2].map((grade) => ({ grade, label: `Rank ${grade}` }));
    await sendTo(instance.url, "jobs", [{ name: "police", label: "Police", grades }]);
  }, 60_000);
  afterAll(async () => await scope.end());

  test("role names a wrong job, grade or use in one line, changes nothing then, and says whom it reached", async () => {
    const role = async (...args: string[]) => await rollcall("role", ...args);
    expect(await role("list")).toMatchObject({
      code: 0,
      stdout: "",
      stderr: expect.stringContaining("No role grants anything yet"),
    });
    const wrong = [
      [["--grade=2"], "--grade needs --job: .*; write --job JOB"],
      [["--job", "polize"], "--job polize is not a job of the game; write police"],
      [["--job", "police", "--grade", "1"], "--grade 1 is not a grade of police; it has 0 \\(Rank 0\\), 2 \\(Rank 2\\)"],
    ] as const;
    for (const [args, stderr] of wrong)
      expect(await role("allow", "citizens.list", ...args)).toEqual({ code: 2, stdout: "", stderr: line(stderr) });
    expect((await role("list")).stdout).toBe("");
    const allowed = await role("allow", "citizens.list", "--job", "police", "--grade", "2");
    expect(allowed).toEqual({ code: 0, stdout: "police from grade 2: allow citizens.list\n", stderr: "" });
    expect((await role("allow", "citizens.list")).stdout).toBe(
      "the default role, which everybody inherits: allow citizens.list\n",
    );
    expect((await role("jobs")).stdout).toBe("police\tPolice\t0 Rank 0, 2 Rank 2\n");
    expect((await role("permissions")).stdout).toMatch(/^citizens\.list\tList and search citizens\t\S+$/m);
  });

  test("account refuses a taken name in one line, and changes, disables and deletes accounts", async () => {
    const boss = await person(instance, { username: "boss" });
    const taken = await rollcall("account", "create", "Boss", "--licence", "other");
    expect(taken).toEqual({ code: 1, stdout: "", stderr: line(".*Boss.*") });
    expect(taken.stderr).not.toContain("accounts.");
    expect((await rollcall("account", "set-groups", "boss", "--groups", "staff,admin")).stdout).toBe("boss: staff, admin\n");
    expect((await rollcall("account", "set-groups", "boss", "staff")).stdout).toBe("boss: staff\n");
    expect(await rollcall("account", "set-groups", "boss", "a", "--groups", "b")).toMatchObject({ code: 2, stdout: "" });
    const reason = ["--reason", "a reason for it"];
    expect((await rollcall("account", "set-licence", "boss", "--licence", "license:moved", ...reason)).stdout).toBe(
      "boss now belongs to the game licence moved.\n",
    );
    expect(await rollcall("account", "disable", "boss", ...reason)).toMatchObject({ code: 0, stderr: "" });
    const login = async () =>
      (await call(instance.url, "/api/auth/login", { body: { username: "boss", password: boss.password } })).status;
    expect(await login()).toBe(403);
    expect((await rollcall("account", "enable", "boss")).stdout).toBe("boss can sign in again.\n");
    expect(await login()).toBe(200);
    expect((await rollcall("account", "delete", "boss", ...reason)).code).toBe(0);
    expect(await login()).not.toBe(200);
    expect(await rollcall("account", "disable", "nobody", ...reason)).toEqual({
      code: 1,
      stdout: "",
      stderr: line(".*nobody.*"),
    });
    const audited = await rollcall("audit", "list", "--action", "accounts.");
    for (const action of ["accounts.delete", "accounts.setEnabled", "accounts.setLicence"])
      expect(audited.stdout).toMatch(new RegExp(`\\t${action}\\taccount \\d+\\tok\\t`));
    expect(await rollcall("audit", "list", "--limit", "0")).toMatchObject({ code: 2, stdout: "" });
  });
});
