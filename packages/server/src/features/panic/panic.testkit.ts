import { queries } from "#core/db/index.ts";
import { callsPermissions } from "#features/calls/calls.contract.ts";
import { goOnDuty, newJob } from "#features/units/units.testkit.ts";
import type { AppUnderTest } from "#testkit/suite.ts";
import type { VersionedOperation } from "#testkit/versions.ts";
import type { TestActor } from "#testkit/world.ts";
import { endPanic, type Panic, panicPermissions, pressPanic, putPanicRules } from "./panic.contract.ts";
import type { PanicTables } from "./panic.schema.ts";

export const as = ({ token }: Pick<TestActor, "token">) => ({ token });

export const dispatcherRights = Object.fromEntries(
  [...Object.values(panicPermissions), callsPermissions.view, callsPermissions.dispatch]
    .filter(({ id }) => id !== panicPermissions.always.id)
    .map(({ id }) => [id, true as const]),
);

export interface Team {
  readonly job: string;
  /** Answers, dispatches and sets up. */
  readonly lead: TestActor;
  /** Without rights. */
  readonly officer: TestActor;
  readonly colleague: TestActor;
}

/** A job with three people, all on duty. */
export async function team(under: AppUnderTest): Promise<Team> {
  const { world } = under;
  const job = newJob("panic");
  await world.job(job);
  const lead = await world.actor({ job, grade: 3, rights: dispatcherRights });
  const [officer, colleague] = [await world.actor({ job, grade: 1 }), await world.actor({ job, grade: 1 })];
  await goOnDuty(under, job, lead, officer, colleague);
  return { job, lead, officer, colleague };
}

export async function pressed({ app }: AppUnderTest, who: TestActor): Promise<Panic> {
  const answer = await app.call(pressPanic, {}, as(who));
  if (answer.status !== 200) throw new Error(`the panic was refused: ${answer.status} ${answer.text}`);
  return answer.output;
}

/** As if it had been pressed so much earlier. Milliseconds. */
export async function earlier({ app }: AppUnderTest, id: number, ms: number): Promise<void> {
  await app.process.container.db.write("test.earlier", async (tx) => {
    await queries<PanicTables>(tx)
      .updateTable("panic")
      .set((e) => ({
        pressed_at: e("pressed_at", "-", ms),
        last_pressed_at: e("last_pressed_at", "-", ms),
        place_until: e("place_until", "-", ms),
        line_at: e("line_at", "-", ms),
      }))
      .where("id", "=", id)
      .execute();
  });
}

/** The same with its alarms, as if no timer had run for so long; answers when that of the first job was due. */
export async function late(under: AppUnderTest, id: number, ms: number): Promise<number> {
  await earlier(under, id, ms);
  return await under.app.process.container.db.write("test.late", async (tx) => {
    const alarms = queries<PanicTables>(tx);
    await alarms
      .updateTable("panic_alarms")
      .set((e) => ({ next_at: e("next_at", "-", ms) }))
      .where("panic_id", "=", id)
      .execute();
    const first = alarms.selectFrom("panic_alarms").select("next_at").where("panic_id", "=", id).orderBy("position");
    return (await first.executeTakeFirstOrThrow()).next_at;
  });
}

export const versioned: readonly VersionedOperation[] = [
  {
    operation: endPanic,
    async prepare(under) {
      const { lead, officer } = await team(under);
      const { id, version } = await pressed(under, officer);
      const change = (turn: string) => ({ params: { id }, body: { outcome: turn === "left" ? "real" : "false" } });
      return { as: as(lead), version, change };
    },
  },
  {
    operation: putPanicRules,
    async prepare(under) {
      const { lead } = await team(under);
      const [left, right] = [newJob("panic"), newJob("panic")];
      await under.world.job(left);
      await under.world.job(right);
      return { as: as(lead), version: 0, change: (turn) => ({ body: { to: turn === "left" ? left : right } }) };
    },
  },
];
