import assert from "node:assert/strict";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { run } from "@rollcall/testkit/program.ts";
import type { ConfiguredInstance } from "@rollcall/testkit/settings.ts";
import type { OptionProof } from "../proof.ts";

const day = 24 * 60 * 60_000;

/** The ages in days of the entries that remain of 1, 89 and 91 days after `rollcall audit prune`. */
async function agesLeft(instance: ConfiguredInstance): Promise<number[]> {
  const database = new DatabaseSync(path.join(instance.folder, "data", "rollcall.db"), { timeout: 10_000 });
  try {
    const insert = database.prepare(
      "insert into audit_entries (at, actor_kind, actor_name, action, result, grade) values (?, 'system', 'proof', 'test.age', 'ok', ?)",
    );
    for (const days of [1, 89, 91]) insert.run(Date.now() - days * day - 60_000, days);
    const { code, stderr } = await run(["audit", "prune"], instance);
    assert.equal(code, 0, stderr);
    const rows = database.prepare("select grade from audit_entries where action = 'test.age' order by grade").all();
    return rows.map((row) => Number(row["grade"]));
  } finally {
    database.close();
  }
}

export const proofs: readonly OptionProof[] = [
  {
    option: "audit.retentionDays",
    first: { value: "90", observed: "of entries aged 1, 89 and 91 days, `rollcall audit prune` leaves those of 1 and 89" },
    second: { value: "30", observed: "it leaves the one of 1 day" },
    async run(kit) {
      const { instance, program } = await kit.start();
      assert.deepEqual(await agesLeft(instance), [1, 89]);
      await program.stop();
      instance.set({ "audit.retentionDays": 30 });
      await kit.serve(instance);
      assert.deepEqual([...new Set(await agesLeft(instance))], [1]);
    },
  },
];
