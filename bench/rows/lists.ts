import { call, person, userToken } from "@rollcall/testkit/api.ts";
import { makeInstance, type Instance, serve } from "@rollcall/testkit/program.ts";
import type { RunningProcess } from "../../packages/server/src/app/lifecycle.ts";
import { createDatabase, hasMariadb } from "../kit/mariadb.ts";
import { compose } from "../kit/program.ts";
import { type Finding, finding, type Machine, type Row } from "../kit/report.ts";
import { percentile, timed } from "../kit/stats.ts";

const objects = 100_000;
const pages = 120;
/** Only the oldest are public, so that viewers who see nothing else have to page far. */
const publicBelow = 5_000;

/**
 * The viewers of the list by what they see: a third, one in forty spread evenly, a few of the oldest,
 * and one object in a thousand that names them in person.
 */
const viewers = [
  { username: "officer", job: "police", grade: 3 },
  { username: "medic", job: "ambulance", grade: 1 },
  { username: "driver", job: "taxi", grade: 0 },
  { username: "named", job: "press", grade: 0 },
] as const;

type Sql = (text: string, values: readonly unknown[]) => Promise<void>;

async function inChunks(sql: Sql, head: string, rows: readonly (readonly unknown[])[]): Promise<void> {
  for (let at = 0; at < rows.length; at += 1000) {
    const part = rows.slice(at, at + 1000);
    await sql(`${head} values ${part.map((row) => `(${row.map(() => "?").join(",")})`).join(",")}`, part.flat());
  }
}

/** What an entry grants. */
function grantOf([kind, id, subject, job, grade, person, level]: readonly unknown[]): readonly unknown[] {
  return [kind, id, subject === "job" ? `job:${job}:${grade}` : `${subject}:${person}`, level];
}

/** Three entries on most objects, a block on one in fifty, people named on one in a thousand. */
function entriesOf(id: number, named: number): (readonly unknown[])[] {
  const entry = (subject: string, job: string, grade: number, person: number, level: number) =>
    ["notices", id, subject, job, grade, person, level, 0] as const;
  const rows = [entry("job", "realestate", id % 4, 0, 1), entry("job", "lawyer", 0, 0, 2)];
  if (id % 3 === 0) rows.push(entry("job", "police", id % 4, 0, 1));
  if (id % 40 === 0) rows.push(entry("job", "ambulance", 1, 0, 1));
  if (id % 1000 === 0) rows.push(entry("citizen", "", 0, named, 1));
  if (id % 50 === 0 && id % 3 !== 0) rows.push(entry("job", "police", 2, 0, 0));
  return rows;
}

async function fill(app: RunningProcess, person: number): Promise<void> {
  await app.container.db.exclusive("bench.fill", async ({ connection }) => {
    const sql: Sql = async (text, values) => void (await connection.execute(text, [...values]));
    await connection.begin("write");
    const at = 1_790_000_000_000;
    const notices = Array.from({ length: objects }, (_, i) => {
      const id = i + 1;
      const isPublic = id < publicBelow && id % 20 === 0 ? 1 : 0;
      return [id, 1, `Notice ${id}`, "What it says.", id % 500, "press", isPublic, "Somebody Else", 0, at, at];
    });
    const columns =
      "id, version, title, body, creator_id, creator_job, is_public, creator_name, creator_grade, created_at, updated_at";
    await inChunks(sql, `insert into notices (${columns})`, notices);
    const entries = notices.flatMap(([id]) => entriesOf(Number(id), person));
    const names = "object_kind, object_id, subject_kind, job, min_grade, subject_id, level, required_level";
    await inChunks(sql, `insert into accesslists_entries (${names})`, entries);
    const rules = notices.flatMap(([id, , , , creator, job, isPublic]) => [
      ["notices", id, `creator:${creator}:${job}`, 2],
      ...(isPublic === 1 ? [["notices", id, "public", 1]] : []),
    ]);
    const grants = [...entries.map(grantOf), ...rules];
    await inChunks(sql, "insert into accesslists_grants (object_kind, object_id, principal, level)", grants);
    await connection.commit();
    await connection.execute(
      app.container.db.kind === "sqlite" ? "analyze" : "analyze table notices, accesslists_entries, accesslists_grants",
      [],
    );
  });
}

/** Reads the list page by page, starting again at its end. */
async function browse(app: RunningProcess, token: string): Promise<{ took: number[]; seen: number }> {
  const took: number[] = [];
  let next: string | null = null;
  let seen = 0;
  const read = async () => {
    const query: string = next === null ? "" : `&cursor=${next}`;
    const answer = await app.web!.inject({
      method: "GET",
      url: `/api/notices?limit=50${query}`,
      headers: { "x-rollcall": "1", authorization: `Bearer ${token}` },
    });
    if (answer.statusCode !== 200) throw new Error(answer.payload);
    const page = JSON.parse(answer.payload) as { items: unknown[]; next: string | null };
    next = page.next;
    seen += page.items.length;
  };
  for (let warm = 0; warm < 8; warm += 1) await read();
  seen = 0;
  for (let page = 0; page < pages; page += 1) took.push(await timed(read));
  return { took, seen };
}

async function tokensOf(instance: Instance): Promise<{ tokens: string[]; admin: string; named: number }> {
  const program = await serve(instance);
  try {
    const tokens: string[] = [];
    let named = 0;
    for (const viewer of viewers) {
      const who = await person(instance, viewer);
      tokens.push(who.token);
      if (viewer.username === "named") named = who.characterId;
    }
    const admin = await person(instance, { username: "keeper", groups: "admin" });
    const body = { reason: "the baseline of a measurement", minutes: 240 };
    const entered = await call(instance.url, "/api/auth/job-admin", { body, token: admin.token });
    if (entered.status !== 200) throw new Error(entered.text);
    return { tokens, named, admin: await userToken(instance.url, admin) };
  } finally {
    await program.stop();
  }
}

async function measureOn(kind: "SQLite" | "MariaDB", machine: Machine): Promise<Finding[]> {
  const database = kind === "MariaDB" ? await createDatabase("lists") : null;
  const instance = await makeInstance(database ? { dsn: database.dsn } : {});
  try {
    const { tokens, admin, named } = await tokensOf(instance);
    const app = await compose(instance);
    await app.start();
    try {
      await fill(app, named);
      machine.sample();
      const bare = await browse(app, admin);
      const found: Finding[] = [];
      for (const [index, token] of tokens.entries()) {
        machine.sample();
        const { took, seen } = await browse(app, token);
        const { username } = viewers[index]!;
        machine.log(`${kind}: ${username} p50 ${percentile(took, 0.5).toFixed(1)} ms, ${seen} objects seen`);
        found.push(
          finding({
            row: `object list p95, ${username}, ${kind}`,
            measured: { value: percentile(took, 0.95), unit: "ms" },
            baseline: { value: percentile(bare.took, 0.95), unit: "ms" },
            ratioAtMost: 2,
            atMost: 80,
            slowness: machine.slowness(),
          }),
        );
      }
      return found;
    } finally {
      await app.stop();
    }
  } finally {
    await database?.drop();
    instance.remove();
  }
}

const note =
  `${objects} notices with two to five entries each, pages of 50, ${pages} pages one after the other for each viewer, through the request guard, ` +
  "validation, use case and answer. Baseline: the same list for job admin, whom no rule concerns.";

async function run(machine: Machine): Promise<Finding[]> {
  const found = await measureOn("SQLite", machine);
  if (await hasMariadb()) found.push(...(await measureOn("MariaDB", machine)));
  else throw new Error("the row requires MariaDB; start it, or set ROLLCALL_TEST_MARIADB_DSN");
  const [first, ...rest] = found;
  return [{ ...first!, note }, ...rest];
}

export const lists: Row = { name: "lists", title: `lists of ${objects} objects with access lists`, run };
