import fc from "fast-check";
import { expect, test } from "vitest";
import { queries } from "#core/db/index.ts";
import { describeDatabases } from "#testkit/database.ts";
import type { NoticeTables } from "../notices/notices.schema.ts";
import { entryLists, referenceLevel, rules, subjects } from "./accesslists.testkit.ts";
import type { Entry, Rules } from "./accesslists.policy.ts";
import { visibleIds } from "./accesslists.reads.ts";
import { replaceEntries } from "./accesslists.repo.ts";

const deep = process.env["ROLLCALL_TEST_FACTOR"] !== undefined;
/** Each world has objects and viewers; the number of cases is the product of all three. */
const worlds = deep ? 100 : 6;
const objects = 10;
const viewers = 10;
const top = 2;

describeDatabases("lists with access", (get) => {
  async function put(id: number, entries: readonly Entry[], { creatorId, creatorJob, public: isPublic }: Rules): Promise<void> {
    await get().db.write("test.put", async (tx) => {
      const row = { version: 1, title: "t", body: "", creator_name: "", creator_grade: 0, created_at: id, updated_at: id };
      const owner = { creator_id: creatorId, creator_job: creatorJob, is_public: isPublic ? (1 as const) : (0 as const) };
      await queries<NoticeTables>(tx)
        .insertInto("notices")
        .values({ id, ...row, ...owner })
        .execute();
      await replaceEntries(tx, "notices", id, entries);
    });
  }

  test(`show exactly what the reference shows, page by page (${worlds * objects * viewers} cases)`, async () => {
    let base = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(entryLists(top), rules), { minLength: objects, maxLength: objects }),
        fc.array(subjects, { minLength: viewers, maxLength: viewers }),
        fc.integer({ min: 1, max: top }),
        async (lists, people, level) => {
          base += objects;
          const world = lists.map(([entries, given], index) => ({ id: base + index, entries, given }));
          for (const { id, entries, given } of world) await put(id, entries, given);
          for (const who of people) {
            const wanted = world
              .filter(({ entries, given }) => referenceLevel(entries, given, who, top) >= level)
              .map(({ id }) => id)
              .toReversed();
            const found: number[] = [];
            for (let before = base + objects; ;) {
              const page = await get().db.read("test.page", async (tx) => {
                return await visibleIds(tx, { kind: "notices", table: "notices", who, level, before, limit: 3 });
              });
              found.push(...page.filter((id) => id >= base));
              if (page.length < 3 || (page.at(-1) ?? 0) < base) break;
              before = page.at(-1) ?? 0;
            }
            expect(found).toEqual(wanted);
          }
        },
      ),
      { seed: 30, numRuns: worlds },
    );
  });

  test("ask a constant number of statements", async () => {
    const { statements, db } = get();
    const who = { characterId: 1, job: "police", grade: 3, qualifications: [], jobAdmin: false };
    for (let id = 1; id <= 40; id += 1) {
      const entry = { subject: "job" as const, job: "police", minGrade: id % 4, id: 0, level: 1, required: 0 };
      await put(id, [entry], { creatorId: null, creatorJob: "", public: false });
    }
    const page = async () =>
      await db.read("test.page", async (tx) => {
        await visibleIds(tx, { kind: "notices", table: "notices", who, level: 1, limit: 20 });
      });
    expect(await statements.during(page)).toBeLessThanOrEqual(4);
  });
});
