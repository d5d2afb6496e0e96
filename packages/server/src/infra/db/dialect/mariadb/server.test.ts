import { describe, expect, it } from "vitest";
import { failureOf } from "./errors.ts";
import { formatStatement } from "./format.ts";
import { checkServer, factsOf } from "./server.ts";

describe("server check", () => {
  it.each(["10.6.0-MariaDB", "10.11.19-MariaDB-0+deb12u1", "11.4.2-MariaDB-log", "12.0.1-MariaDB", "8.0.36", "8.4.0", "9.1.0"])(
    "accepts %s",
    (version) => {
      expect(() => checkServer(version, "db:3306")).not.toThrow();
    },
  );

  it.each(["10.5.29-MariaDB", "5.7.44-log", "5.5.68-MariaDB", "unknown"])(
    "refuses %s with both versions in the message",
    (version) => {
      expect(() => checkServer(version, "db:3306")).toThrow(
        `db:3306 is ${/MariaDB/.test(version) ? "MariaDB" : "MySQL"} ${version}; Rollcall requires MariaDB 10.6 or MySQL 8.0`,
      );
    },
  );

  it("uses REPEATABLE READ if the server logs statements", () => {
    const facts = (binlog_format: string) =>
      factsOf(new Map(Object.entries({ version: "10.11.1-MariaDB", log_bin: "ON", binlog_format })));
    expect(facts("STATEMENT").writeIsolation).toBe("REPEATABLE READ");
    expect(facts("MIXED").writeIsolation).toBe("READ COMMITTED");
  });
});

describe("statements", () => {
  it("contain their values, whatever characters they have", () => {
    expect(formatStatement("select ?, ?, ?, ?", ["a?'\\", 1.5, null, new Uint8Array([0, 255])])).toBe(
      "select 'a?\\'\\\\', 1.5, NULL, x'00ff'",
    );
    expect(() => formatStatement("select '?'", [])).toThrow("bind texts that contain one");
    expect(() => formatStatement("select ?", [])).toThrow("1 question marks for 0 values");
  });

  it("fail with messages that do not contain their values", () => {
    const dsn = { address: { host: "db", port: 3306 } } as never;
    const failures = [
      {
        errno: 1366,
        code: "ER_X",
        sqlMessage: "Incorrect string value: 's3cret' for column `d`.`t`.`c` at row 1",
        message: "",
      },
      {
        errno: 1064,
        code: "ER_PARSE_ERROR",
        sqlMessage: "syntax error near 'values ('s3cret')' at line 1",
        message: "",
      },
      {
        errno: 1062,
        code: "ER_DUP_ENTRY",
        sqlMessage: "Duplicate entry 's3cret' for key 'accounts.accounts_username'",
        message: "",
      },
    ].map((error) => failureOf(error, dsn));
    for (const failure of failures) expect(failure.message).not.toContain("s3cret");
    expect(failures[2]!.seen).toMatchObject({ constraint: "accounts_username" });
  });
});
