import { expect, test } from "vitest";
import { storageFailure } from "#core/ports/index.ts";
import { failureOf as mariadbFailure } from "#infra/db/dialect/mariadb/errors.ts";
import { failureOf as sqliteFailure } from "#infra/db/dialect/sqlite/errors.ts";
import { fullAt } from "./backup/full.ts";
import { explained } from "./with-app.ts";
import { toAppError } from "#infra/http/problem.ts";

const noSpace = Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
const codeOf = (thrown: unknown) => {
  const { definition, params } = toAppError(thrown, 1);
  return [definition.status, definition.code, params["part"]];
};

test("a full disk is called so, whatever was being written", () => {
  const setup = { file: "/data/rollcall.db", role: "writer" } as never;
  expect(
    codeOf(sqliteFailure({ code: "SQLITE_FULL", message: "database or disk is full", constraint: null }, setup).seen),
  ).toEqual([503, "system.diskFull", "database"]);
  const dsn = { kind: "mariadb", address: { host: "db", port: 3306 } } as never;
  const full = { errno: 1021, code: "ER_DISK_FULL", sqlMessage: "Disk full (/tmp)", message: "x" };
  expect(codeOf(mariadbFailure(full, dsn).seen)).toEqual([503, "system.diskFull", "database"]);
  expect(codeOf(storageFailure(noSpace))).toEqual([503, "system.diskFull", "storage"]);
  expect(codeOf(storageFailure(storageFailure(noSpace), "cannot write: "))).toEqual([503, "system.diskFull", "storage"]);
  expect(codeOf(storageFailure(new Error("EACCES")))).toEqual([503, "system.unavailable", "storage"]);
});

test("what is written to an open file names the file or folder too", () => {
  const named = fullAt("/backup/.rollcall-check-1");
  const without = Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
  expect(() => named(without)).toThrow(expect.objectContaining({ code: "ENOSPC", path: "/backup/.rollcall-check-1" }));
  const other = Object.assign(new Error("ENOSPC"), { code: "ENOSPC", path: "/a" });
  expect(() => named(other)).toThrow(expect.objectContaining({ path: "/a" }));
  expect(() => named(new Error("other"))).toThrow(expect.not.objectContaining({ path: expect.anything() }));
});

test("a command on a full disk says so in one line", () => {
  const error = explained(Object.assign(noSpace, { path: "/backup/x.tar.gz" })) as Error;
  expect(error.message).toBe(
    "the disk is full, so /backup/x.tar.gz could not be written; free some space and repeat the command",
  );
});
