import assert from "node:assert/strict";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { run } from "../../kit/program.ts";
import type { SetPlace } from "../../kit/settings.ts";
import type { OptionProof } from "../proof.ts";

const day = 24 * 60 * 60_000;

/** The ages in days of entries that are left of 1, 89 and 91 days after `rollcall audit prune`. */
async function agesLeft(place: SetPlace): Promise<number[]> {
  const database = new DatabaseSync(path.join(place.folder, "data", "rollcall.db"), { timeout: 10_000 });
  try {
    const insert = database.prepare(
      "insert into audit_entries (at, actor_kind, actor_name, action, result, grade) values (?, 'system', 'proof', 'test.age', 'ok', ?)",
    );
    for (const days of [1, 89, 91]) insert.run(Date.now() - days * day - 60_000, days);
    const { code, stderr } = await run(["audit", "prune"], place);
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
      const [usual, short] = await kit.pair({}, { "audit.retentionDays": 30 });
      assert.deepEqual(await agesLeft(usual.place), [1, 89]);
      assert.deepEqual(await agesLeft(short.place), [1]);
    },
  },
];
